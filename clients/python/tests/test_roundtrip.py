"""Values from Python to the engine, which is Go, and back."""

from __future__ import annotations

import contextlib
import datetime
import decimal
import hashlib
import http.client
import math
import os
import socket
import subprocess
import tempfile
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Optional, Union

import pytest

from glovebox import io
from glovebox._values.annotations import type_of
from glovebox._values.codec import BadValue, decode, dump, encode, loads
from glovebox._values.types import Type
from value_generator import Generator, same

PROGRAM = Path(os.environ.get("GLOVEBOX_PROGRAM") or Path(__file__).parents[3] / "bin" / "glovebox")


class _Connection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=300)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(60)
        self.sock.connect(self._path)


class Peer:
    """The real program, with one task: the identity of a declared type."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection

    def ask(self, method: str, path: str, body: bytes = b"") -> Any:
        self._connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        return loads(answer.read())

    def submit(self, t: Type, text: str) -> Any:
        """Runs the identity on a value given as JSON, and returns the run, or the problem."""
        signature = dump({"inputs": [{"name": "x", "type": str(t)}], "outputs": [{"name": "o0", "type": str(t)}]})
        task = f'{{"name":"same","kind":"orchestrator","code":"x","signature":{signature},"orchestrator":{{}}}}'
        return self.ask("POST", "/v1/runs", f'{{"task":{task},"inputs":{{"x":{text}}}}}'.encode())

    def echo(self, t: Type, text: str) -> Any:
        """Returns the value as it comes back, decoded."""
        run = self.submit(t, text)
        assert "id" in run, f"{t}: {text[:200]}: {run}"
        result = self.ask("GET", f"/v1/runs/{run['id']}/result?wait=30s")
        assert result["run"]["status"] == "succeeded", f"{t}: {text[:200]}: {result['run'].get('error')}"
        given = self.ask("GET", f"/v1/runs/{run['id']}/inputs")
        back = [decode(t, node, "x") for node in (given["x"], result["outputs"][0]["value"])]
        assert same(*back)
        return back[0]

    def refuses(self, t: Type, text: str) -> bool:
        return self.submit(t, text).get("code") in ("invalid_input", "request_invalid")


@pytest.fixture(scope="module")
def peer() -> Iterator[Peer]:
    with tempfile.TemporaryDirectory(prefix="gb") as directory:
        address = f"{directory}/s"
        environment = {**os.environ, "GLOVEBOX_HOME": f"{directory}/home"}
        environment.pop("GLOVEBOX_URL", None)
        with subprocess.Popen(
            [PROGRAM, "serve", "--listen", f"unix:{address}"], env=environment, stderr=subprocess.PIPE, text=True
        ) as server:
            try:
                assert server.stderr is not None
                for line in server.stderr:
                    if "listening on" in line:
                        break
                threading.Thread(target=server.stderr.read, daemon=True).start()  # its log must not fill the pipe
                with contextlib.closing(_Connection(address)) as connection:
                    yield Peer(connection)
            finally:
                server.terminate()
                server.wait(timeout=300)


def both_ways(peer: Peer, annotation: Any, value: Any) -> None:
    t = type_of(annotation)
    text = encode(t, value, "x")
    back = peer.echo(t, text)
    assert same(back, value), f"{t}: {text[:300]} came back as another"


@pytest.mark.parametrize("seed", range(8))
def test_random_values_survive(peer: Peer, seed: int) -> None:
    generator = Generator(seed, plain=True)  # what a program gives away under Any is plain
    for _ in range(50):
        annotation = generator.annotation()
        both_ways(peer, annotation, generator.value(type_of(annotation)))


CORNERS: dict[str, tuple[Any, Any]] = {
    "nan": (float, math.nan), "infinity": (float, math.inf), "minus infinity": (float, -math.inf),
    "minus zero": (float, -0.0), "smallest float": (float, 5e-324), "largest float": (float, 1.7976931348623157e308),
    "nan in Any": (Any, math.nan), "minus zero in Any": (Any, -0.0), "float without a fraction": (Any, 1e16),
    "int of 64 bits": (int, 2**63), "least int of 64 bits": (int, -(2**63)), "10**400": (int, 10**400),
    "10**10000": (int, 10**10_000), "-10**10000 in Any": (Any, [-(10**10_000)]), "longest int": (int, 2**332_192 - 1),
    "least int": (int, 1 - 2**332_192), "lone high surrogate": (str, "\ud800"), "lone low surrogate": (str, "\udfff"),
    "two surrogates": (str, "a\ud800\udc00b"), "two surrogates in Any": (Any, ["\ud83d\ude42"]),
    "surrogate in a key": (dict[str, int], {"\udc00": 1}), "NUL": (str, "\x00"), "line separators": (str, "\u2028\u2029"),
    "tag as a key": (Any, {"$float": "NaN"}), "tag as a later key": (Any, {"a": 1, "$float": 2}),
    "tag as a key of a dict": (dict[str, int], {"$int": 1, "$tuple": 2}), "keys in order": (Any, {"b": 1, "a": 2, "": 3}),
    "True is no 1": (list[Union[int, bool]], [True, 1, False, 0]), "1.0 is no 1": (Any, [1, 1.0, True]),
    "float or int": (Union[float, int], 3), "int or float": (Union[int, float], 3.0),
    "list or tuple": (Union[list[int], tuple[int, ...]], (1, 2)), "None": (None, None), "empty tuple": (tuple[()], ()),
    "least datetime": (datetime.datetime, datetime.datetime.min), "greatest datetime": (datetime.datetime, datetime.datetime.max),
    "offset below a second": (
        datetime.datetime,
        datetime.datetime(2024, 1, 2, tzinfo=datetime.timezone(-datetime.timedelta(microseconds=1))),
    ),
    "least timedelta": (datetime.timedelta, datetime.timedelta.min), "greatest timedelta": (datetime.timedelta, datetime.timedelta.max),
    "negative timedelta": (Any, datetime.timedelta(microseconds=-1)), "no bytes": (bytes, b""), "bytes": (Any, bytes(range(256))),
    "set": (set[int], {3, 1, 2}), "set in a union": (Optional[frozenset[str]], frozenset({"b", "a"})),
    "set of sets": (set[frozenset[int]], {frozenset({1}), frozenset()}), "set or list": (Union[set[int], list[int]], {1}),
    "least date": (datetime.date, datetime.date.min), "greatest date": (datetime.date, datetime.date.max), "time": (datetime.time, datetime.time.max),
    "time with an offset": (datetime.time, datetime.time(1, tzinfo=datetime.timezone(-datetime.timedelta(microseconds=1)))),
    "Decimal": (decimal.Decimal, decimal.Decimal("-1.500E+999999")), "Decimal NaN": (decimal.Decimal, decimal.Decimal("-sNaN12")),
    "digits of a Decimal": (list[decimal.Decimal], [decimal.Decimal("1.5"), decimal.Decimal("1.50"), decimal.Decimal("0E-7")]),
    "UUID": (uuid.UUID, uuid.UUID(int=2**128 - 1)), "date or str": (list[Union[datetime.date, str]], [datetime.date(2024, 1, 1), "2024-01-01"]),
    "int keys": (dict[int, int], {10**30: 1, -1: 2, 0: 3}), "bool keys": (dict[bool, int], {True: 1, False: 0}),
    "date keys": (dict[datetime.date, set[datetime.date]], {datetime.date(2024, 2, 29): {datetime.date.min}}),
    "dict or dict": (Union[dict[int, int], dict[str, int]], {"1": 2}),
    "200 lists": (Any, eval("[" * 80 + "]" * 80)), "nothing in a dict": (dict[str, Any], {}),
}  # fmt: skip


@pytest.mark.parametrize("name", CORNERS)
def test_corner_survives(peer: Peer, name: str) -> None:
    both_ways(peer, *CORNERS[name])


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth - 1):
        value = [value]
    return value


def test_depth_is_the_same_on_both_sides(peer: Peer) -> None:
    t = type_of(Any)
    both_ways(peer, Any, nested(200))
    with pytest.raises(BadValue, match="nested containers"):
        encode(t, nested(201))
    assert peer.refuses(t, "[" * 201 + "]" * 201)


# What a type does not take, as a value of Python and as the JSON that it would be.
BAD: list[tuple[Any, Any, str]] = [
    (int, True, "true"), (int, 1.0, "1.0"), (int, "1", '"1"'), (int, None, "null"), (bool, 1, "1"), (float, True, "true"),
    (float, 2**53 + 1, str(2**53 + 1)), (float, 10**400, "1" + "0" * 400), (str, 1, "1"), (str, b"a", "[97]"),
    (None, 0, "0"), (None, False, "false"), (datetime.datetime, "now", '"now"'), (datetime.timedelta, 1, "1"),
    (list[int], [1, "a"], '[1,"a"]'), (list[int], {"a": 1}, '{"a":1}'), (dict[str, int], [1], "[1]"),
    (dict[str, int], {"a": None}, '{"a":null}'), (tuple[int, str], (1,), "[1]"), (tuple[int, str], (1, "a", 2), '[1,"a",2]'),
    (tuple[()], (1,), "[1]"), (Optional[int], "a", '"a"'), (Union[int, str], 1.5, "1.5"), (Union[int, str], [], "[]"),
    (list[Optional[bool]], [0], "[0]"), (int, 2**332_192 + 1, "1" + "0" * 100_000),
    (datetime.date, datetime.datetime(2024, 1, 1), '"2024-01-01T00:00:00"'), (datetime.date, "2024-02-30", '"2024-02-30"'),
    (datetime.time, 1, '"25:00:00"'), (decimal.Decimal, 1.5, '"1.5.5"'), (uuid.UUID, "1", '"1"'), (set[int], ["a"], '["a"]'), (set[Any], [[1]], "[[1]]"),
    (dict[int, int], {"a": 1}, '{"a":1}'), (dict[bool, int], {1: 1}, '{"1":1}'), (dict[datetime.date, int], {1: 1}, '{"1":1}'),
    (dict[str, int], {"\ud800\udc00": 1}, '{"a":{"$str":"7aCA7bCA"}}'),
]  # fmt: skip


@pytest.mark.parametrize("annotation, value, text", BAD, ids=[f"{type_of(a)}-{t[:20]}" for a, _, t in BAD])
def test_what_does_not_fit_is_refused_by_both(peer: Peer, annotation: Any, value: Any, text: str) -> None:
    t = type_of(annotation)
    with pytest.raises(BadValue) as caught:
        encode(t, value, "x")
    assert caught.value.where.startswith("x")
    assert peer.refuses(t, text)
    with pytest.raises(BadValue):
        decode(t, loads(text), "x")


# JSON that nothing writes.
BAD_JSON: list[tuple[Any, str]] = [
    (Any, '{"$float":1,"a":2}'), (Any, '{"$bytes":"?"}'), (Any, '{"$tuple":{}}'), (Any, '{"$dict":[]}'),
    (Any, '{"$datetime":"2024-13-01T00:00:00"}'), (Any, '{"$timedelta":"P1Y"}'), (Any, '{"$date":"2024-13-01"}'), (Any, '{"$set":[{}]}'), (Any, '{"$dict[int]":{"x":1}}'), (Any, '{"$str":"/w=="}'),
    (bytes, '"YQ"'), (bytes, '"YR=="'), (float, '"nan"'), (float, '"inf"'), (float, "1e999"), (Any, "01"), (Any, "NaN"), (Any, "[1,]"),
    (Any, '{"a":1,"a":2}'), (datetime.datetime, '"2024-02-30T00:00:00"'), (datetime.datetime, '"2024-01-01T00:00:00+24:00"'),
    (datetime.datetime, '"0000-01-01T00:00:00"'), (datetime.timedelta, '"P"'), (datetime.timedelta, '"P1000000000D"'),
    (datetime.timedelta, '"-P999999999DT1S"'), (Any, '"\t"'), (Any, '"\\x"'), (io.File, '{"size":1}'), (io.File, '{"path":"a","files":1}'),
    (io.File, '{"path":"a","size":-1}'), (io.File, '{"path":"a","size":1.5}'), (io.Dir, '{"path":""}'), (io.DataFrame, "[]"),
]  # fmt: skip


@pytest.mark.parametrize("annotation, text", BAD_JSON)
def test_json_that_nothing_writes_is_refused_by_both(peer: Peer, annotation: Any, text: str) -> None:
    t = type_of(annotation)
    assert peer.refuses(t, text)
    with pytest.raises(ValueError):
        decode(t, loads(text), "x")


def test_handles_survive(peer: Peer) -> None:
    blob = peer.ask("POST", "/v1/blobs", b"some bytes")
    assert blob["digest"] == hashlib.sha256(b"some bytes").hexdigest()
    node = {"path": "a b.txt", "size": 10, "sha256": blob["digest"]}
    for annotation, value in [
        (io.File, decode(Type("File"), node)),
        (io.DataFrame, decode(Type("DataFrame"), {**node, "format": "csv"})),
        (list[Optional[io.File]], [decode(Type("File"), node), None]),
    ]:
        t = type_of(annotation)
        text = encode(t, value, "x")
        back = peer.echo(t, text)
        assert loads(encode(t, back, "x")) == loads(text)
