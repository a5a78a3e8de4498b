"""Tracebacks without what is inside of this library."""

from __future__ import annotations

import contextvars
import functools
import inspect
import os
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

# With this variable set, errors keep every frame: for those who look for a bug
# of the library itself.
_VARIABLE = "GLOVEBOX_DEBUG"

# The files of this library and of what it runs functions with. Some of these are not loaded.
_PYTHON = os.path.dirname(os.path.abspath(threading.__file__))
_HIDDEN = (
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep,
    os.path.join(_PYTHON, "asyncio", ""),
    os.path.join(_PYTHON, "concurrent", "futures", ""),
    threading.__file__,
    contextvars.__file__,
    "<frozen ",
)


def is_users(file: str) -> bool:
    """Reports whether the code of a file is the user's, or another library's that the user called."""
    return not file.startswith(_HIDDEN)


def public(call: Callable[P, R]) -> Callable[P, R]:
    """Makes the errors of a function that users call show one line of this library, and no more."""
    if inspect.iscoroutinefunction(call):
        return cast("Callable[P, R]", _public_coroutine(call))

    @functools.wraps(call)
    def shown(*args: P.args, **kwargs: P.kwargs) -> R:
        __tracebackhide__ = True  # pytest leaves the line out altogether
        try:
            return call(*args, **kwargs)
        except BaseException as error:
            trimmed(error)
            raise error

    return shown


def _public_coroutine(call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    async def shown(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        try:
            return await call(*args, **kwargs)
        except BaseException as error:
            trimmed(error)
            raise error

    return shown


def trimmed(error: BaseException) -> BaseException:
    """Returns error with the user's frames alone, as it leaves the library."""
    if os.environ.get(_VARIABLE):
        return error
    if not _is_bug(error):
        error.__traceback__ = users_frames(error.__traceback__)
    return error


def users_frames(trace: types.TracebackType | None) -> types.TracebackType | None:
    """Returns a traceback without the frames of the library and of asyncio."""
    return _linked([entry for entry in _entries(trace) if is_users(entry.tb_frame.f_code.co_filename)])


def joined(outer: types.TracebackType | None, inner: types.TracebackType | None) -> types.TracebackType | None:
    """Returns the traceback of a caller, continued by that of what it called."""
    return _linked([*_entries(outer), *_entries(inner)])


def _entries(trace: types.TracebackType | None) -> Iterator[types.TracebackType]:
    while trace is not None:
        yield trace
        trace = trace.tb_next


def _linked(entries: list[types.TracebackType]) -> types.TracebackType | None:
    result: types.TracebackType | None = None
    for entry in reversed(entries):
        result = types.TracebackType(result, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return result


def _is_bug(error: BaseException) -> bool:
    """Reports whether the library did not mean to raise error, and its frames are needed to mend it."""
    return isinstance(error, (AttributeError, AssertionError, NameError, IndexError, NotImplementedError)) and (
        users_frames(error.__traceback__) is None
    )
