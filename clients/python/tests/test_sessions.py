"""Sessions, with servers that say exactly what they are told to."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import datetime
import io
import json
import os
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import glovebox
from glovebox import errors
from glovebox._link.current import current_engine
from glovebox._process.loop import run_sync
from glovebox.session import CommandResult, Execution, Result
from glovebox.session._times import moment_of
from glovebox.session._trees import pack, unpack
from http_peer import Held, Peer, ok, peer, problem

SESSION = json.dumps({"id": "s1", "state": "running", "spec": {}})
IMAGE = '{"image": {}}\n'


def stream(*entries: dict[str, Any], problem: dict[str, Any] | None = None) -> str:
    """Returns an answer with server-sent events."""
    messages = [f"event: {entry['type']}\ndata: {json.dumps(entry)}\n\n" for entry in entries]
    if problem is not None:
        messages.append(f"event: problem\ndata: {json.dumps({'problem': problem})}\n\n")
    return ok("".join(messages), "Content-Type: text/event-stream")


def output(text: str, offset: int, stream: str = "stdout", **more: Any) -> dict[str, Any]:
    data = base64.b64encode(text.encode()).decode()
    return {"type": "output", "stream": stream, "data": data, "offset": offset, **more}


STARTED = {"type": "started", "pid": 7, "offset": 0}
EXITED = {"type": "exited", "offset": 9, "exit": {"code": 3, "status": 3}}


@contextlib.contextmanager
def served(directory: Path, *script: Sequence[str | None]) -> Iterator[tuple[Peer, str]]:
    """Gives a peer, to which the engine of this process has no connection in the end."""

    async def close() -> None:
        await (await current_engine()).close()

    with peer(directory, *script) as pair:
        try:
            yield pair
        finally:
            run_sync(close())


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the engine of this process a peer with these answers, after those that make a session."""

    monkeypatch.delenv("GLOVEBOX_TOKEN", raising=False)
    monkeypatch.setenv("GLOVEBOX_URL", f"unix://{tmp_path}/s")
    return lambda *answers, then=(): served(tmp_path, [ok(IMAGE)], [ok(SESSION), *answers], then)


def heads(server: Peer) -> list[str]:
    return [head.split(" HTTP")[0] for head, _ in server.requests]


def test_with_starts_and_kills(at: Any) -> None:
    with at(ok("")) as (server, _):
        session = glovebox.Session(
            labels={"user": "ada"},
            network="public",
            env_vars={"A": "1"},
            timeout=datetime.timedelta(minutes=1),
            idle=None,
        )
        assert not server.requests
        with session as same:
            assert same is session and same.id == "s1"
    assert heads(server) == ["POST /v1/images", "POST /v1/sessions", "DELETE /v1/sessions/s1"]
    assert json.loads(server.requests[1][1]) == {
        "labels": {"user": "ada"},
        "network": {"public": True},
        "env": {"A": "1"},
        "timeout_ns": 60_000_000_000,
        "idle_ns": -1,
        "at_end": "pause",
    }


def test_who_is_cancelled_while_leaving_has_ended_the_session(at: Any) -> None:
    held = Held(ok(""))

    async def leave() -> None:
        async with glovebox.Session() as session:
            await session.state.aio()

    async def main() -> None:
        task = asyncio.create_task(leave())
        assert await asyncio.to_thread(held.asked.wait, 60)
        task.cancel()
        done, _ = await asyncio.wait({task}, timeout=0.2)
        held.go.set()
        assert not done
        with pytest.raises(asyncio.CancelledError):
            await task

    with at(ok(SESSION), held):
        asyncio.run(main())


def test_keep_leaves_it(at: Any) -> None:
    with at() as (server, _), glovebox.Session(keep=True):
        pass
    assert heads(server) == ["POST /v1/images", "POST /v1/sessions"]


def test_the_error_of_the_block_comes_first(at: Any) -> None:
    with at(problem(500, "internal")), pytest.raises(KeyError), glovebox.Session():
        raise KeyError("mine")


def test_what_cannot_be_is_refused_here() -> None:
    with pytest.raises(ValueError, match="not from both"):
        glovebox.Session(image=glovebox.Image.from_debian_base(), snapshot="x")
    with pytest.raises(ValueError, match="at_end"):
        glovebox.Session(at_end="stop")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="idle: expected more than 0"):
        glovebox.Session(idle=0)
    with pytest.raises(TypeError, match="labels"):
        glovebox.Session(labels={"a": 1})  # type: ignore[dict-item]
    with pytest.raises(RuntimeError, match="not started"):
        print(glovebox.Session().id)


