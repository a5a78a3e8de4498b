"""The program of a cell: calls one function of a bundle.

The code around it (see ``_bundle``) is run in auto-IO mode, which gives the
inputs as Python values and takes the output from a variable.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import inspect
import os
import shutil
import sys
import zipfile
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, cast

from ._bundles.layout import PROJECT
from ._process import context
from ._process.loop import run_sync
from ._tasks.function import FunctionTask
from ._values.annotations import signature_of
from ._values.codec import BadValue, encode, loads
from ._values.conversion import is_shaped, item_type, optional, shaped
from ._values.decode import read
from ._values.type_guards import is_mapping, is_sequence, object_in
from ._values.types import Type
from ._values.value import HANDLES, holds_handles
from .errors import PythonExceptionError

_WORK = Path("/work")
_OUTPUT = Path("/var/outputs/o0")
_REPORT = Path("/var/outputs/report.html")
_DIRECTORY = Path("/var/outputs/.files")  # of files with names


def call(module: str, function: str, inputs: Mapping[str, Any], bundle: str) -> Any:
    """Calls a function of a bundle and returns what auto-IO takes for its output."""
    gc.freeze()  # what is loaded by now is not taken apart in the end, which takes longer than most functions
    _unpack(bundle)
    found = _imported(module)
    for name in function.split("."):
        found = getattr(found, name)
    func = found.func if isinstance(found, FunctionTask) else found
    if not inspect.isfunction(func):
        raise TypeError(f"{module}.{function} is {found!r}, neither a task nor a function")
    signature = signature_of(func)
    names: Mapping[str, Any] = _names() if any(holds_handles(param.type) for param in signature.inputs) else {}
    given = {param.name: _given(param.type, inputs[param.name], names.get(param.name)) for param in signature.inputs}
    try:
        with _reported(found):
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
    token = context.loading.set(module)
    try:
        return importlib.import_module(module)
    finally:
        context.loading.reset(token)


def _call(func: Any, given: Mapping[str, Any]) -> Any:
    parameters = inspect.signature(func).parameters.values()
    args = [given[p.name] for p in parameters if p.kind is p.POSITIONAL_ONLY]
    kwargs = {p.name: given[p.name] for p in parameters if p.kind is not p.POSITIONAL_ONLY}
    if inspect.iscoroutinefunction(func):
        return asyncio.run(func(*args, **kwargs))
    return func(*args, **kwargs)


def _reported(found: Any) -> AbstractContextManager[None]:
    """Gives the function a report, if its task is declared to have one."""
    if not isinstance(found, FunctionTask) or not found.report:
        return contextlib.nullcontext()
    from .report._report import reported  # lazy: only a task with a report needs it

    return reported(found.name, _write_report)


def _write_report(page: str, last: bool) -> None:
    """Writes the page where the engine looks for it, whole at any time: the cell may be ended now."""
    _REPORT.with_name(".report").write_text(page, encoding="utf-8", errors="replace")
    os.replace(_REPORT.with_name(".report"), _REPORT)


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


def _names() -> Mapping[str, Any]:
    """Returns the inputs of the run of this cell as the engine has them, with the names of their files.

    Where they lie in the cell, files have the names of the inputs.
    """
    run_id = context.current_run()
    return object_in(run_sync(_record(run_id)), "inputs") if run_id is not None else {}


async def _record(run_id: str) -> Mapping[str, Any]:
    from ._link.connect import connect  # lazy: only inputs that are files need the engine

    return await (await connect()).run(run_id)


def _given(t: Type, value: Any, named: Any) -> Any:
    """Turns what auto-IO gives into what the function takes: handles, tables and sets."""
    value = _with_handles(t, value, named)
    if is_shaped(t):
        value = shaped(t, value)
    if not holds_handles(t):
        return value
    from .io._stage import materialize  # lazy: only files need it

    return run_sync(materialize(t, value))


def _with_handles(t: Type, value: Any, named: Any) -> Any:
    """Turns the paths of files into handles, with the names that the same value of the engine has."""
    if value is None or not holds_handles(t):
        return value
    if t.kind in HANDLES:
        from . import io  # lazy: only files need it

        path = named.get("path") if is_mapping(named) else None
        return getattr(io, t.kind)._at(value, path if isinstance(path, str) else None)
    inner = optional(t)
    if inner is not None:
        return _with_handles(inner, value, named)
    if t.kind == "dict":
        members: Mapping[str, Any] = named if is_mapping(named) else {}
        return {key: _with_handles(t.args[1], item, members.get(key)) for key, item in value.items()}
    if t.kind in ("list", "tuple"):
        names = named if is_sequence(named) and len(named) == len(value) else [None] * len(value)
        types = [item_type(t, i) if t.kind == "tuple" else t.args[0] for i in range(len(value))]
        items = [_with_handles(types[i], item, names[i]) for i, item in enumerate(value)]
        return items if t.kind == "list" else tuple(items)
    return value


def _returned(t: Type, value: Any) -> Any:
    """Turns what a function returned into what auto-IO takes: files as paths below the outputs, sets as lists."""
    t = optional(t) or t
    if value is None:
        return None
    if not holds_handles(t):
        return _without_sets(t, value) if is_shaped(t) else value
    if t.kind == "DataFrame":
        run_sync(_lay_out(t, value, _OUTPUT))
        return None
    if t.kind in HANDLES:
        target = _DIRECTORY / "0" / _name_of(value)
        target.parent.mkdir(parents=True)
        run_sync(_lay_out(t, value, target))
        return str(target)  # which has its name
    return _lay_out_all(t, value)


def _without_sets(t: Type, value: Any) -> Any:
    """Turns sets into the lists as which they travel, in the order that they have there."""
    try:
        return read(t, loads(encode(t, value)))
    except BadValue:
        return value  # which auto-IO refuses, and says why


def _lay_out_all(t: Type, value: Any) -> Any:
    """Lays the files of a collection out below the output and returns their paths in its shape."""
    elem = t.args[1] if t.kind == "dict" else t.args[0]
    items: dict[Any, Any] = value if t.kind == "dict" else dict(enumerate(list[Any](value)))
    paths: dict[Any, str] = {}
    for at, (key, item) in enumerate(items.items()):
        target = _DIRECTORY / str(at) / _name_of(item)
        target.parent.mkdir(parents=True)
        run_sync(_lay_out(elem, item, target))
        paths[key] = str(target)
    if t.kind == "dict":
        return paths
    return tuple(paths.values()) if t.kind == "tuple" else list(paths.values())


def _name_of(value: Any) -> str:
    """Returns the name of a handle, or of what a path leads to. A table has none."""
    name = getattr(value, "name", None)
    if isinstance(value, (str, os.PathLike)):
        name = os.path.basename(os.path.normpath(os.fspath(cast("str", value))))
    return name if isinstance(name, str) and name not in ("", ".", "..") else "file"


async def _lay_out(t: Type, value: Any, target: Path) -> None:
    from .io._stage import local_path  # lazy: only files need it

    local = Path(await local_path(t, value, target.name))
    if local.is_dir():
        shutil.copytree(local, target, symlinks=True)
    else:
        shutil.copyfile(local, target)
