"""What type checkers know of programs that use the library. ``make lint-python`` checks it; nothing here runs."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import glovebox
from glovebox import Outputs, Run, Session, TaskEnvironment, WarmPool, sandbox
from glovebox._tasks.deploy import Deployment
from glovebox.io import DataFrame, Dir, File
from glovebox.session import CommandResult, Execution, FileInfo

if TYPE_CHECKING:  # typing has it from Python 3.11 on
    from typing_extensions import assert_type

env = TaskEnvironment(name="typed")


@env.task
def add(x: int, y: int = 0) -> int:
    """Adds."""
    return x + y


@env.task(retries=2, cache="auto")
async def shout(text: str) -> str:
    """Shouts."""
    return text.upper()


@env.sandbox.orchestrator
def pipeline(n: int) -> list[int]:
    return [add(n, 1)]


@env.sandbox.orchestrator(timeout_ms=5000)
async def waiting(n: int) -> str:
    return await shout(str(n))


double = sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int})


def declarations() -> None:
    sandbox.create(code="x = 1", cache="sometimes")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    sandbox.create(code="x = 1", network="internet")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    TaskEnvironment("typo", network="Public")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    env.task(cache="never")  # type: ignore[call-overload]  # pyright: ignore


def calls() -> None:
    assert_type(add(1, y=2), int)
    assert_type(add.forward(1), int)
    assert_type(pipeline(3), list[int])
    assert_type(pipeline.forward(n=3), list[int])
    assert_type(double.run(x=1), Any)
    double.run(image="python:3.12-slim", x=1)
    double.run(**{"x": 3})  # under whichever type, as there may be an input ``image``
    double.as_task()(x=1)

    add("1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    add()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    pipeline(n="3")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def awaited_calls() -> None:
    assert_type(await add.aio(1, y=2), int)
    assert_type(await shout("a"), str)
    assert_type(await shout.aio("a"), str)
    assert_type(await pipeline.aio(3), list[int])
    assert_type(await waiting(3), str)
    assert_type(await waiting.aio(n=3), str)
    assert_type(await double.run.aio(x=1), Any)
    assert_type(await (await double.as_task.aio()).aio(x=1), Any)

    await add.aio("1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]
    await shout.aio(1)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType, reportCallIssue]


async def warm_cells() -> None:
    assert_type(glovebox.warm(double, cells=2), WarmPool)
    assert_type(await glovebox.warm.aio(add), WarmPool)
    assert_type(glovebox.warm(double).ready, int)
    sandbox.create(code="y = 1", preload=["json"])
    TaskEnvironment("typed", preload=["json"])

    glovebox.warm(calls)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    sandbox.create(code="y = 1", preload=[1])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]


def runs() -> None:
    assert_type(glovebox.run(add, 1, y=2), Run[int])
    assert_type(glovebox.start(pipeline, n=1), Run[list[int]])
    assert_type(glovebox.run(add, 1).outputs(), Outputs)
    assert_type(glovebox.run(add, 1).outputs()[0], Any)
    assert_type(glovebox.run(shout, "a"), Run[str])
    assert_type(glovebox.run(waiting, 3).result().value, str)
    assert_type(glovebox.run(pipeline, n=3).result().value, list[int])
    assert_type(glovebox.run(double, x=1), Run[Any])
    assert_type(glovebox.run(add, 1).wait(), None)
    assert_type(glovebox.run(add, 1).status(), str)
    assert_type(glovebox.run(add, 1).resume(retry_unknown=True), Run[int])
    glovebox.run(double.as_task(), x=1)

    glovebox.run(add, "1")  # type: ignore[call-overload]  # pyright: ignore
    glovebox.start(add, 1, 2, 3)  # type: ignore[call-overload]  # pyright: ignore


async def awaited_runs() -> None:
    run = await glovebox.run.aio(add, 1)
    assert_type(run, Run[int])
    assert_type(await run.outputs.aio(), Outputs)
    assert_type(await run.status.aio(), str)
    await run.cancel.aio(reason="enough")

    assert_type(await glovebox.run.aio(shout, "a"), Run[str])

    await run.cancel.aio(reason=3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    await glovebox.run.aio(add)  # type: ignore[call-overload]  # pyright: ignore


def sessions() -> None:
    with Session(labels={"a": "b"}, timeout=60) as s:
        assert_type(s, Session)
        assert_type(s.exec("ls", on_stdout=print).stdout, str)
        assert_type(s.exec(["ls"]).check(), CommandResult)
        assert_type([output.data for output in s.start("ls")], list[bytes])
        assert_type(s.files.read("a"), bytes)
        assert_type(s.files.list(), list[FileInfo])
        assert_type(s.run("1").results[0].png, bytes | None)
        assert_type(s.context(language="bash").run("pwd"), Execution)
        assert_type(s.fork(2), list[Session])
        assert_type(s.dial(80), socket.socket)
    assert_type(Session.get("id"), Session)
    assert_type(glovebox.sessions(state="paused"), list[Session])

    s.exec(3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    s.run("1", language="perl")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    glovebox.sessions(state="done")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def awaited_sessions() -> None:
    async with Session() as s:
        assert_type(s, Session)
        assert_type(await s.exec.aio("ls"), CommandResult)
        assert_type(await s.files.write.aio("a", b""), FileInfo)
        assert_type([output.text async for output in await s.start.aio("ls")], list[str])
        async with s.files.watch() as changes:
            assert_type([change.path async for change in changes], list[str])


async def deployments() -> None:
    assert_type(glovebox.deploy(env), list[Deployment])
    assert_type(await glovebox.deploy.aio(env, dry_run=True), list[Deployment])
    assert_type(glovebox.remote.Task.get("typed.add", version=1), glovebox.remote.Task)

    glovebox.deploy("typed")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    glovebox.deploy(env, dry=True)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


async def code_in_strings() -> None:
    assert_type(await sandbox.orchestrate_local("x + 1", inputs={"x": 1}), Any)
    assert_type(sandbox.orchestrate_local_sync("x + 1", inputs={"x": 1}, tasks=[add]), Any)
    total = sandbox.orchestrator_from_str("add(x, 1)", inputs={"x": int}, output=int, tasks={"add": add})
    assert_type(total(x=1), Any)
    assert_type(await total.aio(x=1), Any)


async def files(path: str) -> None:
    file = await File.from_local(path)
    directory = await Dir.from_local(path)
    assert_type(await file.download(), str)
    assert_type(await directory.download(), str)
    assert_type(file.size, int | None)
    await DataFrame.from_local(path)
