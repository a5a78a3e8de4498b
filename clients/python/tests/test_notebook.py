"""A notebook: cells of a real kernel, if there is one (pip install ipykernel nbclient).

Those with cells of the engine run with GLOVEBOX_TEST_REAL=1.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import engines
import glovebox

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

# What a kernel and its client do with sockets and loops is not ours.
pytestmark = pytest.mark.filterwarnings("ignore")

HEAD = """\
import glovebox
from glovebox import sandbox
env = glovebox.TaskEnvironment(name="nb")

@env.task
def add(x: int, y: int) -> int:
    print("adding")
    return x + y

@env.task
async def later(x: int) -> int:
    return await add.aio(x, 1)

@env.task
def fails(x: int) -> int:
    raise ValueError(f"no {x}")

@env.sandbox.orchestrator
def pipeline(n: int) -> int:
    return add(add(n, 1), n)

@env.sandbox.orchestrator
def breaks(n: int) -> int:
    return fails(n)

double = sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int})
"""

Show = Callable[..., list[Any]]

# How frames of the library are shown: what comes before may be shortened, and a clone may be called as the library is.
LIBRARY = "/".join(Path(glovebox.__file__).parent.parts[-4:]) + "/"


@pytest.fixture
def show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Show]:
    """Runs cells of a new notebook and gives what is shown below each: text, HTML, or an error."""
    monkeypatch.setenv("GLOVEBOX_HOME", os.environ.get("GLOVEBOX_TEST_HOME") or str(tmp_path / "home"))
    monkeypatch.setenv("GLOVEBOX_PROGRAM", str(engines.PROGRAM))
    for name in ("GLOVEBOX_URL", "GLOVEBOX_TOKEN"):
        monkeypatch.delenv(name, raising=False)

    def run(*sources: str) -> list[list[dict[str, str]]]:
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in (HEAD, *sources)])
        nbclient.NotebookClient(notebook, timeout=300, allow_errors=True, kernel_name="python3").execute()
        return [[_shown(output) for output in cell.outputs] for cell in notebook.cells[1:]]

    yield run


def _shown(output: Any) -> dict[str, str]:
    if output.output_type == "error":
        return {"error": re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(output.traceback))}
    if output.output_type == "stream":
        return {output.name: output.text}
    return dict(output.data)


def _value(outputs: list[dict[str, str]]) -> str:
    return outputs[-1]["text/plain"]


def test_tasks_and_orchestrators_of_cells_plainly_and_awaited(show: Show) -> None:
    shown = show(
        "glovebox.run(add, 1, 2).outputs()[0]",
        "(await glovebox.run.aio(later, 3)).outputs()[0]",
        "pipeline(2)",
        "await pipeline.aio(5)",
        "def plain(x: int) -> int:\n    return x * 3\nawait sandbox.orchestrate_local('plain(x)', inputs={'x': 4}, tasks=[plain])",
        "import asyncio\nawait asyncio.gather(*(pipeline.aio(n) for n in range(3)))",
    )
    assert [_value(outputs) for outputs in shown] == ["3", "4", "5", "11", "12", "[1, 3, 5]"]
    assert shown[0][0] == {"stdout": "adding\n"}


def test_a_cell_that_is_run_again_takes_the_place_of_the_old_one(show: Show) -> None:
    again = "@env.task\ndef add(x: int, y: int) -> int:\n    return x * y\npipeline(3)"
    assert [_value(outputs) for outputs in show("pipeline(3)", again)] == ["7", "9"]


def test_a_run_looks_well(show: Show) -> None:
    (outputs,) = show("glovebox.run(add, 1, 2)")
    assert re.fullmatch(r"<Run run-\w+ of nb\.add: glovebox:///runs/run-\w+>", outputs[-1]["text/plain"])
    assert re.fullmatch(r"run <code>run-\w+</code> of <b>nb\.add</b>, succeeded", outputs[-1]["text/html"])


@pytest.mark.parametrize("call", ["glovebox.run(fails, 7)", "await glovebox.run.aio(fails, 7)", "breaks(7)"])
def test_an_error_shows_the_line_of_the_cell(show: Show, call: str) -> None:
    ((output,),) = show(call)
    error = output["error"]
    assert "ValueError: no 7" in error
    assert 'raise ValueError(f"no {x}")' in error
    assert f"1 {call}" in error
    assert error.count(LIBRARY) <= 1


@pytest.mark.cells
def test_sandboxes_and_the_line_while_an_image_is_built(show: Show) -> None:
    new = f"sandbox.create(name='new', code='y = 1', outputs={{'y': int}}, additional_commands=['sleep 2 # {os.urandom(4).hex()}'])"
    shown = show("double.run(x=21)", "await double.run.aio(x=4)", f"{new}.run()", "double")
    assert [_value(outputs) for outputs in shown] == ["42", "8", "1", "<Sandbox double(x: int) -> (y: int)>"]
    assert shown[2][0] == {"text/plain": "", "text/html": ""}  # the line is gone again


IN_CELLS = """\
import statistics as st
from dataclasses import dataclass
cells = glovebox.TaskEnvironment(name="nbc", resources=glovebox.Resources(memory="256Mi"))

@dataclass
class Point:
    x: int
"""

MEAN = """\
@cells.task
def mean(xs: list[int]) -> float:
    return st.fmean([scaled(Point(x)) for x in xs])
mean([1, 2])
"""


@pytest.mark.cells
def test_functions_run_in_cells_with_what_they_use_of_the_notebook(show: Show) -> None:
    shown = show(
        IN_CELLS,
        "FACTOR = 3\ndef scaled(point):\n    return point.x * FACTOR",
        "%time 1",
        MEAN,
        "FACTOR = 10\nmean([1, 2])",
        "@cells.sandbox.orchestrator\ndef ask() -> float:\n    return mean([4])\nawait ask.aio()",
        "@cells.task\ndef boom() -> int:\n    raise ValueError('no 7')\nboom()",
        "for i in range(3):\n    pass\n@cells.task\ndef late() -> int:\n    return i\nlate()",
    )
    assert [_value(shown[n]) for n in (3, 4, 5)] == ["4.5", "15.0", "40.0"]
    assert "raise ValueError('no 7')" in shown[6][-1]["error"]
    assert "it uses i, which the notebook makes in a loop" in shown[7][-1]["error"]


@pytest.mark.cells
def test_a_module_beside_the_notebook_goes_along(show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "beside.py").write_text("def triple(x):\n    return x * 3\n")
    shown = show(IN_CELLS, "import beside\n@cells.task\ndef f(x: int) -> int:\n    return beside.triple(x)\nf(14)")
    assert _value(shown[1]) == "42"
