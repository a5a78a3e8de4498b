"""Apps of web frameworks."""

from __future__ import annotations

from typing import Any

from ._asgi import server_of
from ._environment import AppEnvironment

__all__ = ["FastAPIAppEnvironment"]


class FastAPIAppEnvironment(AppEnvironment):
    """A FastAPI application, or any other one of ASGI, as an app; uvicorn, which has to be installed, serves it.

    >>> app = FastAPIAppEnvironment("api", app=fastapi.FastAPI())
    >>> glovebox.serve(app).wait()
    """

    def __init__(self, name: str, *, app: Any, uvicorn_config: Any = None, **options: Any) -> None:
        if not callable(app):
            raise TypeError(f"app of {name}: expected an application of ASGI, got {app!r}")
        super().__init__(name, **options)
        self.app = app
        self.server(server_of(self, app, uvicorn_config))
