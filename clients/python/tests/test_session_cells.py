"""Sessions in real cells.

They run with GLOVEBOX_TEST_REAL=1. Images are kept in GLOVEBOX_TEST_HOME, if that is set, for the next time.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
import glovebox
import registries
from glovebox import Session, errors
from glovebox.session import Output

pytestmark = pytest.mark.cells


@pytest.fixture(scope="module", autouse=True, params=["child", "tcp"])
def kind(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[str]:
    home = Path(os.environ.get("GLOVEBOX_TEST_HOME") or tmp_path_factory.mktemp("home"))
    with engines.engine(request.param, home):
        yield request.param


@pytest.fixture(scope="module")
def s(kind: str) -> Iterator[Session]:
    with Session(labels={"test": "shared"}, env_vars={"WHO": "me"}) as session:
        yield session


def test_with_kills_and_keep_does_not() -> None:
    with Session() as session:
        assert session.exec("echo $((6 * 7))").check().stdout == "42\n"
    assert session.state() == "ended"
    with pytest.raises(errors.SessionEndedError):
        session.exec("true")
    with Session(keep=True) as session:
        session.files.write("a", "x")
    found = Session.get(session.id)
    assert found.files.read_text("a") == "x"
    found.kill()
    found.kill()
    with pytest.raises(errors.NotFoundError):
        Session.get("no-such-session")


def test_lists(s: Session) -> None:
    found = glovebox.sessions(labels={"test": "shared"})
    assert [session.id for session in found] == [s.id]
    assert glovebox.sessions(labels={"test": "none"}) == []


def test_commands(s: Session) -> None:
    pieces: list[str] = []
    result = s.exec("echo out; echo err >&2; echo $WHO; exit 3", on_stdout=pieces.append)
    assert (result.stdout, result.stderr, result.exit_code) == ("out\nme\n", "err\n", 3)
    assert "".join(pieces) == result.stdout
    assert s.exec(["printf", "%s|", "a b", "$c"]).stdout == "a b|$c|"
    assert s.exec("pwd", cwd="/tmp").stdout == "/tmp\n"
    assert s.exec("id -u", user="root").stdout == "0\n"
    with pytest.raises(errors.CommandNotFoundError):
        s.exec(["no-such-program"])
    with pytest.raises(errors.TaskTimeoutError):
        s.exec("sleep 60", timeout=0.2).check()


def test_input(s: Session) -> None:
    assert s.exec("cat; echo end", input="one\n").stdout == "one\nend\n"
    assert s.exec(["wc", "-c"], input=b"").stdout == "0\n"
    large = b"x" * (8 << 20)
    assert s.exec(["cat"], input=large).stdout_bytes == large
    assert s.exec("exec 0<&-; echo gone", input=large).check().stdout == "gone\n"


def test_a_callback_may_use_the_session(s: Session) -> None:
    answers: list[str] = []
    s.exec("echo a", on_stdout=lambda text: answers.append(s.exec(["echo", text.strip() + "b"]).stdout))
    assert answers == ["ab\n"]


def test_background_commands(s: Session) -> None:
    process = s.start(["cat"], stdin=True)
    process.write("one\n")
    outputs = iter(process)
    assert next(outputs) == Output("stdout", b"one\n", "one\n")
    process.write(b"two\n")
    process.close_stdin()
    assert "".join(output.text for output in outputs) == "two\n"
    again = s.process(process.pid or 0)
    assert "".join(output.text for output in again) == "one\ntwo\n"
    assert again.wait().exit_code == 0
    tagged = s.start("sleep 60", tag="slow")
    assert tagged.pid in [each.pid for each in s.processes()]
    s.process("slow").kill()
    assert tagged.wait().signal == "SIGKILL"


def test_a_stream_that_was_left_is_closed_quietly_at_the_end() -> None:
    code = (
        "import glovebox\n"
        "s = glovebox.Session().open()\n"
        "outputs = iter(s.start('echo a; sleep 60'))\n"
        "changes = s.files.watch().__enter__()\n"
        "print(next(outputs).text)"
    )
    ended = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "a\n\n", "")


def test_a_terminal(s: Session) -> None:
    process = s.start(["sh", "-c", "stty size; read x; stty size"], terminal=(100, 30))
    outputs = iter(process)
    assert next(outputs).text == "30 100\r\n"
    process.resize(50, 20)
    process.write("\n")
    assert process.wait().stdout.endswith("20 50\r\n")


def test_an_interrupted_command_is_ended(s: Session) -> None:
    async def work() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(s.exec.aio("echo $$ >pid; exec sleep 61"), 1)

    asyncio.run(work())
    pid = s.files.read_text("pid").strip()
    deadline = time.monotonic() + 20
    while s.exec(["test", "-d", f"/proc/{pid}"]).exit_code == 0:
        assert time.monotonic() < deadline, "the command is still there"
        time.sleep(0.05)


def test_files(s: Session) -> None:
    assert s.files.write("dir/a.txt", "caf\u00e9").size == 5
    assert s.files.read("dir/a.txt", offset=3) == "\u00e9".encode()
    assert s.files.read("dir/a.txt", offset=9) == b""
    s.files.write("dir/a.txt", b"!", append=True)
    assert s.files.read_text("dir/a.txt") == "caf\u00e9!"
    assert [(each.name, each.type) for each in s.files.list("dir")] == [("a.txt", "file")]
    s.files.mkdir("dir/b")
    with pytest.raises(errors.ConflictError):
        s.files.mkdir("dir/b")
    assert s.files.mkdir("dir/b", exist_ok=True).is_dir
    with pytest.raises(FileExistsError):
        s.files.mkdir("dir/a.txt", exist_ok=True)
    assert s.files.move("dir/a.txt", "dir/c/d.txt").path == "/work/dir/c/d.txt"
    s.files.remove("dir")
    assert not s.files.exists("dir")
    with pytest.raises(errors.NotFoundError):
        s.files.read("dir")


def test_files_raise_what_python_raises(s: Session) -> None:
    s.exec("mkdir d && mkfifo fifo && echo x > f && echo x > closed && chmod 0 closed").check()
    for kind, use in (
        (FileNotFoundError, lambda: s.files.read("missing")),
        (IsADirectoryError, lambda: s.files.read("d")),
        (IsADirectoryError, lambda: s.files.write("d", "x")),
        (NotADirectoryError, lambda: s.files.list("f")),
        (NotADirectoryError, lambda: s.files.write("f/below", "x")),
        (PermissionError, lambda: s.files.read("closed")),
        (PermissionError, lambda: s.files.write("/root/x", "x")),
        (FileExistsError, lambda: s.files.mkdir("d")),
        (OSError, lambda: s.files.read("fifo")),
    ):
        with pytest.raises(kind) as caught:
            use()
        assert isinstance(caught.value, errors.GloveboxError)


def test_watching(s: Session) -> None:
    s.files.mkdir("watched", exist_ok=True)
    with s.files.watch("watched") as changes:
        s.exec("touch watched/new")
        change = next(changes)
    assert (change.type, change.path) == ("create", "new")
    threading.Timer(0.5, lambda: s.files.write("watched/other", "x")).start()
    for change in s.files.watch("watched"):
        assert change.path == "other" and change.info is not None and change.info.path == "/work/watched/other"
        break


def test_trees(s: Session, tmp_path: Path) -> None:
    (tmp_path / "in/sub").mkdir(parents=True)
    (tmp_path / "in/sub/run").write_text("#!/bin/sh\necho ran\n")
    (tmp_path / "in/sub/run").chmod(0o755)
    (tmp_path / "in/link").symlink_to("sub/run")
    s.files.upload(tmp_path / "in", "tree")
    assert s.exec("tree/link").stdout == "ran\n"
    s.exec("ln -s /etc/passwd tree/out; mkfifo tree/pipe").check()  # the engine leaves a pipe out
    assert s.files.download("tree", tmp_path / "back") == ["out"]
    assert sorted(os.listdir(tmp_path / "back")) == ["link", "sub"]
    assert os.readlink(tmp_path / "back/link") == "sub/run" and os.access(tmp_path / "back/sub/run", os.X_OK)
    s.files.upload(tmp_path / "in/sub/run", "one")
    s.files.download("one", tmp_path)
    assert (tmp_path / "one").read_text() == "#!/bin/sh\necho ran\n"


def test_code(s: Session) -> None:
    printed: list[str] = []
    s.run("x = 20\ndef f(n): return n / 0").check()
    assert s.run("print('hi')\nx * 2", on_stdout=printed.append).text == "40"
    assert "".join(printed) == "hi\n"
    with pytest.raises(ZeroDivisionError):
        s.run("f(1)").check()
    out = s.run("display({'a': [1]}, raw=False)")
    assert out.results[0].json == {"a": [1]} and out.text is None
    late = s.run("import time; time.sleep(60)", timeout=0.3)
    assert late.error is not None and late.error.name == "KeyboardInterrupt"
    assert s.run("x").text == "20"


def test_contexts(s: Session) -> None:
    shell = s.context(language="bash")
    shell.run("cd /tmp; who=ada").check()
    assert shell.run("pwd; echo $who").stdout == "/tmp\nada\n"
    assert shell.id in [each.id for each in s.contexts()]
    shell.restart()
    assert shell.run("pwd").stdout == "/work\n"
    timer = threading.Timer(1, shell.interrupt)
    timer.start()
    begun = time.monotonic()
    shell.run("sleep 60")
    assert time.monotonic() - begun < 30
    timer.join()
    shell.remove()
    with pytest.raises(errors.NotFoundError):
        shell.run("pwd")


def test_connections(s: Session) -> None:
    assert s.connections() == []
    s.change(network=["pypi.org"])
    asked = s.exec(["python3", "-c", "import urllib.request; urllib.request.urlopen('http://elsewhere.example/x')"])
    assert asked.exit_code != 0
    (made,) = s.connections()
    assert (made["host"], made["port"], made["allowed"]) == ("elsewhere.example", 80, False) and made["reason"]


SERVER = """
import socket
with socket.create_server(("127.0.0.1", 8765)) as server:
    print("ready", flush=True)
    while True:
        with server.accept()[0] as c:
            c.sendall(b"all: " + c.makefile("rb").read())
