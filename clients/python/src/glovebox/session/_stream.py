"""What comes bit by bit, to iterate over plainly and awaited."""

from __future__ import annotations

import contextlib
import enum
import weakref
from collections.abc import AsyncGenerator
from types import TracebackType
from typing import Any, Generic, TypeVar

from .._process.fork import in_children
from .._process.io_thread import on_exit
from .._process.loop import run_async, run_sync

T = TypeVar("T")


class End(enum.Enum):
    """What a stream gives in place of something more."""

    END = "nothing more comes"


class _Open:
    """The streams of this process, which are closed one by one before it ends.

    Left to the loop, a stream and those that it is made of would be closed all at once.
    """

    def __init__(self) -> None:
        self._streams: weakref.WeakSet[Stream[Any]] = weakref.WeakSet()
        self._noted = False

    def add(self, stream: Stream[Any]) -> None:
        if not self._noted:
            on_exit(self.close)
            self._noted = True
        self._streams.add(stream)

    async def close(self) -> None:
        for stream in list(self._streams):
            with contextlib.suppress(Exception):
                await stream._entries.aclose()  # pyright: ignore[reportPrivateUsage]


_open = _Open()


def _forget() -> None:
    global _open
    _open = _Open()


in_children(_forget)


class Stream(Generic[T]):
    """Something that comes bit by bit: for ``for`` and ``async for``.

    It holds a connection until it is at its end or closed; ``with`` closes it.
    """

    __module__ = "glovebox.session"  # where users find it

    def __init__(self, entries: AsyncGenerator[T, None]) -> None:
        self._entries = entries

    def __iter__(self) -> Stream[T]:
        return self

    def __next__(self) -> T:
        entry = run_sync(self._next())
        if entry is End.END:
            raise StopIteration
        return entry

    def __aiter__(self) -> Stream[T]:
        return self

    async def __anext__(self) -> T:
        entry = await run_async(self._next())
        if entry is End.END:
            raise StopAsyncIteration
        return entry

    def __enter__(self) -> Stream[T]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Stream[T]:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await run_async(self._entries.aclose())

    def close(self) -> None:
        """Stops listening."""
        run_sync(self._entries.aclose())

    async def _next(self) -> T | End:
        _open.add(self)
        return await anext(self._entries, End.END)
