"""Inputs and outputs of the task of a sandbox, with the types as they were declared."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

REQUIRED: Any = inspect.Parameter.empty


@dataclass(frozen=True)
class Interface:
    """What a task takes and gives.

    ``inputs`` has type and default of each input; the default of one that must
    be given is ``inspect.Parameter.empty``. ``outputs`` has the types.
    """

    inputs: Mapping[str, tuple[Any, Any]]
    outputs: Mapping[str, Any]

    def required_inputs(self) -> tuple[str, ...]:
        """Returns the names of the inputs that must be given."""
        return tuple(name for name, (_, default) in self.inputs.items() if default is REQUIRED)
