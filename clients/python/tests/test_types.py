"""Annotations and signatures."""

from __future__ import annotations

import collections.abc
import copy
import dataclasses
import datetime
import decimal
import enum
import os
import pickle
import subprocess
import sys
import types
import typing
import uuid
from pathlib import Path
from typing import Annotated, Any, Dict, FrozenSet, List, Literal, NewType, Optional, Set, Tuple, Union

import pytest

from glovebox import errors, io
from glovebox._values.annotations import signature_of, type_of
from glovebox._values.types import Param, Type

UserId = NewType("UserId", int)
Alias = List[Optional[UserId]]


class Custom:
    pass


@dataclasses.dataclass
class Record:
    x: int


class Color(enum.Enum):
    RED = 1


class Mixed(enum.Enum):
    ONE = 1
    TWO = "two"


class Point(typing.NamedTuple):
    x: int


class Options(typing.TypedDict):
    x: int


SPELLINGS: list[tuple[Any, str]] = [
    (int, "int"), (float, "float"), (str, "str"), (bool, "bool"), (bytes, "bytes"), (None, "None"), (type(None), "None"),
    (datetime.datetime, "datetime"), (datetime.timedelta, "timedelta"), (Any, "Any"),
    (io.File, "File"), (io.Dir, "Dir"), (io.DataFrame, "DataFrame"), (io.File[str], "File"), (list[io.Dir], "list[Dir]"),
    (list, "list[Any]"), (dict, "dict[str, Any]"), (tuple, "tuple[Any, ...]"), (set, "set[Any]"), (frozenset, "set[Any]"),
    (List, "list[Any]"), (Dict, "dict[str, Any]"), (Tuple, "tuple[Any, ...]"), (Set, "set[Any]"), (FrozenSet, "set[Any]"),
    (list[int], "list[int]"), (List[int], "list[int]"), (Dict[str, int], "dict[str, int]"), (Set[int], "set[int]"),
    (tuple[int, str], "tuple[int, str]"), (Tuple[int, ...], "tuple[int, ...]"), (tuple[()], "tuple[()]"), (Tuple[()], "tuple[()]"),
    (Optional[int], "Optional[int]"), (int | None, "Optional[int]"), (None | int, "Optional[int]"), (Union[None, int], "Optional[int]"),
    (Union[int, str], "Union[int, str]"), (int | str | None, "Union[int, str, None]"), (Optional[int | str], "Union[int, str, None]"),
    (Union[int, None, str], "Union[int, str, None]"), (list[int | None], "list[Optional[int]]"),
    (dict[str, list[tuple[int, ...]]], "dict[str, list[tuple[int, ...]]]"), (UserId, "int"), (Alias, "list[Optional[int]]"),
    (Annotated[int, "doc"], "int"), (list[Annotated[int, []]], "list[int]"), (Literal["a", "b"], "str"),
    (Literal["a", 1, None], "Union[str, int, None]"), (Optional[Any], "Optional[Any]"), (frozenset[tuple[int, str]], "set[tuple[int, str]]"),
    (datetime.date, "date"), (datetime.time, "time"), (decimal.Decimal, "Decimal"), (uuid.UUID, "UUID"), (Color, "int"), (Optional[Color], "Optional[int]"),
    (dict[int, str], "dict[int, str]"), (dict[datetime.date, dict[bool, int]], "dict[date, dict[bool, int]]"), (dict[Color, str], "dict[int, str]"),
    (set[frozenset[int]], "set[set[int]]"), (Union[set[int], list[int]], "Union[set[int], list[int]]"), (set[io.File], "list[File]"),
]  # fmt: skip


@pytest.mark.parametrize("annotation, spelling", SPELLINGS)
def test_spelling(annotation: Any, spelling: str) -> None:
    assert str(type_of(annotation)) == spelling
    assert Type.parse(spelling) == type_of(annotation)


@pytest.mark.parametrize("annotation", [set[int], Set[int], Optional[set[int]], dict[str, set[int]]])
def test_sets_know_their_class(annotation: Any) -> None:
    found = type_of(annotation)
    while found.args and found.python is None:
        found = next(arg for arg in found.args if arg.args)
    assert found.python is set
    assert type_of(frozenset[int]).python is frozenset


