from __future__ import annotations

import asyncio
import copy
import os
import pickle
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from blob_store import BlobStore, fresh, use
from glovebox._process.loop import run_sync
from glovebox.errors import InvalidInputError, NotFoundError, StorageCorruptError
from glovebox.io import DataFrame, File
from glovebox.io._stage import stage

TEXT = "first line\nsecond line\n"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> BlobStore:
    return fresh(monkeypatch)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "data.txt"
    path.write_text(TEXT)
    return path


def remote(store: BlobStore, content: bytes = TEXT.encode(), path: str = "data.txt") -> File[object]:
    return File._from_reference({"path": path, "size": len(content), "sha256": store.add(content)})


def test_from_local_sends_the_content_and_names_it(store: BlobStore, text: Path) -> None:
    file = asyncio.run(_from_local(str(text)))
    assert store.sent == [TEXT.encode()]
    assert (file.name, file.size, file.path) == ("data.txt", len(TEXT), str(text))
    assert file._reference() == {"path": "data.txt", "size": len(TEXT), "sha256": file.sha256}
    assert File.from_local_sync(text) == file and hash(File.from_local_sync(text)) == hash(file)


async def _from_local(path: str) -> File[object]:
    return await File.from_local(path)


def test_a_local_file_is_sent_when_it_is_given_to_a_run_and_once(store: BlobStore, text: Path) -> None:
    file: File[object] = File(text)
    assert (file.sha256, store.sent) == (None, [])
    with pytest.raises(RuntimeError, match="not given to the engine yet"):
        file._reference()
    run_sync(stage({"a": file, "b": [file, (file,)]}))
    run_sync(stage({"a": file}))
    assert store.sent == [TEXT.encode()] and file.sha256


def test_another_engine_gets_the_content_too(store: BlobStore, text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = File.from_local_sync(text)
    other = BlobStore("unix:///other")
    use(monkeypatch, other)
    run_sync(stage({"a": file}))
    assert other.sent == [TEXT.encode()]
    text.unlink()
    use(monkeypatch, BlobStore("unix:///third"))
    run_sync(stage({"a": file}))  # it has it, or says that it has not


def test_read_in_plain_code_and_below_a_running_loop(store: BlobStore, text: Path) -> None:
    async def inside() -> tuple[bytes, bytes, str, str]:
        return file.read(), await file.read.aio(), file.read_text(), await file.read_text.aio()

    for file in (File(text), File.from_local_sync(text), remote(store)):
        assert file.read() == TEXT.encode() and file.read_text() == TEXT
        assert asyncio.run(inside()) == (TEXT.encode(), TEXT.encode(), TEXT, TEXT)


def test_read_text_reads_as_open_does(store: BlobStore) -> None:
    assert remote(store, b"a\r\nb").read_text() == "a\nb"
    assert remote(store, b"\xe9").read_text("latin-1") == "\xe9"
    assert remote(store, b"\xe9").read_text(errors="replace") == "\ufffd"
    with pytest.raises(UnicodeDecodeError):
        remote(store, b"\xe9").read_text()


def test_what_was_read_once_is_not_fetched_again(store: BlobStore) -> None:
    file = remote(store)
    path = file.download_sync()
    assert (
        asyncio.run(file.download()) == path and file.read() == TEXT.encode() and os.path.basename(path) == "data.txt"
    )
    assert store.fetched == [file.sha256]
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    run_sync(stage({"a": file}))
    assert store.sent == []
    assert file._reference()["path"] == "data.txt"


def test_a_changed_download_is_fetched_again(store: BlobStore) -> None:
    file = remote(store)
    Path(file.download_sync()).write_text("changed by the user")
    assert file.read() == TEXT.encode()


def test_a_handle_keeps_its_content_when_the_file_changes(store: BlobStore, text: Path) -> None:
    file = File.from_local_sync(text)
    text.write_text("another text, and longer than the first one")
    assert file.read_text() == TEXT
    text.unlink()
    assert file.read_text() == TEXT and file.exists_sync()


def test_an_unsent_file_is_what_lies_there(store: BlobStore, text: Path) -> None:
    file: File[object] = File(text)
    assert file.size == len(TEXT)
    text.write_text("new")
    assert (file.read_text(), file.size) == ("new", 3)


def test_download_to_a_path(store: BlobStore, text: Path, tmp_path: Path) -> None:
    for file in (File(text), File.from_local_sync(text), remote(store)):
        assert file.download_sync(tmp_path / "made" / "x") == str(tmp_path / "made" / "x")
        assert (tmp_path / "made" / "x").read_text() == TEXT
        assert file.download_sync(tmp_path / "made") == str(tmp_path / "made" / "data.txt")
        assert file.download_sync(f"{tmp_path}/new/") == str(tmp_path / "new" / "data.txt")
        assert file.download_sync(text) == str(text) and text.read_text() == TEXT
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["data.txt", "data.txt", "data.txt", "made", "new", "x"]


@pytest.mark.parametrize("lie", [b"other bytes of any length", TEXT.encode()[:-1], TEXT.encode() + b"x", b""])
def test_other_bytes_are_refused_and_leave_nothing(store: BlobStore, tmp_path: Path, lie: bytes) -> None:
    file = remote(store)
    store.lies[str(file.sha256)] = lie
    (tmp_path / "kept").write_text("kept")
    with pytest.raises(StorageCorruptError):
        file.download_sync(tmp_path / "kept")
    with pytest.raises(StorageCorruptError):
        file.read()
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("kept", "kept")]