def test_a_command(at: Any) -> None:
    pieces: list[str] = []
    answer = stream(STARTED, output("a\u00e9", 3), output("bad\n", 7, "stderr"), EXITED)
    with at(answer) as (server, _):
        result = glovebox.Session().exec("ls | wc", cwd="/tmp", timeout=2, on_stdout=pieces.append)
    assert (result.stdout, result.stderr, result.exit_code, pieces) == ("a\u00e9", "bad\n", 3, ["a\u00e9"])
    assert json.loads(server.requests[2][1]) == {
        "argv": ["sh", "-c", "ls | wc"],
        "dir": "/tmp",
        "timeout_ns": 2_000_000_000,
    }
    with pytest.raises(errors.NonzeroExitError, match=r"'ls \| wc' ended with status 3"):
        result.check()


def test_a_command_is_followed_over_several_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOVEBOX_URL", f"unix://{tmp_path}/s")
    monkeypatch.delenv("GLOVEBOX_TOKEN", raising=False)
    first = [ok(SESSION), stream(STARTED, output("one ", 4)), stream(STARTED, output("two", 7), EXITED)]
    with served(tmp_path, [ok(IMAGE)], first) as (server, _):
        assert glovebox.Session().exec(["x"]).stdout == "one two"
    assert heads(server)[2:] == ["POST /v1/sessions/s1/processes", "GET /v1/sessions/s1/processes/7/events?from=4"]


def test_a_command_that_did_not_start_is_not_repeated(at: Any) -> None:
    with at(stream(problem={"code": "command_not_found", "detail": "no x"})) as (server, _):
        with pytest.raises(errors.CommandNotFoundError, match="no x"):
            glovebox.Session().exec(["x"])
    assert len(server.requests) == 3


def test_a_callback_that_fails_ends_the_command(at: Any) -> None:
    def fails(text: str) -> None:
        raise ZeroDivisionError(text)

    with (
        at(stream(STARTED, output("x", 1), EXITED), then=[ok("")]) as (server, _),
        pytest.raises(ZeroDivisionError, match="x"),
    ):
        glovebox.Session().exec("x", on_stdout=fails)
    assert heads(server)[3] == "POST /v1/sessions/s1/processes/7/signal"
    assert json.loads(server.requests[3][1]) == {"signal": "SIGKILL", "tree": True}


def test_iterating_continues_where_it_was_left(at: Any) -> None:
    answers = [
        stream(STARTED),
        stream(STARTED, output("\u00e9"[:1], 2), output("b", 3, lost=5), EXITED),
        stream(STARTED, output("b", 3), EXITED),
    ]
    with at(*answers) as (server, _):
        process = glovebox.Session().start(["x"], tag="t", stdin=True, terminal=True)
        with iter(process) as outputs:
            assert next(outputs).text == "\u00e9"
            assert next(outputs).lost == 5
            assert list(outputs) == []
        assert [each.text for each in process] == ["b"]
    assert heads(server)[2:] == [
        "POST /v1/sessions/s1/processes?detach=true",
        "GET /v1/sessions/s1/processes/7/events?from=0",
        "GET /v1/sessions/s1/processes/7/events?from=9",
    ]
    spec = json.loads(server.requests[2][1])
    assert spec == {"argv": ["x"], "tag": "t", "stdin": True, "terminal": {"columns": 80, "rows": 24}}


def test_a_character_in_two_pieces(at: Any) -> None:
    halves = [base64.b64encode(half).decode() for half in ("\u00e9".encode()[:1], "\u00e9".encode()[1:])]
    entries = [{"type": "output", "stream": "stdout", "data": half, "offset": i} for i, half in enumerate(halves)]
    with at(stream(STARTED, *entries, EXITED)):
        process = glovebox.Session().process("web")
        assert [output.text for output in process] == ["", "\u00e9"]


