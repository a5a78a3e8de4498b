"""Handles to files."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import AsyncIterator
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Generic, TypeVar

from .._process.loop import run_async, run_sync, syncify_method
from .._process.tracebacks import public
from ._blob import Blob, given_name
from ._local import LocalPath, private_dir

if TYPE_CHECKING:
    # a File without a parameter is one of Any, which TypeVar can say from Python 3.13 on
    from typing_extensions import TypeVar as _TypeVar

    T = _TypeVar("T", default=Any)
else:
    T = TypeVar("T")

_MODES = {"rb": "rb", "r": "r", "rt": "r"}
_NEW_MODES = {"wb": "xb", "w": "x", "wt": "x"}  # of a file that is yet to be written: once


class File(Blob, Generic[T]):
    """A file that tasks take and return, by its content.

    A run gets the bytes, not the path: they are sent once, kept by their
    SHA-256, and fetched when somebody reads them. ``File[T]`` says to a
    reader of the code what is in it.

    ``File("data.csv")`` names a local file, which is sent when the handle is
    first given to a run. ``await File.from_local("data.csv")`` sends it now.
    ``File("s3://bucket/data.csv")`` names one that lies elsewhere: fsspec, which
    has to be installed, fetches it when it is first read or given to a run.

        >>> @env.task
        ... async def lines(data: File) -> int:
        ...     return data.read_text().count("\\n")
    """

    __module__ = "glovebox.io"  # where users find it

    _new = False  # yet to be written
    _format = ""

    def __init__(self, path: LocalPath, name: str | None = None, *, format: str = "") -> None:
        super().__init__(path, name)
        if not isinstance(format, str):
            raise TypeError(f"File: format: expected a str such as 'csv', got {type(format).__name__}")
        self._format = format

    @property
    def format(self) -> str:
        """What this process called its format, such as csv; else the suffix of its name. A run does not pass it on."""
        return self._format or self._name.lower().rpartition(".")[2] * ("." in self._name)

    @classmethod
    def from_existing_remote(cls, remote_path: str) -> File[Any]:
        """Returns a handle to what lies at an address such as ``s3://bucket/data.csv``, or at a path of this machine.

        >>> sales = File.from_existing_remote("s3://bucket/sales.csv")
        """
        return cls(remote_path)

    @classmethod
    @public
    async def from_local(cls, local_path: LocalPath) -> File[Any]:
        """Sends a local file, and returns the handle to its content.

        Raises FileNotFoundError, IsADirectoryError, or the error of the engine.

            >>> report = await File.from_local("report.txt")
        """
        return await run_async(cls._uploaded(cls(local_path)))

    @classmethod
    @public
    def from_local_sync(cls, local_path: LocalPath) -> File[Any]:
        """The same as ``from_local``, for plain code."""
        return run_sync(cls._uploaded(cls(local_path)))

    @classmethod
    def new_remote(cls, file_name: str | None = None) -> File[Any]:
        """Returns a handle to a file that is yet to be written, once: open it with mode ``"wb"`` or ``"w"``.

        It can be given to a run, and returned, when it is closed.

            >>> f = File.new_remote("sales.csv")
            >>> async with f.open("wb") as stream:
            ...     await stream.write(b"north,120000")
        """
        name = given_name(cls.__name__, "file" if file_name is None else file_name)
        made = cls(os.path.join(private_dir(), name))
        made._new = True
        return made

    @syncify_method
    async def read(self) -> bytes:
        """Returns the content: ``f.read()``, or ``await f.read.aio()``."""
        return await asyncio.to_thread(_content, await self._download(None))

    @syncify_method
    async def read_text(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """Returns the content as text: ``f.read_text()``, or ``await f.read_text.aio()``.

        As from ``open``, every line ends in ``\\n``.
        """
        held = await asyncio.to_thread(_content, await self._download(None))
        return io.TextIOWrapper(io.BytesIO(held), encoding=encoding, errors=errors).read()

    def open(self, mode: str = "rb", encoding: str | None = None) -> OpenFile:
        """Opens it for reading, with ``with`` or ``async with``.

        Modes are rb, r and rt; of ``new_remote`` wb, w and wt.

        >>> with f.open("r") as lines:
        ...     first = next(lines)
        >>> async with f.open() as stream:
        ...     head = await stream.read(100)
        """
        if mode not in _MODES and not (self._new and mode in _NEW_MODES):
            raise ValueError(
                f"mode: expected 'rb', 'r' or 'rt', got {mode!r}; content does not change, so write to "
                "File.new_remote(), or write a local file and make a handle of it with File.from_local"
            )
        bytes_only = mode.endswith("b")
        if encoding is not None and bytes_only:
            raise ValueError("encoding: bytes have none; open with mode 'r' or 'w' for text")
        encoding = encoding or (None if bytes_only else "utf-8")
        return OpenFile(self, _MODES.get(mode) or _NEW_MODES[mode], encoding)

    open_sync = open


class OpenFile:
    """A file about to be opened. ``with`` gives an ordinary file, ``async with`` one to await."""

    def __init__(self, file: File[Any], mode: str, encoding: str | None) -> None:
        self._file = file
        self._mode = mode
        self._encoding = encoding
        self._opened: IO[Any] | None = None

    def __enter__(self) -> IO[Any]:
        return self._open(self._file.path if self._writes else self._file.download_sync())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    async def __aenter__(self) -> AsyncStream:
        return AsyncStream(self._open(self._file.path if self._writes else await self._file.download()))

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    @property
    def _writes(self) -> bool:
        return self._mode in _NEW_MODES.values()

    def _open(self, path: str) -> IO[Any]:
        self._close()
        self._opened = open(path, self._mode, encoding=self._encoding)
        return self._opened

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None


class AsyncStream:
    """An open file whose methods are awaited."""

    def __init__(self, file: IO[Any]) -> None:
        self._file = file

    async def read(self, size: int = -1) -> Any:
        """Returns at most that many bytes or characters, all without a size."""
        return await asyncio.to_thread(self._file.read, size)

    async def write(self, data: Any) -> int:
        """Writes bytes or text, and returns how much it was."""
        return await asyncio.to_thread(self._file.write, data)

    async def readline(self) -> Any:
        """Returns one line with its end, or nothing at the end."""
        return await asyncio.to_thread(self._file.readline)

    async def seek(self, offset: int, whence: int = 0) -> int:
        """Goes to another place, and returns it."""
        return await asyncio.to_thread(self._file.seek, offset, whence)

    async def __aiter__(self) -> AsyncIterator[Any]:
        while line := await self.readline():
            yield line


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
