"""The code of a function task as one file: the modules that it is made of.

A bundle is a zip archive with the project's own modules that the function's
module imports, directly or not, and this package. The same code gives the same
bytes on the same release of Python, so that a bundle is stored once, and a task
whose code did not change keeps its digest.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import inspect
import io
import json
import sys
import types
import weakref
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._link.settings import root_dir
from .._values.signature_json import params_json, signature_json
from .._values.types import Param, Type
from .layout import INPUT, LIBRARY, PROJECT
from .library import STANDARD, library
from .notebook import MODULE, source_for
from .preload import MOST
from .project import imported_by, included, installed, modules, path_of, place

if TYPE_CHECKING:
    from .._link.current import Engine, Json
    from .._tasks.function import FunctionTask

FILE = "glovebox-function.py"  # the name of the code around a function in a cell

# The inputs of the function are variables here, so every other name is one that no input has, built-in ones too.
# The code names the bundle by its digest: the code of an orchestrator could give a tool
# another file, and have it run with the secrets and the network of the tool.
_CODE = """\
import builtins as _glovebox_builtins
import hashlib as _glovebox_hashlib
import sys as _glovebox_sys
with _glovebox_builtins.open(_bundle, "rb") as _glovebox_file:
    if _glovebox_hashlib.sha256(_glovebox_file.read()).hexdigest() != {digest!r}:
        raise _glovebox_builtins.ValueError("_bundle is the code of the task, for which nothing else can be given")
_glovebox_sys.path.insert(0, _bundle + "/library")
from glovebox._cell import call as _glovebox_call
{output} = _glovebox_call({module!r}, {function!r}, {inputs}, _bundle)
"""


@dataclass(frozen=True)
class Bundle:
    """The bytes of a bundle, and the name of the function's module in it."""

    module: str
    data: bytes
    digest: str  # SHA-256 in hexadecimal
    source: str  # the same of the project's part alone

    @classmethod
    def of(cls, module: str, files: dict[str, bytes]) -> Bundle:
        data = _pack(files)
        source = hashlib.sha256()
        for name in sorted(files):
            source.update(f"{len(name)} {name} {len(files[name])} ".encode("utf-8", "surrogatepass") + files[name])
        return cls(module, data, hashlib.sha256(data).hexdigest(), source.hexdigest())


async def cell_definition(task: FunctionTask[..., Any], engine: Engine) -> Json:
    """Returns what a function task is beside its policies when it runs in a cell."""
    bundle = await asyncio.to_thread(bundle_of, task.func, task.environment.include)
    await _store(engine, bundle)
    hidden = Param(
        INPUT, Type("File"), json.dumps({"path": "bundle.zip", "sha256": bundle.digest, "size": len(bundle.data)})
    )
    signature = signature_json(task.signature)
    signature["inputs"] += params_json((hidden,))
    names = [param.name for param in task.signature.inputs]
    for name in names:
        if name == INPUT or name.startswith("_glovebox"):
            raise ValueError(
                f"{task.name} cannot run in a cell: its input {name!r} has a name that is taken there; rename it"
            )
    members = task.environment.cell.members
    return {
        **members,
        "preload": _preloaded(members.get("preload", [])),
        "signature": signature,
        "code": _CODE.format(
            output="o0" if task.signature.outputs else "_glovebox_none",
            module=bundle.module,
            function=task.func.__qualname__,
            inputs="{" + ", ".join(f"{name!r}: {name}" for name in names) + "}",
            digest=bundle.digest,
        ),
        "file": FILE,
        "starts_runs": True,
    }


