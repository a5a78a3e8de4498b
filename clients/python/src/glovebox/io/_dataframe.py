"""Handles to tables."""

# The classes of this package use private members of each other.
# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import Any, Generic, TypeVar, cast

from .._process.loop import run_async, run_sync, syncify_method
from .._process.tracebacks import public
from . import _frames
from ._blob import Blob, reference_fields
from ._local import Copy, LocalPath, Stamp, check_file, digest_of, private_dir, safe_name

F = TypeVar("F")


class DataFrame(Blob):
    """A table that tasks take and return: a Parquet, Arrow or CSV file.

    Tables of pandas, polars and pyarrow become one, and come out of one as
    either; none of the three is needed to pass it on. A parameter annotated
    ``pandas.DataFrame`` or ``polars.DataFrame`` gets the table itself.

        >>> sales = DataFrame.from_df(pandas.DataFrame({"amount": [1, 2]}))
        >>> table = await sales.open(pandas.DataFrame).all()
        >>> table = sales.to_polars()
    """

    __module__ = "glovebox.io"  # where users find it

    def __init__(self, path: LocalPath, name: str | None = None, *, format: str | None = None) -> None:
        super().__init__(path, name)
        self._format = "" if format is None else _frames.check_format(format)

    @classmethod
    def from_existing_remote(cls, remote_path: str, format: str | None = None) -> DataFrame:
        """Returns a handle to a table at an address such as ``s3://bucket/sales.parquet``, or at a local path.

        >>> sales = DataFrame.from_existing_remote("s3://bucket/sales.csv", format="csv")
        """
        return cls(remote_path, format=format)

    @property
    def uri(self) -> str:
        """The same as ``path``."""
        return self.path

    @property
    def format(self) -> str:
        """parquet, arrow or csv; empty if that was not said."""
        return self._format

    @classmethod
    def from_df(cls, val: Any, *, format: str = "parquet") -> DataFrame:
        """Makes a handle of a table as it is now. It is sent when it is given to a run.

        Raises TypeError for what is no table of pandas, polars or pyarrow, and
        ImportError that says what to install.
        """
        path = os.path.join(private_dir(), f"table.{_frames.check_format(format)}")
        _frames.write(val, path, format)
        made = cls.__new__(cls)
        name, info = os.path.basename(path), os.stat(path)
        made._start(path, name, name, Copy(path, Stamp.of(info)), digest_of(path), info.st_size)
        made._format = format
        return made

    wrap_df = from_df

    @classmethod
    @public
    async def from_local(cls, df: Any, *, format: str | None = None) -> DataFrame:
        """Sends a table, or a file that holds one, and returns the handle to it.

            >>> sales = await DataFrame.from_local("sales.parquet")
        """  # fmt: skip
        return await run_async(cls._sent(df, format))

    @classmethod
    @public
    def from_local_sync(cls, df: Any, *, format: str | None = None) -> DataFrame:
        """The same as ``from_local``, for plain code."""
        return run_sync(cls._sent(df, format))

    @classmethod
    async def _sent(cls, df: Any, format: str | None) -> DataFrame:
        if isinstance(df, (str, os.PathLike)):
            made: DataFrame = cls(cast("str | os.PathLike[str]", df), format=format)
            await made._fetched()
            if made._copy is None or not made._copy.usable():
                check_file(made.path)
                raise OSError(f"{made.path} cannot be read")
            made._format = made._format or _frames.format_of(made._copy.path, made.name)
        else:
            made = await cls._of(df, format or _frames.PARQUET)
        return await DataFrame._uploaded(made)

    @classmethod
    async def _of(cls, table: Any, format: str = _frames.PARQUET) -> DataFrame:
        return await asyncio.to_thread(lambda: cls.from_df(table, format=format))

    def open(self, dataframe_type: type[F]) -> OpenDataFrame[F]:
        """Says as what to read it: ``await df.open(pandas.DataFrame).all()``."""
        library = _frames.library_of_class(dataframe_type)
        if library is None:
            raise TypeError(
                f"dataframe_type: expected pandas.DataFrame, polars.DataFrame or pyarrow.Table, got {dataframe_type!r}"
            )
        return OpenDataFrame(self, library)

    @syncify_method
    async def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame: ``df.to_pandas()``, or ``await df.to_pandas.aio()``."""
        return await self._read("pandas")

    @syncify_method
    async def to_polars(self) -> Any:
        """Returns a polars.DataFrame."""
        return await self._read("polars")

    @syncify_method
    async def to_arrow(self) -> Any:
        """Returns a pyarrow.Table."""
        return await self._read("pyarrow")

    async def _read(self, library: str) -> Any:
        path = await self._download(None)
        return await asyncio.to_thread(_frames.read, path, self._known_format(path), library)

    def _known_format(self, path: str) -> str:
        return self._format or _frames.format_of(path, self._name, text_is_csv=True)

    async def _as_parquet(self) -> DataFrame:
        """Returns the same table as Parquet, which is what a cell may put out."""
        if self._known_format(await self._download(None)) == _frames.PARQUET:
            return self
        return await DataFrame._of(await self._read(_frames.installed("polars", "pyarrow")))

    def _reference(self) -> dict[str, Any]:
        reference = super()._reference()
        return {**reference, "format": self._format} if self._format else reference

    @classmethod
    def _from_reference(cls, node: Mapping[str, Any]) -> DataFrame:
        path, size, digest = reference_fields("DataFrame", node, ("path", "size", "sha256", "format"))
        made = cls.__new__(cls)
        made._start(path, safe_name(path, "dataframe"), path, None, digest, size)
        format = node.get("format")
        made._format = format if isinstance(format, str) and format in _frames.FORMATS else ""
        return made

    def _facts(self) -> list[str]:
        return ([self._format] if self._format else []) + super()._facts()


class OpenDataFrame(Generic[F]):
    """A table about to be read as the class that was named."""

    def __init__(self, frame: DataFrame, library: str) -> None:
        self._frame = frame
        self._library = library

    @public
    async def all(self) -> F:
        """Returns the whole table."""
        table: F = await run_async(self._frame._read(self._library))
        return table

    @public
    def all_sync(self) -> F:
        """The same as ``all``, for plain code."""
        table: F = run_sync(self._frame._read(self._library))
        return table
