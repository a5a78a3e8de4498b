"""What users see: errors, help, examples of docstrings, the output of a program. With GLOVEBOX_TEST_REAL=1, cells too."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import datetime
import doctest
import importlib
import inspect
import io
import os
import re
import subprocess
import sys
import textwrap
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import demo
import engines
import glovebox
from glovebox import errors, remote, sandbox

SOURCE = Path(glovebox.__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    home = Path(os.environ.get("GLOVEBOX_TEST_HOME") or tmp_path / "home")
    monkeypatch.chdir(tmp_path)
    with engines.engine("child", home):
        yield home


SCRIPT = """\
import asyncio, sys
import glovebox
from glovebox import sandbox

env = glovebox.TaskEnvironment(name="here")
cellenv = glovebox.TaskEnvironment(name="celled", resources=glovebox.Resources(cpu=1, memory="256Mi"))
boom = sandbox.create(name="boom", code="d = {}\\nd['k']", outputs={"x": int}, cache="disable")
unknown = sandbox.create(code="x = 1", packages=["no-such-python-package-of-that-name"])

@env.task
def fails(x: int) -> int:
    raise ValueError(f"no {x}")  # line 12

@env.task
def outer(x: int) -> int:
    return fails(x)  # line 16

@cellenv.task
def celled(x: int) -> int:
    raise ValueError(f"no {x}")  # line 20

@env.sandbox.orchestrator
def breaks(n: int) -> int:
    return fails(n)  # line 24

@env.sandbox.orchestrator
def breaks_in_cell(n: int) -> int:
    return celled(n)  # line 28

if __name__ == "__main__":
    CALL  # line 31
"""


def script(call: str, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs the script with a call at its end."""
    Path("script.py").write_text(SCRIPT.replace("CALL", call))
    command = [sys.executable, "-W", "error", *options, "script.py"]
    environment = os.environ | {"PYTHONPATH": str(SOURCE)} | variables
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)


def places(error: str) -> list[str]:
    """Lists where the frames of a traceback are, those of asyncio left out: runners belong to the caller."""
    found = re.findall(r'File "([^"]+)", line (\d+)', error)
    return [
        f"{Path(file).name}:{line}" if "glovebox/" not in file else "glovebox"
        for file, line in found
        if "asyncio" not in file
    ]


@pytest.mark.parametrize(
    ("call", "told", "where"),
    [
        ("glovebox.run(fails, 7)", "PythonExceptionError[ValueError]: ValueError: no 7",
         ["script.py:12", "script.py:31", "glovebox", "script.py:12"]),
        ("asyncio.run(glovebox.run.aio(outer, 7))", "PythonExceptionError[ValueError]: ValueError: no 7",
         ["script.py:16", "script.py:12", "script.py:31", "glovebox", "script.py:12"]),
        ("breaks(7)", "CallFailedError[ValueError]: call 1 of fails failed: ValueError: no 7",
         ["script.py:31", "glovebox", "script.py:24", "script.py:12"]),
        ("asyncio.run(breaks.aio(7))", "CallFailedError[ValueError]: call 1 of fails failed: ValueError: no 7",
         ["script.py:31", "glovebox", "script.py:24", "script.py:12"]),
        ("glovebox.run(fails, '7')", "InvalidInputError: here.fails: x: expected int, got str '7'", ["script.py:31", "glovebox"]),
        ("glovebox.run(fails)", "TypeError: here.fails(x: int) -> int: missing a required argument: 'x'", ["script.py:31", "glovebox"]),
        ("boom.run(z=1)", "InvalidInputError: boom: z: ", ["script.py:31", "glovebox"]),
        ("sandbox.create(code=1)", "TypeError: code is 1 (int)", ["script.py:31", "glovebox"]),
        ("glovebox.io.File.from_local_sync('absent')", "FileNotFoundError: ", ["script.py:31", "glovebox"]),
    ],
)  # fmt: skip
def test_an_error_shows_the_lines_of_the_user(call: str, told: str, where: list[str]) -> None:
    error = script(call).stderr
    assert told in error
    assert places(error) == where, error


