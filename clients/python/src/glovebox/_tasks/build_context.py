"""Build contexts: the directory around a Dockerfile as one archive, which is the same for the same files.

Its bytes are those that the command line makes, on every Python: ``tarfile``
writes others from release to release, and every digest would be another image.
"""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from .ignore_patterns import IgnorePatterns, Matched
from .regular import open_regular

_MOST = 16 << 30  # bytes: what an engine takes
_MOST_PATTERNS = 1 << 20  # bytes
_PIECE = 1 << 20  # bytes
_BLOCK = 512  # bytes
_MOST_OCTAL = 8**11 - 1  # the largest size that fits into the header of a file
_NAME = 100  # bytes of a name, or of the target of a link, that fit there
_PREFIX = 155  # bytes of the directories before a name
_DEVICE = b"0000000"


@dataclass(frozen=True)
class Entry:
    """A file, a directory or a link of a context. ``stamp`` changes when it is written."""

    name: str
    mode: int
    size: int
    stamp: int
    target: str = ""


def entries_of(context: Path, dockerfile: Path) -> tuple[Entry, ...]:
    """Lists what is in a context, without what ``.dockerignore`` leaves out.

    Raises:
        ValueError: It has something that no archive can have, or too much.
        OSError: Something cannot be read.
    """
    patterns = _ignored(context, dockerfile)
    found = tuple(_below(context, "", patterns, patterns.nothing))
    size = sum(entry.size for entry in found)
    if size > _MOST:
        raise ValueError(
            f"the build context {context} has {size >> 30} GiB, and at most {_MOST >> 30} are taken; leave out what "
            f"the build does not need with .dockerignore, such as {_largest(found)!r}"
        )
    return found


def pack(context: Path, entries: tuple[Entry, ...], to: BinaryIO) -> None:
    """Writes a context. Owners and times are left out, as for Docker they do not count."""
    for entry in entries:
        to.write(_header(entry))
        if stat.S_ISREG(entry.mode):
            _copy(context, entry, to)
    to.write(bytes(2 * _BLOCK))


def _ignored(context: Path, dockerfile: Path) -> IgnorePatterns:
    """Reads the list beside a Dockerfile that is its own, or that of the context."""
    for path in (dockerfile.with_name(dockerfile.name + ".dockerignore"), context / ".dockerignore"):
        try:
            if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(path.parent)):
                raise ValueError(f"{path} is a link that leads out of its directory")
            with open_regular(path) as file:
                text = file.read(_MOST_PATTERNS)
        except FileNotFoundError:
            continue
        try:
            return IgnorePatterns(text.decode("utf-8-sig", "surrogateescape"))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
    return IgnorePatterns("")


def _below(context: Path, directory: str, patterns: IgnorePatterns, above: Matched) -> Iterator[Entry]:
    """Yields what is in a directory. One that is ignored is read if a pattern may want something of it back."""
    with os.scandir(context / directory) as listed:
        inside = sorted(listed, key=lambda entry: os.fsencode(entry.name))
    for entry in inside:
        name = f"{directory}/{entry.name}" if directory else entry.name
        ignored, matched = patterns.ignores(name, above)
        status = entry.stat(follow_symlinks=False)
        if not ignored and not stat.S_ISSOCK(status.st_mode):  # as in Docker
            yield _entry(context, name, status)
        if stat.S_ISDIR(status.st_mode) and (not ignored or patterns.takes_back):
            yield from _below(context, name, patterns, matched)


def _entry(context: Path, name: str, status: os.stat_result) -> Entry:
    mode, stamp = status.st_mode, max(status.st_mtime_ns, status.st_ctime_ns)
    if stat.S_ISREG(mode):
        return Entry(name, mode, status.st_size, stamp)
    if stat.S_ISDIR(mode):
        return Entry(name + "/", mode, 0, 0)
    if stat.S_ISLNK(mode):
        return Entry(name, mode, 0, stamp, os.readlink(context / name))
    raise ValueError(
        f"the build context: {name} is neither a file nor a directory nor a link; leave it out with .dockerignore"
    )


