"""Types and signatures as the engine knows them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Type:
    """A type that can cross the boundary of a task.

    ``kind`` is one of int float str bool bytes datetime timedelta None File Dir
    DataFrame list dict tuple Union Any, and ``...`` as the last of two arguments
    of a tuple. A list has one argument, a dict two, the first being str.
    ``python`` is the class that a value becomes in Python where the kind alone
    does not say it: set or frozenset of a list, the class of a data frame.
    """

    kind: str
    args: tuple[Type, ...] = ()
    python: Any = field(default=None, compare=False)

    def __str__(self) -> str:
        """Returns the canonical spelling, that of the engine."""
        if self.kind == "Union" and len(self.args) == 2 and self.args[1].kind == "None":
            return f"Optional[{self.args[0]}]"
        if self.args:
            return f"{self.kind}[{', '.join(map(str, self.args))}]"
        return "tuple[()]" if self.kind == "tuple" else self.kind

    @classmethod
    def parse(cls, text: str) -> Type:
        """Reads the canonical spelling. ValueError if it is none."""
        words = re.findall(r"[A-Za-z]+|\.\.\.|[\[\],()]|\S", text)
        parsed = cls._read(words)
        if words:
            raise ValueError(f"{text!r} is no type: {words[0]!r} is too much")
        return parsed

    @classmethod
    def _read(cls, words: list[str]) -> Type:
        if not words or words[0] not in _KINDS:
            raise ValueError(f"{words[0] if words else ''!r} is no type")
        kind, args = words.pop(0), list[Type]()
        if words[:1] != ["["]:
            return cls(kind)
        while words[:1] in (["["], [","]):
            words.pop(0)
            if words[:2] == ["(", ")"]:
                del words[:2]
            else:
                args.append(cls._read(words))
        if words[:1] != ["]"]:
            raise ValueError(f"the arguments of {kind} do not end")
        words.pop(0)
        return cls("Union", (args[0], NONE)) if kind == "Optional" else cls(kind, tuple(args))


_KINDS = frozenset((
    "int", "float", "str", "bool", "bytes", "datetime", "timedelta", "None", "File", "Dir", "DataFrame",
    "list", "dict", "tuple", "Union", "Optional", "Any", "...",
))  # fmt: skip

ANY = Type("Any")
NONE = Type("None")


@dataclass(frozen=True)
class Param:
    """One input or output. ``default`` is the JSON text of its value, if it has one."""

    name: str
    type: Type
    default: str | None = None


@dataclass(frozen=True)
class Signature:
    """The typed inputs and outputs of a task, in order."""

    inputs: tuple[Param, ...] = ()
    outputs: tuple[Param, ...] = ()
