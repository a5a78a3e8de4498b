"""A page to talk to an agent."""

from ._app import AgentChatAppEnvironment
from ._page import CustomTheme

__all__ = ["AgentChatAppEnvironment", "CustomTheme"]