def test_more_than_the_said_size_is_not_taken(store: BlobStore) -> None:
    digest = store.add(b"x" * 1_000)
    file: File[object] = File._from_reference({"path": "x", "size": 20, "sha256": digest})
    with pytest.raises(StorageCorruptError, match="more than the 20 bytes"):
        file.read()


def test_a_download_that_is_cancelled_leaves_nothing(store: BlobStore, tmp_path: Path) -> None:
    stuck = store.stuck = threading.Event()

    async def inside() -> None:
        task = asyncio.create_task(remote(store).download(tmp_path / "x"))
        await asyncio.to_thread(stuck.wait)
        assert len(list(tmp_path.iterdir())) == 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(inside())
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_changes_while_it_is_sent_is_an_error(store: BlobStore, text: Path) -> None:
    store.on_send = lambda: text.write_text("changed meanwhile!!!!!!")
    with pytest.raises(OSError, match="changed while it was read"):
        File.from_local_sync(text)


def test_what_is_no_file_is_refused_without_waiting(store: BlobStore, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
    with pytest.raises(OSError, match="no regular file"):
        File.from_local_sync(tmp_path / "pipe")
    with pytest.raises(OSError):
        File.from_local_sync(tmp_path / "socket")
    with pytest.raises(IsADirectoryError, match=r"use glovebox\.io\.Dir"):
        File.from_local_sync(tmp_path)
    with pytest.raises(FileNotFoundError, match="there is no file .*missing"):
        File.from_local_sync(tmp_path / "missing")
    with pytest.raises(FileNotFoundError, match="missing"):
        File(tmp_path / "missing").read()
    with pytest.raises(FileNotFoundError, match="missing"):
        run_sync(stage({"a": File(tmp_path / "missing")}))
    assert not File(tmp_path / "missing").exists_sync() and File(tmp_path / "missing").size is None


@pytest.mark.parametrize("path", [None, 3, b"x"])
def test_a_path_is_a_str_or_path_like(path: object) -> None:
    with pytest.raises(TypeError, match="File: expected a path"):
        File(path)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["", "a\0b"])
def test_a_path_can_be_one(path: str) -> None:
    with pytest.raises(ValueError, match="File: expected a path"):
        File(path)


@pytest.mark.parametrize("name", ["a/b", "..", "", "a\nb", "x" * 256])
def test_a_name_is_that_of_a_file(name: str) -> None:
    with pytest.raises(ValueError, match="name: expected a file name"):
        File("x", name)


def test_open(store: BlobStore, text: Path) -> None:
    async def inside() -> tuple[object, object, list[object]]:
        async with file.open("rb") as stream:
            head, line = await stream.read(5), await stream.readline()
            await stream.seek(0)
            return head, line, [each async for each in stream]

    for file in (File(text), remote(store)):
        with file.open("r") as lines:
            assert list(lines) == TEXT.splitlines(keepends=True)
        with file.open_sync() as raw:
            assert raw.read() == TEXT.encode()
        assert lines.closed and raw.closed
        expected = [b"first line\n", b"second line\n"]
        assert asyncio.run(inside()) == (b"first", b" line\n", expected)