"""


def test_ports(s: Session, kind: str) -> None:
    with pytest.raises(errors.NotFoundError):
        s.dial(8765)
    server = s.start(["python3", "-c", SERVER])
    assert next(iter(server)).text == "ready\n"
    for size in (3, 3_000_000):
        with s.dial(8765) as connection:
            threading.Thread(target=lambda c=connection, n=size: (c.sendall(b"x" * n), c.shutdown(1))).start()
            with connection.makefile("rb") as answer:
                assert answer.read() == b"all: " + b"x" * size
    port = s.open_port(8765)
    assert port.token and not port.public and [each["port"] for each in s.info()["ports"]] == [8765]
    assert bool(port.url) == (kind == "tcp")
    if kind == "tcp":
        request = urllib.request.Request(f"http://127.0.0.1:{urllib.parse.urlsplit(port.url).port}/")
        request.add_header("Host", urllib.parse.urlsplit(port.url).netloc)
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(request, timeout=60)
    port.close()
    assert "ports" not in s.info()
    server.kill()


def test_pause_and_resume() -> None:
    with Session() as session:
        session.files.write("a", "x")
        session.pause(files_only=True, reason="lunch")
        assert session.state() == "paused"
        session.resume()
        assert session.state() == "running"
        session.pause(files_only=True)
        assert session.files.read_text("a") == "x"  # resumes it
        kinds = [event["type"] for event in session.events()]
        assert kinds.count("paused") == 2 and kinds[-1] == "running"
        session.change(timeout=600, labels={"a": "b"})
        assert session.info()["spec"]["labels"] == {"a": "b"} and "ends" in session.info()


def test_forks_and_snapshots() -> None:
    with Session() as session:
        session.files.write("a", "x")
        forks = session.fork(2, files_only=True)
        for i, fork in enumerate(forks):
            with fork:
                fork.files.write("a", str(i))
                assert fork.info()["parent"] == session.id
        assert session.files.read_text("a") == "x"
        assert [fork.state() for fork in forks] == ["ended", "ended"]
        snapshot = session.snapshot("client/test:1")
    try:
        assert "client/test:1" in [each.name for each in glovebox.snapshots(session.id)]
        with Session(snapshot="client/test:1") as other, Session(snapshot=snapshot) as another:
            assert other.files.read_text("a") == another.files.read_text("a") == "x"
    finally:
        snapshot.remove()
    assert glovebox.snapshots(session.id) == []


def test_awaited() -> None:
    async def work() -> None:
        async with Session() as session:
            results = await asyncio.gather(*(session.exec.aio(["echo", str(i)]) for i in range(5)))
            assert [result.stdout for result in results] == [f"{i}\n" for i in range(5)]
            process = await session.start.aio("echo a; echo b >&2")
            assert {output.stream: output.text async for output in process} == {"stdout": "a\n", "stderr": "b\n"}
            async with session.files.watch() as changes:
                await session.files.write.aio("n", "x")
                async for change in changes:
                    assert change.path == "n"
                    break
            assert (await session.run.aio("1 + 1")).text == "2"
            assert [found.id for found in await glovebox.sessions.aio(limit=1)] == [session.id]
        assert await session.state.aio() == "ended"

    asyncio.run(work())


# Images of snapshots.


def test_the_image_of_a_snapshot_in_a_registry(tmp_path: Path) -> None:
    with registries.registry(tmp_path) as address:
        with Session() as session:
            session.exec("echo kept >/opt/word; echo work >/work/word; echo gone >/tmp/word", user="root").check()
            snapshot = session.snapshot()
        image = snapshot.image("of-a-snapshot")
        assert image.name == "of-a-snapshot" and image.size > 0
        reference = f"{address}/my-org/tools:1"
        pushed = image.push(reference)
        assert re.fullmatch(re.escape(f"{address}/my-org/tools@sha256:") + "[0-9a-f]{64}", pushed)
        with Session(image=pushed) as other:
            assert other.exec("cat /opt/word /work/word; ls /tmp").stdout == "kept\nwork\n"
        assert asyncio.run(image.push.aio(reference)) == pushed
        snapshot.remove()
        with pytest.raises(errors.NotFoundError):
            snapshot.image()


def test_a_bad_name_of_an_image(s: Session) -> None:
    snapshot = s.snapshot()
    with pytest.raises(ValueError, match="name of the image is 'A B'"):
        snapshot.image("A B")
    snapshot.remove()
