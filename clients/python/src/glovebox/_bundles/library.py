"""This package as a bundle has it: its source, and the same compiled.

A cell compiles nothing then, which would take it longer than all the rest. One
whose Python is of another release than that of this process cannot read what is
compiled here, and takes the source.
"""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.resources
import importlib.util
import marshal
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .layout import IN_CELL, LIBRARY

if TYPE_CHECKING:
    from importlib.abc import Traversable

_UNCHECKED = 1  # the flag of compiled code that names its source by a digest, which is not checked
_PLAIN = 2  # the format of marshal that shares nothing: what is read from it is the same in every process

# The modules of the standard library that a cell loads before it calls a function. Python has them all since 3.10.
STANDARD = (
    "asyncio", "concurrent.futures", "dataclasses", "datetime", "decimal", "difflib", "fractions", "functools",
    "hashlib", "importlib.resources", "inspect", "ipaddress", "json", "pathlib", "secrets", "shutil", "tempfile",
    "typing", "unicodedata", "urllib.parse", "zipfile",
)  # fmt: skip


@functools.cache
def library() -> dict[str, bytes]:
    """Returns the files of this package by their names."""
    files: dict[str, bytes] = {}
    for name, entry in _entries():
        files[name] = entry.read_bytes()
        # In a cell the package is in a bundle, and is passed on as it is there.
        compiled = _compiled(name, entry, files[name]) if isinstance(entry, Path) else None
        if compiled is not None:
            files[f"{name}c"] = compiled
    return files


def _entries() -> Iterator[tuple[str, Traversable]]:
    todo: list[tuple[str, Traversable]] = [("glovebox", importlib.resources.files("glovebox"))]
    while todo:
        name, folder = todo.pop()
        for entry in folder.iterdir():
            inner = f"{name}/{entry.name}"
            if entry.is_dir() and entry.name != "__pycache__":
                todo.append((inner, entry))
            elif entry.name.endswith(".py") or (entry.name.endswith(".pyc") and not isinstance(entry, Path)):
                yield inner, entry


def _compiled(name: str, path: Path, source: bytes) -> bytes | None:
    """Returns a module as a .pyc, or None if it would not be the same another time."""
    if sys.version_info < (3, 11) or sys.flags.optimize:  # before 3.11, sets have another order in each process
        return None
    module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    code = importlib.machinery.SourceFileLoader(module, str(path)).get_code(module)
    if code is None:
        return None
    try:
        alone = marshal.loads(marshal.dumps(_named(code, f"{IN_CELL}/{LIBRARY}{name}"), _PLAIN))
    except ValueError:  # it has a constant that this format does not know
        return None
    data = marshal.dumps(alone)
    flags = _UNCHECKED.to_bytes(4, "little")
    return importlib.util.MAGIC_NUMBER + flags + importlib.util.source_hash(source) + data


def _named(code: types.CodeType, filename: str) -> types.CodeType:
    """Returns code as if it had been compiled from another file."""
    constants = tuple(_named(one, filename) if isinstance(one, types.CodeType) else one for one in code.co_consts)
    return code.replace(co_filename=filename, co_consts=constants)
