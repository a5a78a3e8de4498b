"""Values on their way to the engine and back: local files are sent, tables become files and come out of them."""

# The classes of this package use private members of each other.
# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from .._link.current import current_engine
from .._values.type_guards import is_mapping, is_sequence, is_set
from .._values.types import Param, Type
from .._values.value import holds_handles
from . import _frames
from ._address import is_address
from ._blob import Blob
from ._dataframe import DataFrame
from ._dir import Dir
from ._file import File
from ._local import LocalPath, check_dir, check_file, type_name
from ._transfer import AT_ONCE

_PLAIN = frozenset((int, float, str, bool, bytes, type(None)))
_HANDLES: dict[str, type[Blob] | type[Dir[Any]]] = {"File": File, "Dir": Dir, "DataFrame": DataFrame}


async def stage(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns values of which the engine has every file: the handles in them are sent.

    Tables of pandas, polars and pyarrow become DataFrame handles, wherever they
    are. Everything else stays the very object that it is.
    """
    staged = dict(values)
    tables = {id(leaf): leaf for leaf in _leaves(staged) if _frames.library_of(leaf)}
    if tables:
        made = {key: await DataFrame._of(table) for key, table in tables.items()}
        staged = _swapped(staged, made, {})
    await _send({id(leaf): leaf for leaf in _leaves(staged) if _is_handle(leaf)}.values())
    return staged


async def stage_fields(params: Iterable[Param], values: Mapping[str, Any]) -> dict[str, Any]:
    """Does the same for values with declared types.

    A path under a declared File, Dir or DataFrame becomes the handle. Raises
    FileNotFoundError and the like, with the name of the field, if there is
    nothing of the kind.
    """
    types = {param.name: param.type for param in params}
    given = {name: _named(types[name], value, name) if name in types else value for name, value in values.items()}
    return await stage(given)


async def local_path(type: Type, value: Any, where: str) -> str:
    """Returns the path of a local file or directory with the content of a value.

    The type is File, Dir or DataFrame, the value a handle, a path or a table.
    Tables are Parquet files. Nothing is sent: this is how a cell puts out what
    a function returned.
    """
    handle = await DataFrame._of(value) if _frames.library_of(value) else _named(type, value, where)
    if not isinstance(handle, _HANDLES[type.kind]):
        raise TypeError(f"{where}: expected a {type.kind} or the path of one, got {type_name(value)}")
    if isinstance(handle, DataFrame):
        handle = await handle._as_parquet()
    return await handle._download(None)


async def materialize(type: Type, value: Any) -> Any:
    """Returns value with DataFrame handles as tables where the type says which class they are to be."""
    library = _frames.library_of_class(type.python) if type.kind == "DataFrame" else None
    if library and isinstance(value, DataFrame):
        return await value._read(library)
    if not _has_class(type):
        return value
    if type.kind == "Union":
        for option in type.args:
            value = await materialize(option, value)
        return value
    if is_mapping(value):
        return {key: await materialize(type.args[1], item) for key, item in value.items()}
    if is_sequence(value):
        items = [await materialize(item_type, item) for item_type, item in _pairs(type, value)]
        return items if isinstance(value, list) else tuple(items)
    return value


def _has_class(type: Type) -> bool:
    if type.kind == "DataFrame":
        return _frames.library_of_class(type.python) is not None
    return any(map(_has_class, type.args))


def _pairs(type: Type, values: Iterable[Any]) -> Iterator[tuple[Type, Any]]:
    """Yields each item with its declared type, as far as there is one."""
    args = type.args
    repeated = type.kind == "list" or (len(args) == 2 and args[1].kind == "...")
    for index, value in enumerate(values):
        if repeated and args:
            yield args[0], value
        else:
            yield (args[index] if index < len(args) else Type("Any")), value


def _named(type: Type, value: Any, where: str) -> Any:
    """Turns paths under declared handles into those."""
    if not holds_handles(type):
        return value
    if type.kind in _HANDLES:
        return _handle(type.kind, value, where)
    if type.kind == "Union":
        handles = [option for option in type.args if holds_handles(option)]
        plain_str = any(option.kind == "str" for option in type.args)
        if value is None or len(handles) != 1 or (plain_str and isinstance(value, str)):
            return value
        return _named(handles[0], value, where)
    if type.kind == "dict" and is_mapping(value):
        return {key: _named(type.args[1], item, f"{where}[{key!r}]") for key, item in value.items()}
    if is_sequence(value) or is_set(value):
        items = [_named(item_type, item, f"{where}[{i}]") for i, (item_type, item) in enumerate(_pairs(type, value))]
        return items if isinstance(value, list) else tuple(items) if isinstance(value, tuple) else frozenset(items)
    return value


def _is_handle(value: object) -> TypeGuard[Blob | Dir[Any]]:
    return isinstance(value, (Blob, Dir))


def _is_path(value: object) -> TypeGuard[LocalPath]:
    return isinstance(value, (str, os.PathLike))


def _handle(kind: str, value: Any, where: str) -> Any:
    if not _is_path(value):
        return value
    if is_address(value):
        raise ValueError(
            f"{where}: expected a {kind} or the path of one, got an address: {kind}.from_existing_remote names it"
        )
    try:
        handle = _HANDLES[kind](value)
        (check_dir if kind == "Dir" else check_file)(handle.path)
    except (OSError, TypeError, ValueError) as error:
        raise type(error)(f"{where}: expected a {kind} or the path of one: {error}") from None
    return handle


def _leaves(values: Any) -> Iterator[Any]:
    """Yields what is in a value and is no container or plain value. Visits each container one time."""
    seen: set[int] = set()
    waiting: list[Any] = [values]
    while waiting:
        value = waiting.pop()
        if type(value) in _PLAIN:
            continue
        if not is_mapping(value) and not is_sequence(value) and not is_set(value):
            yield value
        elif id(value) not in seen:
            seen.add(id(value))
            waiting.extend(value.values() if is_mapping(value) else value)


async def _send(handles: Collection[Blob | Dir[Any]]) -> None:
    if not handles:
        return
    engine = await current_engine()
    places = asyncio.Semaphore(AT_ONCE)

    async def one(handle: Blob | Dir[Any]) -> None:
        async with places:
            await handle._stage(engine)

    tasks = [asyncio.ensure_future(one(handle)) for handle in handles]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _swapped(value: Any, tables: Mapping[int, DataFrame], memo: dict[int, Any]) -> Any:
    """Returns value with handles in place of tables."""
    if id(value) in tables:
        return tables[id(value)]
    if not is_mapping(value) and not is_sequence(value):
        return value
    if id(value) not in memo:
        memo[id(value)] = value  # what holds itself stays so, and is refused when it is written
        memo[id(value)] = _rebuilt(value, tables, memo)
    return memo[id(value)]


def _rebuilt(value: Mapping[Any, Any] | Sequence[Any], tables: Mapping[int, DataFrame], memo: dict[int, Any]) -> Any:
    if is_mapping(value):
        made = {key: _swapped(item, tables, memo) for key, item in value.items()}
        return made if any(made[key] is not item for key, item in value.items()) else value
    items = [_swapped(item, tables, memo) for item in value]
    if all(item is before for item, before in zip(items, value, strict=True)):
        return value
    return items if isinstance(value, list) else tuple(items)
