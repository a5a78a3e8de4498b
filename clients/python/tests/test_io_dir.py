from __future__ import annotations

import asyncio
import copy
import hashlib
import os
import pickle
import stat
import threading
from pathlib import Path

import pytest

from blob_store import BlobStore, fresh, use
from glovebox._process.loop import run_sync
from glovebox.errors import InvalidInputError, NotFoundError, StorageCorruptError
from glovebox.io import Dir, File, _manifest, _tree
from glovebox.io._manifest import DIR, FILE, LINK, Entry
from glovebox.io._stage import stage


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> BlobStore:
    return fresh(monkeypatch)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    (root / "sub" / "empty").mkdir(parents=True)
    (root / "a.txt").write_text("alpha")
    (root / "sub" / "b.csv").write_text("beta")
    (root / "sub" / "tool").write_text("#!/bin/sh\n")
    (root / "sub" / "tool").chmod(0o755)
    (root / "nothing").touch()
    (root / "link").symlink_to("sub/b.csv")
    return root


def look(root: Path | str) -> dict[str, object]:
    """Returns what is in a directory."""
    found: dict[str, object] = {}
    for path in sorted(Path(root).rglob("*")):
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = ("link", os.readlink(path))
        elif path.is_dir():
            found[name] = "dir"
        else:
            found[name] = (path.read_bytes(), bool(path.stat().st_mode & 0o100))
    return found


def remote(store: BlobStore, *entries: Entry, **more: object) -> Dir[object]:
    return Dir._from_reference({"path": "data", "sha256": store.add(_manifest.write(entries)), **more})


def entry(store: BlobStore, path: str, content: bytes) -> Entry:
    return Entry(path, FILE, store.add(content), len(content))


def test_there_and_back(store: BlobStore, tree: Path, tmp_path: Path) -> None:
    before = look(tree)
    d = Dir.from_local_sync(tree)
    assert (d.name, d.files, d.size, d.path) == ("data", 4, 5 + 4 + 10, str(tree))
    reference = d._reference()
    assert reference == {"path": "data", "size": 19, "files": 4, "sha256": d.sha256}
    again: Dir[object] = Dir._from_reference(reference)
    assert again == d and hash(again) == hash(d)
    for each in (d, again):
        path = each.download_sync()
        assert look(path) == before and os.path.basename(path) == "data" and path != str(tree)
        assert each.download_sync() == path
    assert again.download_sync(tmp_path / "x" / "y") == str(tmp_path / "x" / "y")
    assert look(tmp_path / "x" / "y") == before and os.listdir(tmp_path / "x") == ["y"]
    assert stat.S_IMODE((tmp_path / "x" / "y").stat().st_mode) == stat.S_IMODE((tmp_path / "x").stat().st_mode)


def test_from_coroutines(store: BlobStore, tree: Path) -> None:
    async def inside() -> tuple[list[str], list[str], object, str]:
        d = await Dir.from_local(str(tree))
        config = await d.get_file("sub/b.csv")
        assert config is not None and await d.exists()
        paths = [f.path async for f in d.walk()]
        return paths, [f.name for f in await d.list_files()], await config.read.aio(), await d.download()

    paths, top, content, path = asyncio.run(inside())
    assert paths == ["a.txt", "nothing", "sub/b.csv", "sub/tool"]
    assert (top, content) == (["a.txt", "nothing"], b"beta") and os.path.isdir(path)


def test_a_local_directory_is_sent_when_it_is_given_to_a_run(store: BlobStore, tree: Path) -> None:
    d: Dir[object] = Dir(tree)
    assert (d.sha256, d.size, d.files) == (None, None, None) and d.download_sync() == str(tree)
    assert [f.path for f in d.walk_sync()] == [str(tree / p) for p in ("a.txt", "nothing", "sub/b.csv", "sub/tool")]
    assert [f.read() for f in d.list_files_sync()] == [b"alpha", b""] and store.sent == []
    with pytest.raises(RuntimeError, match="not given to the engine yet"):
        d._reference()
    run_sync(stage({"a": d}))
    sent = len(store.sent)
    assert d._reference()["files"] == 4 and sent == 5
    run_sync(stage({"a": d}))
    assert len(store.sent) == sent
    (tree / "a.txt").write_text("changed")
    assert Path(d.download_sync(), "a.txt").read_text() == "alpha"
    other = BlobStore("unix:///other")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(OSError, match="changed after a handle was made"):
        use(patch, other)
        run_sync(stage({"a": d}))


