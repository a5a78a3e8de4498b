from __future__ import annotations

import asyncio
import datetime
import os
import platform
import socket
import sys
import time
from pathlib import Path
from typing import Any, Optional

import glovebox
import glovebox.sandbox
from glovebox.io import Dir, File

from .parts.arithmetic import divide, shifted

SMALL = glovebox.Resources(cpu=1, memory="256Mi")

cells = glovebox.TaskEnvironment(name="cells", resources=SMALL)
inline = glovebox.TaskEnvironment(name="inline")
rich = glovebox.TaskEnvironment(
    name="rich",
    image=glovebox.Image.from_debian_base().with_pip_packages("six"),
    env_vars={"LEVEL": "DEBUG"},
    secrets=[glovebox.Secret("celled-key", as_env_var="CELLED_KEY")],
    include=["celled/*.csv"],
)

double = glovebox.sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int})
curious = glovebox.sandbox.create(
    name="curious",
    code="import os\ny = len(os.environ['K'])",
    outputs={"y": int},
    secrets=[glovebox.Secret("celled-key", as_env_var="K")],
)
online = glovebox.TaskEnvironment(name="online", network="public", resources=SMALL)
secretive = glovebox.TaskEnvironment(name="secretive", secrets=["celled-key"], resources=SMALL)


@cells.task
def where() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "cwd": os.getcwd(),
        "home": os.environ.get("GLOVEBOX_HOME"),
        "pid": os.getpid(),
    }


@cells.task
def shift(x: int) -> int:
    """Uses modules of the project."""
    return shifted(x)


@cells.task
async def shift_async(x: int, *, by: int = 1) -> int:
    await asyncio.sleep(0)
    return shifted(x) + by


@cells.task
def calls_by_name(name: str) -> list[str]:
    """Calls a deployed task, and tells what it sees of it."""
    task = glovebox.remote.Task.get(name)
    run = glovebox.run(task, 1)
    seen = repr(task) + str(run.info())
    try:
        glovebox.sandbox.orchestrate_local_sync("shift(1)", inputs={}, tasks={"shift": task})
    except glovebox.errors.UnauthorizedError as error:
        return [str(run.outputs()[0]), str("_bundle" in seen), error.message]
    return []


@secretive.task
def reveals() -> str:
    """Does not reveal a thing."""
    return "nothing"


@rich.task
def outfitted() -> dict[str, Any]:
    import six

    print("in the cell")
    return {
        "six": six.__name__, "level": os.environ["LEVEL"], "secret": len(os.environ["CELLED_KEY"]),
        "table": Path("celled/table.csv").read_text(), "include": Path(__file__).with_name("table.csv").exists(),
    }  # fmt: skip


@cells.task
def echo(
    i: int, f: float, s: str, b: bool, y: bytes, when: datetime.datetime, span: datetime.timedelta, ints: list[int],
    table: dict[str, list[float]], pair: tuple[int, str], row: tuple[int, ...], maybe: Optional[int],
    group: set[int], frozen: frozenset[str], whatever: Any, nothing: None = None,
) -> dict[str, Any]:  # fmt: skip
    given = dict(locals())
    return {name: [type(value).__name__, repr(value)] for name, value in given.items()}


@cells.task
def both(x: int) -> tuple[int, str]:
    return x, str(x)


@cells.task
def letters(word: str) -> set[str]:
    return set(word)


@cells.task
def nothing(x: int) -> None:
    print("given", x)


def _twice(x: int) -> int:
    return 2 * x


renamed = cells.task(short_name="renamed")(_twice)


# Files.


@cells.task
async def make(text: str) -> File:
    path = Path("/tmp/made.txt")
    path.write_text(text)
    return await File.from_local(str(path))


@cells.task
def make_tree(names: list[str]) -> Dir:
    root = Path("/tmp/tree")
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    return Dir.from_local_sync(str(root))


@cells.task
def read(file: File) -> str:
    return file.read().decode()


@cells.task
def names(tree: Dir) -> list[str]:
    local = Path(tree.download_sync())
    return sorted(str(path.relative_to(local)) for path in local.rglob("*") if path.is_file())


@cells.task
def split(file: File) -> dict[str, File]:
    parts = {}
    for number, line in enumerate(file.read().decode().splitlines()):
        path = Path(f"/tmp/part{number}.txt")
        path.write_text(line)
        parts[f"p{number}"] = File.from_local_sync(str(path))
    return parts


@cells.task
def join(files: list[File], last: Optional[File] = None) -> str:
    return "+".join(file.read().decode() for file in [*files, *([last] if last else [])])


@inline.task
async def files_between_cells() -> str:
    made = await make("a\nb\nc")
    parts = await split.aio(made)
    return await join.aio([parts["p0"], parts["p2"]], parts["p1"])


