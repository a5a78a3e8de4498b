from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from blob_store import BlobStore, fresh, use
from glovebox._process.loop import run_sync
from glovebox._values.types import Param, Type
from glovebox.io import Dir, File
from glovebox.io._stage import local_path, materialize, stage, stage_fields
from glovebox.io._transfer import AT_ONCE

FILE, STR, NONE = Type("File"), Type("str"), Type("None")


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> BlobStore:
    return fresh(monkeypatch)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "data.txt"
    path.write_text("text")
    return path


def fields(type: Type, value: Any) -> Any:
    return run_sync(stage_fields([Param("x", type)], {"x": value}))["x"]


SHAPES: list[tuple[Type, Any]] = [
    (FILE, "PATH"),
    (Type("Union", (FILE, NONE)), "PATH"),
    (Type("list", (FILE,)), ["PATH", "PATH"]),
    (Type("dict", (STR, FILE)), {"k": "PATH"}),
    (Type("tuple", (FILE, Type("..."))), ("PATH", "PATH")),
    (Type("tuple", (Type("int"), FILE)), (1, "PATH")),
    (Type("Union", (Type("dict", (STR, Type("list", (FILE,)))), NONE)), {"k": ["PATH"]}),
    (Type("list", (FILE,), python=set), {"PATH"}),
]


def with_path(value: Any, path: Any) -> Any:
    if value == "PATH":
        return path
    if isinstance(value, dict):
        return {key: with_path(item, path) for key, item in value.items()}
    if isinstance(value, (list, tuple, set)):
        return type(value)(with_path(item, path) for item in value)
    return value


@pytest.mark.parametrize(("type", "value"), SHAPES, ids=lambda part: str(part)[:40])
@pytest.mark.parametrize("as_str", [True, False])
def test_a_path_under_a_declared_file_becomes_the_handle(
    store: BlobStore, text: Path, type: Type, value: Any, as_str: bool
) -> None:
    made = fields(type, with_path(value, str(text) if as_str else text))
    assert made == with_path(value, File(text))
    assert set(store.sent) == {b"text"}


def test_what_is_no_path_stays(store: BlobStore, text: Path) -> None:
    union = Type("Union", (FILE, STR))
    assert fields(union, str(text)) == str(text)  # that is a str, and a str was declared
    assert fields(Type("Union", (FILE, NONE)), None) is None
    for value in (7, None, [1], {"a": 1}, object):
        assert fields(FILE, value) is value  # the codec says that it does not fit
    assert fields(Type("list", (FILE,)), str(text)) == str(text)
    assert run_sync(stage_fields([], {"unknown": str(text)})) == {"unknown": str(text)}
    assert store.sent == []
    assert isinstance(fields(union, text), File)


def test_values_without_handles_are_the_same_objects(store: BlobStore) -> None:
    value: dict[str, Any] = {"a": [1, (2, {"b": [3]})]}
    value["self"] = value
    assert run_sync(stage({"x": value}))["x"] is value


@pytest.mark.parametrize(
    ("type", "value", "message"),
    [
        (FILE, "missing", "x: expected a File or the path of one: there is no file .*missing"),
        (FILE, "", "x: expected a File or the path of one: File: expected a path, got ''"),
        (FILE, Path("/"), "x: expected a File .*use glovebox.io.Dir"),
        (Type("Dir"), "missing", "x: expected a Dir or the path of one: there is no directory"),
        (Type("list", (FILE,)), ["missing"], r"x\[0\]: expected a File"),
        (Type("dict", (STR, FILE)), {"k": "missing"}, r"x\['k'\]: expected a File"),
    ],
)
def test_a_path_where_nothing_is(store: BlobStore, type: Type, value: Any, message: str) -> None:
    with pytest.raises((OSError, ValueError), match=message):
        fields(type, value)


def test_a_declared_directory(store: BlobStore, text: Path) -> None:
    made = fields(Type("Dir"), str(text.parent))
    assert isinstance(made, Dir) and made.files == 1 and made._reference()["path"] == text.parent.name


def test_a_value_with_much_sharing_is_looked_at_once(store: BlobStore, text: Path) -> None:
    value: list[Any] = [File(text)]
    for _ in range(200):
        value = [value, value]
    assert run_sync(stage({"x": value}))["x"] is value
    assert store.sent == [b"text"]


def test_a_deep_value_is_no_trouble_here(store: BlobStore, text: Path) -> None:
    value: list[Any] = [File(text)]
    for _ in range(50_000):
        value = [value]
    run_sync(stage({"x": value}))
    assert store.sent == [b"text"]
    while value and isinstance(value[0], list):  # taken apart by hand: freeing it nests as deep
        value = value[0]


def test_only_some_are_sent_at_once_and_an_error_ends_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(BlobStore):
        now = most = begun = 0

        async def put_blob(self, source: bytes | Path) -> tuple[str, int]:
            self.now, self.begun = self.now + 1, self.begun + 1
            self.most = max(self.most, self.now)
            try:
                for _ in range(5):
                    await asyncio.sleep(0)
                if self.begun > 20:
                    raise OSError("the disk is full")
                return await super().put_blob(source)
            finally:
                self.now -= 1

    slow = Slow()
    use(monkeypatch, slow)
    files: list[File[Any]] = []
    for number in range(100):
        (tmp_path / str(number)).write_text(str(number))
        files.append(File(tmp_path / str(number)))
    with pytest.raises(OSError, match="the disk is full"):
        run_sync(stage({"x": files}))
    assert slow.most == AT_ONCE and slow.now == 0 and slow.begun < 40


def test_the_local_path_of_what_a_function_returned(store: BlobStore, text: Path) -> None:
    for value in (str(text), text, File(text), File.from_local_sync(text)):
        assert run_sync(local_path(FILE, value, "o0")) == str(text)
    assert run_sync(local_path(Type("Dir"), text.parent, "o0")) == str(text.parent)
    for wrong in (7, None, Dir(text.parent)):
        with pytest.raises(TypeError, match="o0: expected a File or the path of one, got"):
            run_sync(local_path(FILE, wrong, "o0"))
    with pytest.raises(FileNotFoundError, match="o0: expected a File"):
        run_sync(local_path(FILE, "missing", "o0"))


def test_materialize_leaves_alone_what_has_no_class(store: BlobStore) -> None:
    value = [1, {"a": (2,)}]
    assert run_sync(materialize(Type("Any"), value)) is value
    assert run_sync(materialize(Type("list", (FILE,)), value)) is value
