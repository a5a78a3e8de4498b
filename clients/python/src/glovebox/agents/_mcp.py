"""Servers of the Model Context Protocol whose tools an agent is given."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .._tasks.dockerfile import with_stored_image
from .._tasks.image import Image, image_spec, image_variables
from .._tasks.network import network_json
from .._tasks.secret import Secret
from ..errors import InvalidTaskError

if TYPE_CHECKING:
    from .._link.current import Engine, Json


@dataclass(kw_only=True)
class MCPServerSpec:
    """A server of tools, by its address or by the command that starts it.

    The engine speaks to it: to an address from its own network, to a command in a session of its own, whose image has
    the command.

    Args:
        name: What it is called in lists and errors.
        url: Its address, of streamable HTTP.
        command: The command that starts it, which speaks on its standard input and output.
        headers: Of requests to the address. Only a token can be sent: store it, and name it as ``token``.
        env: Variables of the command.
        transport: How it is spoken to; ``"auto"`` follows from ``url`` or ``command``.
        tool_prefix: Stands before the name of each tool.
        tool_filter: The tools that are granted, by the names that the server has for them; None is all.
        token: A stored secret that is sent to the address as a bearer token.
        image: Of the session of the command.
        network: What the command can reach: ``"public"``, or hosts; nothing by default.
        host: The address may be of this machine, or of a private network. The command runs on the machine of the
            engine, in no session, if that was started with ``GLOVEBOX_MCP_PROGRAMS=host``.

    Raises:
        ValueError: It has neither an address nor a command, or something that cannot be sent.
    """

    __module__ = "glovebox.agents"  # where users find it

    name: str
    url: str | None = None
    command: list[str] | None = None
    headers: dict[str, str] | None = None
    env: dict[str, str] | None = None
    transport: Literal["auto", "http", "streamable-http", "sse", "stdio"] = "auto"
    tool_prefix: str = ""
    tool_filter: list[str] | None = None
    token: str | Secret | None = None
    image: Image | None = None
    network: str | Sequence[str] | None = None
    host: bool = False

    def __post_init__(self) -> None:
        if not self.url and not self.command:
            raise ValueError("MCPServerSpec requires either `url` or `command`.")
        if self.transport == "sse":
            raise ValueError("transport: 'sse' is not spoken here; streamable HTTP took its place")
        if self.headers:
            raise ValueError(
                f"headers: {', '.join(self.headers)} cannot be sent: what a task has is kept, and shown in lists; "
                "store a token with `glovebox secret set NAME`, and give token=NAME"
            )

    async def _definition(self, engine: Engine) -> Json:
        made: Json = {"name": self.name, "host": self.host}
        if self.url:
            made["url"] = self.url
            if self.token:
                made["token"] = self.token.name if isinstance(self.token, Secret) else self.token
            return made
        made |= {"command": self.command, "env": self.env or {}}
        if self.image is not None:
            made["env"] = image_variables(self.image) | made["env"]
            made |= await with_stored_image({"image": image_spec(self.image)}, engine)
        if self.network is not None:
            made["network"] = network_json(self.network)
        return made


async def tools_of_servers(engine: Engine, servers: Sequence[MCPServerSpec]) -> list[Json]:
    """Asks the servers for their tools, and returns those that are granted, as tasks."""
    return [tool for tools in await asyncio.gather(*(_tools_of(engine, s) for s in servers)) for tool in tools]


async def _tools_of(engine: Engine, server: MCPServerSpec) -> list[Json]:
    tools = await engine.mcp_tools(await server._definition(engine))  # pyright: ignore[reportPrivateUsage]
    names = {str(tool["mcp"]["tool"]) for tool in tools}
    missing = [name for name in server.tool_filter or () if name not in names]
    if missing:
        has = ", ".join(sorted(names)) or "none"
        raise InvalidTaskError(f"tool_filter: MCP server {server.name} has no tool {missing[0]}; it has {has}")
    wanted = names if server.tool_filter is None else set(server.tool_filter)
    return [tool | {"name": server.tool_prefix + tool["name"]} for tool in tools if tool["mcp"]["tool"] in wanted]
