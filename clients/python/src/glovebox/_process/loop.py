"""The way onto the event loop that carries all input and output, from plain code and from any other loop.

The loop itself, and with it asyncio, is loaded when something is to run on it:
asyncio takes longer to import than all that plain code needs.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast, overload

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
S = TypeVar("S")


def run_sync(coroutine: Coroutine[Any, Any, R]) -> R:
    """Runs coroutine on the loop and blocks until it has ended.

    An interruption of the caller, such as Ctrl-C, cancels it and waits until it
    has cleaned up, for 10 s at most; a second one does not wait.
    """
    value, error = _block(coroutine)
    if error is None:
        return cast(R, value)
    try:
        raise error
    finally:
        del error


async def run_async(coroutine: Coroutine[Any, Any, R]) -> R:
    """Runs coroutine on the loop and awaits it from any other loop.

    Cancelling the caller cancels it and waits until it has cleaned up, for 10 s
    at most.
    """
    value, error = await _await(coroutine)
    if error is None:
        return cast(R, value)
    try:
        raise error
    finally:
        del error


# The callers of the two below raise the error themselves, so that a traceback
# has one frame of this module.


def _block(coroutine: Coroutine[Any, Any, R]) -> tuple[R | None, BaseException | None]:
    from .io_thread import block  # lazy: only what runs on the loop needs it

    return block(coroutine)


async def _await(coroutine: Coroutine[Any, Any, R]) -> tuple[R | None, BaseException | None]:
    from .io_thread import awaited  # lazy: the same

    return await awaited(coroutine)


class Syncified(Generic[P, R_co]):
    """What ``syncify`` returns, for type checkers: it is called plainly, or awaited as ``.aio``."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        raise NotImplementedError

    async def aio(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Does the same without blocking the event loop of the caller."""
        raise NotImplementedError


def syncify(function: Callable[P, Coroutine[Any, Any, R]]) -> Syncified[P, R]:
    """Makes a coroutine function callable plainly and as ``.aio``.

    The result is a function with the name, signature and documentation of the
    one given.
    """

    @functools.wraps(function)
    def plain(*args: P.args, **kwargs: P.kwargs) -> R:
        __tracebackhide__ = True  # pytest leaves the line out altogether
        value, error = _block(function(*args, **kwargs))
        if error is None:
            return cast(R, value)
        try:
            raise error
        finally:
            del error

    async def aio(*args: P.args, **kwargs: P.kwargs) -> R:
        __tracebackhide__ = True
        value, error = await _await(function(*args, **kwargs))
        if error is None:
            return cast(R, value)
        try:
            raise error
        finally:
            del error

    return with_aio(plain, aio)


def with_aio(plain: Callable[P, R], aio: Callable[P, Coroutine[Any, Any, R]]) -> Syncified[P, R]:
    """Makes one of two functions that do the same: the one that is awaited becomes ``.aio`` of the other."""
    plain.__dict__["aio"] = functools.wraps(plain)(aio)
    return cast("Syncified[P, R]", plain)


class SyncifiedMethod(Generic[S, P, R]):
    """The same for methods: ``object.method(...)`` and ``await object.method.aio(...)``."""

    def __init__(self, function: Callable[Concatenate[S, P], Coroutine[Any, Any, R]]) -> None:
        self._function = function
        functools.update_wrapper(cast(Any, self), function)

    @overload
    def __get__(self, instance: None, owner: type) -> SyncifiedMethod[S, P, R]: ...
    @overload
    def __get__(self, instance: S, owner: type) -> Syncified[P, R]: ...
    def __get__(self, instance: S | None, owner: type) -> SyncifiedMethod[S, P, R] | Syncified[P, R]:
        if instance is None:
            return self
        return self._syncified(self._bound(instance))

    def __call__(self, instance: S, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._syncified(self._bound(instance))(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<method {self._function.__qualname__}, also as .aio>"

    def _syncified(self, bound: Callable[P, Coroutine[Any, Any, R]]) -> Syncified[P, R]:
        return syncify(bound)

    def _bound(self, instance: S) -> Callable[P, Coroutine[Any, Any, R]]:
        # A method of Python's own: it has the signature without self.
        return cast("Callable[P, Coroutine[Any, Any, R]]", _method(self._function, instance))


def _method(function: Callable[..., Any], instance: object) -> Callable[..., Any]:
    if inspect.isfunction(function):
        return cast("Callable[..., Any]", function.__get__(instance, type(instance)))
    return functools.wraps(function)(functools.partial(function, instance))


def syncify_method(function: Callable[Concatenate[S, P], Coroutine[Any, Any, R]]) -> SyncifiedMethod[S, P, R]:
    """Makes a coroutine method callable plainly and as ``.aio``."""
    return SyncifiedMethod(function)