@pytest.mark.parametrize(
    ("exit", "kind"),
    [
        ({"exit_code": 137, "signal": "SIGKILL"}, errors.SignaledError),
        ({"exit_code": 137, "signal": "SIGKILL", "timed_out": True}, errors.TaskTimeoutError),
        ({"exit_code": 1}, errors.NonzeroExitError),
    ],
)
def test_check(exit: dict[str, Any], kind: type[Exception]) -> None:
    given = {"signal": "", "timed_out": False, **exit}
    with pytest.raises(kind):
        CommandResult(argv=("x",), stdout_bytes=b"", stderr_bytes=b"", **given).check()


def test_code(at: Any, tmp_path: Path) -> None:
    picture = base64.b64encode(b"\x89PNG").decode()
    entries: list[dict[str, Any]] = [
        {"type": "started", "count": 4},
        {"type": "stdout", "text": "a"},
        {"type": "stderr", "text": "b"},
        {"type": "result", "data": {"image/png": picture, "text/plain": "<Figure>", "text/html": "<script>"}},
        {"type": "result", "main": True, "data": {"text/plain": "[1]", "application/json": [1]}},
        {"type": "ended"},
    ]
    shown: list[Result] = []
    with at(stream(*entries)) as (server, _):
        out = glovebox.Session().run("f", language="bash", timeout=1, on_result=shown.append)
    assert (out.count, out.stdout, out.stderr, out.text, out.error) == (4, "a", "b", "[1]", None)
    assert out.results == shown and out.results[0].png == out._repr_png_() == b"\x89PNG"
    assert out.results[1].json == [1] and out.results[1].png is None
    assert not hasattr(out.results[0], "_repr_html_"), "a notebook would run what unreviewed code wrote"
    assert out.check() is out
    out.save(tmp_path / "x.png")
    assert (tmp_path / "x.png").read_bytes() == b"\x89PNG"
    out.save(tmp_path / "x.json")
    assert (tmp_path / "x.json").read_text() == "[1]"
    with pytest.raises(ValueError, match=r"no result can be saved as .*svg"):
        out.save(tmp_path / "x.svg")
    with pytest.raises(ValueError, match="ends in none"):
        out.save(tmp_path / "x.doc")
    assert json.loads(server.requests[2][1]) == {"code": "f", "language": "bash", "timeout_ns": 1_000_000_000}


def test_code_that_raised(at: Any) -> None:
    failure = {"name": "ZeroDivisionError", "value": "by zero", "traceback": "Traceback: line 1"}
    with at(stream({"type": "started", "count": 1}, {"type": "error", "error": failure}, {"type": "ended"})):
        out = glovebox.Session().run("1/0")
    assert out.error is not None and out.error.name == "ZeroDivisionError"
    with pytest.raises(ZeroDivisionError, match="Traceback: line 1") as raised:
        out.check()
    assert isinstance(raised.value, errors.PythonExceptionError)


def test_code_whose_stream_breaks_off_is_an_error(at: Any) -> None:
    with at(stream({"type": "started", "count": 1})), pytest.raises(errors.ServerUnavailableError, match="last entry"):
        glovebox.Session().run("1")


def test_results_that_are_damaged_have_no_bytes() -> None:
    assert Result({"image/png": "%%%", "text/html": 3}).png is None
    assert Result({"text/html": 3}).html is None
    assert Execution().text is None


def test_files(at: Any) -> None:
    info = {"path": "/work/a", "type": "file", "size": 1, "mode": 420, "modified": "2026-01-02T03:04:05.123456789Z"}
    with at(ok(json.dumps(info)), ok("abc"), problem(404, "not_found"), ok('{"files": []}')) as (server, _):
        files = glovebox.Session().files
        written = files.write("a b", "\u00e9", mode=0o755, append=True, user="root", attributes={"k": "\u00e9"})
        assert (written.name, written.modified.microsecond) == ("a", 123456)
        assert files.read("a", offset=1, limit=3) == b"abc"
        assert not files.exists("a")
        assert files.list(depth=2) == []
    assert heads(server)[2:] == [
        "PUT /v1/sessions/s1/files/content?path=a+b&user=root&append=true&mode=755",
        "GET /v1/sessions/s1/files/content?path=a",
        "GET /v1/sessions/s1/files/stat?path=a",
        "GET /v1/sessions/s1/files/list?path=.&depth=2",
    ]
    assert server.requests[2][1] == "\u00e9".encode()
    assert 'Glovebox-Attributes: {"k": "\\u00e9"}' in server.requests[2][0]
    assert "Range: bytes=1-3" in server.requests[3][0]


