"""The modules of a project: what a module imports that is not installed."""

from __future__ import annotations

import ast
import fnmatch
import functools
import importlib.util
import site
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from .._link.settings import root_dir

MAX_BYTES = 256 << 20  # of all modules that one imports


def path_of(module: ModuleType | None) -> Path | None:
    """Returns the source file of a module, or None if it has none."""
    file = getattr(module, "__file__", None)
    path = Path(file).resolve() if file else None
    return path if path is not None and path.suffix == ".py" and path.is_file() else None


def place(name: str, module: ModuleType | None, path: Path) -> tuple[str, Path]:
    """Returns the name by which a module is imported in a cell, and the root of its project.

    That is what ``init`` was given, if the module is below it, and else the
    directory that the name of the module begins in.
    """
    if name == "__main__":
        spec = getattr(module, "__spec__", None)  # of `python -m package.module`
        name = spec.name.removesuffix(".__main__") if spec else path.stem
    given = root_dir()
    if given is not None and path.is_relative_to(given):
        return name, given
    depth = name.count(".") + (path.name == "__init__.py")
    root = path.parent
    for _ in range(depth):
        root = root.parent
    return name, root


@functools.cache
def _libraries() -> tuple[Path, ...]:
    paths = {sysconfig.get_path(key) for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    paths.update(site.getsitepackages() if hasattr(site, "getsitepackages") else ())
    paths.add(site.getusersitepackages())
    return tuple(Path(path).resolve() for path in paths if path)


def installed(path: Path) -> bool:
    """Reports whether a file belongs to the standard library or to an installed package."""
    return any(part in ("site-packages", "dist-packages") for part in path.parts) or any(
        path.is_relative_to(library) for library in _libraries()
    )


def modules(name: str, path: Path, root: Path) -> dict[str, Path]:
    """Returns the files of a module and of what it imports of the project, by their names in it."""
    return _closure([*_packages(name, root), (name, path)], root)


def imported_by(source: bytes, root: Path) -> dict[str, Path]:
    """Returns the files of what a source imports of the project, by their names in it."""
    return _closure([place for name in _imports(source, "") for place in _found(name, root)], root)


def _closure(todo: list[tuple[str, Path]], root: Path) -> dict[str, Path]:
    files: dict[str, Path] = {}
    size = 0
    while todo:
        name, path = todo.pop()
        key = _key(name, path)
        if key in files:
            continue
        source = path.read_bytes()
        files[key] = path
        size += len(source)
        if size > MAX_BYTES:
            raise ValueError(f"the project's modules, up to {name}, have more than {MAX_BYTES} bytes")
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for imported in _imports(source, package):
            todo += _found(imported, root)
    return files


def _packages(name: str, root: Path) -> Iterator[tuple[str, Path]]:
    """Yields the packages that a module is in."""
    parent = name.rpartition(".")[0]
    if parent:
        yield from _found(parent, root)


def _key(name: str, path: Path) -> str:
    inner = name.replace(".", "/")
    return f"{inner}/__init__.py" if path.name == "__init__.py" else f"{inner}.py"


def _imports(source: bytes, package: str) -> Iterator[str]:
    """Yields the names of the modules that a source may import, those inside of functions too."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return  # its import reports the error
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                try:
                    base = importlib.util.resolve_name("." * node.level + base, package)
                except ImportError:
                    continue
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names if alias.name != "*")


def _found(name: str, root: Path) -> Iterator[tuple[str, Path]]:
    """Yields the files of a module of the project, its packages first. Nothing for any other."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        inner = ".".join(parts[:end])
        path = _find(parts[:end], root)
        if path is None:
            continue
        if inner == "glovebox" or installed(path):
            return
        yield inner, path


def _find(parts: list[str], root: Path) -> Path | None:
    for place in (root, *_project_paths()):
        base = place.joinpath(*parts)
        for candidate in (base / "__init__.py", base.with_name(base.name + ".py")):
            if candidate.is_file():
                return candidate.resolve()
    return None


def _project_paths() -> Iterator[Path]:
    """Yields the places that modules are imported from and that hold no installed packages."""
    for entry in sys.path:
        path = Path(entry or ".").resolve()
        if path.is_dir() and not installed(path / "x.py"):
            yield path


def included(root: Path, patterns: tuple[str, ...]) -> dict[str, Path]:
    """Returns the files below root that fit patterns such as ``data/*.csv``, by their names in it.

    Hidden ones, which may hold secrets as ``.env`` and ``.git`` do, are left out
    unless a pattern names them with their dot, as in shells.
    """
    files: dict[str, Path] = {}
    for pattern in patterns:
        for path in _fitting(root, pattern):
            if not path.resolve().is_relative_to(root):
                raise ValueError(f"include: {path} leads out of the project {root}")
            files[path.relative_to(root).as_posix()] = path
    if sum(path.stat().st_size for path in files.values()) > MAX_BYTES:
        raise ValueError(f"include: the files have more than {MAX_BYTES} bytes; hand large ones over as File or Dir")
    return files


def _fitting(root: Path, pattern: str) -> list[Path]:
    if not pattern or Path(pattern).is_absolute():
        raise ValueError(f"include: expected patterns relative to the project, got {pattern!r}")
    asked = [part for part in Path(pattern).parts if part.startswith(".")]
    found = sorted(path for path in root.glob(pattern) if path.is_file() and _is_meant(path.relative_to(root), asked))
    if not found:
        raise ValueError(f"include: no file of {root} fits {pattern!r}; hidden ones have to be named with their dot")
    return found


def _is_meant(path: Path, asked: list[str]) -> bool:
    hidden = (part for part in path.parts if part.startswith(".") and part != "..")
    return all(any(fnmatch.fnmatchcase(part, named) for named in asked) for part in hidden)
