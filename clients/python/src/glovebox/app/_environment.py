"""Environments of apps: a name, a port and the function that serves."""

from __future__ import annotations

import re
import socket
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from .._tasks.base import Environment

F = TypeVar("F", bound=Callable[..., Any])

_NAME = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
LOCAL = "127.0.0.1"


@dataclass(frozen=True)
class Port:
    """The port of an app; 0 stands for a free one, which is chosen when it is first asked for."""

    __module__ = "glovebox.app"  # where users find it

    port: int


class AppEnvironment(Environment):
    """A server of yours, which the process serves that calls ``glovebox.serve`` or ``deploy``, and which ends with it.

    There is no gateway in front of it: who reaches its port reaches the app, so let it listen on 127.0.0.1. What speaks
    of a container counts for nothing, and a warning says so: the packages, variables and keys are those of the process.

    Args:
        name: Lower-case letters, digits and ``-``.
        port: That it listens on; a free one by default.
        depends_on: Environments that are deployed along with it, such as those of the tasks that it starts.
        description: For people.
        image, resources, secrets, env_vars, scaling, requires_auth: Accepted, with a warning.

    >>> app = glovebox.app.AppEnvironment("hooks", port=8080)
    """

    __module__ = "glovebox.app"  # where users find it

    def __init__(
        self,
        name: str,
        *,
        port: int | Port = 0,
        depends_on: Sequence[Environment] = (),
        description: str | None = None,
        image: Any = None,
        resources: Any = None,
        secrets: Any = None,
        env_vars: Any = None,
        scaling: Any = None,
        requires_auth: bool = False,
    ) -> None:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise ValueError(f"name of an app: expected at most 63 lower-case letters, digits and '-', got {name!r}")
        super().__init__(name, depends_on, description)
        self._port = _port_of(port)
        self._functions: dict[str, Callable[..., Any]] = {}
        _warn(name, image=image, resources=resources, secrets=secrets, env_vars=env_vars, scaling=scaling,
              requires_auth=requires_auth)  # fmt: skip

    @property
    def port(self) -> Port:
        """The port that it has, or is to have."""
        return Port(self._port)

    def get_port(self) -> Port:
        """Returns the port that it listens on. A free one is chosen now, if none was named."""
        if self._port == 0:
            with socket.socket() as listening:
                listening.bind((LOCAL, 0))
                self._port = int(listening.getsockname()[1])
        return self.port

    def server(self, fn: F) -> F:
        """Makes a function, async or not, the one that serves, until it is cancelled. Only an async one can be."""
        return self._keep("server", fn)

    def on_startup(self, fn: F) -> F:
        """Makes a function, async or not, the one that is called before the server."""
        return self._keep("startup", fn)

    def on_shutdown(self, fn: F) -> F:
        """Makes a function, async or not, the one that is called after the server."""
        return self._keep("shutdown", fn)

    def _keep(self, what: str, fn: F) -> F:
        if not callable(fn):
            raise TypeError(f"{what} of app {self.name}: expected a function, got {fn!r}")
        self._functions[what] = fn
        return fn

    def _function(self, what: str) -> Callable[..., Any] | None:
        return self._functions.get(what)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


def _port_of(port: int | Port) -> int:
    number = port.port if isinstance(port, Port) else port
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 65536:
        raise ValueError(f"port of an app: expected 0 to 65535, got {port!r}")
    return number


def _warn(app: str, **given: Any) -> None:
    names = [name for name, value in given.items() if value]
    if names:
        warnings.warn(
            f"app {app} is served by this process: {', '.join(names)} of it count for nothing here", stacklevel=4
        )
