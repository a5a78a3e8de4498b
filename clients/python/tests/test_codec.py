"""The encoding of values, where no engine is needed. test_roundtrip.py has the rest."""

from __future__ import annotations

import copy
import datetime
import decimal
import enum
import json
import math
import pickle
import sys
import threading
import types
import typing
import uuid
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional, Union

import pytest

from glovebox import io
from glovebox._values.annotations import type_of
from glovebox._values.codec import BadValue, decode, decode_fields, dump, encode, encode_fields, handle_of, loads
from glovebox._values.types import Param, Type
from value_generator import Generator, same

MINUS = datetime.timedelta(hours=-3, minutes=-30)


@dataclass
class Record:
    x: int


class Plain(enum.Enum):
    RED = 1


class Word(str, enum.Enum):
    A = "a"


TEXTS: list[tuple[Any, Any, str]] = [
    (None, None, "null"), (bool, True, "true"), (int, -5, "-5"), (float, 1.0, "1.0"), (float, 1, "1.0"), (float, 1e22, "1e+22"),
    (float, -0.0, "-0.0"), (float, math.nan, '"NaN"'), (float, -math.inf, '"-Infinity"'), (str, 'a"\n', '"a\\"\\n"'),
    (str, "é🙂", '"é🙂"'), (str, "\ud800", '"\\ud800"'), (str, "\ud800\udc00", '{"$str":"7aCA7bCA"}'), (bytes, b"a", '"YQ=="'),
    (datetime.datetime, datetime.datetime(2024, 1, 2), '"2024-01-02T00:00:00"'),
    (datetime.datetime, datetime.datetime(1, 1, 1, 0, 0, 0, 5, datetime.timezone(MINUS)), '"0001-01-01T00:00:00.000005-03:30"'),
    (datetime.timedelta, datetime.timedelta(seconds=-90), '"-PT90S"'), (datetime.timedelta, datetime.timedelta(1.5), '"P1DT43200S"'),
    (datetime.timedelta, datetime.timedelta(), '"PT0S"'), (datetime.timedelta, datetime.timedelta(-1, 0, 500_000), '"-PT86399.5S"'),
    (list[int], [], "[]"), (list[float], [1, 2.5], "[1.0,2.5]"), (dict[str, int], {"b": 1, "a": 2}, '{"b":1,"a":2}'),
    (tuple[int, str], (1, "a"), '[1,"a"]'), (tuple[int, ...], [1, 2], "[1,2]"), (tuple[()], (), "[]"),
    (set[int], {10, 9, 1}, "[1,10,9]"), (frozenset[str], frozenset(), "[]"), (set[int], frozenset({1}), "[1]"),
    (Optional[str], None, "null"), (Optional[bytes], b"a", '"YQ=="'), (Union[int, str], "a", '"a"'), (Union[bytes, str], b"a", '{"$bytes":"YQ=="}'),
    (Union[float, str], 1, "1.0"), (Union[float, int], 1, "1"), (Union[float, None, str], 2, "2.0"), (Union[tuple[int, ...], str], [1], '{"$tuple":[1]}'),
    (Any, None, "null"), (Any, 1.5, "1.5"), (Any, math.inf, '{"$float":"Infinity"}'), (Any, (1, b""), '{"$tuple":[1,{"$bytes":""}]}'),
    (Any, {"$float": 1}, '{"$dict":{"$float":1}}'), (Any, {"a": 1, "$float": 1}, '{"a":1,"$float":1}'), (Any, {}, "{}"),
    (datetime.date, datetime.date(2024, 2, 29), '"2024-02-29"'), (datetime.time, datetime.time(13, 5, tzinfo=datetime.timezone(MINUS)), '"13:05:00-03:30"'),
    (decimal.Decimal, decimal.Decimal("1.50"), '"1.50"'), (decimal.Decimal, 7, '"7"'), (uuid.UUID, uuid.UUID(int=255), '"00000000-0000-0000-0000-0000000000ff"'),
    (Plain, Plain.RED, "1"), (Optional[Word], Word.A, '"a"'), (dict[int, str], {2024: "a"}, '{"2024":"a"}'), (dict[bool, int], {True: 1}, '{"true":1}'),
    (dict[datetime.date, Plain], {datetime.date(2024, 2, 29): Plain.RED}, '{"2024-02-29":1}'), (set[frozenset[int]], {frozenset({2, 1})}, "[[1,2]]"),
    (Any, {1}, '{"$set":[1]}'), (Any, {2024: datetime.date(2024, 1, 2)}, '{"$dict[int]":{"2024":{"$date":"2024-01-02"}}}'),
    (Any, datetime.time(1), '{"$time":"01:00:00"}'), (Any, uuid.UUID(int=0), '{"$uuid":"00000000-0000-0000-0000-000000000000"}'),
    (Any, decimal.Decimal("NaN"), '{"$decimal":"NaN"}'), (Union[datetime.date, str], datetime.date(2024, 1, 2), '{"$date":"2024-01-02"}'),
    (Any, {True: 1}, '{"$dict[bool]":{"true":1}}'), (Any, datetime.timedelta(1), '{"$timedelta":"P1D"}'), (dict[str, Any], {"$float": 1}, '{"$float":1}'),
]  # fmt: skip