@pytest.mark.parametrize("mode", ["w", "wb", "r+", "a", ""])
def test_a_file_is_opened_for_reading(mode: str) -> None:
    with pytest.raises(ValueError, match="mode: expected 'rb', 'r' or 'rt'"):
        File("x").open(mode)
    with pytest.raises(ValueError, match="encoding"):
        File("x").open("rb", encoding="utf-8")


def test_exists_asks_the_engine(store: BlobStore) -> None:
    file, empty = remote(store), remote(store, b"")
    assert file.exists_sync() and asyncio.run(file.exists()) and empty.exists_sync()
    store.blobs.clear()
    assert not file.exists_sync()
    with pytest.raises(NotFoundError):
        file.read()


def test_an_empty_file(store: BlobStore, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    file = File.from_local_sync(tmp_path / "empty")
    assert file._reference() == {"path": "empty", "sha256": file.sha256} and file.size == 0
    again: File[object] = File._from_reference(file._reference())
    assert again.size == 0 and again.read() == b""


HOSTILE_PATHS = ["/etc/passwd", "../../etc/passwd", "..", ".", "a/..", "a/", "x" * 300, "a\nb", "\ud800"]


@pytest.mark.parametrize("path", HOSTILE_PATHS)
def test_nothing_here_is_touched_by_the_path_of_a_reference(store: BlobStore, path: str) -> None:
    file = remote(store, b"from the engine", path)
    assert file.read() == b"from the engine"
    assert os.path.basename(file.download_sync()) == file.name and "/" not in file.name
    assert file._reference()["path"] == path


@pytest.mark.parametrize(
    "node",
    [
        {"path": "/etc/passwd"},
        {"path": "x", "sha256": "0" * 63},
        {"path": "x", "sha256": "A" * 64},
        {"path": "x", "sha256": 7},
        {"path": "", "sha256": "0" * 64},
        {"path": "a\0b", "sha256": "0" * 64},
        {"sha256": "0" * 64},
        {"path": 1, "sha256": "0" * 64},
        {"path": "x", "sha256": "0" * 64, "size": -1},
        {"path": "x", "sha256": "0" * 64, "size": True},
        {"path": "x", "sha256": "0" * 64, "size": 1 << 63},
        {"path": "x", "sha256": "0" * 64, "format": "csv"},
    ],
)
def test_bad_references(node: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError, match="a reference to a File"):
        File._from_reference(node)


def test_comparing_and_hashing_does_not_change(store: BlobStore, text: Path) -> None:
    lazy: File[object] = File(text)
    before = hash(lazy)
    assert lazy == File(str(text)) and lazy != File(f"{text}x")
    run_sync(stage({"a": lazy}))
    assert hash(lazy) == before and lazy == File(text)
    assert remote(store) == remote(store, path="another name") != remote(store, b"x")
    assert remote(store) != "data.txt"
    assert File(text) != DataFrame(text)


def test_pickle_and_copy(store: BlobStore, text: Path) -> None:
    for file in (File(text), File.from_local_sync(text), remote(store)):
        for again in (pickle.loads(pickle.dumps(file)), copy.copy(file), copy.deepcopy(file)):
            assert again == file and again.read() == TEXT.encode()


def test_what_is_shown(store: BlobStore, text: Path) -> None:
    assert repr(File(text)) == "File('data.txt', 23 B)"
    file = remote(store, b"x" * 5000, "<b>.txt")
    assert repr(file) == f"File('<b>.txt', 4.9 KiB, sha256 {str(file.sha256)[:8]})"
    assert "<code>&lt;b&gt;.txt</code>" in file._repr_html_()


def test_in_a_cell_it_is_the_file_that_lies_there(store: BlobStore, text: Path) -> None:
    file = File._at(str(text), "report.txt")
    assert file.read_text() == TEXT and file.download_sync() == str(text) and store.sent == []
    run_sync(stage({"a": file}))
    assert file._reference()["path"] == "report.txt"


def test_a_class_that_says_what_is_in_it() -> None:
    assert File[int]("x").name == "x"


def test_downloads_are_gone_when_the_process_ends(tmp_path: Path) -> None:
    code = """
from glovebox.io import _local
import os
path = _local.private_dir()
child = os.fork()
if child == 0:
    own = _local.private_dir()
    assert os.path.dirname(own) != os.path.dirname(path)
    raise SystemExit
os.waitpid(child, 0)
assert os.path.isdir(path)
print(path)
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path)) and list(tmp_path.iterdir()) == []