def test_walk(store: BlobStore, tree: Path) -> None:
    d = Dir.from_local_sync(tree)
    assert [f.path for f in d.walk_sync(file_pattern="*.csv")] == ["sub/b.csv"]
    assert [f.path for f in d.walk_sync(max_depth=1)] == ["a.txt", "nothing"]
    assert len(list(d.walk_sync(max_depth=2))) == 4
    assert d.get_file_sync("missing") is None and d.get_file_sync("sub") is None and d.get_file_sync("../x") is None


def test_the_same_tree_has_the_same_digest(store: BlobStore, tree: Path, tmp_path: Path) -> None:
    d = Dir.from_local_sync(tree)
    moved = Dir.from_local_sync(Dir.from_local_sync(d.download_sync(tmp_path / "copy")).download_sync())
    assert moved.sha256 == d.sha256


def test_an_empty_directory(store: BlobStore, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    d = Dir.from_local_sync(tmp_path / "empty")
    assert d.sha256 == hashlib.sha256(b'{"version":1,"entries":[]}').hexdigest() and (d.files, d.size) == (0, 0)
    assert d._reference() == {"path": "empty", "sha256": d.sha256}
    assert os.listdir(Dir._from_reference(d._reference()).download_sync()) == []


def test_what_cannot_be_sent(store: BlobStore, tree: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no directory"):
        Dir.from_local_sync(tmp_path / "missing")
    with pytest.raises(NotADirectoryError, match=r"use glovebox\.io\.File"):
        Dir.from_local_sync(tree / "a.txt")
    os.mkfifo(tree / "pipe")
    with pytest.raises(InvalidInputError, match="'pipe', which is no file, directory or link"):
        Dir.from_local_sync(tree)
    (tree / "pipe").unlink()
    for target in ("/etc/passwd", "../../x", "sub/../.."):
        (tree / "out").symlink_to(target)
        with pytest.raises(InvalidInputError, match="leads out"):
            Dir.from_local_sync(tree)
        (tree / "out").unlink()
    (tree / os.fsdecode(b"\xff")).touch()
    with pytest.raises(InvalidInputError, match="is not valid UTF-8"):
        Dir.from_local_sync(tree)


def test_too_many_entries(store: BlobStore, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_tree, "MAX_ENTRIES", 6)
    with pytest.raises(ValueError, match="more than 6 entries"):
        Dir.from_local_sync(tree)


def test_a_tree_that_changes_meanwhile(store: BlobStore, tree: Path) -> None:
    store.on_send = lambda: (tree / "sub" / "tool").write_text("changed")
    with pytest.raises(OSError, match="changed while it was read"):
        Dir.from_local_sync(tree)


def test_a_file_that_changes_after_it_was_listed(store: BlobStore, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = _tree.listed

    def listed_then_changed(path: str) -> object:
        found = listed(path)
        (tree / "a.txt").write_text("ALPHA")
        return found

    monkeypatch.setattr(_tree, "listed", listed_then_changed)
    with pytest.raises(OSError, match=r"a\.txt changed while it was read"):
        Dir.from_local_sync(tree)


def test_a_link_in_place_of_a_listed_directory_is_not_followed(store: BlobStore, tree: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "b.csv").write_text("secret")
    listed = _tree.listed

    def listed_then_swapped(path: str) -> object:
        found = listed(path)
        (tree / "sub").rename(tmp_path / "away")
        (tree / "sub").symlink_to(tmp_path / "outside")
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_tree, "listed", listed_then_swapped)
        with pytest.raises(OSError):
            Dir.from_local_sync(tree)
    assert b"secret" not in store.sent


@pytest.mark.parametrize("there", ["file", "full", "link"])
def test_what_is_there_is_not_touched(store: BlobStore, tree: Path, tmp_path: Path, there: str) -> None:
    target = tmp_path / "target"
    if there == "file":
        target.write_text("kept")
    elif there == "full":
        target.mkdir()
        (target / "kept").write_text("kept")
    else:
        target.symlink_to(tree / "sub" / "empty")
    before = look(tmp_path)
    with pytest.raises(FileExistsError, match="is there already"):
        Dir.from_local_sync(tree).download_sync(target)
    assert look(tmp_path) == before


def test_an_empty_directory_is_filled(store: BlobStore, tree: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    Dir.from_local_sync(tree).download_sync(tmp_path / "empty")
    assert look(tmp_path / "empty") == look(tree)


def test_damage_leaves_nothing(store: BlobStore, tree: Path, tmp_path: Path) -> None:
    d = Dir.from_local_sync(tree)
    before = look(tmp_path)
    store.lies[hashlib.sha256(b"beta").hexdigest()] = b"BETA"
    with pytest.raises(StorageCorruptError):
        d.download_sync(tmp_path / "target")
    assert look(tmp_path) == before
    store.lies[str(d.sha256)] = b'{"version":1,"entries":[]}'
    with pytest.raises(StorageCorruptError):
        Dir._from_reference(d._reference()).download_sync(tmp_path / "target")


def test_a_download_that_is_cancelled_leaves_nothing(store: BlobStore, tree: Path, tmp_path: Path) -> None:
    d = Dir.from_local_sync(tree)
    before = look(tmp_path)

    async def inside() -> None:
        await d._listed(str(d.sha256))
        stuck = store.stuck = threading.Event()
        task = asyncio.create_task(d.download(tmp_path / "target"))
        await asyncio.to_thread(stuck.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(inside())
    assert look(tmp_path) == before


def test_a_missing_file_leaves_nothing(store: BlobStore, tree: Path, tmp_path: Path) -> None:
    d = Dir.from_local_sync(tree)
    before = look(tmp_path)
    del store.blobs[hashlib.sha256(b"beta").hexdigest()]
    with pytest.raises(NotFoundError):
        d.download_sync(tmp_path / "target")
    assert look(tmp_path) == before


def raw(store: BlobStore, text: str) -> Dir[object]:
    return Dir._from_reference({"path": "d", "sha256": store.add(text.encode())})


def test_nothing_is_written_outside(store: BlobStore, tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()
    digest = store.add(b"evil")
    file = '{"path":"%s","type":"file","sha256":"' + digest + '","size":4}'
    bodies = [
        file % "../victim/x",
        file % f"{tmp_path}/victim/x",
        '{"path":"l","type":"link","target":"../victim"},' + file % "l/x",
        f'{{"path":"l","type":"link","target":"{tmp_path}/victim"}},' + file % "l/x",
        '{"path":"d","type":"dir"},{"path":"d/l","type":"link","target":"../../victim"}',
        file % "x" + "," + file % "x",
    ]
    for body in bodies:
        with pytest.raises(InvalidInputError):
            raw(store, f'{{"version":1,"entries":[{body}]}}').download_sync(tmp_path / "target")
    assert look(tmp_path) == {"victim": "dir"}


def test_the_sizes_that_are_said_must_be_right(store: BlobStore, tmp_path: Path) -> None:
    entries = [entry(store, "a", b"12345")]
    assert remote(store, *entries, size=5, files=1).download_sync()
    for wrong in ({"size": 4}, {"files": 2}, {"size": 5, "files": 3}):
        with pytest.raises(InvalidInputError, match="is said to have"):
            remote(store, *entries, **wrong).download_sync()
    lie = Entry("a", FILE, entries[0].sha256, 4)
    with pytest.raises(StorageCorruptError):
        remote(store, lie).download_sync(tmp_path / "target")
    assert list(tmp_path.iterdir()) == []


def test_a_manifest_is_bounded(store: BlobStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_manifest, "MAX_MANIFEST", 20)
    with pytest.raises(StorageCorruptError, match="more than 20 bytes"):
        raw(store, '{"version":1,"entries":[]}').download_sync()


@pytest.mark.parametrize("more", [{"files": -1}, {"files": True}, {"size": "1"}, {"format": "csv"}])
def test_bad_references(store: BlobStore, more: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError, match="a reference to a Dir"):
        Dir._from_reference({"path": "x", "sha256": "0" * 64, **more})


def test_exists(store: BlobStore, tree: Path, tmp_path: Path) -> None:
    d = Dir.from_local_sync(tree)
    assert Dir(tree).exists_sync() and d.exists_sync() and not Dir(tmp_path / "missing").exists_sync()
    assert not Dir._from_reference({"path": "x", "sha256": "0" * 64}).exists_sync()


def test_pickle_copy_and_comparing(store: BlobStore, tree: Path) -> None:
    for d in (Dir(tree), Dir.from_local_sync(tree), remote(store, Entry("x", DIR), Entry("y", LINK, target="x"))):
        for again in (pickle.loads(pickle.dumps(d)), copy.copy(d), copy.deepcopy(d)):
            assert again == d and hash(again) == hash(d) and os.path.isdir(again.download_sync())
    assert Dir(tree) != Dir(tree / "sub") and Dir(tree) != File(tree)
    assert Dir[int](tree).name == "data"


def test_what_is_shown(store: BlobStore, tree: Path) -> None:
    assert repr(Dir(tree)) == "Dir('data')"
    d = Dir.from_local_sync(tree)
    assert repr(d) == f"Dir('data', 4 files, 19 B, sha256 {str(d.sha256)[:8]})"
    assert "<code>data</code> 4 files" in d._repr_html_()
