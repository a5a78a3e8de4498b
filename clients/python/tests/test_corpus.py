"""Programs as models write them, for tasks from data cleaning to the orchestration of tools.

They were written without knowledge of Glovebox. ``expected.jsonl`` has what CPython 3.11 makes of them: what they print,
and the repr of their last expression. It also has the lines between which they are, since older Pythons cannot parse all. Both have to be equal here, and the value has to leave the program.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glovebox import TaskEnvironment
from glovebox.errors import CheckFailedError
from glovebox.sandbox import orchestrate_local_sync

ROOT = Path(__file__).resolve().parents[3]
CORPUS = ROOT / "testdata" / "corpus"
sys.path.insert(0, str(CORPUS))
tools = importlib.import_module("tools")
sys.path.remove(str(CORPUS))
EXPECTED = [json.loads(line) for line in (CORPUS / "expected.jsonl").read_text().splitlines()]

# What does not run yet, and why.
FAILING = {"p067": "bytearray is not available"}

env = TaskEnvironment(name="corpus")
TASKS = [
    env.task(f)
    for f in (
        tools.fetch_order, tools.flaky_lookup, tools.slow_echo, tools.exchange_rate, tools.customer_name, tools.send_email,
    )
]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GLOVEBOX_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("GLOVEBOX_PROGRAM", str(ROOT / "bin" / "glovebox"))
        yield


def shown(source: str, first: int, last: int) -> str:
    """The program with its output collected, and a pair of the repr of its value and the output for its value.

    Args:
        source: The program.
        first: The line of its first statement behind the docstring and imports from ``__future__``.
        last: The line of its last statement, which is an expression.
    """
    lines = source.splitlines(keepends=True)
    head, middle, tail = lines[: first - 1], lines[first - 1 : last - 1], lines[last - 1 :]
    collect = "import io as _io, sys as _sys\n_sys.stdout = _out = _io.StringIO()\n"
    return "".join([*head, collect, *middle, "[repr((", *tail, "\n)), _out.getvalue()]\n"])


def evaluate(source: str) -> Any:
    tools.CALLS.clear()
    return orchestrate_local_sync(source, inputs={}, tasks=TASKS, dialect="extended")


@pytest.mark.parametrize("want", EXPECTED, ids=lambda want: want["name"])
def test_a_program_does_what_it_does_in_cpython(want: dict[str, Any]) -> None:
    source = (CORPUS / f"{want['name']}.py").read_text()
    if want["name"] in FAILING:
        with pytest.raises(CheckFailedError, match=FAILING[want["name"]]):
            evaluate(source)
        return
    assert evaluate(shown(source, want["first"], want["last"])) == [want["repr"], want["stdout"]]
    evaluate(source)
