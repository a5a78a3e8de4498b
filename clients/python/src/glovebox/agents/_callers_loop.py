"""Methods that are awaited in the loop of their caller, where what users gave is called back."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, TypeVar

from .._process.loop import Syncified, SyncifiedMethod, with_aio
from .._process.tracebacks import public
from .._serving.interruptible import Interruptible
from .._serving.own_loop import run_awaitable

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")


class _Method(SyncifiedMethod[S, P, R]):
    """Called plainly, it has a loop of its own."""

    def _syncified(self, bound: Callable[P, Coroutine[Any, Any, R]]) -> Syncified[P, R]:
        @public
        @functools.wraps(bound)
        def plain(*args: P.args, **kwargs: P.kwargs) -> R:
            result: R = run_awaitable(bound(*args, **kwargs), Interruptible())
            return result

        @public
        @functools.wraps(bound)
        async def aio(*args: P.args, **kwargs: P.kwargs) -> R:
            return await bound(*args, **kwargs)

        return with_aio(plain, aio)


def in_callers_loop(
    function: Callable[Concatenate[S, P], Coroutine[Any, Any, R]],
) -> SyncifiedMethod[S, P, R]:
    """Makes a coroutine method callable plainly and as ``.aio``."""
    return _Method(function)
