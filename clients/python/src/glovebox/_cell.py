"""The program of a cell: calls one function of a bundle.

The code around it (see ``_bundle``) is run in auto-IO mode, which gives the
inputs as Python values and takes the output from a variable.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import os
import shutil
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import _context, io
from ._bundle import PROJECT
from ._loop import run_sync
from ._signature import NONE, Type
from ._types import signature_of
from .errors import PythonExceptionError

_WORK = Path("/work")
_OUTPUT = Path("/var/outputs/o0")


def call(module: str, function: str, inputs: Mapping[str, Any], bundle: str) -> Any:
    """Calls a function of a bundle and returns what auto-IO takes for its output."""
    from ._function import FunctionTask

    _unpack(bundle)
    found = _imported(module)
    for name in function.split("."):
        found = getattr(found, name)
    func = found.func if isinstance(found, FunctionTask) else found
    if not inspect.isfunction(func):
        raise TypeError(f"{module}.{function} is {found!r}, neither a task nor a function")
    signature = signature_of(func)
    given = {param.name: run_sync(_given(param.type, inputs[param.name])) for param in signature.inputs}
    try:
        value = _call(func, given)
    except PythonExceptionError as error:
        raise _passed(error) from None
    outputs = signature.outputs
    return _returned(outputs[0].type, value) if outputs else None


def _unpack(bundle: str) -> None:
    with zipfile.ZipFile(bundle) as archive:
        for info in archive.infolist():
            if info.filename.startswith(PROJECT):
                target = _WORK / info.filename.removeprefix(PROJECT)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(info))
    sys.path.insert(0, str(_WORK))
    os.chdir(_WORK)


def _imported(module: str) -> Any:
    token = _context.loading.set(module)
    try:
        return importlib.import_module(module)
    finally:
        _context.loading.reset(token)


def _call(func: Any, given: Mapping[str, Any]) -> Any:
    parameters = inspect.signature(func).parameters.values()
    args = [given[p.name] for p in parameters if p.kind is p.POSITIONAL_ONLY]
    kwargs = {p.name: given[p.name] for p in parameters if p.kind is not p.POSITIONAL_ONLY}
    if inspect.iscoroutinefunction(func):
        return asyncio.run(func(*args, **kwargs))
    return func(*args, **kwargs)


def _passed(error: PythonExceptionError) -> BaseException:
    """Returns the exception of a run that the function waited for, as if it were the function's own.

    So it leaves this cell as what it was, with the traceback of that run below.
    """
    inner = error.details.get("exception") or {}
    name, message = str(inner.get("type")), str(inner.get("message") or "")
    module, _, qualified = name.rpartition(".")
    if not name.replace(".", "").isidentifier():
        return error
    kind: type[Exception] = type(qualified, (Exception,), {"__module__": module or "builtins"})
    made = kind(message).with_traceback(error.__traceback__)
    made.__dict__["__notes__"] = [f"in run {error.run_id}:\n{str(inner.get('traceback') or '').rstrip()}"]
    return made


async def _given(type_: Type, value: Any) -> Any:
    """Turns the paths of files into handles, lists into sets and tables into frames."""

    def turn(t: Type, v: Any) -> Any:
        if v is None:
            return None
        if t.kind in ("File", "Dir", "DataFrame"):
            return getattr(io, t.kind)._at(v)
        if t.kind == "list" and t.args:
            items = [turn(t.args[0], item) for item in v]
            return t.python(items) if t.python in (set, frozenset) else items
        if t.kind == "dict" and t.args:
            return {key: turn(t.args[1], item) for key, item in v.items()}
        if t.kind == "tuple" and t.args:
            types = t.args if t.args[-1].kind != "..." else (t.args[0],) * len(v)
            return tuple(turn(one, item) for one, item in zip(types, v))
        if t.kind == "Union" and len(t.args) == 2 and t.args[1].kind == "None":
            return turn(t.args[0], v)
        return v

    return await io.materialize(type_, turn(type_, value))


def _returned(type_: Type, value: Any) -> Any:
    """Turns what a function returned into what auto-IO takes: files as paths below the outputs."""
    value = _plain(type_, value)
    inner = type_.args[0] if type_.kind == "Union" and len(type_.args) == 2 and type_.args[1].kind == "None" else type_
    if not _holds_files(inner) or value is None:
        return value
    if inner.kind in ("File", "Dir", "DataFrame"):
        run_sync(_lay_out(inner, value, _OUTPUT))
        return None if inner.kind == "DataFrame" else str(_OUTPUT)
    return _lay_out_all(inner, value)


def _holds_files(t: Type) -> bool:
    return t.kind in ("File", "Dir", "DataFrame") or any(map(_holds_files, t.args))


def _plain(t: Type, value: Any) -> Any:
    """Turns sets into the lists as which they travel, in an order that does not depend on hashes where there is one."""
    if t.kind == "list" and isinstance(value, (set, frozenset)):
        try:
            value = sorted(value)
        except TypeError:
            value = list(value)
    if not t.args or t.kind == "Any" or not _holds_lists(t):
        return value
    if t.kind == "list" and isinstance(value, list):
        return [_plain(t.args[0], item) for item in value]
    if t.kind == "dict" and isinstance(value, dict):
        return {key: _plain(t.args[1], item) for key, item in value.items()}
    if t.kind == "tuple" and isinstance(value, tuple):
        types = (t.args[0],) * len(value) if t.args[-1].kind == "..." else t.args
        return tuple(map(_plain, types, value)) if len(types) == len(value) else value
    if t.kind == "Union":
        return _plain(next((member for member in t.args if _could_be(member, value)), NONE), value)
    return value


def _holds_lists(t: Type) -> bool:
    return t.kind == "list" or any(map(_holds_lists, t.args))


def _could_be(t: Type, value: Any) -> bool:
    return isinstance(
        value, (list, set, frozenset) if t.kind == "list" else {"dict": dict, "tuple": tuple}.get(t.kind, ())
    )


def _lay_out_all(t: Type, value: Any) -> Any:
    """Lays the files of a collection out below the output and returns their paths in its shape."""
    elem = t.args[1] if t.kind == "dict" else t.args[0]
    items = list(value.items()) if t.kind == "dict" else list(enumerate(value))
    _OUTPUT.mkdir()
    paths: dict[Any, str] = {}
    for at, (key, item) in enumerate(items):
        target = _OUTPUT / str(at) / getattr(item, "name", "file")
        target.parent.mkdir()
        run_sync(_lay_out(elem, item, target))
        paths[key] = str(target)
    if t.kind == "dict":
        return paths
    return tuple(paths.values()) if t.kind == "tuple" else list(paths.values())


async def _lay_out(t: Type, value: Any, target: Path) -> None:
    local = Path(await io.local_path(t, value, target.name))
    if local.is_dir():
        shutil.copytree(local, target, symlinks=True)
    else:
        shutil.copyfile(local, target)
