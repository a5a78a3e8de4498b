"""The restricted Python of this library as what runs the code of FastMCP's ``CodeMode``.

>>> from fastmcp.experimental.transforms.code_mode import CodeMode
>>> from glovebox.plugins.fastmcp import GloveboxSandboxProvider
>>> server.add_transform(CodeMode(sandbox_provider=GloveboxSandboxProvider()))
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from glovebox.sandbox import orchestrate_local

_PROGRAM = "program"  # the function that code with a return becomes


class GloveboxSandboxProvider:
    """Runs the code that a model writes for ``CodeMode``, in the interpreter of this library.

    The code can call the functions that it is given and nothing else: there is no network, no file and no import of
    a host's module. What would fail is found before any call. A ``return`` outside of functions gives the result, as
    ``CodeMode`` tells the model; without one it is the value of the last expression.

    Args:
        timeout: Seconds that the code may compute. Waiting for functions does not count.
        max_memory: Bytes of the values that are alive.
    """

    def __init__(self, *, timeout: float = 30, max_memory: int = 100_000_000) -> None:
        if not timeout > 0:
            raise ValueError(f"timeout: expected seconds above 0, got {timeout!r}")
        self._timeout_ms = max(1, round(timeout * 1000))
        self._max_memory = max_memory

    async def run(
        self,
        code: str,
        *,
        inputs: dict[str, Any] | None = None,
        external_functions: dict[str, Callable[..., Any]] | None = None,
    ) -> Any:
        """Runs code once, and returns its result."""
        functions = {name: _told_plainly(function) for name, function in (external_functions or {}).items()}
        return await orchestrate_local(
            _without_return(code),
            inputs=inputs or {},
            tasks=functions,
            timeout_ms=self._timeout_ms,
            max_memory=self._max_memory,
            dialect="extended",
        )


def _told_plainly(function: Callable[..., Any]) -> Callable[..., Any]:
    """Makes a function raise in the code what ``CodeMode`` says to the model, without the class that it has here."""

    @functools.wraps(function)
    async def call(*args: Any, **kwargs: Any) -> Any:
        try:
            value = function(*args, **kwargs)
            return await value if inspect.isawaitable(value) else value
        except Exception as error:
            if type(error).__module__ == "builtins":
                raise
            raise RuntimeError(str(error)) from error

    return call


def _without_return(code: str) -> str:
    """Puts code that returns into a function, whose result is its value."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code  # the interpreter says what is wrong
    if not any(isinstance(each, ast.Return) for each in _outside_functions(tree)):
        return code
    program = ast.parse(f"async def {_PROGRAM}(): pass\nawait {_PROGRAM}()")
    function = program.body[0]
    assert isinstance(function, ast.AsyncFunctionDef)
    function.body = tree.body
    return ast.unparse(program)


def _outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(tree):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield child
            yield from _outside_functions(child)