REFUSED: list[tuple[Any, str]] = [
    (Custom, ""), (Record, ""), (Mixed, "of more than one type"), (Point, ""), (Options, ""), (list[Custom], ""), (Optional[Record], ""),
    (dict[float, str], "the keys of a dict must be str, int, bool or date, got float"), (dict[Any, str], "int, bool or date, got Any"),
    (typing.TypeVar("T"), ""), (object, "Any says"), (complex, "tuple[float, float]"),
    (bytearray, "use bytes"), (type, ""), (type[int], ""), (typing.Callable[[], int], ""), (typing.Sequence[int], "use list"),
    (collections.abc.Mapping[str, int], "use dict"), (5, ""), ("int", "could not be resolved"), ([int], ""),
    (list["Nothing"], "could not be resolved"),  # type: ignore[name-defined]  # noqa: F821
    (Literal[Color.RED], "no plain value"), (set[list[int]], "cannot be in a set"), (frozenset[tuple[dict[str, int]]], "cannot be in a set"),
    (Union[set[io.File], list[io.File]], "does not say which of two members"), (Union[set[int], frozenset[str]], "does not say which of two members"),
    (Union[Any, frozenset[int]], "does not say which of two members"), (Union[Color, int], "does not say which of two members"), (typing.Iterator[int], "use list"), (types.ModuleType, ""),
]  # fmt: skip


@pytest.mark.parametrize("annotation, reason", REFUSED)
def test_refused(annotation: Any, reason: str) -> None:
    with pytest.raises(TypeError) as caught:
        type_of(annotation, "input 'x'")
    error = caught.value
    assert isinstance(error, errors.UnsupportedType)
    assert str(error).startswith(f"input 'x' has unsupported type {annotation!r}")
    assert "Supported types: primitives (int, float, str, bool, bytes, " in str(error)
    assert reason in error.reason
    assert error.annotation is annotation


def test_error_is_copied_and_pickled() -> None:
    with pytest.raises(errors.UnsupportedType) as caught:
        type_of(Custom, "input 'x'")
    for twin in (copy.copy(caught.value), pickle.loads(pickle.dumps(caught.value))):
        assert (type(twin), str(twin), twin.annotation) == (errors.UnsupportedType, str(caught.value), Custom)


@pytest.mark.parametrize("text", [
    "", "int]", "list", "list[]", "list[int,str]", "dict[float, int]", "dict[str]", "tuple[...]", "tuple[int, str, ...]", "tuple[int, ..., ...]",
    "Optional", "Optional[int, str]", "Union[int]", "Union[int, ...]", "list[...]", "foo", "int int", "list[int", "list[int,", "tuple[()", "tuple[()]]",
    "()", "...", "int[()]", "list[()]", "int!", "list[" * 9000, "list[" * 41 + "int" + "]" * 41,
], ids=range(28))  # fmt: skip
def test_text_that_spells_no_type(text: str) -> None:
    with pytest.raises(ValueError, match="is no type"):
        Type.parse(text)


def nested(depth: int) -> Any:
    annotation: Any = int
    for _ in range(depth):
        annotation = list[annotation]
    return annotation


def test_bounds_are_those_of_the_engine() -> None:
    type_of(nested(32))
    for annotation in (nested(33), nested(5000), tuple[(dict[str, int],) * 400]):  # type: ignore[misc]
        with pytest.raises(errors.UnsupportedType, match="deep|longer"):
            type_of(annotation)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type aliases are a statement since 3.12")
def test_type_statement() -> None:
    names: dict[str, Any] = {}
    exec("type Ints = list[int]\ntype Loop = list[Loop]\ntype Box[T] = list[T]", names)
    inner = names["Ints"]
    assert str(type_of(list[inner])) == "list[list[int]]"  # type: ignore[valid-type]
    for refused in (names["Loop"], names["Box"][int]):
        with pytest.raises(errors.UnsupportedType):
            type_of(refused)


