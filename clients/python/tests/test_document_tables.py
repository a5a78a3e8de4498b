"""What the documents that the client follows say beside their code: names, tables of parameters, limits and syntax."""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

import glovebox
from engines import PROGRAM, engine
from glovebox import errors, sandbox
from test_documents import PAGES, text_of

# A piece of code for each row of the tables of syntax, with its value, or with what the error names.
ALLOWED = {
    "Variables and assignment": ("x = 1\nx", 1),
    "Arithmetic and comparisons": ("(1 + 2 * 3) ** 2 > 48", True),
    "String operations": ("'a' + f'{1:03d}' + '%s' % 2 + '{}'.format(3)", "a00123"),
    "if/elif/else": ("if n > 9:\n    x = 1\nelif n > 3:\n    x = 2\nelse:\n    x = 3\nx", 2),
    "for loops": ("xs = []\nfor i in [1, 2]:\n    for j in range(2):\n        xs.append(i * j)\nfor k in {'a': 1}:\n    xs.append(k)\nxs", [0, 1, 0, 2, "a"]),
    "while loops": ("x = 0\nwhile x < 3:\n    x = x + 1\nx", 3),
    "Function definitions (def)": ("def f(x, y=1):\n    return x + y\nf(2)", 3),
    "async def and await": ("async def f(x):\n    return x + 1\nawait f(1)", 2),
    "List/dict/tuple literals": ('[[1, 2, 3], {"key": "value"}, (1, "a")]', [[1, 2, 3], {"key": "value"}, (1, "a")]),
    "List comprehensions": ("[x * 2 for x in [1, 2]]", [2, 4]),
    ".append() on lists": ("xs = []\nxs.append(1)\nxs", [1]),
    "Subscript reading": ('d = {"key": [5]}\nd["key"][0]', 5),
    "External task calls": ("add(1, 2) + add(x=3, y=4)", 10),
    "raise": ("if n != 5:\n    raise ValueError('n')\nn", 5),
}  # fmt: skip
NOT_ALLOWED = {
    "import": ("import os", "import"),
    "Subscript assignment (d[k] = v, l[i] = v)": ("d = {}\nd['k'] = 1", "subscript assignment"),
    "Augmented assignment (x += 1)": ("x = 1\nx += 1", "augmented assignment"),
    "class definitions": ("class A:\n    pass", "class"),
    "with statements": ("with add as a:\n    pass", "with"),
    "try/except": ("try:\n    add(1, 2)\nexcept ValueError:\n    pass", "try/except"),
    "Walrus operator (:=)": ("(x := 1)", "walrus operator"),
    "yield/yield from": ("def f():\n    yield 1", "yield"),
    "global/nonlocal": ("def f():\n    global x\n    x = 1", "global/nonlocal"),
    "Set literals/comprehensions": ("{x for x in [1]}", "set literal or comprehension"),
    "del statements": ("x = 1\ndel x", "del"),
    "assert statements": ("assert True", "assert"),
}
LIMITS = {
    "max_memory": ("50 MB", 50 << 20),
    "max_stack_depth": ("256", 256),
    "timeout_ms": ("30,000", 30_000),
    "type_check": ("True", True),
}
NAMES = [
    "glovebox.sandbox.SandboxedTaskTemplate",
    "glovebox.sandbox.SandboxedConfig",
    "glovebox.errors.InvalidPackageError",
]

pytestmark = pytest.mark.skipif(not PAGES, reason="the documents are not there: set GLOVEBOX_DOCS")


@pytest.fixture(scope="module")
def child(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not built")
    with engine("child", tmp_path_factory.mktemp("home")):
        yield


def page_with(text: str) -> str:
    (page,) = (text_of(page) for page in PAGES if text in text_of(page))
    return page


def between(begin: str, end: str) -> str:
    return page_with(begin).partition(begin)[2].partition(end)[0]


def test_each_name_is_there() -> None:
    names = {name for page in PAGES for name in re.findall(r"\bglovebox(?:\.[A-Za-z]\w*)+", text_of(page))}
    assert "glovebox.sandbox.create" in names
    for name in sorted(names.union(NAMES)):
        assert any(name.rpartition(".")[2] in text_of(page) for page in PAGES)
        found: Any = glovebox
        for part in name.split(".")[1:]:
            found = getattr(found, part, None)
        assert found is not None, f"{name} is not there"


def test_parameters_of_create() -> None:
    table = between("Parameter Type Description\n", "\n\n").splitlines()
    parameters = inspect.signature(sandbox.create).parameters
    assert [line.split()[0] for line in table] == list(parameters)[: len(table)]
    defaults = {
        line.split()[0]: match[1] for line in table if (match := re.search(r'Default: (True|0|"auto")\.$', line))
    }
    assert {name: parameters[name].default for name in defaults} == {
        k: ast.literal_eval(v) for k, v in defaults.items()
    }
    assert list(defaults) == ["auto_io", "retries", "cache"]


def test_methods_of_a_sandbox() -> None:
    made = sandbox.create(code="pass")
    table = between("Method Description\n", "\n\n")
    methods = re.findall(r"^(await )?sandbox\.(\w+)(\.aio)?\(", table, re.MULTILINE)
    assert len(methods) == 4
    for awaited, name, aio in methods:
        method = getattr(made, name)
        assert "image" in inspect.signature(method).parameters
        assert bool(awaited) == bool(aio)
        assert asyncio.iscoroutinefunction(method.aio)


def test_limits_of_orchestrators() -> None:
    table = between("ParameterDefaultDescription\n", "\n\n").splitlines()
    assert [next(name for name in LIMITS if line.startswith(name + LIMITS[name][0])) for line in table] == list(LIMITS)
    assert {name: getattr(sandbox.SandboxedConfig(), name) for name in LIMITS} == {k: v for k, (_, v) in LIMITS.items()}


@pytest.mark.parametrize(
    ("begin", "end", "rows"),
    [("\nAllowed\n", "\nNot allowed\n", ALLOWED), ("\nNot allowed\n", "\nType restrictions\n", NOT_ALLOWED)],
)
def test_each_row_of_syntax_is_tried(begin: str, end: str, rows: dict[str, Any]) -> None:
    cells = [cell for part in between(begin, end).split("|") if (cell := part.strip())]
    assert cells[4::2] == list(rows)  # after the heading and the line below it


def add(x: int, y: int) -> int:
    return x + y


@pytest.mark.usefixtures("child")
@pytest.mark.parametrize("label", ALLOWED)
def test_syntax_that_is_allowed(label: str) -> None:
    code, value = ALLOWED[label]
    assert sandbox.orchestrate_local_sync(code, inputs={"n": 5}, tasks=[add]) == value


@pytest.mark.usefixtures("child")
@pytest.mark.parametrize("label", NOT_ALLOWED)
def test_syntax_that_is_not(label: str) -> None:
    code, named = NOT_ALLOWED[label]
    with pytest.raises(errors.InvalidTaskError, match=rf"line \d+, column \d+: {re.escape(named)} "):
        sandbox.orchestrate_local_sync(code, inputs={"n": 5}, tasks=[add])
