"""An agent that writes one program, and mends it until it runs."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Mapping, Sequence
from typing import Any, cast

from .._tasks.policies import check_retries
from ..errors import GloveboxError
from ..sandbox import orchestrate_local, prompt
from ._callers_loop import in_callers_loop
from ._code import code_in
from ._granted import model_task
from ._messages import LLMCallable, messages_to
from ._model import Model
from ._result import AgentResult
from ._schema import summary
from ._tool import tools_of

_RESULT = 'The value of the program is a dict: {"charts": [HTML texts], "summary": "text"}.'


class CodeModeAgent:
    """Has a model write one program that calls the tools, and runs it.

    A program that fails goes back to the model with its error, ``max_retries`` times. The value of the program is
    a dict with ``summary``, and with ``charts`` if it made some. An ``Agent`` continues turn by turn instead.

    >>> agent = glovebox.agents.CodeModeAgent({"fetch": fetch, "total": total})
    >>> agent.run("What did we sell in May?", []).summary

    Args:
        tools: Functions and tasks by name, as the model sees them.
        execution_tools: What the program calls by these names; by default the same.
        model: As for ``Agent``.
        max_retries: Further programs after one that failed.
        call_llm: Is asked in the place of the model, as for ``Agent``.
    """

    __module__ = "glovebox.agents"  # where users find it

    def __init__(
        self,
        tools: Mapping[str, Any],
        *,
        execution_tools: Mapping[str, Any] | None = None,
        model: str | Model = "claude-sonnet-4-6",
        max_retries: int = 2,
        call_llm: LLMCallable | None = None,
    ) -> None:
        self._tools = dict(tools)
        self._execution_tools = dict(execution_tools or tools)
        self._shown = tools_of(self._tools)
        self._max_retries = check_retries(max_retries)
        self._model = model_task(model, call_llm)

    @functools.cached_property
    def system_prompt(self) -> str:
        """What the model gets: the language, the tools and the result, in the words of the engine."""
        return f"{prompt(tasks=self._tools, output=dict)}\n{_RESULT}"

    def tool_descriptions(self) -> list[dict[str, str]]:
        """Returns ``name``, ``signature`` and ``description`` of each tool."""
        return [
            {"name": t.name, "signature": summary(t.name, t.parameters), "description": t.description}
            for t in self._shown.values()
        ]

    async def _run(self, message: str, history: Sequence[dict[str, Any]] = ()) -> AgentResult:
        """Asks for a program, runs it, and returns what it gave; ``await agent.run.aio(...)`` does not block.

        ``history`` is what was said before, as OpenAI has messages.
        """
        said = [*history, {"role": "user", "content": message}]
        result = AgentResult(attempts=0)
        while result.attempts <= self._max_retries:
            result.attempts += 1
            try:
                result.code = await self._written(said)
            except GloveboxError as error:
                result.error, result.exception = f"Code generation failed: {error}", error
                return result
            try:
                value = await orchestrate_local(result.code, inputs={}, tasks=self._execution_tools)
            except GloveboxError as error:
                result.error, result.exception = (
                    f"Sandbox execution failed after {result.attempts} attempt(s): {error}",
                    error,
                )
                said = [*said, _assistant(result.code), {"role": "user", "content": _mend(error)}]
                continue
            return _given(result, value)
        return result

    run = in_callers_loop(_run)

    async def _written(self, said: list[dict[str, Any]]) -> str:
        system = await asyncio.to_thread(lambda: self.system_prompt)
        answer = await self._model.aio(request={"system": system, "messages": messages_to(said)})
        text = str(answer.get("text") or "")
        return code_in(text) or text.strip()


def _assistant(code: str) -> dict[str, Any]:
    return {"role": "assistant", "content": f"```python\n{code}\n```"}


def _mend(error: GloveboxError) -> str:
    return f"The program failed:\n\n{error}\n\nCorrect it, and send the whole program again."


def _given(result: AgentResult, value: Any) -> AgentResult:
    result.error, result.exception = "", None
    if not isinstance(value, dict):
        result.summary = str(value)
        return result
    known = cast("dict[str, Any]", value)
    result.charts = list(known.get("charts") or [])
    result.summary = str(known.get("summary", "No summary generated."))
    return result
