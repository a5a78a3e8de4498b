"""Every piece of code in the documents that the client follows, found in their text, with the name of the library replaced.

Whole programs run, in their order and with what earlier ones of the page made.
Every piece stands in a program of examples/python, too, which test_examples runs.
The documents are in GLOVEBOX_DOCS, by default beside the repository.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from code_blocks import Block, blocks_of, compiles, cut_out, forgotten, makes, needs
from engines import PROGRAM
from test_examples import EXAMPLES, PIPELINE, ROOT, command, new_home, variables

DOCS = Path(os.environ.get("GLOVEBOX_DOCS") or ROOT.parent / "shared" / "reference" / "docs")
PAGES = {path.stem: path for path in sorted(DOCS.glob("*.txt"))}
# How many pieces there are. If a page changes, somebody looks whether all were found.
COUNTS = {"1": 20, "2": 4, "3": 0, "4": 4, "5": 0}
# What a page takes for granted, and what is asked after its last piece: expressions and their values.
FILES = {"payload_file": '{"values": [1, 2, 3, 4, 5]}', "data_file": "line 1\n\nline 2\n"}
ASKED: dict[str, dict[str, object]] = {
    "1": {
        "mean": 3.0,
        "round(std, 4)": 1.4142,
        "window_end.isoformat()": "2024-01-02T00:00:00",
        "total": 15,
        "count": "2",
    },
    "2": {
        "pipeline(10)": {"fib": 55, "linear": 25, "total": 80},
        "sum_task(values=[1, 2, 3, 4])": 10,
        "product_task(values=[1, 2, 3, 4])": 24,
    },
    "4": {"calculate_total(2.5, 4)": 10.0, "t(x=1, y=2)": 3, "lightweight_task(41)": 42},
}

pytestmark = pytest.mark.skipif(not PAGES, reason=f"the documents are not in {DOCS}: set GLOVEBOX_DOCS")


def text_of(page: str) -> str:
    return PAGES[page].read_text().replace("flyte", "glovebox").replace("Flyte", "Glovebox")


def blocks(page: str) -> list[Block]:
    """Returns the blocks of a page, without those that quote the source of the library."""
    return [block for block in blocks_of(page, text_of(page)) if not block.quotes_source]


def in_examples(block: Block) -> str | None:
    """Returns a block as it stands in an example."""
    programs = (path.read_text() for path in sorted(EXAMPLES.glob("*.py")))
    return next((found for program in programs if (found := cut_out(block, program))), None)


def code_of(block: Block) -> str:
    """Returns a block with the layout that Python wants, which a page may have lost."""
    return block.text if compiles(block.text) else in_examples(block) or ""


@pytest.mark.parametrize("page", PAGES)
def test_no_piece_is_forgotten(page: str) -> None:
    found = blocks_of(page, text_of(page))
    assert forgotten(text_of(page), found) == []
    assert len(found) == COUNTS.get(page.partition("-")[0]), [block.name for block in found]
    missing = [block.name for block in blocks(page) if in_examples(block) is None]
    assert not missing, f"in no program of {EXAMPLES}: {missing}"


@pytest.mark.cells
@pytest.mark.parametrize("page", [page for page in PAGES if page.partition("-")[0] in ASKED])
def test_whole_programs_run(page: str, tmp_path: Path) -> None:
    given = {name: str(tmp_path / name) for name in FILES}
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    known, files, expected = {*given}, list[dict[str, Any]](), list[list[str]]()
    for block in blocks(page):
        code = code_of(block)
        if block.is_program or not needs(code) <= known:
            continue
        known |= makes(code)
        (tmp_path / f"block{block.line}.py").write_text(code)
        files.append({"path": str(tmp_path / f"block{block.line}.py"), "ask": [asked for asked, _ in block.claims]})
        expected.append([answer for _, answer in block.claims])
    asked = ASKED[page.partition("-")[0]]
    files[-1]["ask"] += asked
    expected[-1] += map(repr, asked.values())

    runner = Path(__file__).with_name("run_page.py")
    environment = variables(new_home(tmp_path / "home"))
    printed = command(environment, sys.executable, runner, given=json.dumps({"files": files, "names": given}))
    assert [json.loads(line) for line in printed.splitlines()] == expected


@pytest.mark.cells
@pytest.mark.parametrize(
    "block", [block for page in PAGES for block in blocks(page) if block.is_program], ids=lambda b: b.name
)
def test_a_program_of_its_own_runs(block: Block, tmp_path: Path) -> None:
    assert needs(block.text) == set()
    (tmp_path / "program.py").write_text(block.text)
    environment = variables(new_home(tmp_path / "home"))
    printed = command(environment, sys.executable, tmp_path / "program.py")
    run = re.fullmatch(r"run url: glovebox:///runs/(run-[0-9a-z]+)\n", printed)
    assert run, printed
    shown = json.loads(command(environment, PROGRAM, "show", run[1], "--json"))
    assert shown["run"]["outputs"]["o0"] == PIPELINE
