"""ASGI applications, served by uvicorn."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Coroutine
from typing import Any

from ._environment import LOCAL, AppEnvironment


def server_of(env: AppEnvironment, application: Any, config: Any = None) -> Callable[[], Coroutine[Any, Any, None]]:
    """Returns the function that serves an application on the port of an environment, of this machine alone.

    A config of uvicorn that is given says otherwise, but for the port.
    """

    async def serve() -> None:
        uvicorn = needed("uvicorn", env.name)
        settings = config or uvicorn.Config(application, host=LOCAL, log_level="warning", interface="asgi3")
        settings.port = env.get_port().port
        server = uvicorn.Server(settings)
        try:
            await server.serve()
        except asyncio.CancelledError:
            await server.shutdown()
            raise

    return serve


def needed(module: str, app: str) -> Any:
    """Returns a module that an app needs, or raises the error that says what to install."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if (error.name or "").partition(".")[0] != package:
            raise
        raise ModuleNotFoundError(f"app {app} needs {package}: pip install {package}", name=package) from None
