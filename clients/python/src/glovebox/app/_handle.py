"""Apps that this process serves."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import inspect
import socket
import sys
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass
from typing import Any

from .._process.fork import in_children
from .._process.loop import syncify
from ._environment import LOCAL, AppEnvironment

_PATIENCE = 60.0  # seconds for an app to listen
_STOP = 10.0  # seconds for it to end
_PAUSE = 0.02

_served: dict[str, AppHandle] = {}
in_children(_served.clear)


class AppHandle:
    """An app that this process serves.

    >>> with glovebox.serve(app).ephemeral_ctx_sync():
    ...     urllib.request.urlopen(app_url)
    """

    __module__ = "glovebox"  # where users find it

    def __init__(self, env: AppEnvironment) -> None:
        self._env = env
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._serving: asyncio.Task[None] | None = None
        self._error: BaseException | None = None

    @property
    def name(self) -> str:
        """That of its environment."""
        return self._env.name

    @property
    def url(self) -> str:
        """Its address on this machine."""
        return f"http://{LOCAL}:{self._env.get_port().port}"

    @property
    def endpoint(self) -> str:
        """The same."""
        return self.url

    def is_active(self) -> bool:
        """Reports whether it is served."""
        return self._thread is not None and self._thread.is_alive()

    def is_deactivated(self) -> bool:
        """Reports the opposite."""
        return not self.is_active()

    def activate(self, wait: bool = True) -> AppHandle:
        """Serves it again; it listens when this returns."""
        if self.is_active():
            return self
        port = self._env.get_port().port
        if _is_open(port):
            raise OSError(f"port {port} of app {self.name} is in use; name another one, or none for a free one")
        self._error = None
        self._thread = threading.Thread(target=self._serve, name=f"glovebox-app-{self.name}", daemon=True)
        self._thread.start()
        self._await_port(port)
        _served[self.name] = self
        return self

    def deactivate(self, wait: bool = True) -> AppHandle:
        """Ends it. RuntimeError if its server function is not async, or does not end."""
        thread, loop, serving = self._thread, self._loop, self._serving
        if thread is not None and thread.is_alive():
            if loop is not None and serving is not None:
                with contextlib.suppress(RuntimeError):  # the loop has just ended
                    loop.call_soon_threadsafe(serving.cancel)
            thread.join(_STOP)
            if thread.is_alive():
                raise RuntimeError(
                    f"app {self.name} does not end: let its server be an async function; it ends with this process"
                )
        if _served.get(self.name) is self:
            del _served[self.name]
        return self

    def wait(self) -> None:
        """Blocks until the app has ended, as by Ctrl-C. Raises what its server raised."""
        thread = self._thread
        while thread is not None and thread.is_alive():
            thread.join(1)
        if self._error is not None:
            raise self._error

    @contextlib.contextmanager
    def ephemeral_ctx_sync(self) -> Generator[None, None, None]:
        """Serves it within a ``with``, and ends it after that."""
        self.activate()
        try:
            yield
        finally:
            self.deactivate()

    @contextlib.asynccontextmanager
    async def ephemeral_ctx(self) -> AsyncGenerator[None, None]:
        """Does the same within an ``async with``."""
        await asyncio.to_thread(self.activate)
        try:
            yield
        finally:
            await asyncio.to_thread(self.deactivate)

    def _serve(self) -> None:
        try:
            asyncio.run(self._run())
        except asyncio.CancelledError:
            pass
        except BaseException as error:
            self._error = error

    async def _run(self) -> None:
        self._loop, self._serving = asyncio.get_running_loop(), asyncio.current_task()
        await _called(self._env._function("startup"))  # pyright: ignore[reportPrivateUsage]
        try:
            await _called(self._env._function("server"))  # pyright: ignore[reportPrivateUsage]
        finally:
            await _called(self._env._function("shutdown"))  # pyright: ignore[reportPrivateUsage]

    def _await_port(self, port: int) -> None:
        until = time.monotonic() + _PATIENCE
        while not _is_open(port):
            if not self.is_active():
                raise self._error or RuntimeError(
                    f"the server of app {self.name} ended before it listened on port {port}"
                )
            if time.monotonic() > until:
                raise TimeoutError(
                    f"app {self.name} does not listen on port {port}, which get_port() names, after {_PATIENCE:g} s"
                )
            time.sleep(_PAUSE)

    def __repr__(self) -> str:
        return f"<app {self.name} at {self.url}{'' if self.is_active() else ', which has ended'}>"


@dataclass(frozen=True)
class DeployedAppEnvironment:
    """An app of a deployment."""

    __module__ = "glovebox.app"  # where users find it

    env: AppEnvironment
    deployed_app: AppHandle

    def get_name(self) -> str:
        """Returns the name of its environment."""
        return self.env.name


async def _called(function: Callable[..., Any] | None) -> None:
    made: Any = None if function is None else function()
    if inspect.isawaitable(made):
        await made


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((LOCAL, port)) == 0


async def serve_app(env: AppEnvironment) -> AppHandle:
    """Serves an app of an environment in this process, and returns when it listens.

    One of the same name that is served already is ended first. The app ends with the process: ``wait()`` of what is
    returned keeps it until Ctrl-C.

    >>> glovebox.serve(app).wait()
    """
    if not isinstance(env, AppEnvironment):
        raise TypeError(f"serve: expected an AppEnvironment, got {env!r}")
    if env._function("server") is None:  # pyright: ignore[reportPrivateUsage]
        raise ValueError(
            f"serve: app {env.name} has no server; make a function one with @{env.name.replace('-', '_')}.server"
        )
    earlier = _served.get(env.name)
    if earlier is not None:
        await asyncio.to_thread(earlier.deactivate)
    return await asyncio.to_thread(AppHandle(env).activate)


def served(name: str) -> AppHandle | None:
    """Returns the app of a name that this process serves."""
    return _served.get(name)


@atexit.register
def _tell_of_ended() -> None:
    for handle in _served.values():
        if handle.is_active():
            print(
                f"glovebox: app {handle.name} ends with this process; wait() of its handle serves until Ctrl-C",
                file=sys.stderr,
            )


serve_app.__name__ = serve_app.__qualname__ = "serve"  # what help() calls it

serve = syncify(serve_app)
