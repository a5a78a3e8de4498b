"""An agent as a task."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from .._process import context
from .._tasks.policies import Policies, check_label, engine_name
from .._tasks.task import Task
from .._values.signature_json import signature_json
from .._values.types import ANY, Param, Signature, Type
from ._budget import Budget
from ._mcp import MCPServerSpec, tools_of_servers

if TYPE_CHECKING:
    from .._link.current import Engine, Json

_MESSAGE = Param("message", Type("str"))
_HISTORY = Param("history", Type("list", (Type("dict", (Type("str"), ANY)),)))
_ANSWER = Param("answer", Type("str"))


class AgentTask(Task[..., Any]):
    """One question to an agent as a task: the message in, the answer out."""

    def __init__(
        self,
        name: str,
        *,
        model: Task[..., Any],
        instructions: str,
        tools: dict[str, Task[..., Any]],
        servers: tuple[MCPServerSpec, ...],
        approval: Task[..., Any] | None,
        approve: list[str],
        mode: str,
        streaming: bool,
        max_turns: int,
        parallel: bool,
        budget: Budget | None,
        policies: Policies,
        continued: bool,
    ) -> None:
        inputs = (_MESSAGE, _HISTORY) if continued else (_MESSAGE,)
        super().__init__(check_label(name, "agent name"), Signature(inputs, (_ANSWER,)), instructions)
        self.model, self.tools, self.approval = model, tools, approval
        self.mode, self.max_turns = mode, max_turns
        self.streaming, self.rest = streaming, f"{model.name}-rest"  # what gives the rest of an answer
        self._approve, self._parallel, self._budget, self._policies = approve, parallel, budget, policies
        self._servers = servers

    async def _definition(self, engine: Engine, *, deployed: bool = False) -> Json:
        apart = deployed or context.in_cell()

        async def one(task: Task[..., Any]) -> Json:
            return await task._definition(engine, deployed=apart)  # pyright: ignore[reportPrivateUsage]

        model, *tools = await asyncio.gather(one(self.model), *map(one, self.tools.values()))
        tools += await tools_of_servers(engine, self._servers)
        agent: Json = {
            "model": model,
            "instructions": self.doc,
            "mode": self.mode,
            "max_turns": self.max_turns,
        }
        if self.streaming:
            agent["streaming"] = True
        if self._budget is not None:
            agent["budget"] = self._budget.definition()
        if self.approval is not None:
            agent |= {"approval": await one(self.approval), "approve": self._approve}
        return {
            "name": engine_name(self.name),
            "kind": "agent",
            "signature": signature_json(self.signature),
            **self._policies.definition(),
            "agent": agent,
            "orchestrator": {"tools": tools} | ({} if self._parallel else {"limits": {"parallel": 1}}),
        }
