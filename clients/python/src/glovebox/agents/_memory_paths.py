"""Paths within a memory, which models may have written: what is one, and which may be changed."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from .._values.json_text import short
from ._memory_errors import AccessDenied, MemoryStoreError

MESSAGES = "messages.json"
AUDIT, META, VERSIONS = "audit", "meta", "versions"

_MOST_BYTES, _MOST_OF_NAME, _MOST_NAMES = 1024, 200, 32
_MOST_QUOTED = 200


def checked_path(path: object) -> str:
    """Returns a path that stays within a memory, on every system. MemoryStoreError says what is wrong with another."""
    if not isinstance(path, str):
        raise TypeError(f"path: expected a str, got {type(path).__name__}")
    if not path:
        raise MemoryStoreError("Empty path: expected one such as 'notes/plan.md'")
    if path.startswith(("/", "\\")) or path[1:2] == ":":
        raise MemoryStoreError(f"path: it must be relative, such as 'notes/plan.md', got {short(path)}")
    names = path.split("/")
    if ".." in names:
        raise MemoryStoreError(f"path: traversal by '..' is refused, got {short(path)}")
    why = _length_problem(path, names) or next((why for why in map(_name_problem, names) if why), "")
    if why:
        raise MemoryStoreError(f"path: {why}, got {short(path)}")
    return path


def _length_problem(path: str, names: list[str]) -> str:
    size = len(path.encode("utf-8", "surrogatepass"))
    if size > _MOST_BYTES or len(names) > _MOST_NAMES:
        return f"expected at most {_MOST_BYTES} bytes and {_MOST_NAMES} names"
    return ""


def _name_problem(name: str) -> str:
    if name in ("", "."):
        return "expected names with one '/' between them"
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return "expected text in UTF-8"
    if size > _MOST_OF_NAME:
        return f"expected names of at most {_MOST_OF_NAME} bytes"
    if any(ord(c) < 32 or ord(c) == 127 for c in name):
        return "expected names without control characters"
    if set(name) & {"\\", ":"} or name[-1] in ". ":
        return "expected names that every system has: without '\\' and ':', and with no dot or space at the end"
    return ""


def checked_key(key: object, what: str = "key") -> str:
    """Returns the name of a memory, or of what it belongs to."""
    if not isinstance(key, str):
        raise TypeError(f"{what}: expected a str, got {type(key).__name__}")
    why = "" if key and key != ".." and "/" not in key else "expected one name"
    why = why or _name_problem(key)
    if why:
        raise MemoryStoreError(f"{what}: {why}: it must be a single path segment, got {short(key)}")
    return key


def place_of(key: str, org: str | None, project: str | None, domain: str | None) -> Path:
    """Returns where the memory of a key is below a home. One that belongs to something is apart from all others."""
    owners = {"org": org, "project": project, "domain": domain}
    name = checked_key(key)
    if all(owner is None for owner in owners.values()):
        return Path("memory", name)
    return Path("memory-of", *(f"{what}={_owner(owner, what)}" for what, owner in owners.items()), name)


def _owner(name: str | None, what: str) -> str:
    return "" if name is None else checked_key(name, what)


def checked_prefixes(prefixes: Iterable[str]) -> tuple[str, ...]:
    """Returns prefixes of paths. A str alone, which would be a prefix for each character, is refused."""
    if isinstance(prefixes, str):
        raise TypeError(f"read_only_prefixes: expected several, such as ({prefixes!r},), got a str")
    made = tuple(prefixes)
    for prefix in made:
        checked_path(prefix[:-1] if isinstance(prefix, str) and prefix.endswith("/") else prefix)
    return made


def check_writable(path: str, read_only: Iterable[str]) -> None:
    """Refuses to change what belongs to the memory itself, and what is read-only."""
    if is_own(path):
        raise AccessDenied(f"{path}: {MESSAGES} and what is below {AUDIT}/, {META}/ and {VERSIONS}/ is reserved")
    for prefix in read_only:
        if is_below(path, prefix):
            raise AccessDenied(f"{path}: what is below {prefix!r} is read-only")


def is_own(path: str) -> bool:
    """Reports whether a path is one that the memory itself writes."""
    first, _, rest = _folded(path).partition("/")
    return first in (AUDIT, META, VERSIONS) or (first == MESSAGES and not rest)


def is_below(path: str, prefix: str) -> bool:
    """Reports whether a path is what a prefix names, or below it."""
    folded, top = _folded(path), _folded(prefix.rstrip("/"))
    return folded == top or folded.startswith(top + "/")


def _folded(path: str) -> str:
    """Returns what paths have in common that are one file on some system."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def as_name(path: str) -> str:
    """Returns a path as one name, another for each path."""
    quoted = quote(path, safe="")
    if len(quoted) <= _MOST_QUOTED:
        return quoted
    # No quoted path has this: a % is followed by digits.
    return f"{quoted[: _MOST_QUOTED // 2]}%~{hashlib.sha256(path.encode()).hexdigest()}"
