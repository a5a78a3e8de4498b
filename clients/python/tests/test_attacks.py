"""Attacks on the client: by an engine, by what a cell says, and by what is beside the code. Those in cells are in test_cells."""

from __future__ import annotations

import ast
import builtins
import contextlib
import copy
import html
import pickle
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import glovebox
import http_peer
import worker_peer
from glovebox import errors
from glovebox._bundles.bundle import cell_definition
from glovebox._bundles.project import MAX_BYTES, included
from glovebox._link.address import parse_address, parse_proxy
from glovebox._link.engine import Engine
from glovebox._process.loop import run_sync
from glovebox._tasks.deploy import DeployedVersion, Deployment
from glovebox._tasks.failure import failure_of
from glovebox._tasks.function import FunctionTask
from glovebox.io import File, _frames

LONG = 1 << 19  # characters; what takes quadratic time over so many takes minutes


# What an engine answers.


async def asked(url: str, ask: Any) -> Any:
    engine = Engine(parse_address(url))
    try:
        return await ask(engine)
    finally:
        await engine.close()


NONSENSE = [
    "{}", '{"id": 1}', '{"run": 3}', '{"run": null}', '{"run": {"error": 5}}', '{"run": {}, "outputs": {"a": 1}}',
    '{"run": {}, "outputs": [4]}', '{"run": {}, "outputs": [{"name": []}]}', '{"tasks": 5}', '{"tasks": [{}]}',
    '{"tasks": [{"name": "a", "version": "<script>"}]}', '{"name": 4, "version": 1}', "[" * 600 + "]" * 600,
]  # fmt: skip


@pytest.mark.parametrize("answer", NONSENSE)
def test_answers_that_make_no_sense(answer: str, tmp_path: Path) -> None:
    asks = (lambda e: e.submit(name="a"), lambda e: e.wait("r"), lambda e: e.task("a"))
    for ask in asks:
        with http_peer.peer(tmp_path, [http_peer.ok(answer)]) as (_, url):
            with pytest.raises(errors.ServerUnavailableError, match="something else than it should"):
                run_sync(asked(url, ask))
    if "tasks" in answer:
        with http_peer.peer(tmp_path, [http_peer.ok(answer)]) as (_, url):
            with pytest.raises(errors.ServerUnavailableError, match="something else than it should"):
                run_sync(asked(url, lambda e: e.deploy("e", [])))


def test_numbers_that_take_long_to_read(tmp_path: Path) -> None:
    """This takes no time, or minutes."""
    with http_peer.peer(tmp_path, [http_peer.ok('{"id": "r", "x": 1' + "0" * (64 << 20) + "}")]) as (_, url):
        with pytest.raises(errors.ServerUnavailableError, match="at most 200000 digits"):
            run_sync(asked(url, lambda e: e.run("r")))


def test_preliminary_answers_without_end(tmp_path: Path) -> None:
    preliminary = "HTTP/1.1 100 Continue\r\n\r\n" * 1000
    with http_peer.peer(tmp_path, [preliminary + http_peer.ok('{"version": "1"}')]) as (_, url):
        with pytest.raises(errors.ServerUnavailableError, match="the answer does not come"):
            run_sync(asked(url, lambda e: e.version()))


def test_a_worker_that_is_asked_without_end() -> None:
    with worker_peer.fake_engine() as (engine, worker):
        peer = engine.connected(worker, worker_peer.offered(lambda x: x, "x:int", name="same"))
        with contextlib.suppress(OSError):  # it has hung up
            peer.send_raw(b'{"type":"ping"}\n' * 300_000)  # and not one answer is read
        engine.accept().welcome()


def test_more_calls_than_were_agreed() -> None:
    with worker_peer.fake_engine() as (engine, worker):
        peer = engine.connected(worker, worker_peer.offered(lambda x: x, "x:int", name="same"))
        for n in range(1024 + 4096):  # of something that it does not offer, and without an ack
            peer.call(str(n), "other", x=1)
        for _ in range(1024 + 4096):
            peer.receive("failure")
        peer.call("last", "other", x=1)
        assert len(engine.accept().welcome()["calls"]) == 1024 + 4096


# What a cell says in its errors.


def raised(
    name: object, message: str = "", traceback: str = "", code: str = "python_exception"
) -> errors.GloveboxError:
    exception = {"type": name, "message": message, "traceback": traceback, "frames": [1, {"file": 3}]}
    return failure_of({"code": code, "message": message, "details": {"exception": exception}}, "run-x")


@pytest.mark.parametrize("code", ["python_exception", "call_failed"])
def test_whatever_class_an_exception_says_that_it_has(code: str) -> None:
    names: list[object] = [
        *dir(builtins),
        *(f"glovebox.errors.{name}" for name in dir(errors)),
        "",
        "a.b",
        None,
        3,
        [],
        {},
    ]
    for name in names:
        error = raised(name, "words", code=code)
        assert isinstance(error, errors.GloveboxError)
        assert "words" in str(error)
        assert str(copy.copy(error)) == str(error)
        assert not isinstance(error, (SystemExit, KeyboardInterrupt, StopIteration, MemoryError))


