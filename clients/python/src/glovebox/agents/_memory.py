"""The memory of an agent: what was said, and texts by path, which stay from run to run."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ParamSpec, cast

from .._link.settings import HOME_VARIABLE, settings
from .._process import context
from .._process.log import logger
from .._process.loop import Syncified, syncify, syncify_method
from ..io._address import is_address
from ._memory_errors import ConcurrencyError, MemoryStoreError
from ._memory_files import Files
from ._memory_paths import (
    MESSAGES,
    META,
    check_writable,
    checked_key,
    checked_path,
    checked_prefixes,
    is_below,
    is_own,
    place_of,
)
from ._memory_records import MemoryMeta, Records, decoded_json, digest, encoded, encoded_json

_DAMAGED = f"{META}/messages.damaged"

_log = logger("glovebox.agents")
P = ParamSpec("P")


def _static(function: Syncified[P, MemoryStore]) -> Syncified[P, MemoryStore]:
    """Makes a static method, which has ``.aio`` for all type checkers."""
    return cast("Syncified[P, MemoryStore]", staticmethod(function))


class MemoryStore:
    """What an agent remembers: ``memory=`` of ``run`` continues with its messages, and adds what was said.

    ``get_or_create`` finds the one of a key below the home of the engine on this machine, or makes it. ``save`` keeps
    the messages; a text that ``write_text`` or ``write_json`` wrote is kept at once. All that is written replaces what
    was there as a whole, so that a crash leaves the old or the new, and writers of several processes take turns. One
    that knows only an older state than another has saved gets a ``ConcurrencyError``, and nothing is lost.

    >>> from glovebox.agents import Agent, MemoryStore
    >>> agent = Agent(call_llm=lambda model, system, messages, tools: f"{len(messages)} said")
    >>> memory = MemoryStore.get_or_create(key="my-assistant")
    >>> result = agent.run("I like teal.", memory=memory)
    >>> memory.save()

    Args:
        key: Its name: one segment of a path.
        messages: What was said, as OpenAI has messages; by default what was saved.
        root: The directory of it. Without one, it has a temporary directory, which goes with it.
        remote_path: The same, by the name that programs for the library of the documents use.
        read_only_prefixes: Where nothing may be written, such as ``("rules/",)``.
        audit: Each write is logged, with who did it and why.
        keep_versions: The last 100 texts of each path are kept.
    """

    __module__ = "glovebox.agents"  # where users find it

    def __init__(
        self,
        key: str,
        messages: Sequence[Mapping[str, Any]] | None = None,
        root: str | os.PathLike[str] | None = None,
        *,
        read_only_prefixes: Sequence[str] = (),
        audit: bool = True,
        keep_versions: bool = False,
        remote_path: str | os.PathLike[str] | None = None,
    ) -> None:
        root = _either(root, remote_path)
        self.key = checked_key(key)
        self.read_only_prefixes = checked_prefixes(read_only_prefixes)
        self.audit, self.keep_versions = audit, keep_versions
        self._lasts = root is not None
        self.root = _directory(root) if root is not None else self._temporary()
        self._files = Files(self.root)
        self._records = Records(self._files, audit=audit, keep_versions=keep_versions)
        self._damaged = False
        self._known, saved = self._saved()
        self.messages: list[dict[str, Any]] = saved if messages is None else [dict(each) for each in messages]

    @property
    def remote_path(self) -> str | None:
        """Where it is kept: its directory, or None if that is temporary."""
        return str(self.root) if self._lasts else None

    @staticmethod
    def remote_path_for_key(
        *, key: str, org: str | None = None, project: str | None = None, domain: str | None = None
    ) -> str:
        """Returns where the memory of a key is kept: another place for each organization, project and domain."""
        return str(_home() / place_of(key, org, project, domain))

    @staticmethod
    async def _create(
        *,
        key: str,
        org: str | None = None,
        project: str | None = None,
        domain: str | None = None,
        read_only_prefixes: Sequence[str] = (),
        audit: bool = True,
        keep_versions: bool = False,
    ) -> MemoryStore:
        """Makes the memory of a key, with the options of the class. MemoryStoreError if there is one."""
        place = MemoryStore.remote_path_for_key(key=key, org=org, project=project, domain=domain)
        return await asyncio.to_thread(_opened, key, place, read_only_prefixes, audit, keep_versions, new=True)

    create = _static(syncify(_create))

    @staticmethod
    async def _get_or_create(
        *,
        key: str,
        org: str | None = None,
        project: str | None = None,
        domain: str | None = None,
        read_only_prefixes: Sequence[str] = (),
        audit: bool = True,
        keep_versions: bool = False,
    ) -> MemoryStore:
        """Returns the memory of a key, which is made if there is none, with the options of the class.

        ``org``, ``project`` and ``domain`` are names for what it belongs to: of one key there is one memory for each.
        """
        place = MemoryStore.remote_path_for_key(key=key, org=org, project=project, domain=domain)
        return await asyncio.to_thread(_opened, key, place, read_only_prefixes, audit, keep_versions, new=False)

    get_or_create = _static(syncify(_get_or_create))

    @staticmethod
    async def exists(
        *, key: str, org: str | None = None, project: str | None = None, domain: str | None = None
    ) -> bool:
        """Reports whether there is a memory of a key."""
        place = MemoryStore.remote_path_for_key(key=key, org=org, project=project, domain=domain)
        return await asyncio.to_thread(Path(place, MESSAGES).is_file)

    def append(self, message: Mapping[str, Any]) -> None:
        """Adds a message, which ``save`` keeps."""
        self.messages.append(dict(message))

    def extend(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Adds messages, which ``save`` keeps."""
        self.messages.extend(dict(each) for each in messages)

    @syncify_method
    async def save(self) -> None:
        """Keeps the messages. ConcurrencyError if others saved some since this memory was read."""
        if not self._lasts:
            raise MemoryStoreError(
                f"memory {self.key!r}: its directory is temporary: "
                "make it by MemoryStore.get_or_create(key=...), or give it a root"
            )
        await self.flush_messages()

    async def flush_messages(self) -> None:
        """Writes the messages into the directory, which may be a temporary one."""
        await asyncio.to_thread(self.flush_messages_sync)

    def flush_messages_sync(self) -> None:
        """Does the same, and blocks."""
        data = encoded_json(MESSAGES, self.messages)
        with self._records.writing() as files:
            current = files.read(MESSAGES)
            found = digest(current)
            if current is not None and digest(data) in (found, self._known):
                return  # nothing to add to what is there
            if found != self._known:
                raise ConcurrencyError(MESSAGES, self._known, found)
            files.check_room(MESSAGES, len(data))
            if self._damaged and current is not None:
                files.replace(_DAMAGED, current)
            files.replace(MESSAGES, data)
        self._known, self._damaged = digest(data), False

    @syncify_method
    async def write_text(
        self, rel_path: str, content: str, *, actor: str = "agent", reason: str = "", expected_sha: str | None = None
    ) -> MemoryMeta:
        """Writes a text, and returns what is known of it then.

        With ``expected_sha``, what ``current_sha`` returned, only if it is still the same: else ConcurrencyError.
        An empty one is for a text that must not be there yet.
        """
        data = encoded(self._writable(rel_path), content)
        return await asyncio.to_thread(self._records.write, rel_path, data, actor, reason, expected_sha)

    @syncify_method
    async def write_json(
        self, rel_path: str, obj: Any, *, actor: str = "agent", reason: str = "", expected_sha: str | None = None
    ) -> MemoryMeta:
        """Writes a value as JSON, otherwise as ``write_text`` does."""
        data = encoded_json(self._writable(rel_path), obj)
        return await asyncio.to_thread(self._records.write, rel_path, data, actor, reason, expected_sha)

    @syncify_method
    async def read_text(self, rel_path: str, default: str = "") -> str:
        """Returns a text, or ``default`` if there is none."""
        data = await self._read(rel_path)
        try:
            return default if data is None else data.decode()
        except UnicodeDecodeError:
            raise MemoryStoreError(f"{rel_path}: expected text in UTF-8, and it is none") from None

    @syncify_method
    async def read_json(self, rel_path: str, default: Any = None) -> Any:
        """Returns the value that a text has as JSON, or ``default`` if there is no text."""
        data = await self._read(rel_path)
        return default if data is None else decoded_json(rel_path, data)

    def list_paths(self, prefix: str = "") -> list[str]:
        """Returns the paths of all texts, or of those below one path, sorted."""
        if prefix:
            checked_path(prefix.rstrip("/"))
        paths = (path for path, _ in self._files.listed() if not is_own(path) and _can_be_read(path))
        return sorted(path for path in paths if not prefix or is_below(path, prefix))

    @syncify_method
    async def current_sha(self, rel_path: str) -> str:
        """Returns the digest of a text, or nothing if there is none."""
        return digest(await self._read(rel_path))

    @syncify_method
    async def get_meta(self, rel_path: str) -> MemoryMeta | None:
        """Returns who wrote a text, when and why, or None if there is none."""
        return await asyncio.to_thread(self._records.meta, checked_path(rel_path))

    async def audit_tail(self, n: int = 20) -> list[dict[str, Any]]:
        """Returns the last writes, the oldest first: ``ts``, ``op``, ``path``, ``actor``, ``reason`` and digests."""
        return await asyncio.to_thread(self.audit_tail_sync, n)

    def audit_tail_sync(self, n: int = 20) -> list[dict[str, Any]]:
        """Does the same, and blocks."""
        return self._records.events(n)

    async def _read(self, path: str) -> bytes | None:
        return await asyncio.to_thread(self._files.read, checked_path(path))

    def _writable(self, path: str) -> str:
        check_writable(checked_path(path), self.read_only_prefixes)
        return path

    def _temporary(self) -> Path:
        made = os.path.realpath(tempfile.mkdtemp(prefix="glovebox-memory-"))
        weakref.finalize(self, shutil.rmtree, made, ignore_errors=True)
        return Path(made)

    def _saved(self) -> tuple[str, list[dict[str, Any]]]:
        """Returns the digest of the messages that were saved, and these."""
        data = self._files.read(MESSAGES)
        try:
            found: object = [] if data is None else decoded_json(MESSAGES, data)
        except MemoryStoreError:
            found = None
        if not _are_messages(found):
            _log.warning("%s: it holds no messages; save keeps it as %s", self.root / MESSAGES, _DAMAGED)
            self._damaged, found = True, []
        return digest(data), cast("list[dict[str, Any]]", found)

    def __repr__(self) -> str:
        return f"<MemoryStore {self.key} with {len(self.messages)} messages in {self.root}>"