@pytest.mark.parametrize("annotation, value, text", TEXTS)
def test_text(annotation: Any, value: Any, text: str) -> None:
    assert encode(type_of(annotation), value) == text


@pytest.mark.parametrize("seed", range(20))
def test_random_values_come_back(seed: int) -> None:
    generator = Generator(1000 + seed)
    for _ in range(50):
        t = type_of(generator.annotation())
        value = generator.value(t)
        text = encode(t, value)
        assert same(decode(t, loads(text.encode())), value)


@pytest.mark.parametrize("annotation, text, value", [
    (Plain, "1", Plain.RED), (list[Word], '["a"]', [Word.A]), (Optional[Plain], "null", None), (dict[Word, Plain], '{"a":1}', {Word.A: Plain.RED}),
    (set[frozenset[int]], "[[1,2]]", {frozenset({1, 2})}), (frozenset[int], "[1,1]", frozenset({1})), (Any, '{"$set":[{"$set":[1]}]}', {frozenset({1})}),
])  # fmt: skip
def test_values_are_of_their_class_in_python(annotation: Any, text: str, value: Any) -> None:
    assert same(decode(type_of(annotation), loads(text)), value)


def test_what_is_no_member() -> None:
    with pytest.raises(
        BadValue, match=r"^x\[0\]: expected a value of Plain \(int 1\), got int 2$|^x: expected a value of Plain"
    ):
        decode(type_of(list[Plain]), [2], "x")


def test_equal_sets_have_equal_texts() -> None:
    one, other = {9, 16}, set(range(1000))  # a set keeps the size of its table, and the order follows from that
    for number in range(1000):
        if number not in one:
            other.discard(number)
    assert one == other and list(one) != list(other)
    t = type_of(set[int])
    assert encode(t, one) == encode(t, other)


class Number(int):
    def __str__(self) -> str:
        return "no number"

    __repr__ = __str__


class Level(enum.IntEnum):
    HIGH = 3


class Pair(NamedTuple):
    x: int
    y: int


class Index:
    def __index__(self) -> int:
        return 7


@pytest.mark.parametrize("annotation, value, text", [
    (int, Number(5), "5"), (int, Level.HIGH, "3"), (str, Word.A, '"a"'), (tuple[int, int], Pair(1, 2), "[1,2]"), (int, Index(), "7"),
    (dict[str, int], OrderedDict(a=1), '{"a":1}'), (Any, defaultdict(int, a=1), '{"a":1}'), (bytes, bytearray(b"a"), '"YQ=="'),
    (bytes, memoryview(b"a"), '"YQ=="'), (Any, Record(1), '{"x":1}'), (dict[str, int], Record(1), '{"x":1}'), (list[int], deque([1]), "[1]"), (int, Plain.RED, "1"),
])  # fmt: skip
def test_subclasses_are_their_base(annotation: Any, value: Any, text: str) -> None:
    assert encode(type_of(annotation), value) == text


def test_scalars_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    for annotation, value, text in [
        (int, numpy.int64(5), "5"), (int, numpy.uint64(2**64 - 1), str(2**64 - 1)), (float, numpy.float32(0.5), "0.5"),
        (float, numpy.float64(0.1), "0.1"), (bool, numpy.bool_(True), "true"), (str, numpy.str_("a"), '"a"'), (Any, numpy.int8(1), "1"),
        (datetime.datetime, numpy.datetime64("2024-01-02T00:00:00", "us"), '"2024-01-02T00:00:00"'),
    ]:  # fmt: skip
        assert encode(type_of(annotation), value) == text
    for value in (
        numpy.datetime64(1, "ns"),
        numpy.datetime64("2024-01-02"),
        numpy.array([1]),
        numpy.complex128(1),
        numpy.longdouble(1),
    ):
        with pytest.raises(BadValue):
            encode(Type("Any"), value)
    for annotation in (int, float):
        with pytest.raises(BadValue, match="got bool True"):
            encode(type_of(annotation), numpy.bool_(True))


