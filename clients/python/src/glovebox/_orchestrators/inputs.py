"""The inputs of code in a string, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def check_names(inputs: Mapping[str, Any]) -> None:
    """Raises TypeError unless inputs is a dict by names. Which names are good is for the engine to say."""
    if not isinstance(inputs, Mapping):
        raise TypeError(f"inputs: expected a dict by name, got {inputs!r}")
    for name in inputs:
        if not isinstance(name, str):
            raise TypeError(f"inputs: expected names in str, got {name!r}")
