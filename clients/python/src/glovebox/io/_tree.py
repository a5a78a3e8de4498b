"""Trees of files: from a directory of this machine to the engine, and back."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Coroutine, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from . import _manifest
from ._local import Stamp, check_dir, check_system, open_regular
from ._manifest import DIR, FILE, LINK, MAX_ENTRIES, Entry, bad_entry, path_problem
from ._transfer import AT_ONCE, fetch_bytes, receive, send

if TYPE_CHECKING:
    from .._link.current import Engine

_NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY: int = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NOFOLLOW


def listed(path: str) -> list[tuple[Entry, Stamp]]:
    """Lists what is below a directory, sorted by path. Files have no digest yet.

    Directories are opened below each other, so nothing outside is seen even if
    the tree changes meanwhile. Special files are refused.
    """
    check_dir(path)
    found: list[tuple[Entry, Stamp]] = []
    root = os.open(path, _DIRECTORY & ~_NOFOLLOW)
    try:
        _list(root, "", found)
    finally:
        os.close(root)
    return sorted(found, key=lambda each: each[0].path.encode())


def _list(directory: int, prefix: str, found: list[tuple[Entry, Stamp]]) -> None:
    with os.scandir(directory) as entries:
        for name in entries:
            if len(found) == MAX_ENTRIES:
                raise ValueError(f"the directory has more than {MAX_ENTRIES} entries; leave out what is not needed")
            path = prefix + name.name
            why = path_problem(path)
            if why:
                raise bad_entry(path, why)
            info = os.stat(name.name, dir_fd=directory, follow_symlinks=False)
            found.append((_entry(path, name.name, info, directory), Stamp.of(info)))
            if stat.S_ISDIR(info.st_mode):
                _list_below(directory, name.name, path + "/", found)


def _list_below(parent: int, name: str, prefix: str, found: list[tuple[Entry, Stamp]]) -> None:
    directory = os.open(name, _DIRECTORY, dir_fd=parent)
    try:
        _list(directory, prefix, found)
    finally:
        os.close(directory)


def _entry(path: str, name: str, info: os.stat_result, directory: int) -> Entry:
    if stat.S_ISDIR(info.st_mode):
        return Entry(path, DIR)
    if stat.S_ISREG(info.st_mode):
        return Entry(path, FILE, size=info.st_size, executable=bool(info.st_mode & 0o111))
    if stat.S_ISLNK(info.st_mode):
        return Entry(path, LINK, target=os.readlink(name, dir_fd=directory))
    raise bad_entry(path, "is no file, directory or link")


async def put(engine: Engine, path: str) -> tuple[str, list[Entry]]:
    """Stores a directory. Returns the digest of its manifest, and what is in it."""
    found = await asyncio.to_thread(listed, path)
    root = os.open(path, _DIRECTORY & ~_NOFOLLOW)
    try:
        files = [(entry, stamp) for entry, stamp in found if entry.type == FILE]
        stored = await _each(_put_file(engine, root, path, entry, stamp) for entry, stamp in files)
    finally:
        os.close(root)
    with_digest = {entry.path: entry for entry in stored}
    entries = [with_digest.get(entry.path, entry) for entry, _ in found]
    text = await asyncio.to_thread(_manifest.write, entries)
    digest, _ = await engine.put_blob(text)
    return digest, entries


async def _put_file(engine: Engine, root: int, base: str, entry: Entry, stamp: Stamp) -> Entry:
    fd = _open_below(root, entry.path)
    try:
        digest, _, sent = await send(engine, fd, os.path.join(base, entry.path))
    finally:
        os.close(fd)
    if sent != stamp:
        raise OSError(f"{os.path.join(base, entry.path)} changed while it was read; wait until nothing writes to it")
    return replace(entry, sha256=digest)


def _open_below(root: int, path: str) -> int:
    """Opens a file of the tree without following a link anywhere on the way."""
    *parents, name = path.split("/")
    directory = os.dup(root)
    try:
        for parent in parents:
            below = os.open(parent, _DIRECTORY, dir_fd=directory)
            os.close(directory)
            directory = below
        return open_regular(name, dir_fd=directory)
    finally:
        os.close(directory)


async def manifest(engine: Engine, digest: str) -> list[Entry]:
    """Returns what is in a stored tree."""
    text = await fetch_bytes(engine, digest, _manifest.MAX_MANIFEST)
    return await asyncio.to_thread(_manifest.parse, text)


async def export(engine: Engine, entries: list[Entry], path: str) -> None:
    """Makes a directory of a stored tree: the whole, or nothing. What is at path must be an empty directory."""
    check_system()
    private = tempfile.mkdtemp(prefix=".glovebox-", dir=os.path.dirname(path))
    try:
        directory = os.path.join(private, "tree")  # which has the mode that the umask says
        os.mkdir(directory)
        await _fill(engine, entries, directory)
        move(directory, path)
    finally:
        await asyncio.to_thread(shutil.rmtree, private, ignore_errors=True)


def move(directory: str, path: str) -> None:
    """Gives a directory its place, where there may be an empty one."""
    try:
        os.rename(directory, path)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
            raise
        raise FileExistsError(f"{path} is there already; download to a new path, or to an empty directory") from None


async def _fill(engine: Engine, entries: list[Entry], directory: str) -> None:
    """Makes directories and files first, and links when nothing is written any more.

    So nothing is ever written through a link. No other user can enter the directory.
    """
    for entry in entries:
        if entry.type == DIR:
            os.mkdir(os.path.join(directory, entry.path))
    await _each(_get_file(engine, directory, entry) for entry in entries if entry.type == FILE)
    for entry in entries:
        if entry.type == LINK:
            os.symlink(entry.target, os.path.join(directory, entry.path))


async def _get_file(engine: Engine, directory: str, entry: Entry) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW
    fd = os.open(os.path.join(directory, entry.path), flags, 0o777 if entry.executable else 0o666)
    with os.fdopen(fd, "wb") as file:
        await receive(engine, entry.sha256, entry.size, file)


async def _each(work: Iterable[Coroutine[Any, Any, Any]]) -> list[Any]:
    """Awaits everything, some concurrently. The first error ends the rest."""
    waiting = iter(work)
    results: list[Any] = []

    async def take() -> None:
        for coroutine in waiting:
            results.append(await coroutine)

    tasks = [asyncio.ensure_future(take()) for _ in range(AT_ONCE)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return results