def scalar_of_numpy(item: Any, kind: str) -> Any:
    generic = type("generic", (), {"__module__": "numpy"})
    made = type(
        "float64",
        (generic,),
        {"item": lambda self: item, "dtype": types.SimpleNamespace(kind=kind), "__module__": "numpy"},
    )
    return made()


def test_scalars_like_those_of_numpy() -> None:
    assert encode(Type("float"), scalar_of_numpy(0.5, "f")) == "0.5"
    with pytest.raises(BadValue, match="no type of Python's"):
        encode(Type("int"), scalar_of_numpy(5, "M"))  # nanoseconds since 1970, which are no int


class Stamp(datetime.datetime):
    nanosecond = 0


def test_times_of_pandas() -> None:
    stamp = Stamp(2024, 1, 2, 3, tzinfo=datetime.timezone.utc)
    assert encode(Type("datetime"), stamp) == '"2024-01-02T03:00:00+00:00"'
    stamp.nanosecond = 1
    with pytest.raises(BadValue, match="whole microseconds"):
        encode(Type("datetime"), stamp)

    class Nat(datetime.datetime):
        def __eq__(self, other: object) -> bool:
            return False

        def __ne__(self, other: object) -> bool:
            return True

    with pytest.raises(BadValue, match="got NaT"):
        encode(Type("datetime"), Nat(1, 1, 1))


@pytest.mark.parametrize("annotation, value, message", [
    (int, True, "x: expected int, got bool True"), (bool, 1, "x: expected bool, got int 1"), (int, 1.5, "x: expected int, got float 1.5"),
    (float, 2**53 + 1, "x: expected float, got int 9007199254740993, which is beyond 2^53, and no float is exactly that; "
     "use int, or round it with float(x) first"),
    (float, 10**400, "x: expected float, got int of 1329 bits, which is out of its range"),
    (str, b"a", "x: expected str, got bytes of length 1"), (int, "a" * 99, f"x: expected int, got str {'a' * 60!r}... (99 characters)"),
    (list[int], (1,), "x: expected list[int], got tuple of length 1"), (list[dict[str, int]], [{"a": 1}, {"b": "c"}], "x[1].b: expected int, got str 'c'"),
    (dict[str, int], {"a b": None}, "x['a b']: expected int, got None"), (dict[str, int], {1: 2}, "x: expected str as the key of a dict, got int 1"),
    (Any, {1: 2, "a": 3}, "x: expected str as the key of a dict, got int 1 (int, bool or date, if all keys are)"),
    (dict[int, int], {"1": 2}, "x: expected int as the key of a dict, got str '1'"), (tuple[int, int], (1,), "x: expected tuple[int, int], got tuple of length 1"),
    (set[int], [1], "x: expected set[int], got list of length 1"), (list[int], {1}, "x: expected list[int], got set of length 1 (use tuple(...) or list(...))"),
    (set[int], {"a"}, "x: expected int, got str 'a'"),
    (Union[int, str], 1.5, "x: expected Union[int, str], got float 1.5"), (Optional[int], "a", "x: expected int, got str 'a'"),
    (str, Record(1), "x: expected str, got dict of length 1"), (str, datetime.date(2024, 1, 2), "x: expected str, got date 2024-01-02"),
    (float, decimal.Decimal("1.5"), "x: expected float, got Decimal 1.5"), (decimal.Decimal, 1.5, "x: expected Decimal, got float 1.5"),
    (Any, object, "x: expected a value, got a value of type builtins.type"),
    (datetime.datetime, datetime.date(2024, 1, 1), "x: expected datetime, got date 2024-01-01"),
    (io.File, "a.txt", "x: expected File, got str 'a.txt'"),
    (dict[str, int], {"\ud800\udc00": 1}, "x: expected dict key in UTF-8, got '\\ud800\\udc00'"),
])  # fmt: skip
def test_what_does_not_fit(annotation: Any, value: Any, message: str) -> None:
    with pytest.raises(BadValue) as caught:
        encode(type_of(annotation), value, "x")
    assert str(caught.value) == message


