"""Directories as tar archives, as sessions take and give them."""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
from pathlib import Path
from typing import IO

from ..io._manifest import LINK, Entry, path_problem, stays_inside
from ..io._tree import move

_PIECE = 1 << 20  # bytes


def pack(directory: Path, archive: Path) -> None:
    """Writes what is below a directory, with links as they are."""
    with tarfile.open(archive, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name in sorted(os.listdir(directory)):
            tar.add(directory / name, arcname=name, filter=_anonymous)


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Takes the names of users of this machine out; what is no file, directory or link is left out."""
    if not (member.isreg() or member.isdir() or member.issym() or member.islnk()):
        return None
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def unpack(archive: IO[bytes], path: str) -> list[str]:
    """Makes a directory of an archive: the whole, or nothing. Returns what was left out.

    That is what is no file, no directory and no link within it: the archive is of unreviewed code.
    """
    parent = os.path.dirname(os.path.abspath(path))
    os.makedirs(parent, exist_ok=True)
    private = tempfile.mkdtemp(prefix=".glovebox-", dir=parent)
    try:
        directory = os.path.join(private, "tree")  # which has the mode that the umask says
        os.mkdir(directory)
        left_out = _fill(directory, archive)
        move(directory, path)
    finally:
        shutil.rmtree(private, ignore_errors=True)
    return left_out


def _fill(directory: str, archive: IO[bytes]) -> list[str]:
    """Makes directories and files first, and links when nothing is written any more: nothing is written through one."""
    links: list[Entry] = []
    dirs, left_out = {""}, list[str]()
    with tarfile.open(fileobj=archive, mode="r|") as tar:
        for member in tar:
            name = member.name.removeprefix("./").rstrip("/")
            if name in ("", "."):
                continue
            if path_problem(name) or not (member.isreg() or member.isdir() or member.issym()):
                left_out.append(member.name)
            elif member.issym():
                links.append(Entry(name, LINK, target=member.linkname))
            else:
                _make(directory, name, member, tar, dirs)
    for link in links:
        if not stays_inside(link, dirs) or not _linked(directory, link):
            left_out.append(link.path)
    return left_out


def _make(directory: str, name: str, member: tarfile.TarInfo, tar: tarfile.TarFile, dirs: set[str]) -> None:
    """Makes a file or a directory, and the directories above it."""
    *parents, _ = parts = name.split("/")
    made = parts if member.isdir() else parents
    os.makedirs(os.path.join(directory, *made), exist_ok=True)
    dirs.update("/".join(made[: i + 1]) for i in range(len(made)))
    if member.isdir():
        return
    content = tar.extractfile(member)
    assert content is not None  # it is a file
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    fd = os.open(os.path.join(directory, *parts), flags, 0o777 if member.mode & 0o111 else 0o666)
    with content, os.fdopen(fd, "wb") as file:
        shutil.copyfileobj(content, file, _PIECE)


def _linked(directory: str, link: Entry) -> bool:
    try:
        os.symlink(link.target, os.path.join(directory, *link.path.split("/")))
    except OSError:  # its name is taken, or the system has none
        return False
    return True