@pytest.mark.cells
@pytest.mark.parametrize(
    ("call", "told", "where"),
    [
        ("boom.run()", "PythonExceptionError[KeyError]: KeyError: 'k'", ["script.py:31", "glovebox", "boom.py:2"]),
        ("unknown.run()", "InvalidPackageError: ", ["script.py:31", "glovebox"]),
        ("celled(7)", "PythonExceptionError[ValueError]: ValueError: no 7", ["script.py:31", "glovebox", "script.py:20"]),
        ("breaks_in_cell(7)", "CallFailedError[ValueError]: ", ["script.py:31", "glovebox", "script.py:28", "script.py:20"]),
    ],
)  # fmt: skip
def test_an_error_of_a_cell_shows_the_lines_of_the_user(call: str, told: str, where: list[str]) -> None:
    error = script(call).stderr
    assert told in error
    assert "\nhint: " in error
    assert places(error) == where, error


def test_without_the_program_an_error_says_what_to_install() -> None:
    error = script("glovebox.run(fails, 7)", GLOVEBOX_PROGRAM="/no/such/program").stderr
    assert "ServerUnavailableError: GLOVEBOX_PROGRAM is '/no/such/program'" in error
    assert places(error) == ["script.py:31", "glovebox"], error


def test_an_engine_that_dies_says_so_and_the_next_call_has_a_new_one() -> None:
    code = """\
import os, signal, subprocess, glovebox
env = glovebox.TaskEnvironment(name="here")

@env.task
def kills() -> None:
    engine = subprocess.check_output(["pgrep", "-P", str(os.getpid()), "glovebox"]).split()[0]
    os.kill(int(engine), signal.SIGKILL)

@env.task
def works() -> int:
    return 1

try:
    glovebox.run(kills)
except glovebox.errors.GloveboxError as error:
    print(error)
print(glovebox.run(works).outputs()[0])
"""
    Path("dies.py").write_text(code)
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    done = subprocess.run([sys.executable, "dies.py"], env=environment, capture_output=True, text=True, timeout=300)
    assert "the engine, a child of this process, was ended by signal 9" in done.stdout, done
    assert done.stdout.endswith("\n1\n")


CAUGHT = "try:\n        {}\n    except ValueError as e:\n        print('caught', isinstance(e, glovebox.errors.GloveboxError))"


@pytest.mark.parametrize(
    "call",
    ["glovebox.run(fails, 1)", "breaks(1)", "glovebox.run(outer, 1)",
     pytest.param("celled(1)", marks=pytest.mark.cells), pytest.param("breaks_in_cell(1)", marks=pytest.mark.cells)],
)  # fmt: skip
def test_what_was_raised_is_caught_as_what_it_was(call: str) -> None:
    assert script(CAUGHT.format(call)).stdout == "caught True\n"


def test_an_extended_orchestrator_catches_what_a_tool_raised() -> None:
    def fails(x: int) -> int:
        raise LookupError(f"no {x}")

    code = "try:\n    y = fails(1)\nexcept LookupError as e:\n    y = str(e)\ny"
    assert sandbox.orchestrate_local_sync(code, inputs={}, tasks=[fails], dialect="extended") == "no 1"


