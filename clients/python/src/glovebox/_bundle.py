"""The code of a function task as one file: the modules that it is made of.

A bundle is a zip archive with the project's own modules that the function's
module imports, directly or not, and this package. The same code gives the same
bytes, so that a bundle is stored once, and a task whose code did not change
keeps its digest.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import functools
import hashlib
import importlib.resources
import importlib.util
import io
import json
import site
import sys
import sysconfig
import weakref
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ._signature import Param, Type

if TYPE_CHECKING:
    from ._engine import Engine, Json
    from ._function import FunctionTask

INPUT = "_bundle"  # the hidden input of a function in a cell
PROJECT = "project/"  # in a bundle: the user's modules
LIBRARY = "library/"  # in a bundle: this package
MAX_BYTES = 256 << 20

# The code of a function in a cell. Its inputs are variables of their own names,
# so those of the code itself are taken back before anything else is bound.
_BOOTSTRAP = """\
{output} = (lambda _inputs, _bundle: [__import__("sys").path.insert(0, _bundle + "/library"), \
__import__("glovebox._cell", fromlist=["call"]).call({module!r}, {function!r}, _inputs, _bundle)][1])({inputs}, {bundle})
"""


@dataclass(frozen=True)
class Bundle:
    """The bytes of a bundle, and the name of the function's module in it."""

    module: str
    data: bytes
    digest: str  # SHA-256 in hexadecimal

    @classmethod
    def of(cls, module: str, files: dict[str, bytes]) -> Bundle:
        data = _pack(files)
        return cls(module, data, hashlib.sha256(data).hexdigest())


async def cell_definition(task: FunctionTask[..., Any], engine: Engine) -> Json:
    """Returns what a function task is beside its policies when it runs in a cell."""
    from ._task import params_json, signature_json

    bundle = await asyncio.to_thread(bundle_of, task.func, task.environment.include)
    await _store(engine, bundle)
    hidden = Param(INPUT, Type("File"), json.dumps({"path": "bundle.zip", "sha256": bundle.digest, "size": len(bundle.data)}))
    signature = signature_json(task.signature)
    signature["inputs"] += params_json((hidden,))
    names = [param.name for param in task.signature.inputs]
    return {
        **task.environment.cell.members,
        "signature": signature,
        "code": _BOOTSTRAP.format(
            output="o0" if task.signature.outputs else "_", module=bundle.module, function=task.func.__qualname__,
            inputs="{" + ", ".join(f"{name!r}: {name}" for name in names) + "}", bundle=INPUT,
        ),
        "file": BOOTSTRAP_FILE,
        "starts_runs": True,
    }


BOOTSTRAP_FILE = "glovebox-function.py"

_stored: weakref.WeakKeyDictionary[Engine, set[str]] = weakref.WeakKeyDictionary()  # digests that an engine has


async def _store(engine: Engine, bundle: Bundle) -> None:
    known = _stored.setdefault(engine, set())
    if bundle.digest not in known:
        await engine.put_blob(bundle.data)
        known.add(bundle.digest)


def bundle_of(func: Callable[..., Any], include: tuple[str, ...] = ()) -> Bundle:
    """Bundles the module of a function with what it imports of the project.

    Raises TypeError if the function cannot be found again by its name, as one
    that was made in another function, and ValueError if its module is no file.
    """
    if "<locals>" in func.__qualname__ or "<lambda>" in func.__qualname__:
        raise TypeError(f"{func.__qualname__} cannot run in a cell: only functions at the top of a module can be found there")
    module = sys.modules.get(func.__module__)
    path = _path_of(module)
    if path is None:
        raise ValueError(
            f"{func.__qualname__} cannot run in a cell: its module {func.__module__} is no file. "
            "Put it into a .py file and import it from there."
        )
    name, root = _place(func.__module__, module, path)
    return _cache.bundle(name, path, root, include)


