"""Handles to directories."""

# The classes of this package use private members of each other.
# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import fnmatch
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .._link.current import current_engine
from .._process.loop import run_async, run_sync
from .._process.tracebacks import public
from ..errors import InvalidInputError, NotFoundError
from . import _tree
from ._address import exists, fetch_dir, is_address, name_in
from ._blob import bad_reference, given_name, human_size, is_count, reference_fields, repr_html
from ._file import File
from ._local import LocalPath, absolute, check_dir, is_dir, private_dir, safe_name
from ._manifest import FILE, Entry

if TYPE_CHECKING:
    # a File without a parameter is one of Any, which TypeVar can say from Python 3.13 on
    from typing_extensions import TypeVar as _TypeVar

    from .._link.current import Engine

    T = _TypeVar("T", default=Any)
else:
    T = TypeVar("T")


class Dir(Generic[T]):
    """A directory with everything below it, by its content.

    Files, directories and links that stay inside are kept, and whether a file
    is executable; times, owners and other permissions are not.

    ``Dir("data")`` names a local directory, which is sent when the handle is
    first given to a run. ``await Dir.from_local("data")`` sends it now.

        >>> @env.task
        ... async def count(data: Dir) -> int:
        ...     return len([f async for f in data.walk()])
    """

    __module__ = "glovebox.io"  # where users find it

    _address = ""  # where it lies elsewhere, until it is fetched

    def __init__(self, path: LocalPath, name: str | None = None, *, format: str = "") -> None:
        if not isinstance(format, str):
            raise TypeError(f"Dir: format: expected a str, got {type(format).__name__}")
        self._format = format
        if is_address(path):
            called = given_name("Dir", name) if name is not None else name_in(str(path), "dir")
            self._start(str(path), called, called, None)
            self._address = str(path)
            return
        local = absolute(path, "Dir")
        called = given_name("Dir", name) if name is not None else safe_name(local, "dir")
        self._start(local, called, called, local)

    def _start(
        self, path: str, name: str, label: str, local: str | None, digest: str | None = None,
        size: int | None = None, files: int | None = None,
    ) -> None:  # fmt: skip
        self._path = path
        self._name = name
        self._label = label  # its path in references
        self._local = local  # where its content lies on this machine
        self._sha256 = digest
        self._size = size
        self._files = files
        self._entries: list[Entry] | None = None
        self._source: str | None = None  # what it was made of, should another engine want it
        self._stored_in = ""  # the engine that is known to have it
        self._identity: tuple[str, str | None] = ("sha256", digest) if digest else ("path", path)

    @property
    def path(self) -> str:
        """Where it was taken from: a path of this machine, or an address; of what comes from a run, its name there."""
        return self._path

    @property
    def format(self) -> str:
        """What this process called its format, or nothing. A run does not pass it on."""
        return self._format

    @classmethod
    def from_existing_remote(cls, remote_path: str) -> Dir[Any]:
        """Returns a handle to all files below an address such as ``s3://bucket/data``, or to a local directory."""
        return cls(remote_path)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self._name

    @property
    def size(self) -> int | None:
        """The bytes of all files together, if they are known."""
        return self._size

    @property
    def files(self) -> int | None:
        """The number of files, if it is known."""
        return self._files

    @property
    def sha256(self) -> str | None:
        """The SHA-256 of the tree in hexadecimal. None until a local directory was given to a run."""
        return self._sha256

    @classmethod
    @public
    async def from_local(cls, local_path: LocalPath) -> Dir[Any]:
        """Sends a local directory, and returns the handle to its content.

        Raises FileNotFoundError, NotADirectoryError, InvalidInputError for an
        entry that cannot be sent, or the error of the engine.

            >>> data = await Dir.from_local("data")
        """
        return await run_async(cls._uploaded(cls(local_path)))

    @classmethod
    @public
    def from_local_sync(cls, local_path: LocalPath) -> Dir[Any]:
        """The same as ``from_local``, for plain code."""
        return run_sync(cls._uploaded(cls(local_path)))

    @public
    async def download(self, local_path: LocalPath | None = None) -> str:
        """Makes sure that the tree is in a local directory, and returns its path.

        Without ``local_path`` that is a private one, which goes when this
        process ends; asked again, it is not fetched again. What is a local
        directory already stays where it is. ``local_path`` must be free, or an
        empty directory. On failure nothing is left there.
        """
        return await run_async(self._download(local_path))

    @public
    def download_sync(self, local_path: LocalPath | None = None) -> str:
        """The same as ``download``, for plain code."""
        return run_sync(self._download(local_path))

    async def walk(self, recursive: bool = True, max_depth: int | None = None) -> AsyncIterator[File[Any]]:
        """Yields its files, sorted by path; links are not followed. Nothing is fetched but the list.

        The ``path`` of a file is the one below the directory, or, while the
        directory is a local one, the whole. ``max_depth`` 1 is the directory
        itself.
        """
        for path, file in await run_async(self._list()):
            if _within(path, recursive, max_depth):
                yield file

    def walk_sync(
        self, recursive: bool = True, file_pattern: str = "*", max_depth: int | None = None
    ) -> Iterator[File[Any]]:
        """The same as ``walk``, for plain code; only files whose name is like ``file_pattern``."""
        for path, file in run_sync(self._list()):
            if _within(path, recursive, max_depth) and fnmatch.fnmatchcase(file.name, file_pattern):
                yield file

    async def list_files(self) -> list[File[Any]]:
        """Returns the files in the directory itself, sorted by name."""
        return [file async for file in self.walk(recursive=False)]

    def list_files_sync(self) -> list[File[Any]]:
        """The same as ``list_files``, for plain code."""
        return list(self.walk_sync(recursive=False))

    @public
    async def get_file(self, file_name: str) -> File[Any] | None:
        """Returns the file at that path below the directory, or None.

            >>> config = await data.get_file("conf/app.toml")
        """  # fmt: skip
        return dict(await run_async(self._list())).get(file_name)

    @public
    def get_file_sync(self, file_name: str) -> File[Any] | None:
        """The same as ``get_file``, for plain code."""
        return dict(run_sync(self._list())).get(file_name)

    @public
    async def exists(self) -> bool:
        """Reports whether it is there: on this machine, or with the engine."""
        return await run_async(self._exists())

    @public
    def exists_sync(self) -> bool:
        """The same as ``exists``, for plain code."""
        return run_sync(self._exists())

    async def _fetched(self) -> None:
        """Makes sure that what lies elsewhere is on this machine, as it is there now."""
        if self._address:
            self._source = await asyncio.to_thread(fetch_dir, self._address, self._name)
            self._local, self._address = self._source, ""

    async def _exists(self) -> bool:
        if self._address:
            return await asyncio.to_thread(exists, self._address)
        if self._sha256 is None:
            return is_dir(self._source or self._path)
        try:
            await self._listed(self._sha256)
        except NotFoundError:
            return False
        return True

    async def _list(self) -> list[tuple[str, File[Any]]]:
        await self._fetched()
        if self._sha256 is None:
            source = self._source or self._path
            found = [entry for entry, _ in _tree.listed(source)]
            return [(e.path, File(os.path.join(source, e.path))) for e in found if e.type == FILE]
        entries = await self._listed(self._sha256)
        return [
            (e.path, File._from_reference({"path": e.path, "size": e.size, "sha256": e.sha256}))
            for e in entries
            if e.type == FILE
        ]

    async def _listed(self, digest: str) -> list[Entry]:
        if self._entries is not None:
            return self._entries
        engine = await current_engine()
        entries = await _tree.manifest(engine, digest)
        files, size = _count(entries)
        if self._size not in (None, size) or self._files not in (None, files):
            raise InvalidInputError(
                f"the directory {self._label[:200]!r} is said to have {self._files} files of {self._size} bytes, "
                f"and has {files} of {size}",
                hint="upload the directory again",
            )
        self._entries, self._files, self._size = entries, files, size
        return entries

    async def _download(self, target: LocalPath | None) -> str:
        await self._fetched()
        if target is None and self._local is not None and is_dir(self._local):
            return self._local
        if self._sha256 is None:
            await self._stage(await current_engine())
        path = absolute(target, "local_path") if target is not None else os.path.join(private_dir(), self._name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        entries = await self._listed(str(self._sha256))
        await _tree.export(await current_engine(), entries, path)
        if target is None:
            self._local = path
        return path

    async def _stage(self, engine: Engine) -> None:
        """Makes sure that the engine has the tree."""
        if self._stored_in == engine.url:
            return
        await self._fetched()
        if self._sha256 is not None and (self._source is None or not is_dir(self._source)):
            return  # it is with an engine, by its digest; this one says so if it has nothing of the kind
        source = self._source or self._path
        check_dir(source)
        digest, entries = await _tree.put(engine, source)
        if self._sha256 not in (None, digest):
            raise OSError(f"{source} changed after a handle was made of it; make a new one")
        self._files, self._size = _count(entries)
        # what lies there may become something else from now on
        self._sha256, self._entries, self._local, self._source = digest, entries, None, source
        self._stored_in = engine.url

    @classmethod
    async def _uploaded(cls, made: Dir[Any]) -> Dir[Any]:
        await made._stage(await current_engine())
        made._identity = ("sha256", made._sha256)
        return made

    def _reference(self) -> dict[str, Any]:
        """Returns what stands for it in JSON. It must have been staged."""
        if self._sha256 is None:
            raise RuntimeError(f"{self!r} was not given to the engine yet")
        counts = {"size": self._size, "files": self._files}
        return {"path": self._label, **{k: v for k, v in counts.items() if v}, "sha256": self._sha256}

    @classmethod
    def _from_reference(cls, node: Mapping[str, Any]) -> Dir[Any]:
        """Makes a handle of its JSON form, which may come from anyone."""
        path, size, digest = reference_fields("Dir", node, ("path", "size", "sha256", "files"))
        files = node.get("files")
        if files is not None and not is_count(files):
            raise bad_reference("Dir", "has a number of files that is none")
        made = cls.__new__(cls)
        made._start(path, safe_name(path, "dir"), path, None, digest, size or None, files or None)
        return made

    @classmethod
    def _at(cls, path: LocalPath, name: str | None = None) -> Dir[Any]:
        """Makes a handle of an input that lies in this cell."""
        return cls(path, name)

    def __eq__(self, other: object) -> bool:
        """Compares by content where that was known when the handle was made, else by path."""
        return self._identity == other._identity if isinstance(other, Dir) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_stored_in": ""}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def _facts(self) -> list[str]:
        facts = [] if self._files is None else [f"{self._files} file" + "s" * (self._files != 1)]
        facts += [] if self._size is None else [human_size(self._size)]
        return facts + ([f"sha256 {self._sha256[:8]}"] if self._sha256 else [])

    def __repr__(self) -> str:
        return f"Dir({', '.join([repr(self._name), *self._facts()])})"

    def _repr_html_(self) -> str:
        return repr_html("Dir", self._name, self._facts())


def _count(entries: list[Entry]) -> tuple[int, int]:
    files = [entry.size for entry in entries if entry.type == FILE]
    return len(files), sum(files)


def _within(path: str, recursive: bool, max_depth: int | None) -> bool:
    depth = path.count("/") + 1
    return depth <= (1 if not recursive else max_depth if max_depth is not None else depth)
