"""Random types and values of them, the same for the same seed."""

from __future__ import annotations

import datetime
import decimal
import math
import random
import struct
import typing
import uuid
from typing import Any

from glovebox._values.annotations import type_of
from glovebox._values.types import Type
from glovebox.errors import UnsupportedType

SCALARS: list[Any] = [
    int, float, str, bool, bytes, datetime.datetime, datetime.timedelta, datetime.date, datetime.time, decimal.Decimal,
    uuid.UUID, None, Any,
]  # fmt: skip
WORDS = [
    "", "a", "$float", "$dict", "$str", "x y", '"\\\n\t\r\x00\x7f', "é", "🙂", "\ud800", "\udfff", "\udc00\ud800",
    "\u2028", "'", "null", "-P1D", "ÿ" * 40,
]  # fmt: skip
FLOATS = [
    math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, 1e16, 1e22, 1.7976931348623157e308, 5e-324, 0.1, -2.5, 2.0**53,
]  # fmt: skip


class Generator:
    """Makes annotations and values that fit them exactly."""

    def __init__(self, seed: int, *, plain: bool = False) -> None:
        self._random = random.Random(seed)
        self._plain = plain  # under Any, only what a program gives away as it is

    def annotation(self) -> Any:
        """Returns an annotation that ``type_of`` takes."""
        while True:
            made = self._annotation(3)
            try:
                type_of(made)
            except UnsupportedType:  # a union that is ambiguous, or a set of what has no hash
                continue
            return made

    def _annotation(self, depth: int) -> Any:
        r = self._random
        if depth == 0 or r.random() < 0.25:
            return r.choice(SCALARS)
        inner = [self._annotation(depth - 1) for _ in range(r.randint(2, 3))]
        return r.choice([
            lambda: list[inner[0]],
            lambda: dict[r.choice([str, str, int, bool, datetime.date]), inner[0]],
            lambda: tuple[tuple(inner)],
            lambda: tuple[inner[0], ...],
            lambda: tuple[()],
            lambda: set[inner[0]],
            lambda: frozenset[inner[0]],
            lambda: typing.Optional[inner[0]],
            lambda: typing.Union[tuple(inner)],
        ])()  # fmt: skip

    def value(self, t: Type, depth: int = 0) -> Any:
        """Returns a value of t."""
        r = self._random
        if t.kind == "Union":
            return self.value(r.choice(t.args), depth)
        if t.kind == "Any":
            return self._any(depth)
        if t.kind in ("list", "set"):
            items = [self.value(t.args[0], depth + 1) for _ in range(r.randint(0, 3))]
            return _set(t.python or set, items) if t.kind == "set" else items
        if t.kind == "dict":
            key = self._key if t.args[0].kind == "str" else lambda: self.value(t.args[0])
            return {key(): self.value(t.args[1], depth + 1) for _ in range(r.randint(0, 3))}
        if t.kind == "tuple" and len(t.args) == 2 and t.args[1].kind == "...":
            return tuple(self.value(t.args[0], depth + 1) for _ in range(r.randint(0, 3)))
        if t.kind == "tuple":
            return tuple(self.value(arg, depth + 1) for arg in t.args)
        return getattr(self, f"_{t.kind.lower()}")()

    def _any(self, depth: int) -> Any:
        r = self._random
        shapes = ["None", "bool", "int", "float", "str", "bytes", "datetime", "timedelta"]
        if not self._plain:
            shapes += ["date", "time", "Decimal", "UUID"]
        if depth < 4:
            shapes += ["list", "tuple", "dict", "list" if self._plain else "set"] * 2
        shape = r.choice(shapes)
        args = {
            "list": (Type("Any"),), "tuple": (Type("Any"), Type("...")), "set": (Type("Any"),),
            "dict": (Type("str" if self._plain else r.choice(["str", "str", "int", "bool", "date"])), Type("Any")),
        }.get(shape, ())  # fmt: skip
        return self.value(Type(shape, args), depth + 1)

    def _none(self) -> None:
        return None

    def _bool(self) -> bool:
        return self._random.random() < 0.5

    def _int(self) -> int:
        r = self._random
        bits = r.choice([1, 8, 31, 52, 53, 54, 63, 64, 65, 500, 2500, 15_000])
        return r.choice([-1, 1]) * (r.getrandbits(bits) | r.choice([0, 1 << (bits - 1)]))

    def _float(self) -> float:
        r = self._random
        if r.random() < 0.5:
            return r.choice(FLOATS)
        bits: float = struct.unpack("<d", r.getrandbits(64).to_bytes(8, "little"))[0]
        return bits

    def _str(self) -> str:
        return "".join(self._random.choice(WORDS) for _ in range(self._random.randint(0, 4)))

    def _key(self) -> str:
        while True:
            key = self._str()
            if not any("\ud800" <= a < "\udc00" <= b < "\ue000" for a, b in zip(key, key[1:])):
                return key

    def _bytes(self) -> bytes:
        return self._random.getrandbits(400).to_bytes(50, "big")[: self._random.randint(0, 50)]

    def _datetime(self) -> datetime.datetime:
        r = self._random
        clock = r.choice([
            datetime.datetime.min, datetime.datetime.max, datetime.datetime(2024, 2, 29, 12, 30),
            datetime.datetime(r.randint(1, 9999), r.randint(1, 12), r.randint(1, 28), r.randint(0, 23), r.randint(0, 59),
                              r.randint(0, 59), r.choice([0, 1, 999_999, 500_000])),
        ])  # fmt: skip
        if r.random() < 0.4:
            return clock
        limit = 86_399_999_999
        offset = r.choice([0, limit, -limit, 1, -1, 3_600_000_000, -12_600_000_000, r.randint(-limit, limit)])
        return clock.replace(tzinfo=datetime.timezone(datetime.timedelta(microseconds=offset)))

    def _date(self) -> datetime.date:
        return self._datetime().date()

    def _time(self) -> datetime.time:
        return self._datetime().timetz()

    def _decimal(self) -> decimal.Decimal:
        r = self._random
        special = ["NaN", "-sNaN12", "Infinity", "-Infinity", "0E+7", "-0.00", "1E-7", "1.50", "0.000001"]
        number = f"{r.getrandbits(r.choice([1, 30, 300]))}E{r.randint(-400, 400)}"
        return decimal.Decimal(r.choice([*special, number, number]))

    def _uuid(self) -> uuid.UUID:
        return uuid.UUID(int=self._random.getrandbits(128))

    def _timedelta(self) -> datetime.timedelta:
        r = self._random
        return r.choice([
            datetime.timedelta.min, datetime.timedelta.max, datetime.timedelta(), datetime.timedelta(microseconds=-1),
            datetime.timedelta(days=-1), datetime.timedelta(seconds=90),
            datetime.timedelta(r.randint(-999_999, 999_999), r.randint(0, 86_399), r.randint(0, 999_999)),
        ])  # fmt: skip


def _set(made: Any, items: list[Any]) -> Any:
    try:
        return made(frozenset(item) if type(item) is set else item for item in items)
    except TypeError:  # Any may be something without a hash
        return made()


def same(a: Any, b: Any) -> bool:
    """Reports whether two values are the same to the last bit."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return struct.pack("<d", a) == struct.pack("<d", b) or (math.isnan(a) and math.isnan(b))
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(map(same, a.values(), b.values()))
    if isinstance(a, (set, frozenset)):
        return len(a) == len(b) and all(any(same(x, y) for y in b) for x in a)
    if isinstance(a, (datetime.datetime, datetime.time)):
        return a.isoformat() == b.isoformat()
    if isinstance(a, decimal.Decimal):
        return a.as_tuple() == b.as_tuple()
    return bool(a == b)
