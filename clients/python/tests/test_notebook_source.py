"""What of a notebook goes into a cell with a function."""

from __future__ import annotations

import os
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engines
from glovebox._bundles import notebook

Source = Callable[..., str]


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> Source:
    """Runs cells, the last of which defines f, and gives the source of a module with it."""

    def made(*texts: str) -> str:
        monkeypatch.setattr(notebook, "_texts", lambda: iter(texts))
        variables: dict[str, Any] = {"__name__": "__main__"}
        for text in texts:
            try:
                exec(compile(text, "<cell>", "exec"), variables)
            except SyntaxError:
                continue
        func = variables["f"]
        assert isinstance(func, types.FunctionType)
        return notebook.source_for(func)

    return made


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def test_what_it_uses_and_nothing_else(source: Source) -> None:
    made = source(
        "import os, math as m\nunused = os.getcwd()\nFACTOR = 2; OTHER = 3",
        "class Box:\n    size = FACTOR\n",
        "def helper(x):\n    return m.sqrt(x) * Box.size",
        "def f(x):\n    return helper(x)",
    )
    assert lines(made) == [
        "import os, math as m", "FACTOR = 2", "class Box:", "    size = FACTOR",
        "def helper(x):", "    return m.sqrt(x) * Box.size", "def f(x):", "    return helper(x)",
    ]  # fmt: skip


def test_what_a_name_meant_last(source: Source) -> None:
    made = source("N = 1", "def f():\n    return 'old'", "N = 2", "def f():\n    return N", "N = 3\nN += 1")
    assert lines(made) == ["def f():", "    return N", "N = 3", "N += 1"]


def test_decorators_defaults_annotations_and_futures(source: Source) -> None:
    made = source(
        "from __future__ import annotations\nT = int\nU = str\nD = 4",
        "def mark(g):\n    return g",
        "@mark\ndef f(x: T = D, y: 'U' = '') -> 'T':\n    return x",
    )
    assert lines(made)[0] == "from __future__ import annotations"
    assert {"T = int", "U = str", "D = 4", "@mark", "def mark(g):"} <= set(lines(made))


def test_names_of_the_function_itself_are_no_names_of_the_notebook(source: Source) -> None:
    made = source(
        "for i in range(3):\n    t = i",
        "def f(xs):\n    t = 0\n    for i in xs:\n        t += i\n    return [i for i in xs], t",
    )
    assert lines(made)[0] == "def f(xs):"


def test_imports_that_may_fail_and_conditions(source: Source) -> None:
    made = source(
        "try:\n    import tomllib\nexcept ImportError:\n    tomllib = None",
        "if __name__ == '__main__':\n    x = 1",
        "def f():\n    return tomllib",
    )
    assert "except ImportError:" in made
    assert "x = 1" not in made


def test_cells_that_are_no_python_are_left_out(source: Source) -> None:
    assert lines(source("this is no python", "def f():\n    return 1")) == ["def f():", "    return 1"]


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("for n in range(3):\n    pass", "n, which the notebook makes in a loop"),
        ("while True:\n    n = 1\n    break", "n, which the notebook makes in a loop"),
        ("class get_ipython:\n    pass\nn = get_ipython()", "n, which the notebook makes by a magic command"),
        ("globals()['n'] = 1", "n, and no cell of the notebook says how"),
    ],
)
def test_what_cannot_be_made_again(source: Source, cell: str, words: str) -> None:
    with pytest.raises(ValueError, match=f"f cannot run in a cell: it uses {words}.*input of the function"):
        source(cell, "def f():\n    return n")


def test_what_is_awaited_cannot(source: Source) -> None:
    with pytest.raises(ValueError, match="v, which the notebook makes by an await"):
        source("async def g():\n    return 1\nv = 0", "def f():\n    return v", "v = await g()")


SCRIPT = """\
import glovebox
cells = glovebox.TaskEnvironment(name="typed", resources=glovebox.Resources(memory="256Mi"))
FACTOR = 21
@cells.task
def f(x: int) -> int:
    return x * FACTOR
print(f(2))
"""


def run(tmp_path: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    home = os.environ.get("GLOVEBOX_TEST_HOME") or str(tmp_path / "home")
    environment = os.environ | {"GLOVEBOX_PROGRAM": str(engines.PROGRAM), "GLOVEBOX_HOME": home}
    return subprocess.run(
        [sys.executable, *arguments],
        input=stdin,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="Python keeps it from 3.13 on")
def test_a_source_that_python_does_not_keep(tmp_path: Path) -> None:
    ended = run(tmp_path, "-", stdin=SCRIPT)
    assert "f cannot run in a cell: Python does not keep the source of what is defined here" in ended.stderr
    assert "Put it into a .py file" in ended.stderr


@pytest.mark.cells
@pytest.mark.skipif(sys.version_info < (3, 13), reason="Python keeps it from 3.13 on")
def test_a_function_of_the_command_line(tmp_path: Path) -> None:
    assert run(tmp_path, "-c", SCRIPT).stdout == "42\n"
