"""A page to talk to an agent, as an app."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import Any, cast

from ..._runs.start import start
from ..._tasks.task import Task
from ...agents import AgentEvent, AgentProtocol, AgentResult, agent_progress_cb
from ...app._asgi import server_of
from ...app._environment import LOCAL, AppEnvironment
from ._page import CustomTheme, page, policy

_MOST = 4 << 20  # bytes of a request
_HOSTS = (LOCAL, "localhost", "[::1]")
_STEPS = {"turn_start": "asking the model", "tool_start": "running {tool}", "agent_end": "answering"}

Send = Callable[[dict[str, Any]], Awaitable[None]]


class AgentChatAppEnvironment(AppEnvironment):
    """A page to talk to an agent, for this machine: who has no browser here does not reach it. It needs uvicorn.

    Args:
        name: That of the app.
        agent: Anything with ``run`` and ``tool_descriptions``.
        task_entrypoint: A task that is run for each message in the place of the agent: with the message, and those
            before it if it has two inputs. It returns a text, or a dict with ``summary``, ``error``, ``code`` and
            ``charts``.
        title: Of the page; by default the name.
        subtitle: Below it.
        prompt_nudges: Suggestions, each with ``label`` and ``prompt``.
        theme: The colours.
        passthrough_auth: Accepted, with a warning: there is nobody whose keys could be passed on.
        options: Those of an ``AppEnvironment``.

    >>> glovebox.serve(AgentChatAppEnvironment("chat", agent=agent)).wait()
    """

    __module__ = "glovebox.ai.chat"  # where users find it

    def __init__(
        self,
        name: str,
        *,
        agent: Any,
        task_entrypoint: Task[..., Any] | None = None,
        title: str | None = None,
        subtitle: str | None = None,
        prompt_nudges: Sequence[Mapping[str, str]] = (),
        theme: CustomTheme | None = None,
        passthrough_auth: bool = False,
        **options: Any,
    ) -> None:
        if not isinstance(agent, AgentProtocol):
            raise TypeError(f"agent of {name}: expected run and tool_descriptions, got {agent!r}")
        if any(not isinstance(each.get(key), str) for each in prompt_nudges for key in ("label", "prompt")):
            raise ValueError(f"prompt_nudges of {name}: expected a label and a prompt for each")
        super().__init__(name, requires_auth=passthrough_auth or options.pop("requires_auth", False), **options)
        self.agent, self.task_entrypoint = agent, task_entrypoint
        self._shown = (title or name, subtitle or "", prompt_nudges, theme or CustomTheme())
        self.server(server_of(self, self._application))

    async def _application(self, scope: Mapping[str, Any], receive: Callable[[], Awaitable[Any]], send: Send) -> None:
        if scope["type"] == "lifespan":
            return await _lifespan(receive, send)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        # A page of another site can have a browser ask this one, by a name that leads here too.
        if re.sub(r":\d+$", "", headers.get("host", "")) not in _HOSTS:
            return await _json(send, 403, {"error": f"expected the host {LOCAL}; open http://{LOCAL} with the port"})
        route = (scope["method"], scope["path"])
        if route == ("GET", "/"):
            nonce = secrets.token_urlsafe(16)
            await _answer(send, 200, page(*self._shown, nonce), "text/html; charset=utf-8", policy(nonce))
        elif route == ("GET", "/health"):
            await _json(send, 200, {"status": "healthy"})
        elif route == ("GET", "/api/tools"):
            await _json(send, 200, self.agent.tool_descriptions())
        elif route == ("POST", "/api/chat"):
            await self._chat(headers, receive, send)
        else:
            await _json(send, 404, {"error": f"there is no {route[0]} {route[1][:200]}"})

    async def _chat(self, headers: Mapping[str, str], receive: Callable[[], Awaitable[Any]], send: Send) -> None:
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return await _json(send, 415, {"error": "expected Content-Type: application/json"})
        try:
            message, history, stream = _request(await _body(receive))
        except ValueError as error:
            return await _json(send, 400, {"error": str(error)})
        if not stream:
            return await _json(send, 200, await self._answered(message, history))
        await send(_start(200, "application/x-ndjson"))
        async for event in self._events(message, history):
            await send({"type": "http.response.body", "body": json.dumps(event).encode() + b"\n", "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async def _events(self, message: str, history: list[dict[str, Any]]) -> AsyncGenerator[dict[str, Any], None]:
        """Yields what the agent does, and at last what it answers."""
        events: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        top: list[str] = []  # the run of the agent itself: those that its tools run are not shown

        async def tell(event: AgentEvent) -> None:
            if event.type in _STEPS and event.run_id in (top or [event.run_id]):
                top[:] = [event.run_id]
                await events.put({"type": "progress", "text": _step(event)})

        async def work() -> None:
            agent_progress_cb.set(tell)
            await events.put({"type": "done", **await self._answered(message, history)})

        working = asyncio.create_task(work())
        try:
            while True:
                event = await events.get()
                yield event
                if event["type"] == "done":
                    return
        finally:
            working.cancel()

    async def _answered(self, message: str, history: list[dict[str, Any]]) -> dict[str, Any]:
        began = time.monotonic()
        try:
            result = await self._asked(message, history)
        except Exception as error:  # whatever the agent of a user raises, the page says it
            result = AgentResult(error=f"{type(error).__name__}: {error}")
        return {
            "summary": result.summary, "error": result.error, "code": result.code, "charts": list(result.charts),
            "attempts": result.attempts, "elapsed_ms": int((time.monotonic() - began) * 1000),
        }  # fmt: skip

    async def _asked(self, message: str, history: list[dict[str, Any]]) -> AgentResult:
        if self.task_entrypoint is not None:
            inputs = (message, history)[: max(1, len(self.task_entrypoint.signature.inputs))]
            run = await start.aio(self.task_entrypoint, *inputs)
            return _result((await run.outputs.aio())[0])
        run_agent: Any = self.agent.run
        made = getattr(run_agent, "aio", None)
        if made is not None:
            return _result(await made(message, history))
        answer = await asyncio.to_thread(run_agent, message, history)
        return _result(await answer if inspect.isawaitable(answer) else answer)


def _step(event: AgentEvent) -> str:
    """Returns in words what an agent does."""
    tool = event.data.get("tool")
    return _STEPS[event.type].format(tool="its code" if tool == "<sandbox>" else tool)


def _result(given: Any) -> AgentResult:
    if isinstance(given, AgentResult):
        return given
    if isinstance(given, dict):
        made = cast("dict[str, Any]", given)
        fields: dict[str, Any] = {name: str(made.get(name) or "") for name in ("summary", "error", "code")}
        return AgentResult(**fields, charts=[str(chart) for chart in made.get("charts") or ()])
    return AgentResult(summary=str(given))


def _request(body: bytes) -> tuple[str, list[dict[str, Any]], bool]:
    try:
        given: Any = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError("the body: expected JSON") from None
    if not isinstance(given, dict):
        raise ValueError("the body: expected an object with message, history and stream")
    request = cast("dict[str, Any]", given)
    message = request.get("message")
    history: object = request.get("history") or []
    if not isinstance(message, str) or not message:
        raise ValueError("message: expected a text")
    if not isinstance(history, list) or not all(isinstance(each, dict) for each in cast("list[object]", history)):
        raise ValueError("history: expected a list of messages")
    return message, cast("list[dict[str, Any]]", history), bool(request.get("stream"))


async def _body(receive: Callable[[], Awaitable[Any]]) -> bytes:
    body = bytearray()
    while True:
        part = await receive()
        body += part.get("body", b"")
        if len(body) > _MOST:
            raise ValueError(f"the body: expected at most {_MOST >> 20} MiB")
        if not part.get("more_body"):
            return bytes(body)


async def _lifespan(receive: Callable[[], Awaitable[Any]], send: Send) -> None:
    while True:
        event = await receive()
        await send({"type": event["type"] + ".complete"})
        if event["type"] == "lifespan.shutdown":
            return


def _start(status: int, kind: str, security: str = "default-src 'none'") -> dict[str, Any]:
    headers = {
        "content-type": kind, "content-security-policy": security, "x-content-type-options": "nosniff",
        "cache-control": "no-store",
    }  # fmt: skip
    return {
        "type": "http.response.start",
        "status": status,
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }


async def _answer(send: Send, status: int, body: bytes, kind: str, security: str = "default-src 'none'") -> None:
    await send(_start(status, kind, security))
    await send({"type": "http.response.body", "body": body})


async def _json(send: Send, status: int, value: Any) -> None:
    await _answer(send, status, json.dumps(value).encode(), "application/json")