@pytest.mark.parametrize("options", [(), ("-X", "dev"), ("-O",)])
def test_a_good_program_says_nothing_of_its_own(options: tuple[str, ...]) -> None:
    call = "print(glovebox.run(works, 7).outputs()[0], twice(2))"
    good = (
        SCRIPT.replace('raise ValueError(f"no {x}")  # line 12', "return x")
        .replace("fails", "works")
        .replace("breaks", "twice")
    )
    Path("good.py").write_text(good.replace("CALL", call))
    done = subprocess.run(
        [sys.executable, "-W", "error", *options, "good.py"],
        env=os.environ | {"PYTHONPATH": str(SOURCE)}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert (done.stdout, done.stderr, done.returncode) == ("7 2\n", "", 0)


@pytest.mark.cells
def test_a_build_is_told_in_whole_lines_on_a_pipe() -> None:
    command, call = new_build()
    done = script(call)
    assert done.stdout == "1\n"
    lines = done.stderr.splitlines(keepends=True)
    assert f"glovebox: image: command: {command}\n" in lines
    assert all(re.fullmatch(r"glovebox: image(, \d+ s)?: [^\r\x1b]+\n", line) for line in lines), lines


@pytest.mark.cells
def test_nothing_of_a_build_is_shown_when_that_is_turned_off() -> None:
    _, call = new_build()
    done = script(call, GLOVEBOX_PROGRESS="0")
    assert (done.stdout, done.stderr) == ("1\n", "")


def new_build() -> tuple[str, str]:
    """Returns a command of a new image, slow enough to be told, and a call that needs the image."""
    command = f"sleep 5 # {os.urandom(4).hex()}"
    box = f"sandbox.create(code='y = 1', outputs={{'y': int}}, additional_commands=[{command!r}])"
    return command, f"print({box}.run())"


@pytest.mark.parametrize(("end", "status"), [("sys.exit(3)", 3), ("__import__('os')._exit(4)", 4), ("1 / 0", 1)])
def test_a_program_can_end_at_any_time(end: str, status: int) -> None:
    done = script(f"glovebox.start(fails, 1).id; {end}")
    assert done.returncode == status, done


PROCESSES = """\
import asyncio, concurrent.futures, multiprocessing, sys, glovebox

env = glovebox.TaskEnvironment(name="here")

@env.task
def add(x: int, y: int) -> int:
    return x + y

def run(x: int) -> int:
    return glovebox.run(add, x, 1).outputs()[0]

def run_in_loop(x: int) -> int:
    async def main() -> int:
        return (await glovebox.run.aio(add, x, 1)).outputs()[0]

    return asyncio.run(main())

if __name__ == "__main__":
    print(run(0))
    context = multiprocessing.get_context(sys.argv[1])
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        print(list(pool.map(run, range(3))), list(pool.map(add, range(3), range(3))))
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        print(sorted(threads.map(run_in_loop, range(8))))
    print(run(1))
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_processes_threads_and_loops(method: str) -> None:
    Path("many.py").write_text(PROCESSES)
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "many.py", method],
        env=os.environ | {"PYTHONPATH": str(SOURCE)}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.stdout == "1\n[1, 2, 3] [0, 2, 4]\n[1, 2, 3, 4, 5, 6, 7, 8]\n2\n", done


def test_a_child_that_is_forked_off_has_an_engine_of_its_own() -> None:
    code = (
        PROCESSES.partition("    context =")[0]
        + """\
    import os
    if (child := os.fork()) == 0:
        print(run(1), flush=True)
        sys.exit(5)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), run(2))
