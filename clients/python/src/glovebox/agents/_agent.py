"""Agents: a model that is asked turn by turn, and acts by code or by tools."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .._process.loop import run_async
from .._runs.run import Run, start_run
from .._tasks.labels import labels_of
from .._tasks.notify import Notify, receivers
from .._tasks.policies import Policies, check_label, check_retries
from .._tasks.task import Task, TaskSource
from .._tasks.trigger import Trigger, triggers_of
from ..errors import GloveboxError
from ._budget import Budget
from ._callers_loop import in_callers_loop
from ._code import code_in
from ._events import AgentProgressCallback, Watcher, callback, watched
from ._granted import ApprovalCallback, approval_task, asks, model_task, task_of_tool
from ._mcp import MCPServerSpec
from ._memory import MemoryStore
from ._messages import LLMCallable, messages_from, messages_to, settled
from ._model import Model, model_name
from ._result import AgentResult, Memory
from ._schema import summary
from ._task import AgentTask
from ._tool import AgentTool, bound, tool_of, tools_of


class Agent(TaskSource):
    """A language model that is asked turn by turn, and acts by code or by tools until it has its answer.

    The engine runs the loop: every question to the model and every call of a tool is a call of the run, so that an
    agent whose process died continues, with ``run.resume()``, and repeats nothing. With ``code_mode`` the model writes
    restricted Python that calls the tools, and can do nothing else. An agent can be a tool of another one.

    >>> agent = glovebox.agents.Agent(model="anthropic/claude-opus-5-5", tools=[price, order], code_mode=True)
    >>> agent.run("Which article is the cheapest?").summary

    Args:
        name: What it is called in lists and logs.
        instructions: What the model is to be.
        model: ``"openai/NAME"`` or ``"anthropic/NAME"``, the name alone where it is plain whose it is, or a ``Model``.
        tools: What it may call: functions of this process, tasks, sandboxes, agents, deployed tasks and ``tool(...)``
            of these. A dict gives them other names.
        mcp_servers: Servers of the Model Context Protocol, whose tools are granted too. They are asked when it runs.
        skills: More that the model gets: texts, and files as ``pathlib.Path``.
        max_turns: How often the model is asked.
        call_llm: Is asked in the place of the model: ``call_llm(model, system, messages, tools)``, async or not, which
            returns an ``LLMMessage`` or a str.
        approval_callback: Is asked before each call of a tool that requires approval: ``callback(tool, arguments)``,
            async or not, which returns a bool. Without it such calls are refused.
        parallel_tool_calls: Whether calls may run at the same time.
        code_mode: The model writes code, instead of asking for one tool or several.
        streaming: Each statement of its code is run while the model still writes the next. Not with ``call_llm``.
        budget: What one run may spend.
        retries: Further attempts after a failed one, which repeat no call that succeeded.
        notify: Receivers that hear of the end of its runs.
        labels: Those of each of its runs, by which ``glovebox.runs`` finds them.
        node_selector: Labels that a node has to have to carry its runs out; see ``glovebox serve --label``.
        triggers: What starts it by time, with ``message`` among the inputs, once ``TaskEnvironment.from_task`` of it is
            deployed.
    """

    __module__ = "glovebox.agents"  # where users find it

    def __init__(
        self,
        *,
        name: str = "glovebox-agent",
        instructions: str = "You are a helpful assistant.",
        model: str | Model = "claude-haiku-4-5",
        tools: Sequence[Any] | Mapping[str, Any] = (),
        mcp_servers: Sequence[MCPServerSpec] = (),
        skills: Sequence[str | Path] = (),
        max_turns: int = 25,
        call_llm: LLMCallable | None = None,
        approval_callback: ApprovalCallback | None = None,
        parallel_tool_calls: bool = True,
        code_mode: bool = False,
        streaming: bool = False,
        budget: Budget | None = None,
        retries: int = 0,
        notify: Notify | Sequence[Notify] | None = None,
        labels: Mapping[str, str] | None = None,
        node_selector: Mapping[str, str] | None = None,
        triggers: Trigger | Sequence[Trigger] = (),
    ) -> None:
        if isinstance(max_turns, bool) or not isinstance(max_turns, int) or not 1 <= max_turns <= 10_000:
            raise ValueError(f"max_turns: expected 1 to 10000 questions to the model, got {max_turns!r}")
        if budget is not None and not isinstance(budget, Budget):
            raise TypeError(f"budget: expected a Budget, got {budget!r}")
        if streaming and (call_llm is not None or not code_mode):
            raise ValueError(
                "streaming: it is for agents with code_mode=True whose model the engine asks, not call_llm"
            )
        self.name = check_label(name, "agent name")
        self.instructions = instructions
        self.model = model
        self.mcp_servers = tuple(mcp_servers)
        self.max_turns = max_turns
        self.parallel_tool_calls = parallel_tool_calls
        self.code_mode = code_mode
        self.streaming = streaming
        self.budget = budget
        self._skills = "\n\n".join(s.read_text() if isinstance(s, Path) else s for s in skills)
        self._policies = Policies(
            cache="disable",
            retries=check_retries(retries),
            notify=receivers(notify),
            labels=labels_of(labels),
            node_selector=labels_of(node_selector, "node_selector"),
        )
        self._triggers = triggers_of(triggers)
        self._approval_callback = approval_callback
        self._model = model_task(model, call_llm)
        self._asks = call_llm or asks(model)
        self._tools: dict[str, AgentTool] = {}
        self._tasks: dict[str, Task[..., Any]] = {}
        for each in tools_of(tools).values():
            self._add(each)
        self._approval = approval_task(approval_callback, self._tools)

    @property
    def tools(self) -> dict[str, AgentTool]:
        """Its tools, by the names that the model knows."""
        return dict(self._tools)

    def add_tool(self, obj: Any, *, name: str | None = None) -> AgentTool:
        """Grants one more tool, perhaps under another name, and returns it. ValueError if it has one of that name."""
        made = tool_of(obj, name)
        if made.name in self._tools:
            raise ValueError(f"Duplicate tool name '{made.name}'")
        return self._add(made)

    def _add(self, made: AgentTool) -> AgentTool:
        made = bound(made, self._asks, model_name(self.model))
        self._tasks[made.name] = task_of_tool(made)
        self._tools[made.name] = made
        return made

    def tool_descriptions(self) -> list[dict[str, str]]:
        """Returns ``name``, ``signature`` and ``description`` of each tool."""
        return [
            {"name": t.name, "signature": summary(t.name, t.parameters), "description": t.description}
            for t in self._tools.values()
        ]

    @property
    def system_prompt(self) -> str:
        """What the model gets of this agent: the instructions, the skills and the tools.

        The engine sends the tools with their types, and adds how the model acts, in code mode by which language.
        """
        listed = "\n".join(f"- {t.name}: {t.description}" for t in self._tools.values())
        none = "(no functions available)" if self.code_mode else "(no tools registered)"
        return f"{self._told}\n\n{'Functions' if self.code_mode else 'Tools'}:\n{listed or none}"

    @property
    def _told(self) -> str:
        return "\n\n".join(part for part in (self.instructions, self._skills) if part)

    def _as_task(self) -> AgentTask:
        made = self._task(continued=False)
        made.triggers = self._triggers
        return made

    def _task(self, *, continued: bool) -> AgentTask:
        approve = [t.name for t in self._tools.values() if t.requires_approval]
        return AgentTask(
            self.name,
            model=self._model,
            instructions=self._told,
            tools=dict(self._tasks),
            servers=self.mcp_servers,
            approval=self._approval if approve else None,
            approve=approve,
            mode="code" if self.code_mode else "tools",
            streaming=self.streaming,
            max_turns=self.max_turns,
            parallel=self.parallel_tool_calls,
            budget=self.budget,
            policies=self._policies,
            continued=continued,
        )

    async def _run(self, message: str, memory: Memory | None = None) -> AgentResult:
        """Asks the agent, and returns how that ended; ``await agent.run.aio(...)`` does not block.

        ``memory`` is what was said before, as OpenAI has messages: ``messages`` of an earlier result, or a
        ``MemoryStore``, which gets what is said now, too. An agent that fails raises nothing: ``error`` of the result
        says why.

        >>> result = agent.run("What is 6 times 7?")
        >>> result.summary or result.error
        """
        store = memory if isinstance(memory, MemoryStore) else None
        before = messages_to((memory.messages if isinstance(memory, MemoryStore) else memory) or ())
        task = self._task(continued=bool(before))
        inputs: dict[str, Any] = {"message": message} | ({"history": before} if before else {})
        tell = await callback()
        with watched(tell) as known:
            run: Run[str] = await run_async(start_run(task, (), inputs))
            known.set_result(run.id)
            result = await self._followed(task, run, len(before), tell)
        if store is not None:
            store.extend(settled(result.messages[len(before) :]) or [{"role": "user", "content": message}])
            result.memory = store
        return result

    async def _followed(
        self, task: AgentTask, run: Run[str], before: int, tell: AgentProgressCallback | None
    ) -> AgentResult:
        """Returns the result of a run, and tells the callback on the way."""
        if not tell:
            return await self._result(task, run, before)
        watcher = Watcher(task, run._engine, run.id, tell)  # pyright: ignore[reportPrivateUsage]
        began = time.monotonic()
        following = asyncio.create_task(watcher.follow())
        try:
            result = await self._result(task, run, before)
        except BaseException:
            following.cancel()
            raise
        await asyncio.wait([following])
        took = int((time.monotonic() - began) * 1000)
        await watcher.tell("agent_end", turns=result.attempts, elapsed_ms=took, error=result.error)
        return result

    run = in_callers_loop(_run)

    async def _result(self, task: AgentTask, run: Run[str], before: int) -> AgentResult:
        made = AgentResult()
        try:
            made.summary = str((await run.outputs.aio())[0])
        except GloveboxError as error:
            if not error.run_id:  # not that of the run: the engine cannot be reached
                raise
            made.exception = error
        calls = await run.calls.aio()
        questions = [call for call in calls if call["task"] == task.model.name]
        made.run, made.attempts = run, len(questions)
        if questions:
            rest = [call for call in calls[calls.index(questions[-1]) :] if call["task"] == task.rest]
            asked = [await run_async(_of(run, str(call["id"]))) for call in (questions[-1], *rest)]
            made.messages = messages_from(_said(*asked))
            written = [code_in(m["content"]) for m in made.messages[before:] if m["role"] == "assistant"]
            made.code = next((code for code in reversed(written) if code), "") if self.code_mode else ""
        if made.exception is not None:
            made.error = _reason(made.exception, questions)
        return made

    def __repr__(self) -> str:
        return f"<Agent {self.name} of {model_name(self.model)}: {', '.join(self._tools) or 'no tools'}>"


async def _of(run: Run[Any], run_id: str) -> dict[str, Any]:
    engine = await run._live()  # pyright: ignore[reportPrivateUsage]
    return await engine.run(run_id)


def _said(question: dict[str, Any], *rest: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the conversation up to the answer of a question, which may have come in pieces."""
    said = list(question["inputs"]["request"]["messages"])
    outputs: list[dict[str, Any]] = [run.get("outputs") or {} for run in (question, *rest)]
    answers: list[dict[str, Any]] = [each["answer"] for each in outputs if each.get("answer")]
    if not answers:
        return said
    text = "".join(str(answer.get("text") or "") for answer in answers)
    return [*said, {"role": "assistant", **answers[-1], "text": text}]


def _reason(error: GloveboxError, questions: list[dict[str, Any]]) -> str:
    if questions and questions[-1].get("status") == "failed":
        return f"LLM call failed on turn {len(questions)}: {error}"
    return str(error)