def _either(
    root: str | os.PathLike[str] | None, remote_path: str | os.PathLike[str] | None
) -> str | os.PathLike[str] | None:
    """Returns the directory that one of two names gives. MemoryStoreError for what no lock can be held in."""
    if root is not None and remote_path is not None:
        raise MemoryStoreError("remote_path: it is another name of root, which is given too; leave one of them out")
    given = remote_path if root is None else root
    if is_address(given):
        raise MemoryStoreError(
            f"root: expected a directory of this machine, got the address {given!r}: writers of a memory take turns by "
            "a lock, and an object store has none; mount the store, or keep the memory here"
        )
    return given


def _opened(
    key: str, place: str, read_only_prefixes: Sequence[str], audit: bool, keep_versions: bool, *, new: bool
) -> MemoryStore:
    """Makes sure that there is a memory of a key, or that there was none, and opens it."""
    root = _made(key, place, new=new)
    return MemoryStore(key, root=root, read_only_prefixes=read_only_prefixes, audit=audit, keep_versions=keep_versions)


def _made(key: str, at: str, *, new: bool) -> Path:
    """Makes sure that there is a memory of a key, and returns where. Of several who make it one is first."""
    place = _directory(at)
    with Records(Files(place), audit=False, keep_versions=False).writing() as files:
        if files.read(MESSAGES) is None:
            files.replace(MESSAGES, b"[]")
        elif new:
            raise MemoryStoreError(f"memory {key!r} already exists in {place}: MemoryStore.get_or_create finds it")
    return place


