"""Files of this machine: what they are, whether they stay so, where downloads go."""

from __future__ import annotations

import atexit
import hashlib
import os
import secrets
import shutil
import stat
import tempfile
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, cast

from .._process.fork import in_children

_PIECE = 1 << 20  # bytes of one read
_MAX_NAME = 255  # bytes
_NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)  # Windows has no such flag,
_BINARY: int = getattr(os, "O_BINARY", 0)  # and no other system this one

# Characters that the system interprets in a name. A slash is none.
_NOT_IN_NAMES: frozenset[str] = frozenset() if os.sep == "/" else frozenset('\\:*?"<>|')

LocalPath = str | os.PathLike[str]


@dataclass(frozen=True)
class Stamp:
    """Identifies the content of a file: an equal stamp means the same file with the same bytes.

    The time of the last change of the inode is part of it: a file that was
    moved away and back, to have another one read in its place, does not go by.
    """

    device: int
    inode: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, info: os.stat_result) -> Stamp:
        return cls(info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns)


@dataclass(frozen=True)
class Copy:
    """Bytes that lie on this machine. Without a stamp they are whatever lies there."""

    path: str
    stamp: Stamp | None = None

    def usable(self) -> bool:
        """Reports whether they are there and unchanged."""
        try:
            info = os.stat(self.path)
        except OSError:
            return False
        return stat.S_ISREG(info.st_mode) and self.stamp in (None, Stamp.of(info))


def type_name(value: object) -> str:
    """Returns the name of the type of a value, for messages."""
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def absolute(path: object, what: str) -> str:
    """Returns the absolute path, or the TypeError that says what came instead of one."""
    got = type_name(path)
    text: object = os.fspath(cast("os.PathLike[str]", path)) if isinstance(path, os.PathLike) else path
    if not isinstance(text, str):
        raise TypeError(f"{what}: expected a path, a str or pathlib.Path, got {got}")
    if not text or "\0" in text:
        raise ValueError(f"{what}: expected a path, got {text!r}")
    return os.path.abspath(text)


def open_regular(path: str, *, dir_fd: int | None = None) -> int:
    """Opens a file for reading. What is no regular file is refused; a pipe is not waited for.

    With ``dir_fd`` the path is a name in that directory, and a link is refused.
    """
    flags = os.O_RDONLY | _NONBLOCK | _BINARY | (os.O_NOFOLLOW if dir_fd is not None else 0)
    fd = os.open(path, flags, dir_fd=dir_fd)
    mode = os.fstat(fd).st_mode
    if stat.S_ISREG(mode):
        return fd
    os.close(fd)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(f"{path} is a directory, expected a file; for a directory use glovebox.io.Dir")
    raise OSError(f"{path} is no regular file; copy what it yields into a file first")


def is_dir(path: str) -> bool:
    """Reports whether a directory is there."""
    return os.path.isdir(path)


def check_file(path: str) -> None:
    """Raises the error that says what is wrong with a path that should be one of a file."""
    try:
        os.close(open_regular(path))
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no file {path}; check the path, which is one of this machine") from None


def check_system() -> None:
    """Raises NotImplementedError on a system whose directories cannot be opened, and so not walked safely."""
    if os.scandir not in os.supports_fd:
        raise NotImplementedError(
            f"a Dir can be read and written on Linux, macOS and other Unix systems, not on {os.name!r}; "
            "put what it holds into one archive, and use File"
        )


def check_dir(path: str) -> None:
    """The same for a directory."""
    check_system()
    if is_dir(path):
        return
    if os.path.lexists(path):
        raise NotADirectoryError(f"{path} is no directory; for a file use glovebox.io.File")
    raise FileNotFoundError(f"there is no directory {path}; check the path, which is one of this machine")


def safe_name(path: str, otherwise: str) -> str:
    """Returns the last part of a path that anybody may have made, if it can be the name of a file here."""
    name = path.rsplit("/", 1)[-1]
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return otherwise
    if name in ("", ".", "..") or size > _MAX_NAME or not name.isprintable() or not _NOT_IN_NAMES.isdisjoint(name):
        return otherwise
    return name


def place(target: LocalPath, name: str) -> str:
    """Returns where a download goes: into target if that is a directory, else there.

    Directories that lead to it are made. The name may be the choice of a cell,
    which must not make a .bashrc, say, of a download into a directory.
    """
    path = absolute(target, "local_path")
    if os.path.isdir(path) or os.fspath(target).endswith(os.sep):
        if name.startswith("."):
            raise ValueError(
                f"local_path: {os.fspath(target)!r} is a directory, and the file has the hidden name {name!r}; "
                "give the whole path, with a name"
            )
        path = os.path.join(path, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


@contextmanager
def replacing(path: str) -> Generator[IO[bytes], None, None]:
    """Gives a file to write, which appears under path as a whole, or not at all."""
    directory = os.path.dirname(path)
    temporary = os.path.join(directory, f".glovebox-{secrets.token_hex(8)}")
    # not by tempfile, which makes files for their owner alone: the umask decides
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
    try:
        with os.fdopen(fd, "wb") as file:
            yield file
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def copy_to(source: str, path: str) -> str:
    """Copies a file, visible as a whole, and returns the SHA-256 of what was copied."""
    if os.path.exists(path) and os.path.samefile(source, path):
        return digest_of(source)
    digest = hashlib.sha256()
    with open(source, "rb") as original, replacing(path) as file:
        while piece := original.read(_PIECE):
            digest.update(piece)
            file.write(piece)
    return digest.hexdigest()


def digest_of(path: str) -> str:
    """Returns the SHA-256 of a file in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


class _Workspace:
    """A directory that only this user can enter, and which goes when the process ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._path: str | None = None

    def make(self) -> str:
        with self._lock:
            if self._path is None:
                self._path = tempfile.mkdtemp(prefix="glovebox-")
                atexit.register(_remove, self._path, os.getpid())
            return tempfile.mkdtemp(dir=self._path)


def _remove(path: str, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(path, ignore_errors=True)


_workspace = _Workspace()


def _forget() -> None:
    global _workspace
    _workspace = _Workspace()


in_children(_forget)


def private_dir() -> str:
    """Makes an empty directory of this process, which is removed at its end."""
    return _workspace.make()
