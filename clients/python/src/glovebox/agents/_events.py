"""What an agent does while it runs, as events."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .._link.current import current_engine
from .._process import context
from .._process.fork import in_children
from .._process.log import logger
from .._process.loop import run_async
from ._code import code_in
from ._granted import APPROVAL

if TYPE_CHECKING:
    from .._link.current import Engine, Json
    from ._task import AgentTask

EventType = Literal[
    "agent_start",
    "agent_end",
    "turn_start",
    "turn_end",
    "message",
    "tool_start",
    "tool_end",
    "tool_error",
    "approval_request",
    "approval_decision",
]

_MOST = 500  # characters of a result
_SANDBOX = "<sandbox>"  # the name of what runs code

_log = logger("glovebox.agents")


@dataclass
class AgentEvent:
    """Something that an agent did: ``type``, what there is to say of it, whose it is, and of which run."""

    __module__ = "glovebox.agents"  # where users find it

    type: EventType
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    agent: str = ""
    run_id: str = ""


AgentProgressCallback = Callable[[AgentEvent], Awaitable[None]]

# Is awaited for each event of the agents that are run below it, those included that their tools run in this process.
agent_progress_cb: contextvars.ContextVar[AgentProgressCallback | None] = contextvars.ContextVar(
    "agent_progress_cb", default=None
)


@dataclass(frozen=True, eq=False)
class _Watched:
    """The callback of an agent that is under way."""

    tell: AgentProgressCallback
    loop: asyncio.AbstractEventLoop  # that the callback belongs to
    run: Future[str]  # its id


_watched: set[_Watched] = set()
in_children(_watched.clear)


@contextlib.contextmanager
def watched(tell: AgentProgressCallback | None) -> Generator[Future[str]]:
    """Has agents that are run by tools of an agent tell its callback.

    The id of its run is for the future that comes: tools may be called before it is here.
    """
    known: Future[str] = Future()
    if tell is None:
        yield known
        return
    agent = _Watched(tell, asyncio.get_running_loop(), known)
    _watched.add(agent)
    try:
        yield known
    finally:
        _watched.discard(agent)
        if not known.done():
            known.set_result("")  # it was never started


async def callback() -> AgentProgressCallback | None:
    """Returns the callback of the caller, or else of the agent whose tool the caller is."""
    own, above = agent_progress_cb.get(), context.current_run()
    while own is None and above and _watched:
        for agent in tuple(_watched):
            if await asyncio.shield(asyncio.wrap_future(agent.run)) == above:
                return _in_its_loop(agent.tell, agent.loop)
        above = await run_async(_parent(above))
    return own


async def _parent(run_id: str) -> str | None:
    return (await (await current_engine()).run(run_id)).get("parent")


def _in_its_loop(tell: AgentProgressCallback, loop: asyncio.AbstractEventLoop) -> AgentProgressCallback:
    async def handed_on(event: AgentEvent) -> None:
        async def told() -> None:
            await tell(event)

        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(told(), loop))

    return handed_on


class Watcher:
    """Follows a run of an agent, and tells what it does, in its order."""

    def __init__(self, task: AgentTask, engine: Engine, run_id: str, tell: AgentProgressCallback) -> None:
        self._task, self._engine, self._run, self._tell = task, engine, run_id, tell
        self._turn = 0
        self._text = ""  # of an answer that comes in pieces
        self._code = ""  # what the model wrote in this turn

    async def tell(self, kind: EventType, **data: Any) -> None:
        """Tells of an event. What goes wrong with that ends no agent."""
        try:
            await self._tell(AgentEvent(kind, data, self._task.name, self._run))
        except Exception:
            _log.exception("agent_progress_cb failed for %s", kind)

    async def follow(self) -> None:
        """Tells what happens until the run has ended."""
        await self.tell("agent_start", name=self._task.name, model=self._task.model.name, mode=self._task.mode)
        events = self._engine.events(self._run)
        while (event := await run_async(_next(events))) is not None:
            data: Json = event.get("data") or {}
            if event.get("kind") == "call_started":
                await self._started(str(data["tool"]), str(data["run"]))
            elif event.get("kind") == "call_ended":
                await self._ended(str(data["run"]))
        if self._turn:
            await self.tell("turn_end", turn=self._turn)

    async def _started(self, tool: str, run_id: str) -> None:
        inputs: Json = (await self._of(run_id)).get("inputs") or {}
        if tool == self._task.model.name:
            await self._turned(inputs)
        elif tool == self._task.rest:
            pass  # it was asked already
        elif tool == APPROVAL:
            await self.tell("approval_request", tool=inputs.get("tool"), args=inputs.get("arguments"))
        else:
            await self.tell("tool_start", tool=tool, args=inputs)

    async def _turned(self, inputs: Json) -> None:
        if self._code:
            said = inputs["request"]["messages"][-1]
            await self.tell("tool_end", tool=_SANDBOX, result=_shown(said.get("text")))
        if self._turn:
            await self.tell("turn_end", turn=self._turn)
        self._turn, self._code = self._turn + 1, ""
        await self.tell("turn_start", turn=self._turn, max_turns=self._task.max_turns)

    async def _ended(self, run_id: str) -> None:
        run = await self._of(run_id)
        name, error = str(run["task"]), run.get("error")
        outputs: Json = run.get("outputs") or {}
        if name in (self._task.model.name, self._task.rest):
            await self._answered(outputs.get("answer") or {})
        elif name == APPROVAL:
            asked: Json = run.get("inputs") or {}
            await self.tell("approval_decision", tool=asked.get("tool"), approved=bool(outputs.get("approved")))
        elif error:
            await self.tell("tool_error", tool=name, error=str(error.get("message") or ""))
        else:
            await self.tell("tool_end", tool=name, result=_shown(next(iter(outputs.values()), "")))

    async def _answered(self, answer: Json) -> None:
        self._text += str(answer.get("text") or "")
        if answer.get("stop") == "more":
            return
        text, self._text = self._text, ""
        await self.tell("message", role="assistant", content=text)
        self._code = code_in(text) if self._task.mode == "code" else ""
        if self._code:
            await self.tell("tool_start", tool=_SANDBOX, code=self._code)

    async def _of(self, run_id: str) -> Json:
        return await run_async(self._engine.run(run_id))


async def _next(events: AsyncGenerator[Json, None]) -> Json | None:
    return await anext(events, None)


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _MOST else f"{text[:_MOST]}... [+{len(text) - _MOST} chars]"
