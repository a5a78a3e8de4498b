"""What a memory keeps by path: the text, who wrote it and why, a log of all writes, and earlier versions."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Generator
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from typing import Any, cast

from .._values.json_text import dump, loads
from ._memory_errors import ConcurrencyError, MemoryStoreError
from ._memory_files import MOST_OF_FILE, Files
from ._memory_lock import locked
from ._memory_paths import AUDIT, META, VERSIONS, as_name

_LOG = f"{AUDIT}/log.jsonl"
_MOST_OF_LOG = 4 << 20  # bytes, then it begins anew, and the one before is kept
_MOST_EVENTS = 10_000
_MOST_VERSIONS = 100  # of a path
_MOST_OF_WORDS = 2000  # characters of actor and reason


@dataclass(frozen=True)
class MemoryMeta:
    """What a memory knows of a text.

    Args:
        path: Where it is.
        sha256: The digest of what it has, which ``expected_sha`` of the next write takes.
        updated_at: When it was written, as ISO 8601 in UTC.
        updated_by: Who wrote it: ``actor`` of the write.
        reason: Why: ``reason`` of the write.
        bytes: How long it is.

    >>> from glovebox.agents import MemoryStore
    >>> memory = MemoryStore(key="clerk")
    >>> meta = memory.write_text("plan.md", "first milk", actor="clerk", reason="asked")
    >>> meta.path, meta.updated_by, meta.bytes
    ('plan.md', 'clerk', 10)
    """

    __module__ = "glovebox.agents"  # where users find it

    path: str
    sha256: str
    updated_at: str
    updated_by: str
    reason: str
    bytes: int


class Records:
    """Writes texts by paths that were checked and may be written."""

    def __init__(self, files: Files, *, audit: bool, keep_versions: bool) -> None:
        self._files, self._audit, self._keep_versions = files, audit, keep_versions

    @contextlib.contextmanager
    def writing(self) -> Generator[Files, None, None]:
        """Gives the files to the one writer at a time."""
        with locked(self._files.own(META) / ".lock"):
            self._files.forget_unfinished()
            yield self._files

    def write(self, path: str, data: bytes, actor: str, reason: str, expected: str | None) -> MemoryMeta:
        """Replaces a text, if what is there is what the caller expects.

        The log and the version come first: nothing is changed that they do not have.
        """
        actor, reason = _words("actor", actor), _words("reason", reason)
        with self.writing() as files:
            old = digest(files.read(path))
            if expected is not None and expected != old:
                raise ConcurrencyError(path, expected, old)
            files.check_room(path, len(data))
            now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
            meta = MemoryMeta(path, digest(data), now, actor, reason, len(data))
            if self._audit:
                self._log(meta, old)
            if self._keep_versions:
                self._keep(path, data, meta.sha256)
            files.replace(path, data)
            files.replace(_sidecar(path), dump(asdict(meta)).encode())
        return meta

    def meta(self, path: str) -> MemoryMeta | None:
        """Returns what is known of a text. Of one that others put there only what can be seen is known."""
        data = self._files.read(path)
        if data is None:
            return None
        known = _meta_of(self._files.read(_sidecar(path)))
        if known is not None and known.sha256 == digest(data):
            return known
        changed = os.lstat(self._files.root / path).st_mtime
        when = datetime.fromtimestamp(changed, timezone.utc).isoformat(timespec="milliseconds")
        return MemoryMeta(path, digest(data), when, "", "", len(data))

    def events(self, most: int) -> list[dict[str, Any]]:
        """Returns the last writes, the oldest first."""
        if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= _MOST_EVENTS:
            raise ValueError(f"n: expected 1 to {_MOST_EVENTS} events, got {most!r}")
        text = b"\n".join(self._files.read(name) or b"" for name in (f"{_LOG}.1", _LOG))
        found = (_document(line) for line in text.split(b"\n"))
        return [event for event in found if event is not None][-most:]

    def _log(self, meta: MemoryMeta, old: str) -> None:
        event = {
            "ts": meta.updated_at,
            "op": "update" if old else "create",
            "path": meta.path,
            "actor": meta.updated_by,
            "reason": meta.reason,
            "old_sha": old,
            "new_sha": meta.sha256,
            "bytes": meta.bytes,
        }
        self._files.append(_LOG, dump(event).encode() + b"\n", _MOST_OF_LOG)

    def _keep(self, path: str, data: bytes, sha: str) -> None:
        directory = f"{VERSIONS}/{as_name(path)}"
        names = [name for name in self._files.names(directory) if name[:8].isdecimal()]
        following = int(names[-1][:8]) + 1 if names else 1
        self._files.replace(f"{directory}/{following:08d}-{sha[:12]}.txt", data)
        for name in names[: max(0, len(names) + 1 - _MOST_VERSIONS)]:
            self._files.remove(f"{directory}/{name}")


def digest(data: bytes | None) -> str:
    """Returns the digest of what a file has, or nothing if there is no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def encoded(path: str, text: object) -> bytes:
    """Returns a text as a file has it."""
    if not isinstance(text, str):
        raise TypeError(f"{path}: expected a str to write, got {type(text).__name__}")
    if len(text) > MOST_OF_FILE:
        raise MemoryStoreError(f"{path}: expected at most {MOST_OF_FILE >> 20} MiB, got {len(text)} characters")
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise MemoryStoreError(
            f"{path}: expected text in UTF-8, got {text[error.start]!r} at character {error.start}"
        ) from None


def encoded_json(path: str, value: object) -> bytes:
    """Returns a value as JSON. MemoryStoreError if JSON has no form for it."""
    try:
        return encoded(path, dump(value))
    except (TypeError, ValueError) as error:
        raise MemoryStoreError(f"{path}: {error}") from None


def decoded_json(path: str, data: bytes) -> Any:
    """Returns what JSON says."""
    try:
        return loads(data)
    except ValueError as error:
        raise MemoryStoreError(f"{path}: it is no JSON: {error}") from None


def _sidecar(path: str) -> str:
    return f"{META}/{as_name(path)}.json"


def _words(name: str, text: object) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{name}: expected a str, got {type(text).__name__}")
    if len(text) > _MOST_OF_WORDS:
        raise MemoryStoreError(f"{name}: expected at most {_MOST_OF_WORDS} characters, got {len(text)}")
    encoded(name, text)
    return text


def _document(line: bytes) -> dict[str, Any] | None:
    """Returns an object in JSON, or None for the half of one that a crash leaves."""
    try:
        found: object = loads(line)
    except ValueError:
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def _meta_of(data: bytes | None) -> MemoryMeta | None:
    found = None if data is None else _document(data)
    fields = MemoryMeta.__dataclass_fields__
    if found is None or set(found) != set(fields):
        return None
    sound = all(isinstance(found[name], int if name == "bytes" else str) for name in fields)
    return MemoryMeta(**found) if sound else None