def _largest(entries: tuple[Entry, ...]) -> str:
    """Returns the name at the top of the context that holds most."""
    sizes: dict[str, int] = {}
    for entry in entries:
        top = entry.name.partition("/")[0]
        sizes[top] = sizes.get(top, 0) + entry.size
    return max(sizes, key=lambda top: sizes[top])


def _copy(context: Path, entry: Entry, to: BinaryIO) -> None:
    with open_regular(context / entry.name, getattr(os, "O_NOFOLLOW", 0)) as file:
        left = entry.size
        while left:
            piece = file.read(min(left, _PIECE))
            if not piece:
                raise ValueError(f"the build context: {entry.name} became shorter while it was read")
            to.write(piece)
            left -= len(piece)
    to.write(bytes(-entry.size % _BLOCK))


def _header(entry: Entry) -> bytes:
    """Returns what stands before the content of an entry: what does not fit there comes before it, as in PAX."""
    name, target = os.fsencode(entry.name), os.fsencode(entry.target)
    kind = b"5" if stat.S_ISDIR(entry.mode) else b"2" if stat.S_ISLNK(entry.mode) else b"0"
    mode = b"%07o" % stat.S_IMODE(entry.mode)
    records = b"" if _fits(target) else _record(b"linkpath", target)
    large = b"" if entry.size <= _MOST_OCTAL else _record(b"size", b"%d" % entry.size)
    above, last = _split(name)
    if not records and not large and above:
        return _block(last, mode, entry.size, kind, target, _DEVICE, above)
    records += (b"" if _fits(name) else _record(b"path", name)) + large
    own = _block(_fitting(name), mode, 0 if large else entry.size, kind, _fitting(target), _DEVICE)
    if not records:
        return own
    directory, _, file = name.rpartition(b"/")
    called = _fitting(posixpath.join(directory, b"PaxHeaders.0", file)).rstrip(b"/")
    return _block(called, b"0000000", len(records), b"x") + records + bytes(-len(records) % _BLOCK) + own


def _split(name: bytes) -> tuple[bytes, bytes]:
    """Returns a long name in the two parts that a header has room for, or two empty ones."""
    end = _PREFIX + 1 if len(name) > _PREFIX + 1 else len(name.rstrip(b"/"))
    at = name.rfind(b"/", 0, end)
    if len(name) <= _NAME or not name.isascii() or at <= 0 or not 0 < len(name) - at - 1 <= _NAME:
        return b"", b""
    return name[:at], name[at + 1 :]


def _fits(text: bytes) -> bool:
    return len(text) <= _NAME and text.isascii()


def _fitting(text: bytes) -> bytes:
    """Returns as much of a name as the header of a file has room for."""
    plain = text.decode("utf-8", "replace").encode("ascii", "ignore")
    cut = plain[:_NAME]
    return cut.rstrip(b"/") if len(plain) > _NAME else cut


def _block(
    name: bytes, mode: bytes, size: int, kind: bytes, target: bytes = b"", device: bytes = b"", prefix: bytes = b""
) -> bytes:
    def field(text: bytes, width: int) -> bytes:
        return text.ljust(width, b"\0")

    number = field(b"0000000", 8)
    start = field(name, _NAME) + field(mode, 8) + number + number + field(b"%011o" % size, 12) + field(b"0" * 11, 12)
    end = (
        kind
        + field(target, _NAME)
        + b"ustar\x0000"
        + bytes(64)
        + field(device, 8) * 2
        + field(prefix, _PREFIX)
        + bytes(12)
    )
    checksum = sum(start) + sum(end) + 8 * ord(" ")
    return start + b"%06o\0 " % checksum + end


def _record(key: bytes, value: bytes) -> bytes:
    """Returns a record of PAX, which begins with its own length."""
    rest = b" %s=%s\n" % (key, value)
    length = len(rest) + len(str(len(rest)))
    length = len(rest) + len(str(length))
    return b"%d" % length + rest
