"""Types and signatures as the engine knows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Type:
    """A type that can cross the boundary of a task.

    ``kind`` is one of int float str bool bytes datetime timedelta date time
    Decimal UUID None File Dir DataFrame list set dict tuple Union Any, and
    ``...`` as the last of two arguments of a tuple. A list and a set have one
    argument, a dict two, the first being str, int, bool or date.
    ``python`` is the class that a value becomes in Python where the kind alone
    does not say it: set or frozenset, an Enum, the class of a data frame.
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
        from ._spelling import parse

        return parse(text)


ANY = Type("Any")
NONE = Type("None")
KEYS = ("str", "int", "bool", "date")  # the kinds of the keys of a dict


@dataclass(frozen=True)
class Param:
    """One input or output. ``default`` is the JSON text of its value, if it has one."""

    name: str
    type: Type
    default: str | None = None


@dataclass(frozen=True)
class Signature:
    """The typed inputs and outputs of a task, in order, and whether orchestrators await calls of it."""

    inputs: tuple[Param, ...] = ()
    outputs: tuple[Param, ...] = ()
    is_async: bool = False
