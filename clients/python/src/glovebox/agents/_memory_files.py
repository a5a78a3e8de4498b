"""Files of a directory that are read and replaced as a whole, and reached by no link."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Generator, Iterator
from pathlib import Path

from ._memory_errors import MemoryStoreError
from ._memory_paths import AUDIT, META, VERSIONS

MOST_OF_FILE = 16 << 20  # bytes
MOST_FILES = 10_000  # without those of the memory itself
MOST_BYTES = 1 << 30  # of all
_MOST_LISTED = 200_000  # with those of the memory itself

_NEW = "%new-"  # what the names of files begin with that are being written; no sidecar has such a name
_NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
_BINARY: int = getattr(os, "O_BINARY", 0)
_READ: int = os.O_RDONLY | _NOFOLLOW | _BINARY | getattr(os, "O_NONBLOCK", 0)
_CREATE: int = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _BINARY


class Files:
    """Reads and writes files by paths that were checked.

    Only writers need the lock: readers see a file as it was before or after a write.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, path: str) -> bytes | None:
        """Returns what a file has, or None if there is none."""
        place = self._place(path)
        with _storing(path):
            try:
                fd = os.open(place, _READ)
            except FileNotFoundError:
                return None
            with os.fdopen(fd, "rb") as file:
                data = file.read(MOST_OF_FILE + 1)
        if len(data) > MOST_OF_FILE:
            raise MemoryStoreError(f"{path}: expected at most {MOST_OF_FILE >> 20} MiB, got more")
        return data

    def replace(self, path: str, data: bytes) -> None:
        """Writes a file as a whole: after a crash there is what was before, or what was written."""
        place = self._place(path)
        with _storing(path):
            self._make_directory(place.parent)
            new = self.own(META) / f"{_NEW}{secrets.token_hex(8)}"
            fd = os.open(new, _CREATE, 0o600)
            with os.fdopen(fd, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, place)
            _sync_directory(place.parent)

    def append(self, path: str, line: bytes, most: int) -> None:
        """Adds a line to a log. One that is larger than ``most`` becomes the earlier one, ``path.1``, first."""
        place = self._place(path)
        with _storing(path):
            self._make_directory(place.parent)
            fd = os.open(place, os.O_RDWR | os.O_CREAT | os.O_APPEND | _NOFOLLOW | _BINARY, 0o600)
            with os.fdopen(fd, "rb+", buffering=0) as file:
                size = file.seek(0, os.SEEK_END)
                if size and (file.seek(-1, os.SEEK_END), file.read(1))[1] != b"\n":
                    line = b"\n" + line  # a crash cut the last one
                file.write(line)
                os.fsync(file.fileno())
            if size > most:
                os.replace(place, self._place(path + ".1"))
            _sync_directory(place.parent)

    def remove(self, path: str) -> None:
        """Removes a file, which may be gone."""
        place = self._place(path)
        with _storing(path):
            place.unlink(missing_ok=True)

    def names(self, directory: str) -> list[str]:
        """Returns the names in a directory, sorted, none if there is no such directory."""
        place = self._place(directory, directory=True)
        with _storing(directory):
            return sorted(os.listdir(place)) if place.is_dir() else []

    def own(self, directory: str) -> Path:
        """Returns a directory of the memory itself, which is made if it is not there."""
        place = self._place(directory, directory=True)
        with _storing(directory):
            self._make_directory(place)
        return place

    def forget_unfinished(self) -> None:
        """Removes what writers left that died. Needs the lock: all that is there is of dead ones then."""
        for name in self.names(META):
            if name.startswith(_NEW):
                self.remove(f"{META}/{name}")

    def listed(self) -> Iterator[tuple[str, int]]:
        """Yields path and size of each regular file. Links are neither listed nor followed."""
        found = 0
        for directory, below, names in os.walk(self.root):
            found += len(below) + len(names)
            if found > _MOST_LISTED:
                raise MemoryStoreError(f"{self.root}: expected at most {_MOST_LISTED} entries, found more")
            above = Path(directory).relative_to(self.root).as_posix()
            for name in names:
                with contextlib.suppress(FileNotFoundError):
                    info = os.lstat(os.path.join(directory, name))
                    if stat.S_ISREG(info.st_mode):
                        yield name if above == "." else f"{above}/{name}", info.st_size

    def check_room(self, path: str, size: int) -> None:
        """Refuses what would make the memory too large, before anything is written."""
        if size > MOST_OF_FILE:
            raise MemoryStoreError(f"{path}: expected at most {MOST_OF_FILE >> 20} MiB, got {size} bytes")
        files, total, known = 0, size, False
        for other, taken in self.listed():
            total += 0 if other == path else taken
            known |= other == path
            files += other.split("/", 1)[0] not in (AUDIT, META, VERSIONS)
        if files >= MOST_FILES and not known:
            raise MemoryStoreError(f"{path}: expected at most {MOST_FILES} files; remove some from {self.root}")
        if total > MOST_BYTES:
            raise MemoryStoreError(
                f"{path}: expected at most {MOST_BYTES >> 20} MiB of files and versions; remove some from {self.root}"
            )

    def _place(self, path: str, *, directory: bool = False) -> Path:
        """Returns where a path is. MemoryStoreError if it goes by a link, or is something else than a file."""
        names, place = path.split("/"), self.root
        for i, name in enumerate(names):
            place = place / name
            try:
                mode = os.lstat(place).st_mode
            except FileNotFoundError:
                continue
            except OSError as error:
                raise MemoryStoreError(f"{path}: {error.strerror}") from error
            if stat.S_ISLNK(mode):
                raise MemoryStoreError(f"{path}: it goes by a symbolic link, which may lead outside the memory root")
            is_last = i == len(names) - 1
            if not (stat.S_ISREG(mode) if is_last and not directory else stat.S_ISDIR(mode)):
                raise MemoryStoreError(f"{path}: {place} is no {'file' if is_last else 'directory'}")
        return place

    def _make_directory(self, place: Path) -> None:
        if place.is_dir():
            return
        self._make_directory(place.parent)
        with contextlib.suppress(FileExistsError):
            place.mkdir(0o700)
            _sync_directory(place.parent)


@contextlib.contextmanager
def _storing(path: str) -> Generator[None, None, None]:
    try:
        yield
    except OSError as error:
        raise MemoryStoreError(f"{path}: {error.strerror or error}") from error


def _sync_directory(place: Path) -> None:
    """Makes what was renamed last over a loss of power, where directories can be opened."""
    if os.name != "posix":
        return
    fd = os.open(place, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