def test_int_that_is_too_long() -> None:
    for t in (Type("int"), Type("Any"), type_of(Union[int, str])):
        with pytest.raises(BadValue, match="^x: expected int of at most 332192 bits, got int of 332193 bits$"):
            encode(t, 1 << 332_192, "x")
        with pytest.raises(BadValue, match="at most 332192 bits"):
            decode(t, 1 << 332_192, "x")


def test_error_is_copied_and_pickled() -> None:
    error = BadValue("x", "int", "str", "a hint").below("a.")
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (str(twin), twin.where, twin.expected, twin.got) == (
            "a.x: expected int, got str (a hint)",
            "a.x",
            "int",
            "str",
        )


def cyclic_list() -> Any:
    value: list[Any] = []
    value.append([value, value])
    return value


def cyclic_dict() -> Any:
    value: dict[str, Any] = {}
    value["a"] = (value,)
    return value


@pytest.mark.parametrize("make", [cyclic_list, cyclic_dict])
@pytest.mark.parametrize("annotation", [Any, Union[int, Any], Optional[list[Any]], Optional[dict[str, Any]]])
def test_cycles(make: Callable[[], Any], annotation: Any) -> None:
    with pytest.raises(BadValue) as caught:
        encode(type_of(annotation), make(), "x")
    assert caught.value.where.startswith("x")
    assert len(str(caught.value)) < 500


def test_shared_parts_are_bounded() -> None:
    value: Any = 1
    for _ in range(100):
        value = [value] * 2
    with pytest.raises(BadValue, match="at most 4194304 parts"):
        encode(Type("Any"), value)


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth - 1):
        value = {"a": value} if _ % 2 else (value,)
    return value


def below(frames: int, work: Callable[[], Any]) -> Any:
    return work() if frames == 0 else below(frames - 1, work)


def test_deep_values_need_no_stack_of_the_caller() -> None:
    value = nested(200)
    threads = threading.active_count()
    left = sys.getrecursionlimit() - 150
    frame, used = sys._getframe(), 0
    while frame.f_back is not None:
        frame, used = frame.f_back, used + 1
    text = below(left - used, lambda: encode(Type("Any"), value))
    assert text == encode(Type("Any"), value)
    assert below(left - used, lambda: decode(Type("Any"), below(0, lambda: loads(text)))) == value
    assert below(left - used, lambda: dump(nested(500))) == dump(nested(500))
    assert threading.active_count() == threads
    with pytest.raises(BadValue, match="nested containers"):
        encode(Type("Any"), nested(201))
    with pytest.raises(BadValue, match="nested containers"):
        decode(Type("Any"), loads("[" * 201 + "]" * 201))


NO_JSON = [
    "", "[1,]", "NaN", "[Infinity]", "-Infinity", "01", "1e999", '{"a":1,"a":2}', '"\n"', '"\\x"', "{'a':1}", "[1] 2", '"', '["\\', "1.", "tru",
    "[" * 513 + "]" * 513, '{"a":' * 513 + "1" + "}" * 513, "[" * 1_000_000, '["' + '\\"' * 1_000_000, "[" * 600 + '"]]]', "]" * 1000 + "[" * 1000,
]  # fmt: skip


class TestJson:
    @pytest.mark.parametrize(
        "base, exponent", [(0, 1), (-1, 1), (10, 400), (-10, 4301), (10, 10_000), (3, 50_000), (-2, 200_001)]
    )
    def test_ints_of_any_length(self, base: int, exponent: int) -> None:
        number = base**exponent
        before = sys.get_int_max_str_digits() if hasattr(sys, "get_int_max_str_digits") else 0
        text = dump({"n": [number]})
        assert loads(text) == {"n": [number]}
        if before:
            assert sys.get_int_max_str_digits() == before

    def test_digits_are_right(self) -> None:
        assert dump(10**700) == "1" + "0" * 700
        assert loads("-" + "123" * 300 + "4") == -sum(123 * 10 ** (3 * i + 1) for i in range(300)) - 4

    @pytest.mark.parametrize("text", NO_JSON, ids=range(len(NO_JSON)))
    def test_text_that_is_no_json(self, text: str) -> None:
        with pytest.raises(ValueError):
            loads(text)

    @pytest.mark.parametrize("data", [b'"\xff"', b"\xef\xbb\xbf1", b'"\xed\xa0\x80"'])
    def test_bytes_that_are_no_json(self, data: bytes) -> None:
        with pytest.raises(ValueError):
            loads(data)

    def test_key_that_comes_twice_is_named(self) -> None:
        members = ",".join(f'"{i}":1' for i in range(100_000))
        with pytest.raises(ValueError, match="every key once, got '99999' again"):
            loads("{" + members + ',"99999":1}')

    def test_brackets_in_strings_do_not_count(self) -> None:
        document = ["[{" * 2000, '\\"[' * 600, "]"]
        assert loads(json.dumps(document)) == document

    def test_documents(self) -> None:
        document = {"a": [None, True, False, 1, -0.5, "é\ud800\x7f"], "b": {}, "c": [], "d": (1,)}
        assert loads(dump(document)) == {**document, "d": [1]}
        assert json.loads(dump(document)) == {**document, "d": [1]}
        assert dump(types.MappingProxyType({"a": Level.HIGH})) == '{"a":3}'

    @pytest.mark.parametrize(
        "document", [math.nan, [math.inf], {1: 2}, b"", {"a": object()}, "\ud800\udc00", cyclic_list()]
    )
    def test_documents_that_json_has_no_form_for(self, document: Any) -> None:
        with pytest.raises((ValueError, TypeError)):
            dump(document)