def test_forks_are_all_or_none(at: Any) -> None:
    forks = {"forks": [{"session": {"id": "f1"}}, {"error": {"code": "overloaded", "message": "no room"}}]}
    with at(ok(json.dumps(forks)), ok("")) as (server, _), pytest.raises(errors.OverloadedError, match="no room"):
        glovebox.Session().fork(2, labels={"a": "b"})
    assert heads(server)[3] == "DELETE /v1/sessions/f1"


def test_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOVEBOX_URL", f"unix://{tmp_path}/s")
    page, last = {"sessions": [{"id": "a"}], "next": "c"}, {"sessions": [{"id": "b"}]}
    with served(tmp_path, [ok(json.dumps(page)), ok(json.dumps(last))]) as (server, _):
        found = glovebox.sessions(labels={"a": "1", "b": "2"}, state="paused", limit=None)
    assert [session.id for session in found] == ["a", "b"] and all(session.keep for session in found)
    assert heads(server)[0] == "GET /v1/sessions?label=a%3D1&label=b%3D2&state=paused&limit=1000"
    assert heads(server)[1].endswith("&cursor=c")


def test_times() -> None:
    assert moment_of("2026-01-02T03:04:05.5Z").isoformat() == "2026-01-02T03:04:05.500000+00:00"
    assert moment_of("2026-01-02T03:04:05+01:00").isoformat() == "2026-01-02T03:04:05+01:00"
    with pytest.raises(ValueError, match="no time"):
        moment_of("yesterday")


# Archives.


def archive(*members: tarfile.TarInfo) -> io.BytesIO:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for member in members:
            content = member.name.encode() if member.isreg() else b""
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    made.seek(0)
    return made


def entry(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", mode: int = 0o644) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.mode = kind, link, mode
    return made


def test_what_leads_out_of_a_directory_is_left_out(tmp_path: Path) -> None:
    link, directory = tarfile.SYMTYPE, tarfile.DIRTYPE
    bad = [
        entry("../a"),
        entry("/etc/a"),
        entry("d/../../b"),
        entry("up", link, "../outside"),
        entry("abs", link, "/etc"),
        entry("chain", link, "top/../../outside"),
        entry("dev", tarfile.CHRTYPE),
        entry("hard", tarfile.LNKTYPE, "good"),
    ]
    good = [
        entry("good", mode=0o4755),
        entry("d", directory),
        entry("d/e", directory),
        entry("d/e/top", link, "../.."),
        entry("d/in", link, "e/../../good"),
        entry("top", link, "d/e"),
        entry("./deep/x"),
    ]
    left_out = unpack(archive(*bad, *good), str(tmp_path / "new"))
    assert sorted(left_out) == sorted(each.name for each in bad)
    found = sorted(str(path.relative_to(tmp_path / "new")) for path in (tmp_path / "new").rglob("*"))
    assert [name for name in found if not name.startswith("top/")] == [
        "d", "d/e", "d/e/top", "d/in", "deep", "deep/x", "good", "top",
    ]  # fmt: skip
    assert (tmp_path / "new/d/in").read_text() == "good"
    assert (tmp_path / "new/good").stat().st_mode & 0o7777 == 0o777 & ~_umask()
    assert sorted(os.listdir(tmp_path)) == ["new"]


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    assert unpack(archive(entry("d", tarfile.SYMTYPE, "."), entry("d/x")), str(tmp_path / "new")) == ["d"]
    assert not (tmp_path / "new" / "d").is_symlink()


def test_a_directory_is_new_or_empty(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    assert unpack(archive(entry("a")), str(tmp_path / "there")) == []
    with pytest.raises(FileExistsError, match="there already"):
        unpack(archive(entry("b")), str(tmp_path / "there"))
    assert sorted(os.listdir(tmp_path)) == ["there"] and os.listdir(tmp_path / "there") == ["a"]


def test_an_archive_tells_nothing_of_this_machine(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d/a").write_text("x")
    os.mkfifo(tmp_path / "d/pipe")
    os.symlink("a", tmp_path / "d/link")
    pack(tmp_path / "d", tmp_path / "tar")
    with tarfile.open(tmp_path / "tar") as tar:
        members = {member.name: (member.uid, member.gid, member.uname, member.gname) for member in tar}
    assert members == {"a": (0, 0, "", ""), "link": (0, 0, "", "")}
