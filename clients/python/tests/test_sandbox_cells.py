"""Sandboxes in real cells: all that a program sees, gives and may.

They run with GLOVEBOX_TEST_REAL=1. Images are kept in GLOVEBOX_TEST_HOME, if
that is set, for the next time. With GLOVEBOX_URL they use that server.
"""

from __future__ import annotations

import asyncio
import datetime
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Optional, cast

import pytest

import glovebox
from glovebox import Resources, Secret, errors
from glovebox._link.current import current_engine
from glovebox._process.loop import run_async
from glovebox.io import Dir, File
from glovebox.sandbox import ImageConfig, SandboxTask, create

PROGRAM = Path(__file__).resolve().parents[3] / "bin" / "glovebox"

pytestmark = pytest.mark.cells


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        path = os.environ.get("GLOVEBOX_TEST_HOME") or str(tmp_path_factory.mktemp("home"))
        patch.setenv("GLOVEBOX_HOME", path)
        patch.setenv("GLOVEBOX_PROGRAM", str(PROGRAM))
        yield path


def run(code: str, **given: Any) -> Any:
    """Runs code without inputs, and not from the cache."""
    return create(code=code, cache="disable", **given).run()


# Without a run.


def test_nothing_is_kept() -> None:
    code = "import sys\nprint('out')\nprint('err', file=sys.stderr)\ny = x * 2"
    double = create(name="kept", code=code, inputs={"x": int}, outputs={"y": int}, durable=False)
    before = [run.id for run in glovebox.runs()]
    for _ in range(2):  # the second is no answer of a cache
        result = double.execute(x=4)
        assert (result.value, result.outputs["y"], result.stdout, result.stderr) == (8, 8, "out\n", "err\n")
        assert result.run is None
    assert asyncio.run(double.run.aio(x=5)) == 10
    with pytest.raises(errors.PythonExceptionError, match="kept.py:1"):
        create(name="kept", code="1 / 0", durable=False).run()
    with pytest.raises(errors.InvalidTaskError, match="retries"):
        create(code="1", retries=1, durable=False).run()
    with pytest.raises(errors.InvalidTaskError, match="cache"):
        create(code="1", cache="override", durable=False).run()
    with pytest.raises(errors.InvalidTaskError, match="files"):
        create(code="1", outputs={"f": File}, durable=False).run()
    assert [run.id for run in glovebox.runs()] == before
    assert double(x=6) == 12  # called as a task it is a run
    assert glovebox.runs()[0].id not in before


def test_durable_is_a_bool() -> None:
    with pytest.raises(TypeError, match="durable is 'no'"):
        create(code="1", durable=cast("bool", "no"))


# Auto-IO.

TZ = datetime.timezone(datetime.timedelta(hours=5, minutes=30))


@pytest.mark.parametrize(
    ("declared", "value"),
    [
        (int, 0), (int, -(10**30)), (float, 0.1), (float, float("inf")), (bool, True), (bool, False),
        (str, ""), (str, "it's \"quoted\"; rm -rf / `x` $HOME\n"), (str, "-x"), (str, "--help"), (str,
        "\u00e9\U0001f600"),
        (str, "x" * 300_000), (bytes, b"\x00\xff"),
        (datetime.datetime, datetime.datetime(2024, 1, 2, 3, 4, 5, 678)),
        (datetime.datetime, datetime.datetime(2024, 1, 2, tzinfo=TZ)),
        (datetime.timedelta, datetime.timedelta(days=1)), (datetime.timedelta, datetime.timedelta(seconds=-90)),
        (list[int], [1, 2]), (dict[str, float], {"b": 1.0, "a": 2.0}), (tuple[int, str], (1, "a")),
        (Optional[int], None),
    ],
)  # fmt: skip
def test_values_come_and_go_as_they_are(declared: Any, value: Any) -> None:
    echo = create(
        "echo", code="y = x\nkind = type(x).__name__", inputs={"x": declared}, outputs={"y": declared, "kind": str}
    )
    y, kind = echo.run(x=value)
    assert (y, type(y), kind) == (value, type(value), type(value).__name__)


def test_several_outputs_are_in_the_order_declared_and_none_is_none() -> None:
    assert run("a, b = 1, 2", outputs={"b": int, "a": int}) == (2, 1)
    assert run("a = 1") is None


def test_indented_code_and_code_that_prints_much() -> None:
    assert run("\n    y = 1\n    if y:\n        y += 1\n", outputs={"y": int}) == 2
    assert run("print('x' * 1_000_000)\ny = 1", outputs={"y": int}) == 1


def test_code_may_await_outside_of_functions() -> None:
    code = """
        import asyncio
        async def double(n):
            await asyncio.sleep(0)
            return 2 * n
        first, second = await asyncio.gather(double(x), double(2))
        async def fail():
            raise ValueError("no")
        if first > 10:
            await fail()
    """
    made = create("awaits", code=code, inputs={"x": int}, outputs={"first": int, "second": int})
    assert made.run(x=1) == (2, 4)
    with pytest.raises(ValueError, match="no") as caught:
        made.run(x=6)
    assert 'File "awaits.py", line 10, in <module>' in str(caught.value) and "line 8, in fail" in str(caught.value)
    assert "asyncio" not in str(caught.value)


