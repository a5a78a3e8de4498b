"""Files, tables and directories at addresses: what is fetched when, and what keys of a store cannot do."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import glovebox
from glovebox.agents import MemoryStore
from glovebox.agents._memory_errors import MemoryStoreError
from glovebox.io import DataFrame, Dir, File


class Store:
    """What fsspec returns for an address: keys with bytes, and how often they were asked for."""

    def __init__(self) -> None:
        self.keys: dict[str, bytes] = {}
        self.asked: list[str] = []

    def isfile(self, path: str) -> bool:
        return path in self.keys

    def exists(self, path: str) -> bool:
        return any(key == path or key.startswith(path + "/") for key in self.keys)

    def find(self, path: str) -> list[str]:
        return [key for key in self.keys if key.startswith(path)]

    def get_file(self, path: str, target: str) -> None:
        self.asked.append(path)
        Path(target).write_bytes(self.keys[path])


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    made = Store()
    fsspec = types.ModuleType("fsspec")
    fsspec.core = types.SimpleNamespace(url_to_fs=lambda url: (made, url.partition("://")[2].rstrip("/")))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fsspec", fsspec)
    yield made


def test_a_file_is_fetched_when_it_is_read(store: Store, tmp_path: Path) -> None:
    store.keys["bucket/a/sales.csv"] = b"n\n1\n"
    file = File.from_existing_remote("s3://bucket/a/sales.csv")
    assert (file.path, file.name, file.format, file.size) == ("s3://bucket/a/sales.csv", "sales.csv", "csv", None)
    assert file.exists_sync()
    assert store.asked == []
    assert file.read() == b"n\n1\n"
    assert Path(file.download_sync(tmp_path / "copy")).read_bytes() == b"n\n1\n"
    assert store.asked == ["bucket/a/sales.csv"]
    assert file.path == "s3://bucket/a/sales.csv"


def test_a_run_gets_the_bytes(store: Store) -> None:
    store.keys |= {"bucket/x.csv": b"a,b", "bucket/d/one.txt": b"1", "bucket/d/sub/two.txt": b"22"}
    env = glovebox.TaskEnvironment("addressed")

    @env.task
    async def read(file: File, tree: Dir) -> list[str]:
        return [file.name, await file.read_text.aio(), *[each.path async for each in tree.walk()]]

    file, tree = File("s3://bucket/x.csv", format="text"), Dir("s3://bucket/d/")
    assert (file.format, tree.name) == ("text", "d")
    assert glovebox.run(read, file, tree).outputs()[0] == ["x.csv", "a,b", "one.txt", "sub/two.txt"]
    assert file.sha256 is not None


def test_a_table_says_where_it_is(store: Store) -> None:
    store.keys["bucket/t"] = b"a\n1\n"
    table = DataFrame.from_existing_remote("s3://bucket/t", format="csv")
    assert (table.uri, table.format) == ("s3://bucket/t", "csv")
    assert DataFrame.from_local_sync("s3://bucket/t", format="csv").sha256 is not None


@pytest.mark.parametrize("key", ["../out", "a/../../out", "/abs", "a//b", "line\nbreak"])
def test_keys_do_not_lead_out_of_the_directory(store: Store, key: str) -> None:
    store.keys = {"bucket/d/good": b"", f"bucket/d/{key}": b""}
    with pytest.raises(ValueError, match="cannot be the path of a file here"):
        Dir("s3://bucket/d").download_sync()


def test_what_is_not_there(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not File("s3://bucket/none").exists_sync()
    with pytest.raises(FileNotFoundError, match="s3://bucket/none"):
        File("s3://bucket/none").read()
    with pytest.raises(FileNotFoundError, match="s3://bucket/d"):
        Dir("s3://bucket/d").download_sync()
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(ModuleNotFoundError, match="pip install fsspec"):
        File("s3://bucket/none").read()


def test_a_text_is_no_address(store: Store) -> None:
    env = glovebox.TaskEnvironment("addressed")

    @env.task
    def size(file: File) -> int:
        return len(file.read())

    with pytest.raises(ValueError, match=r"got an address: File\.from_existing_remote"):
        glovebox.run(size, "https://169.254.169.254/latest")  # type: ignore[call-overload]  # pyright: ignore


def test_a_memory_is_kept_in_a_directory(tmp_path: Path) -> None:
    memory = MemoryStore("k", remote_path=tmp_path / "m")
    memory.append({"role": "user", "content": "hi"})
    memory.save()
    assert MemoryStore("k", remote_path=str(tmp_path / "m")).messages == memory.messages
    with pytest.raises(MemoryStoreError, match="an object store has none"):
        MemoryStore("k", remote_path="s3://bucket/k")
    with pytest.raises(MemoryStoreError, match="another name of root"):
        MemoryStore("k", root=tmp_path, remote_path=tmp_path)
