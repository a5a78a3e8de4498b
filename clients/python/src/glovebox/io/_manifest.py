"""The text that lists a tree of files. Its digest is the digest of the tree.

It is one line of JSON without white space, written in one way only, so that
the same tree has the same digest wherever it is put:

    {"version":1,"entries":[{"path":"bin","type":"dir"},
    {"path":"bin/tool","type":"file","sha256":"2c26...","size":3,"executable":true},
    {"path":"run","type":"link","target":"bin/tool"}]}

(broken here for the reader). Entries are sorted by the bytes of their paths.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import InvalidInputError
from ._transfer import is_digest

MAX_ENTRIES = 500_000  # files, directories and links
MAX_MANIFEST = 128 << 20  # bytes
MAX_DEPTH = 64
_MAX_PATH = 4096  # bytes
_MAX_NAME = 255  # bytes
_MAX_SIZE = (1 << 63) - 1

FILE, DIR, LINK = "file", "dir", "link"

_HEAD, _TAIL = '{"version":1,"entries":[', "]}"

# The bounds, which no canonical text exceeds, keep the work small that a
# hostile one can make.
_STRING = r'"([^"\\]{0,4096}(?:\\.[^"\\]{0,4096}){0,4096})"'
_ENTRY = re.compile(
    rf'\{{"path":{_STRING},"type":"(file|dir|link)"(?:,"sha256":"([0-9a-f]{{64}})")?(?:,"size":([1-9][0-9]{{0,18}}))?'
    rf'(?:,"executable":(true))?(?:,"target":{_STRING})?\}}'
)


@dataclass(frozen=True)
class Entry:
    """A file, directory or link of a tree. ``path`` is relative, with slashes."""

    path: str
    type: str
    sha256: str = ""
    size: int = 0
    executable: bool = False
    target: str = ""


def write(entries: Iterable[Entry]) -> bytes:
    """Checks entries, in any order, and returns their manifest."""
    found = list(entries)
    for entry in found:
        _check_path(entry.path)
    ordered = sorted(found, key=lambda entry: entry.path.encode())
    check(ordered)
    text = _text(ordered)
    if len(text) > MAX_MANIFEST:
        raise _bad_tree(f"its list of files is larger than {MAX_MANIFEST} bytes")
    return text


def parse(text: bytes) -> list[Entry]:
    """Reads a manifest that anybody may have made. What it lists stays below its directory."""
    if len(text) > MAX_MANIFEST:
        raise _bad_tree(f"its list of files is larger than {MAX_MANIFEST} bytes")
    try:
        entries = _read(text.decode())
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise _bad_form() from None
    check(entries)
    if _text(entries) != text:
        raise _bad_tree("its list of files is not written in the canonical way")
    return entries


def _read(text: str) -> list[Entry]:
    if not text.startswith(_HEAD) or not text.endswith(_TAIL):
        raise _bad_form()
    entries: list[Entry] = []
    at, end = len(_HEAD), len(text) - len(_TAIL)
    while at < end:
        if entries:
            if text[at] != ",":
                raise _bad_form()
            at += 1
        if len(entries) == MAX_ENTRIES:
            raise _bad_tree(f"it has more than {MAX_ENTRIES} entries")
        match = _ENTRY.match(text, at, end)
        if match is None:
            raise _bad_form()
        path, kind, sha256, size, executable, target = match.groups()
        entries.append(
            Entry(_unescape(path), kind, sha256 or "", int(size or 0), executable is not None, _unescape(target or ""))
        )
        at = match.end()
    return entries


def _unescape(text: str) -> str:
    return str(json.loads(f'"{text}"')) if "\\" in text else text


def _text(entries: Sequence[Entry]) -> bytes:
    return (_HEAD + ",".join(map(_line, entries)) + _TAIL).encode()


def _line(entry: Entry) -> str:
    parts = [f'"path":{_escape(entry.path)},"type":"{entry.type}"']
    if entry.sha256:
        parts.append(f'"sha256":"{entry.sha256}"')
    if entry.size:
        parts.append(f'"size":{entry.size}')
    if entry.executable:
        parts.append('"executable":true')
    if entry.target:
        parts.append(f'"target":{_escape(entry.target)}')
    return "{" + ",".join(parts) + "}"


def _escape(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def check(entries: Sequence[Entry]) -> None:
    """Makes sure that entries are a tree, in order, that stays in its directory."""
    if len(entries) > MAX_ENTRIES:
        raise _bad_tree(f"it has more than {MAX_ENTRIES} entries")
    dirs = {""}
    last, size = b"", 0
    for entry in entries:
        _check_entry(entry)
        path = entry.path.encode()
        if path <= last:
            raise bad_entry(entry.path, "is there twice, or not in its place")
        if entry.path.rpartition("/")[0] not in dirs:
            raise bad_entry(entry.path, "is in no directory of the tree")
        last, size = path, size + entry.size
        if size > _MAX_SIZE:
            raise bad_entry(entry.path, "is too large")
        if entry.type == DIR:
            dirs.add(entry.path)
    for entry in entries:
        if entry.type == LINK and not stays_inside(entry, dirs):
            raise bad_entry(entry.path, "is a symbolic link that leads out of the directory, or could")


def _check_entry(entry: Entry) -> None:
    _check_path(entry.path)
    if entry.type == FILE:
        fits = is_digest(entry.sha256) and entry.size >= 0 and not entry.target
    else:
        fits = not (entry.sha256 or entry.size or entry.executable) and (entry.type == LINK or not entry.target)
    if not fits:
        raise bad_entry(entry.path, "lacks a field, or has one that its type has not")


def _check_path(path: str) -> None:
    why = path_problem(path)
    if why:
        raise bad_entry(path, why)


def path_problem(path: str) -> str:
    """Says why path cannot be one of a tree, or nothing."""
    try:
        size = len(path.encode())
    except UnicodeEncodeError:
        return "is not valid UTF-8"
    if size > _MAX_PATH:
        return f"is longer than {_MAX_PATH} bytes"
    if "\0" in path:
        return "has a zero byte in its name"
    parts = path.split("/")
    if len(parts) > MAX_DEPTH:
        return f"is more than {MAX_DEPTH} levels deep"
    if any(part in ("", ".", "..") for part in parts):
        return "does not stay in its directory"
    if any(len(part.encode()) > _MAX_NAME for part in parts):
        return f"has a part of more than {_MAX_NAME} bytes"
    return ""


def stays_inside(link: Entry, dirs: set[str]) -> bool:
    """Reports whether a link leads to a place in the tree, whether there is something or not.

    The way back up begins in true directories only: from behind another link
    it could lead anywhere.
    """
    try:
        size = len(link.target.encode())
    except UnicodeEncodeError:
        return False
    if size > _MAX_PATH or link.target.startswith("/") or "\0" in link.target or not link.target:
        return False
    at = link.path.split("/")[:-1]
    for part in link.target.split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            at.append(part)
            continue
        if not at or "/".join(at) not in dirs:
            return False
        at.pop()
    return True


def _bad_tree(why: str) -> Exception:
    return InvalidInputError(f"the directory cannot be used: {why}", hint="upload the directory again")


def _bad_form() -> Exception:
    return _bad_tree("its list of files is not of the form that this version knows")


def bad_entry(path: str, why: str) -> Exception:
    """Returns the error about an entry."""
    return InvalidInputError(
        f"the directory has an entry {path[:200]!r}, which {why}",
        hint="leave the entry out, or replace it by what it points to",
    )
