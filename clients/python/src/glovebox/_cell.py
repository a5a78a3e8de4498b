"""The program of a cell: calls one function of a bundle.

The code around it (see ``_bundle``) is run in auto-IO mode, which gives the
inputs as Python values and takes the output from a variable.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import inspect
import os
import shutil
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import _context
from ._fit import is_shaped, item_type, optional, shaped
from ._guards import object_in
from ._layout import PROJECT
from ._loop import run_sync
from ._signature import Type
from ._types import signature_of
from ._value import HANDLES, holds_handles
from .errors import PythonExceptionError

_WORK = Path("/work")
_OUTPUT = Path("/var/outputs/o0")


def call(module: str, function: str, inputs: Mapping[str, Any], bundle: str) -> Any:
    """Calls a function of a bundle and returns what auto-IO takes for its output."""
    from ._function import FunctionTask

    gc.freeze()  # what is loaded by now is not taken apart in the end, which takes longer than most functions
    _unpack(bundle)
    found = _imported(module)
    for name in function.split("."):
        found = getattr(found, name)
    func = found.func if isinstance(found, FunctionTask) else found
    if not inspect.isfunction(func):
        raise TypeError(f"{module}.{function} is {found!r}, neither a task nor a function")
    signature = signature_of(func)
    given = {param.name: _given(param.type, inputs[param.name]) for param in signature.inputs}
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
    inner = object_in(error.details, "exception")
    name, message = str(inner.get("type")), str(inner.get("message") or "")
    module, _, qualified = name.rpartition(".")
    if not name.replace(".", "").isidentifier():
        return error
    kind: type[Exception] = type(qualified, (Exception,), {"__module__": module or "builtins"})
    made = kind(message).with_traceback(error.__traceback__)
    made.__dict__["__notes__"] = [f"in run {error.run_id}:\n{str(inner.get('traceback') or '').rstrip()}"]
    return made


def _given(t: Type, value: Any) -> Any:
    """Turns what auto-IO gives into what the function takes: handles, tables and sets."""
    value = _with_handles(t, value)
    if is_shaped(t):
        value = shaped(t, value)
    if not holds_handles(t):
        return value
    from .io._stage import materialize

    return run_sync(materialize(t, value))


def _with_handles(t: Type, value: Any) -> Any:
    """Turns the paths of files into handles."""
    if value is None or not holds_handles(t):
        return value
    if t.kind in HANDLES:
        from . import io

        return getattr(io, t.kind)._at(value)
    inner = optional(t)
    if inner is not None:
        return _with_handles(inner, value)
    if t.kind == "list":
        return [_with_handles(t.args[0], item) for item in value]
    if t.kind == "dict":
        return {key: _with_handles(t.args[1], item) for key, item in value.items()}
    if t.kind == "tuple":
        return tuple(_with_handles(item_type(t, i), item) for i, item in enumerate(value))
    return value


def _returned(t: Type, value: Any) -> Any:
    """Turns what a function returned into what auto-IO takes: files as paths below the outputs, sets as lists."""
    t = optional(t) or t
    if value is None:
        return None
    if not holds_handles(t):
        return _without_sets(t, value) if is_shaped(t) else value
    if t.kind in HANDLES:
        run_sync(_lay_out(t, value, _OUTPUT))
        return None if t.kind == "DataFrame" else str(_OUTPUT)
    return _lay_out_all(t, value)


def _without_sets(t: Type, value: Any) -> Any:
    """Turns sets into the lists as which they travel, in the order that they have there."""
    from ._codec import BadValue, encode, loads
    from ._decode import read

    try:
        return read(t, loads(encode(t, value)))
    except BadValue:
        return value  # which auto-IO refuses, and says why


def _lay_out_all(t: Type, value: Any) -> Any:
    """Lays the files of a collection out below the output and returns their paths in its shape."""
    elem = t.args[1] if t.kind == "dict" else t.args[0]
    items: dict[Any, Any] = value if t.kind == "dict" else dict(enumerate(list[Any](value)))
    _OUTPUT.mkdir()
    paths: dict[Any, str] = {}
    for at, (key, item) in enumerate(items.items()):
        target = _OUTPUT / str(at) / getattr(item, "name", "file")
        target.parent.mkdir()
        run_sync(_lay_out(elem, item, target))
        paths[key] = str(target)
    if t.kind == "dict":
        return paths
    return tuple(paths.values()) if t.kind == "tuple" else list(paths.values())


async def _lay_out(t: Type, value: Any, target: Path) -> None:
    from .io._stage import local_path

    local = Path(await local_path(t, value, target.name))
    if local.is_dir():
        shutil.copytree(local, target, symlinks=True)
    else:
        shutil.copyfile(local, target)
