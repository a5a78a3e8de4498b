"""The source of an orchestrator, as the engine takes it."""

from __future__ import annotations

import ast
import inspect
import symtable
import tokenize
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .._bundles.layout import BEGINNING

_Def = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class FunctionSource:
    """What the engine runs for a function.

    The lines of ``code`` have the numbers that they have in ``file``. ``names``
    maps each name that the function uses, and does not define, to the first
    line of its use. Annotations do not count, since they are not evaluated.
    """

    code: str
    file: str
    names: Mapping[str, int]


def checked_function(function: object) -> types.FunctionType:
    """Returns function, and raises a TypeError if no orchestrator can be made of it."""
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"an orchestrator is made from a function written with def, got {function!r}")
    name = function.__qualname__
    if function.__name__ == "<lambda>":
        raise TypeError("an orchestrator cannot be made from a lambda: write it with def, or give its body as a string")
    if inspect.isgeneratorfunction(function):
        raise TypeError(f"Sandboxed tasks cannot be generators: {name}")
    if inspect.isasyncgenfunction(function):
        raise TypeError(f"Sandboxed tasks cannot be async generators: {name}")
    if hasattr(function, "__wrapped__"):
        raise TypeError(
            f"{name} is wrapped by another decorator, which the sandbox would ignore: "
            "make orchestrator the only decorator below, and put others above it"
        )
    return function


def source_of_function(function: types.FunctionType) -> FunctionSource:
    """Takes the source of a function, without its decorators, and a call of it at the end.

    Raises TypeError if there is no source, as for functions made by ``exec``.
    """
    lines, first = _lines_of(function)
    indented = lines[0][:1].isspace()
    # A block keeps an indented function as it is written: to move it to the
    # left would change the text of strings that span lines.
    text = "".join(lines)
    definition = _definition_in("if True:\n" + text if indented else text, function)
    start = definition.lineno - 1 - indented
    body = _lines_between(lines, start, definition.end_lineno or definition.lineno, indented)
    body = _without_defaults(body, definition)
    head = "\n" * (first + start - 1 - indented) + ("if True:\n" if indented else "")
    code = head + body.rstrip("\n") + "\n" + _call_of(definition) + "\n"
    return FunctionSource(code, function.__code__.co_filename, _names_used(definition, first - indented - 1))


def _lines_of(function: types.FunctionType) -> tuple[list[str], int]:
    try:
        lines, first = inspect.getsourcelines(function)
    except (SyntaxError, tokenize.TokenError):
        raise _changed(function) from None
    except (OSError, TypeError) as e:
        raise TypeError(
            f"the source of {function.__qualname__} cannot be read ({e}), and the sandbox runs the source: "
            "define the function in a file or a notebook cell, or give its body as a string"
        ) from None
    return lines, max(first, 1)


def _definition_in(text: str, function: types.FunctionType) -> _Def:
    """Finds the definition in the source, and makes sure that it is the one of function."""
    try:
        node: ast.AST = ast.parse(text).body[0]
    except (SyntaxError, IndexError):
        raise _changed(function) from None
    if isinstance(node, ast.If):
        node = node.body[0]
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.name != function.__name__:
        raise _changed(function)
    if [a.arg for a in _parameters(node)] != list(inspect.signature(function).parameters):
        raise _changed(function)
    if node.name in {a.arg for a in _parameters(node)}:
        raise TypeError(f"{function.__qualname__} has a parameter of its own name: rename one of the two")
    return node


def _changed(function: types.FunctionType) -> TypeError:
    return TypeError(
        f"the source of {function.__qualname__} in {function.__code__.co_filename} is not that of the function: "
        "the file was changed since it was loaded; start again"
    )


def _parameters(definition: _Def) -> list[ast.arg]:
    a = definition.args
    star = [a.vararg] if a.vararg else []
    named = [a.kwarg] if a.kwarg else []
    return [*a.posonlyargs, *a.args, *star, *a.kwonlyargs, *named]