@cells.task
def files_from_a_cell() -> str:
    """Files that a cell made go to other cells."""
    path = Path("/tmp/mine.txt")
    path.write_text("x\ny")
    parts = split(File.from_local_sync(str(path)))
    return join(list(parts.values())) + parts["p0"].read().decode()


# Calls from a cell.


@inline.task
def plain(x: int) -> int:
    """Needs no cell, so that it runs in the cell of who calls it."""
    return x + os.getpid() * 0


@inline.task
def pid() -> int:
    return os.getpid()


@cells.task
def calls_inline() -> bool:
    return pid() == os.getpid()


@cells.task
def calls_cell(x: int) -> int:
    return shift(x) + plain(1)


@cells.task
async def calls_many(n: int) -> list[int]:
    return await asyncio.gather(*(shift_async(i) for i in range(n)))


@cells.task
def calls_sandbox(x: int) -> int:
    return int(double.run(x=x))


@cells.task
async def calls_sandbox_async(x: int) -> int:
    return int(await double.run.aio(x=x))


@inline.sandbox.orchestrator
def orchestrated(n: int) -> int:
    return shift(n) + 1


@inline.sandbox.orchestrator
def near(n: int) -> int:
    return plain(n) + 1


@cells.task
def calls_orchestrator(n: int) -> int:
    return orchestrated(n) + 1


@cells.task
def calls_near(n: int) -> int:
    return near(n)


@cells.task
async def runs(x: int) -> int:
    run = await glovebox.run.aio(double.as_task(), x=x)
    return int((await run.outputs.aio())[0])


forever_sandbox = glovebox.sandbox.create(name="forever", code="while True: pass")


@cells.task
def leaves_a_run_behind() -> str:
    return glovebox.start(forever_sandbox.as_task()).id


@cells.task
def cancels_a_run() -> str:
    run = glovebox.start(forever_sandbox.as_task())
    run.cancel()
    try:
        run.wait()
    except glovebox.errors.CanceledError:
        return run.status()
    return "it ended"


@cells.task
def looks_at_a_run(x: int) -> list[Any]:
    run = glovebox.run(double.as_task(), x=x)
    found: glovebox.Run[Any] = glovebox.Run.get(run.id)
    return [found.outputs()[0], found.status(), run.calls()]


@cells.task
def looks_at(run_id: str) -> str:
    return str(glovebox.Run.get(run_id).status())


@inline.task
async def waits_for_a_cell() -> int:
    return await sleeps.aio()


@cells.task
def sleeps() -> int:
    while True:
        time.sleep(0.1)


# Failures.


@cells.task
def fails(x: int) -> float:
    return divide(x, 0)


@inline.task
def handles(x: int) -> str:
    try:
        fails(x)
    except ZeroDivisionError as error:
        return f"caught {error.args[0]}"
    return "no"


@cells.task
def handles_in_cell(x: int) -> str:
    try:
        fails(x)
    except ZeroDivisionError as error:
        return f"caught {error.args[0]}"
    return "no"


@cells.task
def fails_below(x: int) -> float:
    return fails(x)


@cells.task
def eats(size: int) -> int:
    return len(bytearray(os.urandom(1 << 20) * size))


@cells.task(timeout=2)
def forever() -> int:
    while True:
        time.sleep(0.01)


@cells.task
def waits_for_one_that_is_late() -> int:
    return forever()


@cells.task
def misses_a_package() -> str:
    import numpy

    return str(numpy.__version__)


@cells.task
def wrong() -> int:
    return "text"  # type: ignore[return-value]


@cells.task
def exits() -> int:
    sys.exit(3)


@cells.task
def reaches(host: str) -> str:
    socket.create_connection((host, 443), 3).close()
    return "connected"


@cells.task
def asks_for_a_secret() -> int:
    return int(curious.run())


@online.task
def goes_out() -> str:
    return "was there"


@cells.task
def asks_for_network() -> str:
    return goes_out()


@secretive.task
def key() -> int:
    return len(os.environ.get("CELLED_KEY", ""))


@cells.task
def asks_for_environment() -> int:
    return key()


@cells.task(retries=1)
def tries() -> int:
    raise OSError("again")


@cells.task(cache="auto")
def random() -> int:
    return int.from_bytes(os.urandom(6), "big")


# Deployment.

lasting = glovebox.TaskEnvironment(name="lasting")


@lasting.task
def lasts(x: int, by: int = 10) -> int:
    return shifted(x) + by


@cells.task
async def deploys() -> str:
    glovebox.init_in_cluster()
    made = glovebox.sandbox.create(
        name="from-a-cell",
        code="import json, pathlib\ntotal = sum(json.loads(pathlib.Path(payload).read_text()))",
        inputs={"payload": File},
        outputs={"total": int},
        resources=SMALL,
    )
    task = await made.as_task.aio()
    return glovebox.deploy(glovebox.TaskEnvironment.from_task("from-a-cell", task))[0].summary_repr()