class TestFields:
    params = (
        Param("number", Type("int")),
        Param("name", Type("str"), '"x"'),
        Param("flags", type_of(Optional[list[bool]])),
    )

    def test_defaults_are_filled_in(self) -> None:
        assert encode_fields(self.params, {"flags": None, "number": 1}) == '{"number":1,"name":"x","flags":null}'

    def test_read_by_name_and_in_order(self) -> None:
        want = {"number": 1, "name": "x", "flags": [True]}
        assert decode_fields(self.params, {"number": 1, "flags": [True]}) == want
        assert (
            decode_fields(self.params, [{"name": "flags", "type": "", "value": [True]}, {"name": "number", "value": 1}])
            == want
        )

    def test_missing(self) -> None:
        for work in (encode_fields, decode_fields):
            with pytest.raises(BadValue, match=r"^number: expected int, got nothing \(it is missing\)$"):
                work(self.params, {"flags": None})

    def test_unknown(self) -> None:
        for work in (encode_fields, decode_fields):
            with pytest.raises(
                BadValue,
                match=r"^nubmer: expected only declared names \(number, name, flags\), .*did you mean number\?",
            ):
                work(self.params, {"nubmer": 1})
        with pytest.raises(BadValue, match="declared names .none."):
            encode_fields((), {"x": 1})

    def test_the_field_is_named(self) -> None:
        with pytest.raises(BadValue, match=r"^flags\[0\]: expected bool, got int 1$"):
            encode_fields(self.params, {"number": 1, "flags": [1]})
        with pytest.raises(BadValue, match=r"^flags\[0\]: expected bool, got JSON 1$"):
            decode_fields(self.params, {"number": 1, "flags": [1]})

    def test_nothing(self) -> None:
        assert encode_fields((), {}) == "{}"
        assert decode_fields((), None) == {}

    @pytest.mark.parametrize("node", [1, "x", [1], [{}]])
    def test_nodes_that_are_no_fields(self, node: Any) -> None:
        with pytest.raises(BadValue):
            decode_fields(self.params, node)


@pytest.mark.parametrize("kind", ["File", "Dir", "DataFrame"])
def test_handles(kind: str) -> None:
    node = {"path": "a", "size": 3, "sha256": "0" * 64}
    handle = decode(Type(kind), node)
    assert type(handle) is getattr(io, kind)
    assert loads(encode(Type(kind), handle)) == node
    assert loads(encode(Type("Any"), [handle])) == [{f"${kind.lower()}": node}]
    with pytest.raises(BadValue, match=f"expected int, got {kind}"):
        encode(Type("int"), handle)


@pytest.mark.parametrize("node", [
    {}, {"path": ""}, {"path": 1}, {"path": "a", "size": True}, {"path": "a", "size": -1}, {"path": "a", "size": 2**63}, {"path": "a", "mode": 1},
    {"path": "a", "sha256": 5}, {"path": "\ud800\udc00"},
])  # fmt: skip
def test_handles_that_are_none(node: dict[str, Any]) -> None:
    with pytest.raises(BadValue):
        handle_of("File", node)


def test_item_of_a_set_without_a_hash() -> None:
    with pytest.raises(BadValue, match=r"^x: expected items of a set, got one that has no hash$"):
        decode(type_of(set[typing.Any]), [[1]], "x")