def _are_messages(found: object) -> bool:
    return isinstance(found, list) and all(isinstance(each, dict) for each in cast("list[object]", found))


def _can_be_read(path: str) -> bool:
    try:
        return bool(checked_path(path))
    except MemoryStoreError:
        return False


def _directory(given: str | os.PathLike[str]) -> Path:
    """Makes sure that there is a directory, which is for its owner alone, as those above that are made with it."""
    made = Path(os.path.realpath(given))
    try:
        for missing in reversed([each for each in (made, *made.parents) if not each.exists()]):
            missing.mkdir(0o700, exist_ok=True)
        made.mkdir(exist_ok=True)  # raises if it is a file
    except OSError as error:
        raise MemoryStoreError(f"root: expected a directory, {made} is none: {error.strerror}") from error
    return made


def _home() -> Path:
    """Returns the home of engines on this machine, also where a server is used: then it is that of its clients."""
    if context.in_cell():
        raise MemoryStoreError(
            "a cell keeps no memory: open it in a function without a cell, and give the cell what it needs"
        )
    given = settings().home or os.environ.get(HOME_VARIABLE)
    if given:
        return Path(given).absolute()
    data = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_DATA_HOME"
    above = os.environ.get(data, "")
    return (Path(above) if os.path.isabs(above) else Path.home() / ".local" / "share") / "glovebox"