def test_files_are_paths(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text('{"values": [1, 2]}')
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.txt").write_text("a")
    made = create(
        code="""
            import json, os, pathlib
            total = sum(json.loads(pathlib.Path(payload).read_text())["values"])
            names = sorted(os.listdir(tree))
            pathlib.Path("/var/outputs/report").write_text(payload)
        """,
        inputs={"payload": File, "tree": Dir}, outputs={"total": int, "names": list[str], "report": File},
    )  # fmt: skip
    total, names, report = made.run(payload=tmp_path / "data.json", tree=tmp_path / "tree")
    assert (total, names, report.read_text()) == (3, ["a.txt"], "/var/inputs/payload")


def test_an_input_named_image() -> None:
    assert create(code="y = image * 2", inputs={"image": int}, outputs={"y": int}).run(image=4) == 8


# Verbatim and command mode.


def test_verbatim_has_inputs_as_files_and_arguments() -> None:
    made = create(
        code="""\
import argparse, pathlib
parser = argparse.ArgumentParser()
parser.add_argument("--n", type=int)
parser.add_argument("--text")
parser.add_argument("more", nargs="*")
given = parser.parse_args()
n = int(pathlib.Path("/var/inputs/n").read_text())
text = pathlib.Path("/var/inputs/text").read_text()
assert (n, text) == (given.n, given.text)
pathlib.Path("/var/outputs/total").write_text(str(n + len(text) + len(given.more)))
""",
        inputs={"n": int, "text": str}, outputs={"total": int}, auto_io=False, arguments=["one", "two"],
    )  # fmt: skip
    assert made.run(n=1, text="it's") == 7


def test_an_input_is_standard_input() -> None:
    count = create(
        command=["sh", "-c", "wc -c > /var/outputs/n"], inputs={"text": str}, outputs={"n": int}, stdin="text"
    )
    assert count.run(text="\u00e9\n") == 3


def test_a_command_with_dotted_names_and_arguments(tmp_path: Path) -> None:
    (tmp_path / "s.py").write_text("a\nb\n")
    made = create(
        command=["/bin/sh", "-c", 'cat "$0" | wc -l > /var/outputs/lines; echo "$1"; exit 3'],
        arguments=["/var/inputs/solution.py", "it's $HOME"], inputs={"solution.py": File},
        outputs={"lines": str, "exit_code": int},
    )  # fmt: skip
    assert made.run(**{"solution.py": tmp_path / "s.py"}) == ("2", 3)


def test_inputs_cannot_be_written() -> None:
    with pytest.raises(errors.NonzeroExitError):
        create(command=["/bin/sh", "-c", "echo x > /var/inputs/n"], inputs={"n": int}).run(n=1)


# Failures.


def test_an_exception_has_its_type_and_line() -> None:
    with pytest.raises(KeyError) as caught:
        run("x = 1\n\nraise KeyError('no')", name="boom")
    assert isinstance(caught.value, errors.PythonExceptionError)
    assert 'File "boom.py", line 3' in str(caught.value)


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ({"code": "x = 1", "outputs": {"y": int}}, errors.MissingOutputError, "y"),
        ({"code": "y = 'a'", "outputs": {"y": int}}, errors.BadOutputError, "y"),
        ({"code": "import sys; sys.exit(3)"}, errors.NonzeroExitError, "3"),
        ({"command": ["/bin/sh", "-c", "echo sorry >&2; exit 4"]}, errors.NonzeroExitError, "4"),
        ({"command": ["no-such-program"]}, errors.CommandNotFoundError, "no-such-program"),
        ({"code": "while True: pass", "timeout": 1}, errors.TaskTimeoutError, "1s"),
        ({"code": "x = bytearray(1 << 30)", "resources": Resources(memory="128Mi")}, errors.OOMError, "128 MiB"),
        ({"code": "x = 1", "secrets": ["absent-secret"]}, errors.SecretNotFoundError, "absent-secret"),
        ({"code": "x = 1", "image_config": ImageConfig(python_version=(3, 99))}, errors.BaseUnavailableError, "3.99"),
        # Too long to be checked before it runs.
        ({"code": "x = (\n" + "#" * (1 << 20)}, SyntaxError, "never closed"),
    ],
)
def test_failures(given: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        create(cache="disable", **given).run()


def test_packages_that_are_not_there() -> None:
    with pytest.raises(errors.InvalidPackageError, match="no-such-python-package-of-that-name"):
        run("x = 1", packages=["no-such-python-package-of-that-name"])
    with pytest.raises(errors.InvalidPackageError, match="no-such-system-package"):
        run("x = 1", system_packages=["no-such-system-package"])


def test_inputs_are_checked_before_anything_runs() -> None:
    made = create(code="y = x", inputs={"x": int}, outputs={"y": int})
    for inputs in ({}, {"x": "1"}, {"x": True}, {"x": 1, "z": 2}):
        with pytest.raises(errors.InvalidInputError):
            made.run(**inputs)


def test_retries() -> None:
    with pytest.raises(errors.NonzeroExitError) as caught:
        create(code="raise SystemExit(1)", retries=1).run()
    assert caught.value.attempts == 2


# The cell.


def test_variables_resources_and_tools_of_the_cell() -> None:
    code = """
        import os, shutil
        level, home = os.environ["LEVEL"], os.environ.get("GLOVEBOX_HOME")
        found = [tool for tool in tools if shutil.which(tool)]
        """
    made = create(
        code=code, inputs={"tools": list[str]}, outputs={"level": str, "home": Any, "found": list[str]},
        env_vars={"LEVEL": "DEBUG"}, resources=Resources(cpu=1),
    )  # fmt: skip
    here = ["gcc", "g++", "make", "curl", "git"]
    assert made.run(tools=[*here, "no-such-tool"]) == ("DEBUG", None, here)


def test_secrets_as_variable_and_file(home: str) -> None:
    subprocess.run([PROGRAM, "secret", "set", "api-key"], input=b"hush", env={**os.environ}, check=True, timeout=300)
    code = "import os\ny = [os.environ['API_KEY'], open('/run/secrets/api-key').read()]\nprint(y)\nz = len(y[0])"
    made = create(code=code, outputs={"z": int}, secrets=[Secret("api-key"), Secret("api-key", mount="/run/secrets")])
    assert made.run() == 4


def test_each_run_is_fresh_and_without_network() -> None:
    touched = "import os\ny = os.path.exists('/tmp/mark')\nopen('/tmp/mark', 'w').close()"
    assert [run(touched, outputs={"y": bool}) for _ in range(2)] == [False, False]
    with pytest.raises(OSError):
        run("import socket\nsocket.create_connection(('1.1.1.1', 443), 5)")


def test_the_image_that_is_declared() -> None:
    made = create(
        code="import six, shutil\ny = [six.__name__, shutil.which('jq') is not None, open('/etc/mark').read()]",
        outputs={"y": list[Any]}, packages=["six"], system_packages=["jq"],
        additional_commands=["echo -n m > /etc/mark"],
    )  # fmt: skip
    assert made.run() == ["six", True, "m"]


def test_cache() -> None:
    unique = os.urandom(8).hex()

    def mode(cache: Any) -> str:
        return str(create(code=f"import os\ny = os.urandom(8).hex() # {unique}", outputs={"y": str}, cache=cache).run())

    first = mode("auto")
    assert mode("auto") == first
    assert mode("disable") != first
    assert mode("auto") == first
    replaced = mode("override")
    assert replaced != first
    assert mode("auto") == replaced


# Ways to run.

double = create("double", code="y = x * 2", inputs={"x": int}, outputs={"y": int})
env = glovebox.TaskEnvironment(name="demo", depends_on=[glovebox.sandbox.sandbox_environment])


@env.task
def plainly(x: int) -> int:
    return int(double.run(x=x)) + 1


@env.task
async def awaited(x: int) -> int:
    return int(await double.run.aio(x=x)) + 1


def test_the_same_outside_and_inside_of_tasks() -> None:
    assert double.run(x=21) == asyncio.run(double.run.aio(x=21)) == 42
    assert plainly(20) == asyncio.run(awaited(20)) == 41
    task: Any
    for task in (plainly, awaited):
        assert glovebox.run(task, x=20).outputs()[0] == 41


def test_two_of_the_same_name_at_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        made = [create("same", code=f"y = {n}", outputs={"y": int}) for n in range(4)]
        assert list(pool.map(lambda sandbox: sandbox.run(), made)) == [0, 1, 2, 3]


def test_a_task_runs_and_is_deployed() -> None:
    task = double.as_task()
    assert isinstance(task, SandboxTask)
    assert task(4) == task(x=4) == asyncio.run(task.aio(x=4)) == 8
    assert task.script is not None
    assert task.script.read_text() == "y = x * 2"
    versions = glovebox.deploy(glovebox.TaskEnvironment.from_task("double", task))
    assert "double" in versions[0].summary_repr()
    assert glovebox.run(glovebox.remote.Task.get("double"), x=5).outputs()[0] == 10


def test_the_end_of_the_caller_cancels_the_run() -> None:
    name = f"endless-{os.urandom(4).hex()}"

    async def status() -> str:
        engine = await current_engine()
        runs = (await engine.runs(task=name))["runs"]
        return runs[0]["status"] if runs else "none"

    async def cancel() -> None:
        waiting = asyncio.ensure_future(create(name, code="while True: pass").run.aio())
        while await run_async(status()) != "running":
            assert not waiting.done()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        while await run_async(status()) == "running":
            pass  # it is told at once, and takes its time to end
        assert await run_async(status()) == "canceled"

    asyncio.run(cancel())
