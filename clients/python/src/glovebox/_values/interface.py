"""Inputs and outputs of tasks, with the types as they were declared in Python."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .annotations import annotations_of

REQUIRED: Any = inspect.Parameter.empty


@dataclass(frozen=True)
class Interface:
    """What a task takes and gives.

    ``inputs`` has type and default of each input; the default of one that must
    be given is ``inspect.Parameter.empty``. ``outputs`` has the types.
    """

    inputs: Mapping[str, tuple[Any, Any]]
    outputs: Mapping[str, Any]

    def required_inputs(self) -> list[str]:
        """Returns the names of the inputs that must be given."""
        return [name for name, (_, default) in self.inputs.items() if default is REQUIRED]


def interface_of(
    inputs: Mapping[str, Any], outputs: Mapping[str, Any], defaults: Mapping[str, Any] | None = None
) -> Interface:
    """Returns the interface of declared types."""
    known = defaults or {}
    return Interface({name: (declared, known.get(name, REQUIRED)) for name, declared in inputs.items()}, dict(outputs))


def interface_of_function(func: Callable[..., Any]) -> Interface:
    """Returns the interface that the annotations of a function give. Its output is ``o0``; without one it is Any."""
    inputs, output = annotations_of(func)
    defaults = {name: parameter.default for name, parameter in inspect.signature(func).parameters.items()}
    return interface_of(inputs, {} if output in (None, type(None)) else {"o0": output}, defaults)