def _preloaded(own: list[str]) -> list[str]:
    """Returns what a cell imports ahead: what this package needs, as far as there is room, and what is asked for."""
    needed = [module for module in STANDARD if module not in own]
    return needed[: MOST - len(own)] + own


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
        raise TypeError(
            f"{func.__qualname__} cannot run in a cell: only functions at the top of a module can be found there"
        )
    module = sys.modules.get(func.__module__)
    path = path_of(module)
    if path is None and func.__module__ == "__main__" and isinstance(func, types.FunctionType):
        return _bundle_of_notebook(func, include)
    if path is None:
        raise ValueError(
            f"{func.__qualname__} cannot run in a cell: its module {func.__module__} is no file. "
            "Put it into a .py file and import it from there."
        )
    if installed(path):
        raise ValueError(
            f"{func.__qualname__} cannot run in a cell: {func.__module__} is an installed package, "
            "not part of the project. Call it from a function of the project, with its package in the image."
        )
    name, root = place(func.__module__, module, path)
    if not all(part.isidentifier() for part in name.split(".")):
        raise ValueError(
            f"{func.__qualname__} cannot run in a cell: {path.name} is no name of a module, so nothing can import it"
        )
    return _cache.bundle(name, path, root, include)


def _bundle_of_notebook(func: types.FunctionType, include: tuple[str, ...]) -> Bundle:
    """Bundles a function of a notebook, or of a prompt, with what it uses of it and what that imports."""
    source = source_for(func).encode()
    root = root_dir() or Path.cwd().resolve()
    files = {**included(root, include), **imported_by(source, root)}
    contents = {inner: file.read_bytes() for inner, file in files.items()}
    return Bundle.of(MODULE, {**contents, f"{MODULE}.py": source})


_Stamps = dict[str, tuple[int, int]]


@dataclass(frozen=True)
class _Made:
    modules: dict[str, Path]
    stamps: _Stamps
    bundle: Bundle


class _Cache:
    """Bundles that were made before, as long as their files have not changed."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, Path, Path, tuple[str, ...]], _Made] = {}

    def bundle(self, name: str, path: Path, root: Path, include: tuple[str, ...]) -> Bundle:
        key = (name, path, root, include)
        extra = included(root, include)
        if (made := self._known.get(key)) and made.stamps == _stamps({**extra, **made.modules}):
            return made.bundle
        found = modules(name, path, root)
        files = {**extra, **found}
        stamps = _stamps(files)
        bundle = Bundle.of(name, {inner: file.read_bytes() for inner, file in files.items()})
        self._known[key] = _Made(found, stamps, bundle)
        return bundle

    def source_of(self, inner: str) -> Path | None:
        for made in reversed(self._known.values()):
            if inner in made.modules:
                return made.modules[inner]
        return None


_cache = _Cache()


def source_of(inner: str) -> Path | None:
    """Returns the file that is in a bundle of this process under that name, such as ``package/module.py``."""
    return _cache.source_of(inner)


def _stamps(files: dict[str, Path]) -> _Stamps:
    """Returns the time and size of each file, by which a change is noticed. A missing file has none."""
    stamps: _Stamps = {}
    for name, path in files.items():
        with contextlib.suppress(OSError):
            stat = path.stat()
            stamps[name] = (stat.st_mtime_ns, stat.st_size)
    return stamps


def source_digest(func: Callable[..., Any]) -> str:
    """Returns a digest that changes with the code of a function, as far as its source can be found.

    It is the same for every version of this library, so that runs continue after an upgrade.
    """
    module = sys.modules.get(func.__module__)
    path = path_of(module)
    if path is not None and not installed(path):
        name, root = place(func.__module__, module, path)
        return _cache.bundle(name, path, root, ()).source
    try:
        return hashlib.sha256(inspect.getsource(func).encode("utf-8", "surrogatepass")).hexdigest()
    except (OSError, TypeError):
        return hashlib.sha256(func.__code__.co_code + repr(func.__code__.co_consts).encode()).hexdigest()


def _pack(files: dict[str, bytes]) -> bytes:
    """Makes an archive whose bytes depend on nothing but names and contents."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for prefix, part in ((LIBRARY, library()), (PROJECT, files)):
            for name in sorted(part):
                info = zipfile.ZipInfo(prefix + name, date_time=(1980, 1, 1, 0, 0, 0))
                info.external_attr = 0o644 << 16
                archive.writestr(info, part[name])
    return target.getvalue()