@pytest.mark.parametrize("library, name", [("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "Table")])
def test_data_frames_of_libraries(monkeypatch: pytest.MonkeyPatch, library: str, name: str) -> None:
    module = types.ModuleType(library)
    frame = type(name, (), {})
    setattr(module, name, frame)
    monkeypatch.setitem(sys.modules, library, module)
    found = type_of(Optional[frame])
    assert (str(found), found.args[0].python) == ("Optional[DataFrame]", library)
    with pytest.raises(errors.UnsupportedType):
        type_of(type(name, (), {"__module__": library}))


def test_importing_imports_no_library() -> None:
    code = "import sys, glovebox._values.annotations, glovebox._values.codec; print({'pandas', 'polars', 'pyarrow', 'numpy'} & set(sys.modules))"
    environment = {**os.environ, "PYTHONPATH": str(Path(io.__file__).parents[2])}
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env=environment)
    assert (done.stdout, done.stderr) == ("set()\n", "")


class TestSignature:
    def test_inputs_and_output(self) -> None:
        def f(a: int, /, b: str = "x", *, c: float = 1, d: Optional[int] = None) -> list[int]:
            return []

        signature = signature_of(f)
        assert signature.inputs == (
            Param("a", Type("int")), Param("b", Type("str"), '"x"'), Param("c", Type("float"), "1.0"),
            Param("d", type_of(Optional[int]), "null"),
        )  # fmt: skip
        assert signature.outputs == (Param("o0", type_of(list[int])),)

    def test_without_annotations(self) -> None:
        def f(a, b=3):  # type: ignore[no-untyped-def]
            return a

        signature = signature_of(f)
        assert signature.inputs == (Param("a", Type("Any")), Param("b", Type("Any"), "3"))
        assert signature.outputs == (Param("o0", Type("Any")),)

    def test_none_is_no_output(self) -> None:
        def f() -> None: ...

        assert signature_of(f).outputs == ()

    def test_tuple_is_one_output(self) -> None:
        def f() -> tuple[int, str]:
            return 1, ""

        assert [str(param.type) for param in signature_of(f).outputs] == ["tuple[int, str]"]

    def test_default_none_makes_it_optional(self) -> None:
        def f(x: int = None, y=None) -> None: ...  # type: ignore[assignment,no-untyped-def]

        assert signature_of(f).inputs == (Param("x", type_of(Optional[int]), "null"), Param("y", Type("Any"), "null"))

    def test_local_names(self) -> None:
        Local = list[int]

        def f(x: Local, y: "dict[str, Local]") -> "Local | None":
            return None

        assert [str(param.type) for param in signature_of(f).inputs] == ["list[int]", "dict[str, list[int]]"]

    def test_async_functions_and_methods(self) -> None:
        class Some:
            async def f(self, x: int) -> str:
                return ""

        assert signature_of(Some().f).inputs == (Param("x", Type("int")),)

    def test_names_that_are_nowhere(self) -> None:
        def f(x: Nowhere) -> None: ...  # type: ignore[name-defined]  # noqa: F821

        with pytest.raises(
            errors.UnsupportedType, match="input 'x' has unsupported type 'Nowhere' .*name 'Nowhere' is not defined"
        ):
            signature_of(f)

    @pytest.mark.parametrize("annotation", ["int |", "lambda:", "1/0", "5"])
    def test_text_that_is_no_annotation(self, annotation: str) -> None:
        def f(x: int) -> None: ...

        f.__annotations__["x"] = annotation
        with pytest.raises(errors.UnsupportedType, match="input 'x'"):
            signature_of(f)

    def test_the_parameter_is_named(self) -> None:
        def f(good: int, bad: list[Custom]) -> None: ...
        def g() -> Custom:
            return Custom()

        with pytest.raises(TypeError, match=r"f: input 'bad' has unsupported type list\[.*Custom\]"):
            signature_of(f)
        with pytest.raises(
            TypeError,
            match=r"^Sandboxed task output 'o0' has unsupported type <class .*Custom'>\. Supported types: primitives",
        ):
            signature_of(g, "Sandboxed task")

    def test_variable_arguments(self) -> None:
        def f(*numbers: int) -> None: ...
        def g(**options: int) -> None: ...

        with pytest.raises(TypeError, match=r"\*numbers.*use a list or a dict"):
            signature_of(f)
        with pytest.raises(TypeError, match=r"\*\*options.*use a list or a dict"):
            signature_of(g)

    def test_default_that_does_not_fit(self) -> None:
        def f(x: list[int] = ["a"]) -> None: ...  # type: ignore[list-item]  # noqa: B006

        with pytest.raises(TypeError, match=r"default of input x\[0\]: expected int, got str 'a'"):
            signature_of(f)

    def test_functions_of_c(self) -> None:
        with pytest.raises(TypeError, match="no signature|unsupported"):
            signature_of(dict.update)


def test_what_is_refused_is_an_error_that_can_be_named() -> None:
    with pytest.raises(errors.UnsupportedType, match="input 'x'") as caught:
        type_of(object, "input 'x'")
    assert isinstance(caught.value, TypeError)
