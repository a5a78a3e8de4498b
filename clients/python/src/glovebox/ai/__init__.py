"""Agents under the name that programs for the library of the documents use: ``glovebox.ai.agents``."""
