"""Functions of a notebook or of a session at a prompt: a module is made of what they use of it."""

from __future__ import annotations

import ast
import builtins
import linecache
import re
import symtable
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass, field

MODULE = "glovebox_notebook"  # what a function of a notebook is imported from in a cell

# How Python calls what is typed at its prompt or comes with -c, where it keeps the source.
_PROMPT = re.compile(r"<(python-input-\d+|string|stdin|console)>")


_SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


def source_for(func: types.FunctionType) -> str:
    """Returns the source of a module with a function of ``__main__``, and with all that it uses of that.

    A name means what it meant last. ValueError for a name that cannot be made again, and if the source is not kept.
    """
    texts = list(_texts())
    cells = _Cells.of(texts)
    name = func.__qualname__.partition(".")[0]
    if name not in cells.made:
        raise ValueError(
            f"{func.__qualname__} cannot run in a cell: Python does not keep the source of what is defined here. "
            "Put it into a .py file and import it from there, or define it in a notebook, in IPython, or at the "
            "prompt of Python 3.13 or later."
        )
    return cells.module(name, func)


def _texts() -> Iterator[str]:
    """Yields what was typed or is in the cells that ran, in that order."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    history = getattr(getattr(shell, "history_manager", None), "input_hist_parsed", None)
    if history is not None:
        yield from history  # with its magics as calls
        return
    for name, entry in list(linecache.cache.items()):
        if _PROMPT.fullmatch(str(name)) and len(entry) == 4:
            yield "".join(entry[2])


@dataclass
class _Cells:
    """The statements of all cells, and which of them make which name."""

    statements: list[ast.stmt] = field(default_factory=list[ast.stmt])
    texts: list[str] = field(default_factory=list[str])  # of the statements
    made: dict[str, list[int]] = field(default_factory=dict[str, list[int]])  # by name: what makes it what it is

    @classmethod
    def of(cls, texts: list[str]) -> _Cells:
        cells = cls()
        for text in texts:
            try:
                body = ast.parse(text).body
            except (SyntaxError, ValueError):
                continue  # it did not run
            for statement in body:
                cells._add(statement, _text_of(text, statement))
        return cells

    def _add(self, statement: ast.stmt, text: str) -> None:
        index = len(self.statements)
        self.statements.append(statement)
        self.texts.append(text)
        for name in _bound(statement):
            # x += 1 makes it of what it was.
            before = self.made.get(name, []) if isinstance(statement, ast.AugAssign) else []
            self.made[name] = [*before, index]

    def module(self, name: str, func: types.FunctionType) -> str:
        """Returns the source of what a name needs, in the order in which it ran."""
        needed: set[int] = set()
        todo, seen = [name], {name}
        while todo:
            for index in self.made[todo.pop()]:
                if index in needed:
                    continue
                needed.add(index)
                self._check(self.statements[index], func)
                used = _used(self.statements[index])
                todo += [other for other in used if other in self.made and other not in seen]
                seen.update(used)
                _check_known(used - set(self.made), func)
        future = [i for i, statement in enumerate(self.statements) if _is_future(statement)]
        return "\n".join(self.texts[index] for index in [*future, *sorted(needed - set(future))]) + "\n"

    def _check(self, statement: ast.stmt, func: types.FunctionType) -> None:
        problem = ""
        if isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
            problem = "in a loop"
        elif any(isinstance(node, ast.Await) for node in _outside_of_functions(statement)):
            problem = "by an await"
        elif any(isinstance(node, ast.Name) and node.id == "get_ipython" for node in ast.walk(statement)):
            problem = "by a magic command"
        if problem:
            made, text = ", ".join(sorted(_bound(statement))), ast.unparse(statement)[:60]
            raise ValueError(
                f"{func.__qualname__} cannot run in a cell: it uses {made}, which the notebook makes {problem}, at "
                f"{text!r}. Make {made} an input of the function, or make it in a plain statement."
            )


def _check_known(names: set[str], func: types.FunctionType) -> None:
    for name in sorted(names):
        if name in func.__globals__ and not hasattr(builtins, name) and not name.startswith("__"):
            raise ValueError(
                f"{func.__qualname__} cannot run in a cell: it uses {name}, and no cell of the notebook says how that "
                f"is made. Make {name} an input of the function, or define it in a cell."
            )


def _text_of(text: str, statement: ast.stmt) -> str:
    decorators = (
        statement.decorator_list if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else []
    )
    first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    if first == statement.lineno:
        return ast.get_source_segment(text, statement) or ""
    return "\n".join(text.split("\n")[first - 1 : statement.end_lineno])


def _bound(statement: ast.stmt) -> set[str]:
    """Returns the names of the module that a statement makes."""
    if isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test):
        return set()  # what a script does, and no definition
    names: set[str] = set()
    for node in _outside_of_functions(statement):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name.partition(".")[0]) for alias in node.names if alias.name != "*")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def _outside_of_functions(top: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes that belong to the module, and the definitions, but not what is in them."""
    todo = [top]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, _SCOPES):
            todo += ast.iter_child_nodes(node)


def _used(statement: ast.stmt) -> set[str]:
    """Returns the names that a statement, and the functions in it, take from the module."""
    names = set(_read(symtable.symtable(ast.unparse(statement), MODULE, "exec"), top=True))
    for node in ast.walk(statement):
        if isinstance(node, ast.arg) and isinstance(node.annotation, ast.Constant):
            names |= _in_text(node.annotation.value)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and isinstance(node.returns, ast.Constant):
            names |= _in_text(node.returns.value)
    return names


def _read(table: symtable.SymbolTable, *, top: bool = False) -> Iterator[str]:
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (top or symbol.is_global()):
            yield symbol.get_name()
    for child in table.get_children():
        yield from _read(child)


def _in_text(annotation: object) -> set[str]:
    if not isinstance(annotation, str):
        return set()
    try:
        return _used(ast.parse(annotation).body[0])
    except (SyntaxError, ValueError, IndexError):
        return set()


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
