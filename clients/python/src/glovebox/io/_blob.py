"""What File and DataFrame have in common: a handle to bytes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from .._link.current import current_engine
from .._process.loop import run_async, run_sync
from .._process.tracebacks import public
from ..errors import InvalidInputError, NotFoundError
from ._address import exists, fetch_file, is_address, name_in
from ._local import Copy, LocalPath, Stamp, absolute, check_file, copy_to, open_regular, place, private_dir, safe_name
from ._transfer import EMPTY, close, fetch, is_digest, send

if TYPE_CHECKING:
    from .._link.current import Engine

B = TypeVar("B", bound="Blob")

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


class Blob:
    """A handle to bytes, which are on this machine, with the engine, or both.

    Once the content is known it stays the same, whatever becomes of the file
    that it was taken from.
    """

    _address = ""  # where it lies elsewhere, until it is fetched

    def __init__(self, path: LocalPath, name: str | None = None) -> None:
        kind = type(self).__name__
        if is_address(path):
            address = str(path)
            called = given_name(kind, name) if name is not None else name_in(address, kind.lower())
            self._start(address, called, called, None)
            self._address = address
            return
        local = absolute(path, kind)
        called = given_name(kind, name) if name is not None else safe_name(local, kind.lower())
        self._start(local, called, called, Copy(local))

    def _start(
        self, path: str, name: str, label: str, copy: Copy | None, digest: str | None = None, size: int | None = None
    ) -> None:
        self._path = path
        self._name = name
        self._label = label  # its path in references
        self._copy = copy
        self._sha256 = digest
        self._size = 0 if digest == EMPTY else size
        self._stored_in = ""  # the engine that is known to have it
        # What it is compared by never changes, so that it can be a key.
        self._identity: tuple[str, str | None] = ("sha256", digest) if digest else ("path", path)

    @property
    def path(self) -> str:
        """Where it was taken from: a path of this machine, or an address; of what comes from a run, its name there."""
        return self._path

    @property
    def name(self) -> str:
        """The name of the file, without directories."""
        return self._name

    @property
    def size(self) -> int | None:
        """The number of bytes, if it is known."""
        if self._sha256 is None and self._copy is not None and self._copy.usable():
            return os.stat(self._copy.path).st_size
        return self._size

    @property
    def sha256(self) -> str | None:
        """The SHA-256 of the content in hexadecimal. None until a local file was given to a run."""
        return self._sha256

    @public
    async def download(self, local_path: LocalPath | None = None) -> str:
        """Makes sure that the bytes are in a local file, and returns its path.

        Without ``local_path`` that is a private file, which goes when this
        process ends; asked again, it is not fetched again. What is a local file
        already stays where it is. With ``local_path`` the file is made there,
        or below that name if it is a directory; a file of that name is
        replaced, and only by the whole content. The name of what comes from a
        run may be the choice of its code: take a directory of its own, or give
        the whole path.

        Raises StorageCorruptError if what comes is not what it should be.
        """
        return await run_async(self._download(local_path))

    @public
    def download_sync(self, local_path: LocalPath | None = None) -> str:
        """The same as ``download``, for plain code."""
        return run_sync(self._download(local_path))

    @public
    async def exists(self) -> bool:
        """Reports whether the bytes are there: on this machine, or with the engine."""
        return await run_async(self._exists())

    @public
    def exists_sync(self) -> bool:
        """The same as ``exists``, for plain code."""
        return run_sync(self._exists())

    async def _fetched(self) -> None:
        """Makes sure that what lies elsewhere is on this machine, as it is there now."""
        if self._address:
            path = await asyncio.to_thread(fetch_file, self._address, self._name)
            self._copy, self._address = Copy(path, Stamp.of(os.stat(path))), ""

    async def _download(self, target: LocalPath | None) -> str:
        await self._fetched()
        copy = self._usable()
        if target is not None:
            path = place(target, self._name)
            await self._write(copy, path)
            return path
        if copy is not None:
            return copy.path
        path = os.path.join(private_dir(), self._name)
        await self._write(None, path)
        self._copy = Copy(path, Stamp.of(os.stat(path)))
        return path

    async def _write(self, copy: Copy | None, path: str) -> None:
        if copy is not None:
            digest = await asyncio.to_thread(copy_to, copy.path, path)
            if self._sha256 in (None, digest):
                return
        if self._sha256 is None:
            check_file(self._path)
            raise OSError(f"{self._path} cannot be read")
        engine = await current_engine()
        await fetch(engine, self._sha256, self._size, path)
        self._stored_in = engine.url

    def _usable(self) -> Copy | None:
        return self._copy if self._copy is not None and self._copy.usable() else None

    async def _exists(self) -> bool:
        if self._address:
            return await asyncio.to_thread(exists, self._address)
        if self._usable() is not None:
            return True
        if self._sha256 is None:
            return False
        stream = (await current_engine()).open_blob(self._sha256)
        try:
            async for _ in stream:
                break
        except NotFoundError:
            return False
        finally:
            await close(stream)
        return True

    async def _stage(self, engine: Engine) -> None:
        """Makes sure that the engine has the bytes."""
        if self._stored_in == engine.url:
            return
        await self._fetched()
        copy = self._usable()
        if copy is None:
            if self._sha256 is None:
                check_file(self._path)
            return  # it is with an engine, by its digest; this one says so if it has nothing of the kind
        fd = open_regular(copy.path)
        try:
            digest, size, stamp = await send(engine, fd, copy.path)
        finally:
            os.close(fd)
        if self._sha256 not in (None, digest):
            raise OSError(f"{copy.path} changed while it was read; make a new handle of it")
        self._copy, self._sha256, self._size, self._stored_in = Copy(copy.path, stamp), digest, size, engine.url

    @classmethod
    async def _uploaded(cls: type[B], made: B) -> B:
        """Stores what was just made, and names it by its content."""
        if not is_address(made._path):
            check_file(made._path)
        await made._stage(await current_engine())
        made._identity = ("sha256", made._sha256)
        return made

    def _reference(self) -> dict[str, Any]:
        """Returns what stands for it in JSON. It must have been staged."""
        if self._sha256 is None:
            raise RuntimeError(f"{self!r} was not given to the engine yet")
        reference: dict[str, Any] = {"path": self._label}
        if self._size:
            reference["size"] = self._size
        return {**reference, "sha256": self._sha256}

    @classmethod
    def _from_reference(cls: type[B], node: Mapping[str, Any]) -> B:
        """Makes a handle of its JSON form, which may come from anyone.

        Its path is a name only: nothing on this machine is ever read by it.
        """
        path, size, digest = reference_fields(cls.__name__, node, ("path", "size", "sha256"))
        made = cls.__new__(cls)
        made._start(path, safe_name(path, cls.__name__.lower()), path, None, digest, size)
        return made

    @classmethod
    def _at(cls: type[B], path: LocalPath, name: str | None = None) -> B:
        """Makes a handle of an input that lies in this cell."""
        return cls(path, name)

    def __eq__(self, other: object) -> bool:
        """Compares by content where that was known when the handle was made, else by path."""
        if type(other) is not type(self):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_stored_in": ""}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def _facts(self) -> list[str]:
        facts = [] if self.size is None else [human_size(self.size)]
        return facts + ([f"sha256 {self._sha256[:8]}"] if self._sha256 else [])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([repr(self._name), *self._facts()])})"

    def _repr_html_(self) -> str:
        return repr_html(type(self).__name__, self._name, self._facts())


def given_name(kind: str, name: object) -> str:
    """Returns a name that the user chose, or the error that says what is wrong with it."""
    if not isinstance(name, str):
        raise TypeError(f"{kind}: name: expected a str, got {type(name).__name__}")
    if not name or safe_name(name, "") != name:
        raise ValueError(f"{kind}: name: expected a file name without directories, got {name[:200]!r}")
    return name


def reference_fields(kind: str, node: Mapping[str, Any], known: tuple[str, ...]) -> tuple[str, int | None, str]:
    """Returns path, size and digest of a reference that anybody may have made."""
    path, size, digest = node.get("path"), node.get("size"), node.get("sha256")
    extra = sorted(set(node) - set(known))
    if extra:
        raise bad_reference(kind, f"has the member {extra[0][:50]!r}")
    if not isinstance(path, str) or not path or "\0" in path:
        raise bad_reference(kind, "has no path")
    if not is_digest(digest):
        raise bad_reference(kind, "has no sha256 of 64 hexadecimal digits")
    if size is not None and not is_count(size):
        raise bad_reference(kind, "has a size that is none")
    return path, size, str(digest)


def is_count(value: object) -> bool:
    """Reports whether a decoded value is a whole number from 0 on."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 63


def bad_reference(kind: str, why: str) -> Exception:
    """Returns the error about a reference."""
    return InvalidInputError(f"a reference to a {kind} {why}", hint="pass on the handle as it came")


def human_size(size: int) -> str:
    """Returns a size as people write it: 12 B, 3.4 MiB."""
    amount, unit = float(size), 0
    while amount >= 1024 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1024, unit + 1
    return f"{size} B" if unit == 0 else f"{amount:.1f} {_UNITS[unit]}"


def repr_html(kind: str, name: str, facts: list[str]) -> str:
    """Returns what a notebook shows."""
    from html import escape  # lazy: only a notebook needs it

    return f"<b>{kind}</b> <code>{escape(name)}</code> {escape(', '.join(facts))}".rstrip()
