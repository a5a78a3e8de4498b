"""Types and signatures as the engine knows them, and how the engine spells a type."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from .wire import KEYS


@dataclass(frozen=True)
class Choice:
    """The values of a Literal that are of one kind. The engine knows the kind; this library holds to the values."""

    values: tuple[Any, ...]

    def __str__(self) -> str:
        return f"Literal[{', '.join(map(repr, self.values))}]"


@dataclass(frozen=True)
class Type:
    """A type that can cross the boundary of a task.

    ``kind`` is one of int float str bool bytes datetime timedelta date time
    Decimal UUID None File Dir DataFrame list set dict tuple Union Any, and
    ``...`` as the last of two arguments of a tuple. A list and a set have one
    argument, a dict two, the first being str, int, bool or date.
    ``python`` is the class that a value becomes in Python where the kind alone
    does not say it: set or frozenset, an Enum, the class of a data frame; or
    the Choice that a Literal is.
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
        return parse(text)


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
    """The typed inputs and outputs of a task, in order, and whether orchestrators await calls of it."""

    inputs: tuple[Param, ...] = ()
    outputs: tuple[Param, ...] = ()
    is_async: bool = False


_SCALARS = frozenset((
    "int", "float", "str", "bool", "bytes", "datetime", "timedelta", "date", "time", "Decimal", "UUID", "None",
    "File", "Dir", "DataFrame", "Any",
))  # fmt: skip
_TOKEN = re.compile(r"[A-Za-z]+|\.\.\.|\(\)|\S")
_ELLIPSIS = Type("...")
_MAX_DEPTH = 40  # the engine has at most 32


def parse(text: str) -> Type:
    """Reads the canonical spelling of a type. ValueError if text is none."""
    parser = _Parser(text)
    made = parser.take(0)
    if parser.tokens:
        raise parser.wrong()
    return made


class _Parser:
    """Takes types off the front of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.tokens: list[str] = _TOKEN.findall(text)[::-1]  # the next one is the last

    def wrong(self) -> ValueError:
        """Returns the error for the place where the parser is."""
        shown = repr(self._text[:200])
        return ValueError(f"{shown} is no type: {self.tokens[-1]!r} is wrong" if self.tokens else f"{shown} is no type")

    def take(self, depth: int) -> Type:
        """Takes one type."""
        if not self.tokens or depth > _MAX_DEPTH:
            raise self.wrong()
        kind = self.tokens.pop()
        if not self._accept("["):
            return self._made(kind, None)
        if self._accept("()"):
            args: tuple[Type, ...] = ()
        else:
            args = self._args(depth + 1)
        if not self._accept("]"):
            raise self.wrong()
        return self._made(kind, args)

    def _args(self, depth: int) -> tuple[Type, ...]:
        args = [self.take(depth)]
        while self._accept(","):
            args.append(_ELLIPSIS if self._accept("...") else self.take(depth))
        return tuple(args)

    def _accept(self, token: str) -> bool:
        if self.tokens[-1:] != [token]:
            return False
        self.tokens.pop()
        return True

    def _made(self, kind: str, args: tuple[Type, ...] | None) -> Type:
        if args is None:
            if kind not in _SCALARS:
                raise self.wrong()
            return Type(kind)
        if kind == "tuple" and (_ELLIPSIS not in args or (len(args) == 2 and args[0] != _ELLIPSIS)):
            return Type(kind, args)
        one, two = len(args) == 1, len(args) == 2
        fits = {"list": one, "set": one, "dict": two, "Optional": one, "Union": len(args) > 1}
        if _ELLIPSIS in args or not fits.get(kind) or (kind == "dict" and args[0].kind not in KEYS):
            raise self.wrong()
        return Type("Union", (args[0], NONE)) if kind == "Optional" else Type(kind, args)
