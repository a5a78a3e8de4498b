"""``glovebox.agents``, by the name that programs for the library of the documents use."""

from ..agents import (
    Agent,
    AgentEvent,
    AgentProtocol,
    AgentResult,
    AgentTool,
    LLMCallable,
    LLMMessage,
    MCPServerSpec,
    ToolCallHandler,
    ToolFn,
    agent_progress_cb,
    tool,
)

__all__ = [
    "Agent",
    "AgentEvent",
    "AgentProtocol",
    "AgentResult",
    "AgentTool",
    "LLMCallable",
    "LLMMessage",
    "MCPServerSpec",
    "ToolCallHandler",
    "ToolFn",
    "agent_progress_cb",
    "tool",
]
