"""The source of an orchestrator: what is sent to the engine, and which names it takes from elsewhere."""

from __future__ import annotations

import functools
import linecache
import math
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from glovebox._bundles.layout import BEGINNING
from glovebox._orchestrators.source import (
    FunctionSource,
    checked_function,
    source_of_function,
    variables_of,
)
from glovebox._orchestrators.text import source_of_string

LIMIT = 3


def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def source_of(function: Callable[..., Any]) -> FunctionSource:
    assert isinstance(function, FunctionType)
    return source_of_function(function)


def made(text: str, name: str = "f", **variables: Any) -> FunctionType:
    """Defines a function as a notebook does: by code that has a file only in linecache."""
    file = f"<cell {len(linecache.cache)}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    namespace: dict[str, Any] = {"__name__": "cells", **variables}
    exec(compile(text, file, "exec"), namespace)
    function = namespace[name]
    assert isinstance(function, FunctionType)
    return function


def test_strings() -> None:
    assert source_of_string("x + y") == "x + y"
    assert source_of_string("a = 1\na") == "a = 1\na"
    assert source_of_string("    a = 1\n    if a:\n        a\n") == "a = 1\nif a:\n    a"
    assert source_of_string("\n\n    a\n") == "\n\na"  # the line keeps its number
    for empty in ("", "   ", "\n \n\t"):
        assert source_of_string(empty) == "None"


def test_code_ends_with_a_call() -> None:
    def plain(a: int, b: int = 2, *, c: str = "x") -> int:
        return a

    async def waits(a: int) -> int:
        return a

    assert source_of(plain).code.endswith("\nplain(a, b, c=c)" + BEGINNING + "\n")
    assert source_of(waits).code.endswith("\nawait waits(a)" + BEGINNING + "\n")


def test_positional_only() -> None:
    assert (
        source_of(made("def f(a, /, b, *, c): return a")).code
        == "def f(a, /, b, *, c): return a\nf(a, b, c=c)" + BEGINNING + "\n"
    )


def test_lines_are_those_of_the_file() -> None:
    @decorated
    @decorated
    def nested(
        a: int,
    ) -> str:
        """A text."""
        # a comment
        text = """
            as it is
        """
        return text  # the end

    source = source_of(nested)
    lines = Path(__file__).read_text().splitlines()
    assert source.file == __file__
    for number, line in enumerate(source.code.splitlines()[:-1], 1):
        assert line in ("", "if True:", lines[number - 1])
    assert "        return text  # the end" in source.code.splitlines()
    assert "decorated" not in source.code


def test_what_is_sent_means_the_same() -> None:
    def text(a: int) -> str:
        return f"""{a}
          b
      c"""

    variables: dict[str, Any] = {"a": 1}
    exec(source_of(text).code.replace("\ntext(", "\nresult = text("), variables)
    assert variables["result"] == text(1)


def test_at_the_top_of_a_file() -> None:
    assert source_of(made("def f(a):\n\treturn a\n")).code == "def f(a):\n\treturn a\nf(a)" + BEGINNING + "\n"


def test_names_that_it_uses() -> None:
    source = source_of(
        made(
            """
def f(n, helper=default):
    '''Doc.'''
    x: annotated = outer(n)
    def inner(y: kind) -> other:
        nonlocal_ = y
        return [deep(z, LIMIT) for z in y] + [nonlocal_] + (lambda v: within(v, x))(y)
    async def later():
        return await awaited(x)
    match n:
        case 1:
            return matched(n)
    return f"{formatted(x):{width}}" if f(n) else inner(x)[index]
""",
            default=1,
        )
    )
    assert source.names == {
        "awaited": 9, "deep": 7, "formatted": 13, "index": 13, "LIMIT": 7, "matched": 12, "outer": 4, "width": 13,
        "within": 7,
    }  # fmt: skip


def test_names_of_a_function_that_symtable_takes_for_a_module() -> None:
    assert source_of(made("def top(n):\n    return call(n)\n", "top")).names == {"call": 2}


def test_what_is_assigned_is_its_own() -> None:
    source = source_of(made("def f(n):\n    LIMIT = n\n    for i, (j, *k) in n: print(i, j, k)\n    return LIMIT\n"))
    assert source.names == {"print": 3}


def test_tools_that_are_mapped_by_name() -> None:
    source = source_of(
        made("def f(n):\n    a = 'no tool'\n    return glovebox_map('double', n) + glovebox_map(a, n)\n")
    )
    assert source.names == {"double": 3, "glovebox_map": 3}


def test_defaults_are_not_evaluated_again() -> None:
    function = made(
        """
def f(a, b=LIMIT + 1, c="ä", d=[
    "ö",
    LIMIT,
], *, e=LIMIT, g=-1): return [a, b, c, d, e, g]
""",
        LIMIT=3,
    )
    source = source_of(function)
    assert "LIMIT" not in source.code
    assert source.names == {}
    assert source.code.count("\n") == 6
    variables: dict[str, Any] = dict.fromkeys("abcdeg", 7)
    exec(source.code, variables)
    assert variables["f"](0) == [0, None, "ä", None, None, None]


def test_variables_now() -> None:
    def before() -> Any:
        return later, LIMIT, math

    assert isinstance(before, FunctionType)
    assert "later" not in variables_of(before)
    later = 1
    found = variables_of(before)
    assert (found["later"], found["LIMIT"], found["math"]) == (1, LIMIT, math)
    later = 2
    assert variables_of(before)["later"] == later


def generator(n: int) -> Any:
    yield n


async def async_generator(n: int) -> Any:
    yield n


@functools.wraps(decorated)
def wrapper(n: int) -> int:
    return n


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (generator, "Sandboxed tasks cannot be generators: generator"),
        (async_generator, "Sandboxed tasks cannot be async generators: async_generator"),
        (lambda n: n, "cannot be made from a lambda"),
        (wrapper, "wrapped by another decorator"),
        (len, "written with def"),
        (functools.partial(decorated), "written with def"),
        (int, "written with def"),
    ],
)
def test_refused(function: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        checked_function(function)


def test_no_source() -> None:
    namespace: dict[str, Any] = {}
    exec("def f(n): return n", namespace)
    with pytest.raises(TypeError, match="source of f cannot be read.*body as a string"):
        source_of(namespace["f"])


@pytest.mark.parametrize("now", ["def g(a): return a\n", "def f(b): return b\n", "def f(a:\n", "x = 1\n"])
def test_a_file_that_was_changed(tmp_path: Path, now: str) -> None:
    file = tmp_path / "module.py"
    text = "def f(a): return a\n"
    file.write_text(text)
    namespace: dict[str, Any] = {}
    exec(compile(text, str(file), "exec"), namespace)
    file.write_text(now)
    linecache.checkcache(str(file))
    with pytest.raises(TypeError, match="is not that of the function|cannot be read"):
        source_of(namespace["f"])


def test_a_parameter_of_the_functions_name() -> None:
    with pytest.raises(TypeError, match="parameter of its own name"):
        source_of(made("def f(f): return f\n"))
