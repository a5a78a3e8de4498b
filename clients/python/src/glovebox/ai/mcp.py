"""Servers of the Model Context Protocol as apps. ``glovebox mcp`` and ``/mcp`` of a server serve the engine itself."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from typing import Any, Literal

from ..app._asgi import needed, server_of
from ..app._environment import AppEnvironment

__all__ = ["MCPAppEnvironment"]

MCPTransport = Literal["streamable-http", "stdio"]


class MCPAppEnvironment(AppEnvironment):
    """A ``FastMCP`` of the package mcp as an app, whose tools an agent gets by ``MCPServerSpec(url=..., host=True)``.

    By streamable HTTP it is at ``{mcp_mount_path}/mcp`` of its address, beside ``/health``. By stdio nothing is served:
    ``run_stdio()`` speaks on the streams of this process.

    >>> tools = FastMCP("tools", stateless_http=True)
    >>> handle = glovebox.serve(MCPAppEnvironment("tools", mcp=tools))
    >>> glovebox.agents.MCPServerSpec(name="tools", url=handle.endpoint + "/mcp/mcp", host=True)
    """

    def __init__(
        self,
        name: str,
        *,
        mcp: Any,
        mcp_mount_path: str = "/mcp",
        transport: MCPTransport = "streamable-http",
        uvicorn_config: Any = None,
        **options: Any,
    ) -> None:
        if transport not in ("streamable-http", "stdio"):
            raise ValueError(f"transport of {name}: expected 'streamable-http' or 'stdio', got {transport!r}")
        if not isinstance(mcp_mount_path, str) or not mcp_mount_path.startswith("/"):
            raise ValueError(f"mcp_mount_path of {name}: expected a path that begins with '/', got {mcp_mount_path!r}")
        super().__init__(name, **options)
        self.mcp, self.mcp_mount_path, self.transport = mcp, mcp_mount_path, transport
        if transport == "streamable-http":
            self.server(server_of(self, self._application(), uvicorn_config))

    def run_stdio(self) -> None:
        """Serves on the standard streams of this process until the client leaves. ValueError for another transport."""
        if self.transport != "stdio":
            raise ValueError(f"run_stdio: {self.name} has the transport {self.transport!r}; glovebox.serve serves it")
        self.mcp.run(transport="stdio")

    def _application(self) -> Any:
        routing, responses = needed("starlette.routing", self.name), needed("starlette.responses", self.name)
        inner = self.mcp.streamable_http_app()

        async def health(_: Any) -> Any:
            return responses.JSONResponse({"status": "healthy"})

        @contextlib.asynccontextmanager
        async def lifespan(_: Any) -> AsyncGenerator[None, None]:
            async with inner.router.lifespan_context(inner):
                yield

        routes = [routing.Mount(self.mcp_mount_path, app=inner), routing.Route("/health", endpoint=health)]
        return needed("starlette.applications", self.name).Starlette(routes=routes, lifespan=lifespan)
