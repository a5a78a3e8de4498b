"""How the modules of the package import each other: in one direction, at the top of the file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import glovebox

ROOT = Path(glovebox.__file__).parent

# The rooms, the lowest first. A room imports at the top of its files from those before it.
ROOMS = (
    "_values",
    "_process",
    "_link",
    "io",
    "_bundles",
    "_serving",
    "_tasks",
    "_orchestrators",
    "_runs",
    "session",
    "sandbox",
    "agents",
)


def name_of(path: Path) -> str:
    parts = ("glovebox", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


HIDDEN = ("PackageError", "SourceError")  # what classes of glovebox.errors have in common

MODULES = {name_of(path): path for path in ROOT.rglob("*.py")}


def imports_of(name: str) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Yields what a module imports when it runs, and whether it does so in a function."""

    def below(node: ast.AST, inside: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.Import, ast.ImportFrom)):
                yield child, inside
            elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue  # what only type checkers read
            else:
                yield from below(child, inside or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)))

    yield from below(ast.parse(MODULES[name].read_text()), False)


def imported(name: str, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Yields the modules of the package that a statement imports, with the packages that they are in."""
    if isinstance(node, ast.Import):
        found = [alias.name for alias in node.names]
    else:
        parts = name.split(".")
        package = parts if MODULES[name].name == "__init__.py" else parts[:-1]
        base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
        base = ".".join(part for part in (base, node.module or "") if part)
        found = [f"{base}.{alias.name}" if f"{base}.{alias.name}" in MODULES else base for alias in node.names]
    for module in found:
        while "." in module:
            if module in MODULES and not f"{name}.".startswith(f"{module}."):
                yield module
            module = module.rpartition(".")[0]


def arrows(*, in_functions: bool) -> dict[str, set[str]]:
    return {
        name: {
            other for node, inside in imports_of(name) if in_functions or not inside for other in imported(name, node)
        }
        for name in MODULES
    }


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = arrows(in_functions=True)
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, f"a circle of imports: {' -> '.join((*path[path.index(name) :], name))}"
        if name not in done:
            for other in sorted(graph[name]):
                visit(other, (*path, name))
            done.add(name)

    for name in sorted(graph):
        visit(name, ())


def test_rooms_import_downwards() -> None:
    def room(name: str) -> int:
        return ROOMS.index(name.split(".")[1]) if name.count(".") and name.split(".")[1] in ROOMS else -1

    for name, others in arrows(in_functions=False).items():
        for other in others:
            if room(name) >= 0:
                assert room(other) <= room(name), f"{name} imports {other}, which is in a room above it"


def test_plugins_use_what_users_use_and_nothing_uses_them() -> None:
    for name, others in arrows(in_functions=True).items():
        plugin = name.startswith("glovebox.plugins.")
        for other in others:
            assert plugin or not other.startswith("glovebox.plugins"), f"{name} imports {other}"
            assert not plugin or "._" not in other, f"{name} imports {other}, which is private"


def test_imports_in_functions_say_why() -> None:
    for name in MODULES:
        lines = MODULES[name].read_text().splitlines()
        for node, inside in imports_of(name):
            line = lines[node.lineno - 1]
            if inside:
                assert "# lazy: " in line, (
                    f"{name}, line {node.lineno}: move {line.strip()!r} to the top, or say why not"
                )
            else:
                assert "# lazy: " not in line, f"{name}, line {node.lineno}: it is at the top"


def test_public_classes_say_where_they_are_public() -> None:
    for module in (
        glovebox,
        glovebox.agents,
        glovebox.errors,
        glovebox.extras,
        glovebox.io,
        glovebox.sandbox,
        glovebox.session,
    ):
        for name in getattr(module, "__all__", None) or [name for name in vars(module) if name[:1].isupper()]:
            found = getattr(module, name)
            if isinstance(found, type) and found.__module__.startswith("glovebox") and name not in HIDDEN:
                assert found.__module__ == module.__name__, found


def test_every_room_says_what_is_in_it() -> None:
    for room in ROOMS:
        documentation = ast.get_docstring(ast.parse((ROOT / room / "__init__.py").read_text())) or ""
        assert documentation.count("\n") > 2, room