class _Cache:
    """Bundles that were made before, as long as their files have not changed."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, Path, tuple[str, ...]], tuple[dict[Path, tuple[int, int]], Bundle]] = {}

    def bundle(self, name: str, path: Path, root: Path, include: tuple[str, ...]) -> Bundle:
        key = (name, path, include)
        if key in self._known:
            stamps, known = self._known[key]
            if stamps == _stamps(stamps):
                return known
        paths = {**_included(root, include), **_modules(name, path, root)}
        stamps = _stamps(paths.values())
        made = Bundle.of(name, {inner: file.read_bytes() for inner, file in paths.items()})
        self._known[key] = (stamps, made)
        return made


_cache = _Cache()


def _stamps(paths: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    found: dict[Path, tuple[int, int]] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            stat = path.stat()
            found[path] = (stat.st_mtime_ns, stat.st_size)
    return found


def source_digest(func: Callable[..., Any]) -> str:
    """Returns a digest that changes with the code of a function, as far as that can be told."""
    import inspect

    module = sys.modules.get(func.__module__)
    path = _path_of(module)
    if path is not None:
        name, root = _place(func.__module__, module, path)
        return _cache.bundle(name, path, root, ()).digest
    try:
        return hashlib.sha256(inspect.getsource(func).encode("utf-8", "surrogatepass")).hexdigest()
    except (OSError, TypeError):
        return hashlib.sha256(func.__code__.co_code + repr(func.__code__.co_consts).encode()).hexdigest()


def _path_of(module: ModuleType | None) -> Path | None:
    file = getattr(module, "__file__", None)
    path = Path(file).resolve() if file else None
    return path if path is not None and path.suffix == ".py" and path.is_file() else None


def _place(name: str, module: ModuleType | None, path: Path) -> tuple[str, Path]:
    """Returns the name by which a module is imported in a cell, and the root of its project."""
    if name == "__main__":
        spec = getattr(module, "__spec__", None)  # of `python -m package.module`
        name = spec.name.removesuffix(".__main__") if spec else path.stem
    depth = name.count(".") + (path.name == "__init__.py")
    root = path.parent
    for _ in range(depth):
        root = root.parent
    if _installed(path):
        raise ValueError(f"module {name} is an installed package, not part of the project: name its package in the image instead")
    if not all(part.isidentifier() for part in name.split(".")):
        raise ValueError(f"{path} cannot be imported in a cell: {name!r} is no name of a module")
    return name, root


@functools.cache
def _libraries() -> tuple[Path, ...]:
    paths = {sysconfig.get_path(key) for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    paths.update(site.getsitepackages() if hasattr(site, "getsitepackages") else ())
    paths.add(site.getusersitepackages())
    return tuple(Path(path).resolve() for path in paths if path)


def _installed(path: Path) -> bool:
    """Reports whether a file belongs to the standard library or to an installed package."""
    return any(part in ("site-packages", "dist-packages") for part in path.parts) or any(
        path.is_relative_to(library) for library in _libraries()
    )


def _modules(name: str, path: Path, root: Path) -> dict[str, Path]:
    """Returns the files of a module and of what it imports of the project, by their names in it."""
    files: dict[str, Path] = {}
    todo: list[tuple[str, Path]] = [*_packages(name, root), (name, path)]
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
            raise ValueError(f"the project's modules that {name} imports have more than {MAX_BYTES} bytes")
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
        return  # whoever imports it is told so
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
        if inner == "glovebox" or _installed(path):
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
        if path.is_dir() and not _installed(path / "x.py"):
            yield path


def _included(root: Path, patterns: tuple[str, ...]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for pattern in patterns:
        found = sorted(path for path in root.glob(pattern) if path.is_file())
        if not found:
            raise ValueError(f"include: no file of {root} fits {pattern!r}")
        for path in found:
            if not path.resolve().is_relative_to(root):
                raise ValueError(f"include: {path} leads out of the project {root}")
            files[path.relative_to(root).as_posix()] = path
    return files


@functools.cache
def _library() -> dict[str, bytes]:
    """Returns the files of this package, which is itself in an archive when this runs in a cell."""
    files: dict[str, bytes] = {}
    todo = [("glovebox", importlib.resources.files("glovebox"))]
    while todo:
        name, place = todo.pop()
        for entry in place.iterdir():
            inner = f"{name}/{entry.name}"
            if entry.is_dir() and entry.name != "__pycache__":
                todo.append((inner, entry))
            elif entry.name.endswith(".py"):
                files[inner] = entry.read_bytes()
    return files


def _pack(files: dict[str, bytes]) -> bytes:
    """Makes an archive whose bytes depend on nothing but names and contents."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for prefix, part in ((LIBRARY, _library()), (PROJECT, files)):
            for name in sorted(part):
                info = zipfile.ZipInfo(prefix + name, date_time=(1980, 1, 1, 0, 0, 0))
                info.external_attr = 0o644 << 16
                archive.writestr(info, part[name])
    return target.getvalue()
