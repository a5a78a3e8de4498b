"""How code is found in plain text, and found again in a program."""

from __future__ import annotations

import pytest

from code_blocks import Block, blocks_of, cut_out, forgotten, makes, needs

PAGE = """\
Heading

Use create() to make a thing, from which name = value follows:
import lib

thing = lib.create(
    name="a",
)

result = await thing.run()  # returns 42
When it runs, all is well.
Caching
lib.create()
# Workers
@lib.task
def add(x: int) -> int:
\"\"\"Adds.\"\"\"
if x:
return 1
else:
return {
"a": x,
}
# lib.run(add, x=2) → 20One-shot
Because it ends, it has ended.
thing = add(1)It goes on.
"""


def test_blocks_are_found() -> None:
    found = blocks_of("p", PAGE)
    assert [(block.name, len(block.text.splitlines())) for block in found] == [("p:4", 7), ("p:14", 11), ("p:26", 1)]
    assert [block.claims for block in found] == [[("result", "42")], [("lib.run(add, x=2)", "20")], []]
    assert found[2].text == "thing = add(1)\n"


def test_lines_that_are_code_and_in_no_block_are_told() -> None:
    found = blocks_of("p", PAGE)
    assert forgotten(PAGE, found) == []
    assert forgotten(PAGE, found[:2]) == ["thing = add(1)"]
    assert forgotten("A heading\nlib.run(1)\n", []) == ["lib.run(1)"]


@pytest.mark.parametrize(
    ("program", "found"),
    [
        ("def f():\n    # why\n    x = g(\n        1,\n    )\n    return x\n", "x = g(\n    1,\n)\n"),
        ("x = g(1,)", "x = g(1,)\n"),
        ("y = 0; x = g(1,)", "y = 0; x = g(1,)\n"),
        ("x = g(1)", None),
        ("x = g(1,\n2)", None),
        ("x = 'g(1,)'", None),
    ],
)
def test_a_block_is_found_in_a_program_whatever_its_layout(program: str, found: str | None) -> None:
    assert cut_out(Block("p", 1, "x = g(1,) # one\n"), program) == found


def test_text_in_strings_counts_but_for_its_indentation() -> None:
    block = Block("p", 1, 'code = """\na = 1\nif a:\nb = 2\n"""\n')
    assert cut_out(block, 'code = """\n    a = 1\n    if a:\n        b = 2\n"""\n') is not None
    assert cut_out(block, 'code = """\n    a = 1\n    if a:\n        b = 3\n"""\n') is None


def test_what_a_block_needs_and_makes() -> None:
    code = "import a.b as c, d.e\nfrom f import g\nx, (y, z) = c(h), [i for i in range(3)]\ndef k(m): return m + n\n"
    assert needs(code) == {"h", "n"}
    assert makes(code) == {"c", "d", "g", "x", "y", "z", "k"}
