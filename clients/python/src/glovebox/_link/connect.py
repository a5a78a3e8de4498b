"""How this process comes to its engine: one that runs already, or a child that is started for it."""

from __future__ import annotations

import asyncio
import contextlib
import re

from .._process.fork import in_children
from .._process.io_thread import on_exit
from ..errors import ServerUnavailableError
from .address import Address, parse_address
from .child import Child
from .documents import Json
from .engine import Engine
from .settings import Settings, settings

_RELEASE = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")


class _Current:
    """The engines of this process, by what they were asked for."""

    def __init__(self) -> None:
        self._engines: dict[Settings, asyncio.Task[Engine]] = {}

    async def engine(self) -> Engine:
        """Returns the engine of the settings of now."""
        wanted = settings()
        known = self._engines.get(wanted)
        if known is not None and known.done() and not _works(known):
            await self._retire(wanted)
            known = None
        if known is None:
            # A task of its own: others wait for it, too, and the caller that began it may be cancelled.
            known = self._engines[wanted] = asyncio.create_task(_connect(wanted))
            if len(self._engines) == 1:
                on_exit(self.close)
        return await asyncio.shield(known)

    async def close(self) -> None:
        """Ends all of them."""
        engines, self._engines = self._engines, {}
        for engine in engines.values():
            with contextlib.suppress(BaseException):
                await (await engine).close()

    def forget(self) -> None:
        """Lets go of them in a process that was forked off."""
        for engine in self._engines.values():
            if engine.done() and not engine.cancelled() and engine.exception() is None:
                engine.result().forget()

    async def _retire(self, unwanted: Settings) -> None:
        engine = self._engines.pop(unwanted)
        if not engine.cancelled() and engine.exception() is None:
            await engine.result().close()


_current = _Current()
_inherited: list[_Current] = []  # of the processes that this one was forked off


def _forget() -> None:
    global _current
    _current.forget()
    _inherited.append(_current)
    _current = _Current()


in_children(_forget)


def _works(engine: asyncio.Task[Engine]) -> bool:
    return not engine.cancelled() and engine.exception() is None and engine.result().alive


async def _connect(wanted: Settings) -> Engine:
    if wanted.url is not None:
        return Engine(parse_address(wanted.url, wanted.proxy), wanted.token, wanted.ca_file)
    child = await Child.start(wanted.home)
    engine = Engine(Address(f"unix://{child.socket}", socket=str(child.socket)), child=child)
    try:
        _check_version(await engine.version())
    except BaseException:
        await engine.close()
        raise
    return engine


def _check_version(answer: Json) -> None:
    """Refuses an engine of another release than this library; what was built in between is not looked at."""
    program = str(answer.get("version", "")).removeprefix("v")
    if not _RELEASE.fullmatch(program):
        return
    import importlib.metadata  # lazy: it loads much, and an engine that was built in between is not looked at

    try:
        library = importlib.metadata.version("glovebox-sandbox")
    except importlib.metadata.PackageNotFoundError:
        return
    if _RELEASE.fullmatch(library) and library != program:
        raise ServerUnavailableError(
            f"the program glovebox has version {program} and this library has version {library}",
            outcome="not_started",
            retryable=False,
            hint="install the wheel of one version, and unset GLOVEBOX_PROGRAM",
        )


async def connect() -> Engine:
    """Returns the engine of the settings of now, and connects to it, or starts it, first."""
    return await _current.engine()
