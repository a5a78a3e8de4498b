"""What is evaluated: code with its tools and limits, as the evaluator reads it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .._orchestrators.text import source_of_string
from .._values.codec import dump, encode_fields
from .._values.json_text import quote
from .._values.signature_json import signature_json
from .._values.type_guards import is_mapping, is_sequence, is_tuple
from .._values.types import ANY, Param, Signature
from .scalars import text_of

if TYPE_CHECKING:
    from .._orchestrators.limits import SandboxedConfig
    from .tool import Tool

_OUTPUT = Param("o0", ANY)
_KEPT = 64
_SCALARS = (int, str, float, bool, type(None))


class Program:
    """Code, ready to be evaluated with inputs of these names."""

    def __init__(self, source: str, names: tuple[str, ...], tools: Sequence[Tool], config: SandboxedConfig) -> None:
        self.tools = {tool.name: tool for tool in tools}
        self._params = tuple(Param(name, ANY) for name in names)
        definition = {
            "name": "orchestrate-local",
            "kind": "orchestrator",
            "code": source_of_string(source),
            "signature": signature_json(Signature(self._params, (_OUTPUT,))),
            "orchestrator": {**config.definition(), "tools": [tool.definition() for tool in tools]},
        }
        self.definition = dump(definition).encode("utf-8", "surrogatepass")

    def inputs(self, values: Mapping[str, Any]) -> bytes:
        """Returns its inputs as JSON. BadValue names the one that is no value."""
        texts = [text_of(ANY, value) for value in values.values()]
        if None in texts:
            text = encode_fields(self._params, values)
        else:
            text = "{" + ",".join(f"{quote(name)}:{text}" for name, text in zip(values, texts)) + "}"
        return text.encode("utf-8", "surrogatepass")


class _Programs:
    """The programs used last. They keep their tools alive, so that an id is that of one tool."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[Any, tuple[Any, Program | None]] = OrderedDict()

    def get(self, key: Any) -> tuple[Any, Program | None] | None:
        with self._lock:
            found = self._known.get(key)
            if found is not None:
                self._known.move_to_end(key)
            return found

    def keep(self, key: Any, tasks: Any, program: Program | None) -> None:
        with self._lock:
            self._known[key] = tasks, program
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)


_programs = _Programs()


def program_of(
    source: str,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None,
    config: SandboxedConfig,
) -> Program | None:
    """Returns what is evaluated, or None if that takes an engine, because there are files.

    Raises as ``orchestrator_from_str`` does.
    """
    if not isinstance(source, str):  # whoever makes a run of it says what was expected
        return None
    if not all(map(_fits, inputs.values())):
        return None
    given = _given(tasks)
    names = tuple(inputs)
    key = source, names, config, _identity(given)
    found = _programs.get(key) if given is not None or tasks is None else None
    if found is not None:
        return found[1]
    tools = _tools_of(tasks)
    program = Program(source, names, tools, config) if all(tool.fits for tool in tools) else None
    _programs.keep(key, given, program)
    return program


def _fits(value: object) -> bool:
    """Reports whether an input can cross without an engine, which keeps files."""
    if isinstance(value, _SCALARS):
        return True
    from .._orchestrators.inference import type_of_value  # lazy: most inputs are scalars

    return type_of_value(value) == ANY


def _tools_of(tasks: Sequence[Any] | Mapping[str, Any] | None) -> list[Tool]:
    if tasks is None or is_sequence(tasks) and not tasks:
        return []
    from .tool import tools_of  # lazy: code without tools needs none of it

    return tools_of(tasks)


def _given(tasks: object) -> tuple[Any, ...] | None:
    """Returns what was given as tasks; nothing of what cannot be."""
    if is_mapping(tasks):
        return tuple(tasks.items())
    return tuple(tasks) if is_sequence(tasks) else None


def _identity(given: tuple[Any, ...] | None) -> Any:
    return None if given is None else tuple((one[0], id(one[1])) if is_tuple(one) else id(one) for one in given)