"""
    )
    Path("forks.py").write_text(code)
    options = ["-W", "error", "-W", "ignore:This process:DeprecationWarning"]  # of forks beside threads, since 3.12
    done = subprocess.run(
        [sys.executable, *options, "-u", "forks.py"],
        env=os.environ | {"PYTHONPATH": str(SOURCE)}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.stdout == "1\n2\n5 3\n", done


# What the namespaces hold.

INTERNAL = {"glovebox.io." + name for name in ("local_path", "materialize", "stage", "stage_fields")}
PUBLIC = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (glovebox, sandbox, glovebox.io, remote)
    for name in module.__all__
    if f"{module.__name__}.{name}" not in INTERNAL
}
THINGS = {name: thing for name, thing in PUBLIC.items() if not isinstance(thing, (str, types.ModuleType))}


@pytest.mark.once
@pytest.mark.parametrize("name", sorted(THINGS))
def test_each_public_name_has_help_with_an_example(name: str) -> None:
    assert examples_of(THINGS[name]), inspect.getdoc(THINGS[name])
    if callable(THINGS[name]):
        inspect.signature(THINGS[name])


@pytest.mark.once
@pytest.mark.parametrize("name", sorted(name for name in THINGS if inspect.isclass(THINGS[name])))
def test_each_public_member_has_help(name: str) -> None:
    for member, value in vars(THINGS[name]).items():
        if not member.startswith("_") and hasattr(value, "__get__"):
            assert inspect.getdoc(getattr(THINGS[name], member)), member


def examples_of(thing: object) -> list[doctest.Example]:
    """Returns what a docstring has behind ``>>>``, or below ``Example::``."""
    text = inspect.getdoc(thing) or ""
    block = text.partition("Example::\n")[2]
    indented = re.match(r"(?:[ \t]*\n|    .*(?:\n|$))+", block)
    plain = [doctest.Example(textwrap.dedent(indented[0]).strip() + "\n", "")] if indented else []
    return doctest.DocTestParser().get_examples(text) + plain


def _with_examples() -> Iterator[tuple[str, object]]:
    yield "glovebox", glovebox
    yield from ((module.__name__, module) for module in (sandbox, glovebox.io, errors))
    for name, thing in THINGS.items():
        yield name, thing
        if inspect.isclass(thing):
            yield from (
                (f"{name}.{member}", getattr(thing, member)) for member in vars(thing) if not member.startswith("_")
            )


EXAMPLES = {name: thing for name, thing in _with_examples() if examples_of(thing)}
# What they need that is not here.
ELSEWHERE = {
    "glovebox.init": "a server",
    "glovebox.Image.from_dockerfile": "a Dockerfile",
    "glovebox.Run.get": "a run of that id",
    "glovebox.remote.Run.get": "a run of that id",
    "glovebox.Run.resolve": "a call in doubt",
    "glovebox.remote.Run.resolve": "a call in doubt",
    "glovebox.Run.signal": "code that waits for the value",
    "glovebox.remote.Run.signal": "code that waits for the value",
    "glovebox.AppHandle": "an app",
    "glovebox.serve": "an app",
    "glovebox.remote.App": "an app that is served",
    "glovebox.io.DataFrame": "pandas and polars",
    "glovebox.io.DataFrame.from_local": "pyarrow",
    "glovebox.Session": "a block whose statements show values",
    "glovebox.Session.dial": "a session with a server in it",
    "glovebox.Session.exec": "a session",
    "glovebox.Session.run": "a session with pandas and a file",
    "glovebox.Snapshot": "a session",
    "glovebox.Snapshot.image": "a session",
    "glovebox.sandbox.gather": "the inside of an orchestrator",
    "glovebox.sandbox.glovebox_map": "the inside of an orchestrator",
}


def _globals() -> dict[str, Any]:
    importlib.reload(demo)  # examples add to its environment
    Path("data/conf").mkdir(parents=True)
    for path in ("data.csv", "report.txt", "data/conf/app.toml"):
        Path(path).write_text("a\nb\n")
    box = sandbox.create(code="y = n", inputs={"n": int, "conditional": bool}, outputs={"y": int})
    double = sandbox.create(code="print('doubling', x)\ny = x * 2", inputs={"x": int}, outputs={"y": int})
    pipeline = sandbox.orchestrator_from_str("add(n, 1)", inputs={"n": int}, output=int, tasks=[demo.add])
    return {
        "box": double, "double": double, "run": glovebox.run(pipeline, n=1), "code": "add(1, 2)", "better": "add(n, 2)",
        "mended": "add(1, 3)", "charge": demo.add, "receipt": demo.count_lines, "fetch": str, "url": "x",
        "glovebox": glovebox, "env": demo.env, "add": demo.add, "count_lines": demo.count_lines, "sandbox": box,
        "pipeline": pipeline,
        "datetime": datetime, "DataFrame": glovebox.io.DataFrame,
        "TaskEnvironment": glovebox.TaskEnvironment, "File": glovebox.io.File, "Dir": glovebox.io.Dir,
        "data": glovebox.io.Dir.from_local_sync("data"), "f": glovebox.io.File.from_local_sync("report.txt"),
    }  # fmt: skip


@pytest.mark.cells
@pytest.mark.parametrize("name", sorted(set(EXAMPLES) - set(ELSEWHERE)))
def test_examples_run(name: str) -> None:
    namespace = _globals()
    if name == "glovebox.Outputs":
        namespace["run"] = glovebox.run(namespace["add"], 1, 2)
    if name == "glovebox.remote.Task":
        glovebox.deploy(namespace["env"])
    for example in examples_of(EXAMPLES[name]):
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            value = asyncio.run(_evaluated(example.source, namespace))
        if example.want and not shown.getvalue():
            assert repr(value) == example.want.strip()


async def _evaluated(source: str, namespace: dict[str, Any]) -> Any:
    """Runs statements that may await, and returns the value of the last one if it is an expression."""
    tree = ast.parse(source)
    if isinstance(last := tree.body[-1], ast.Expr):
        tree.body[-1] = ast.copy_location(ast.Assign([ast.Name("_value", ast.Store())], last.value), last)
    namespace["_value"] = None
    file = Path(f"example{len(list(Path().iterdir()))}.py").absolute()  # where the source of functions is found
    file.write_text(source)
    code = compile(
        ast.fix_missing_locations(tree), str(file), "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True
    )
    result = eval(code, namespace)
    if inspect.isawaitable(result):
        await result
    return namespace["_value"]
