"""Agents: language models that act by code or by tools, in durable runs.

>>> from glovebox.agents import Agent
>>> agent = Agent(model="anthropic/claude-opus-5-5", tools=[price, order], code_mode=True)
>>> agent.run("Order the cheapest article.").summary

The engine runs the loop; this package says what an agent is made of, and offers
the functions of this process to it while it runs.
"""

from typing import TYPE_CHECKING

from .._lazy import attributes

if TYPE_CHECKING:
    from ._agent import Agent
    from ._budget import Budget
    from ._code_mode import CodeModeAgent
    from ._events import AgentEvent, agent_progress_cb
    from ._mcp import MCPServerSpec
    from ._memory import MemoryStore
    from ._memory_errors import AccessDenied, ConcurrencyError, MemoryStoreError
    from ._memory_records import MemoryMeta
    from ._messages import LLMCallable, LLMMessage
    from ._model import Model, Price
    from ._result import AgentProtocol, AgentResult
    from ._tool import AgentTool, ToolCallHandler, ToolFn, tool

__all__ = [
    "AccessDenied",
    "Agent",
    "AgentEvent",
    "AgentProtocol",
    "AgentResult",
    "AgentTool",
    "Budget",
    "CodeModeAgent",
    "ConcurrencyError",
    "LLMCallable",
    "LLMMessage",
    "MCPServerSpec",
    "MemoryMeta",
    "MemoryStore",
    "MemoryStoreError",
    "Model",
    "Price",
    "ToolCallHandler",
    "ToolFn",
    "agent_progress_cb",
    "tool",
]

_MODULES = {
    "AccessDenied": "._memory_errors",
    "Agent": "._agent",
    "AgentEvent": "._events",
    "AgentProtocol": "._result",
    "AgentResult": "._result",
    "AgentTool": "._tool",
    "Budget": "._budget",
    "CodeModeAgent": "._code_mode",
    "ConcurrencyError": "._memory_errors",
    "LLMCallable": "._messages",
    "LLMMessage": "._messages",
    "MCPServerSpec": "._mcp",
    "MemoryMeta": "._memory_records",
    "MemoryStore": "._memory",
    "MemoryStoreError": "._memory_errors",
    "Model": "._model",
    "Price": "._model",
    "ToolCallHandler": "._tool",
    "ToolFn": "._tool",
    "agent_progress_cb": "._events",
    "tool": "._tool",
}

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