def test_texts_that_take_long_to_look_at() -> None:
    """This takes no time, or minutes."""
    for text in (
        "/work/" * (LONG // 6),
        "/work/" + ".py" * (LONG // 3),
        '  File "glovebox-function.py", line ' + "1" * LONG,
    ):
        assert text[:1000] in str(raised("ValueError", text, text))


def test_errors_do_not_steer_a_terminal() -> None:
    error = raised("ValueError", "\x1b[2J\x9b\u202e\r\x07", "\x1b]0;title\x07")
    assert not set(str(error)) & set("\x1b\x9b\u202e\r\x07")


def test_names_are_shown_as_text() -> None:
    evil: Any = "<script>"
    shown = Deployment(evil, (DeployedVersion(evil, evil, False),))._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert evil not in shown
    assert shown.count(html.escape(evil)) == 3


def test_a_library_that_runs_what_it_reads() -> None:
    """CVE-2023-47248."""
    for version in ("0.17.1", "13.0.0", "14.0.0"):
        with pytest.raises(ImportError, match="pip install -U pyarrow"):
            _frames._check_version(types.SimpleNamespace(__version__=version))  # pyright: ignore[reportPrivateUsage]
    _frames._check_version(types.SimpleNamespace(__version__="14.0.1"))  # pyright: ignore[reportPrivateUsage]


# What goes along with code.


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    for name in (".env", ".git/config", "data/.secret.csv", "data/a.csv", "src/.venv/lib/x.py", "src/x.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    yield tmp_path


def test_hidden_files_stay_here(project: Path) -> None:
    assert set(included(project, ("**/*", "data/*", "*/*.csv"))) == {"data/a.csv", "src/x.py"}
    assert set(included(project, (".env", "data/.s*"))) == {".env", "data/.secret.csv"}
    with pytest.raises(ValueError, match="hidden ones have to be named with their dot"):
        included(project, ("*",))


@pytest.mark.parametrize("pattern", ["/etc/*", "../*", ""])
def test_patterns_that_lead_away(project: Path, pattern: str) -> None:
    (project.parent / "outside").write_text("")
    with pytest.raises(ValueError, match="include: "):
        included(project, (pattern,))


def test_more_than_goes_along(project: Path) -> None:
    with (project / "large").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(ValueError, match="hand large ones over as File"):
        included(project, ("large",))


# What becomes code.


class Store:
    """Takes the bundle of a task."""

    async def put_blob(self, data: bytes) -> None: ...


def code_of(task: FunctionTask[..., Any]) -> str:
    store: Any = Store()
    return str(run_sync(cell_definition(task, store))["code"])


def test_names_are_no_code() -> None:
    name = "f', [print(1)], \"\\\n import os #"
    task = cells.task(shadows)
    task.func.__qualname__ = name
    (call,) = (
        node
        for node in ast.walk(ast.parse(code_of(task)))
        if getattr(getattr(node, "func", 0), "id", "") == "_glovebox_call"
    )
    assert isinstance(call, ast.Call)
    assert ast.literal_eval(call.args[1]) == name


def shadows(open: str, ValueError: int, sys: int, print: int) -> None: ...


def takes(_bundle: str) -> None: ...


def hides(_glovebox_call: str) -> None: ...


cells = glovebox.TaskEnvironment("attacked", isolation="gvisor")


@pytest.mark.parametrize("function", [takes, hides])
def test_inputs_that_would_be_taken_for_others(function: Any) -> None:
    with pytest.raises(ValueError, match="has a name that is taken there"):
        code_of(cells.task(function))


def test_inputs_with_names_of_builtins() -> None:
    code = code_of(cells.task(shadows))
    used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    inputs = {"open", "ValueError", "sys", "print"}
    assert {name for name in used - inputs if not name.startswith("_glovebox")} == {"_bundle"}
    assert code.count("open") == 3  # the built-in one, and the input by name and value


# Where downloads go.


def test_a_cell_makes_no_hidden_files(tmp_path: Path) -> None:
    for name in (".bashrc", "x/.ssh"):
        file: File[Any] = File._from_reference({"path": name, "sha256": "a" * 64})  # pyright: ignore[reportPrivateUsage]
        for target in (str(tmp_path), f"{tmp_path}/new/"):
            with pytest.raises(ValueError, match="hidden name"):
                file.download_sync(target)
    assert not list(tmp_path.iterdir())


# What is told of secrets.


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_token_is_in_no_pickle(copied: Any) -> None:
    engine = Engine(parse_address("http://127.0.0.1:1"), "hunter2")
    with pytest.raises(TypeError, match="cannot be pickled"):
        copied([engine] if copied is not copy.copy else engine)


@pytest.mark.parametrize(
    "url",
    [
        "https://u:hunter2@h", "https://u:hunter 2@h", "ftp://u:hunter2@h", "https://u:hunter2@h\u2100/", "https://h/?t=hunter2",
        "http://u:hunter2@[::1", "https://u:hunter2@h:999999", "https://h/#hunter2",
    ],
)  # fmt: skip
def test_passwords_in_addresses_are_not_told(url: str) -> None:
    for parse in (parse_address, parse_proxy):
        try:
            told = repr(parse(url))
        except ValueError as error:
            told = str(error)
        assert "hunter" not in told