def _lines_between(lines: list[str], start: int, end: int, indented: bool) -> str:
    return "".join(lines[start : end - indented])


def _call_of(definition: _Def) -> str:
    """Returns the line that hands the inputs, variables of the program, to the function."""
    a = definition.args
    arguments = [p.arg for p in [*a.posonlyargs, *a.args]] + [f"{p.arg}={p.arg}" for p in a.kwonlyargs]
    call = f"{definition.name}({', '.join(arguments)})"
    return (f"await {call}" if isinstance(definition, ast.AsyncFunctionDef) else call) + BEGINNING


def _without_defaults(body: str, definition: _Def) -> str:
    """Replaces the defaults of the parameters by None.

    Python evaluated them when the function was defined, and they are defaults of
    the inputs. The sandbox would evaluate them again, without the names of the module.
    """
    found = [*definition.args.defaults, *(d for d in definition.args.kw_defaults if d is not None)]
    lines = [line.encode() for line in body.splitlines(keepends=True)]
    for node in sorted(found, key=lambda n: (n.lineno, n.col_offset), reverse=True):
        if not isinstance(node, ast.Constant):
            _replace(lines, node, definition.lineno)
    return b"".join(lines).decode()


def _replace(lines: list[bytes], node: ast.expr, first: int) -> None:
    """Puts None in the place of an expression, and keeps the number of lines."""
    start, end = node.lineno - first, (node.end_lineno or node.lineno) - first
    tail = lines[end][node.end_col_offset :]
    lines[start] = lines[start][: node.col_offset] + b"None" + (b"\n" if end > start else tail)
    for i in range(start + 1, end):
        lines[i] = b"\n"
    if end > start:
        lines[end] = tail


class _Bare(ast.NodeTransformer):
    """Takes away what the sandbox does not evaluate: annotations."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._bare(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._bare(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        # With a constant for its annotation it still makes the name a local one.
        node.annotation = ast.Constant(None)
        return node

    def _bare(self, node: _Def) -> ast.AST:
        self.generic_visit(node)
        node.returns = None
        return node


def _names_used(definition: _Def, before: int) -> dict[str, int]:
    """Returns the names that a definition takes from elsewhere, with the lines of their first use."""
    bare: _Def = _Bare().visit(definition)
    bare.decorator_list = []
    bare.args.defaults = [ast.Constant(None) for _ in bare.args.defaults]
    bare.args.kw_defaults = [ast.Constant(None) for _ in bare.args.kw_defaults]
    foreign = set(_foreign(symtable.symtable(ast.unparse(bare), "orchestrator", "exec"))) - {definition.name}
    used: dict[str, int] = {}
    for node in ast.walk(bare):
        name = _mapped(node, foreign) or (node.id if isinstance(node, ast.Name) and node.id in foreign else None)
        if name is not None and isinstance(node, ast.expr):
            line = node.lineno + before
            used[name] = min(line, used.get(name, line))
    return dict(sorted(used.items()))


def _mapped(node: ast.AST, foreign: set[str]) -> str | None:
    """Returns the tool that a call of glovebox_map names in a string."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not node.args:
        return None
    first = node.args[0]
    if node.func.id != "glovebox_map" or "glovebox_map" not in foreign or not isinstance(first, ast.Constant):
        return None
    return first.value if isinstance(first.value, str) else None


def _foreign(table: symtable.SymbolTable) -> Iterator[str]:
    """Yields the names that a scope, and those within it, take from outside of all of them."""
    for child in table.get_children():
        # symtable takes a function with the name "top" for a module, whose variables are local and global.
        for symbol in child.get_symbols():
            if symbol.is_global() and not symbol.is_local() and symbol.is_referenced():
                yield symbol.get_name()
        yield from _foreign(child)


def variables_of(function: types.FunctionType) -> dict[str, Any]:
    """Returns what the names that a function does not define stand for now: its closure over its module."""
    found = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not bound yet
            found.pop(name, None)
    return found
