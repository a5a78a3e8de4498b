"""Tables of pandas, polars and pyarrow as files. None of them is imported before a table of it is there."""

from __future__ import annotations

import importlib
import importlib.util
import re
from typing import Any

from ._libraries import library_of as library_of
from ._libraries import library_of_class as library_of_class
from ._local import type_name

PARQUET, ARROW, CSV = "parquet", "arrow", "csv"
FORMATS = (PARQUET, ARROW, CSV)

_SUFFIXES = {
    "parquet": PARQUET, "pq": PARQUET, "arrow": ARROW, "feather": ARROW, "ipc": ARROW, "csv": CSV,
}  # fmt: skip
_MAGIC = {b"PAR1": PARQUET, b"ARROW1": ARROW}

_NO_TEXT = frozenset(range(32)) - frozenset(b"\t\n\r")

# Before it, reading a file could run code that the file brought along
# (CVE-2023-47248), and files come from cells.
_SAFE_PYARROW = (14, 0, 1)


def format_of(path: str, name: str, *, text_is_csv: bool = False) -> str:
    """Returns the format of a file: what its name says, or its first bytes.

    CSV has no magic number: with ``text_is_csv``, text is CSV.
    """
    found = _SUFFIXES.get(name.rpartition(".")[2].lower())
    if found:
        return found
    with open(path, "rb") as file:
        head = file.read(4096)
    for magic, kind in _MAGIC.items():
        if head.startswith(magic):
            return kind
    if text_is_csv and not set(head) & _NO_TEXT:
        return CSV
    raise ValueError(
        f"{name}: cannot tell the format of this table; name the file .parquet, .arrow or .csv, or say format=..."
    )


def check_format(format: str) -> str:
    """Returns a format that is known, or raises the error about it."""
    if format not in FORMATS:
        raise ValueError(f"format: expected one of {', '.join(FORMATS)}, got {format!r}")
    return format


def write(table: Any, path: str, format: str) -> None:
    """Writes a table into a new file."""
    library = library_of(table)
    if library is None:
        raise TypeError(
            f"expected a pandas.DataFrame, polars.DataFrame or pyarrow.Table, got {type_name(table)}; "
            "for a file use DataFrame.from_local(path)"
        )
    if library == "polars":
        {PARQUET: table.write_parquet, ARROW: table.write_ipc, CSV: table.write_csv}[format](path)
    elif library == "pandas" and format == CSV:
        table.to_csv(path, index=False)
    else:
        _write_arrow(_as_arrow(table, library, format), path, format)


def _as_arrow(table: Any, library: str, format: str) -> Any:
    if library == "pyarrow":
        return table
    return _need("pyarrow", f"a pandas.DataFrame travels as {format}").Table.from_pandas(table)


def _write_arrow(table: Any, path: str, format: str) -> None:
    if format == PARQUET:
        importlib.import_module("pyarrow.parquet").write_table(table, path)
    elif format == ARROW:
        importlib.import_module("pyarrow.feather").write_feather(table, path)
    else:
        importlib.import_module("pyarrow.csv").write_csv(table, path)


def installed(*libraries: str) -> str:
    """Returns the first of the libraries that is there, or else the last."""
    for library in libraries[:-1]:
        if importlib.util.find_spec(library) is not None:
            return library
    return libraries[-1]


def read(path: str, format: str, library: str) -> Any:
    """Reads a file as a table of a library."""
    if library == "polars":
        polars = _need("polars", "to read a table as polars.DataFrame")
        return {PARQUET: polars.read_parquet, ARROW: polars.read_ipc, CSV: polars.read_csv}[format](path)
    if library == "pandas" and format == CSV:
        return _need("pandas", "to read a table as pandas.DataFrame").read_csv(path)
    if library == "pandas":
        _need("pandas", "to read a table as pandas.DataFrame")
    table = _read_arrow(path, format)
    return table if library == "pyarrow" else table.to_pandas()


def _read_arrow(path: str, format: str) -> Any:
    _check_version(_need("pyarrow", f"to read a table of format {format}"))
    if format == PARQUET:
        return importlib.import_module("pyarrow.parquet").read_table(path)
    if format == ARROW:
        return importlib.import_module("pyarrow.feather").read_table(path)
    return importlib.import_module("pyarrow.csv").read_csv(path)


def _check_version(pyarrow: Any) -> None:
    version = tuple(int(part) for part in re.findall(r"\d+", str(pyarrow.__version__))[:3])
    if version < _SAFE_PYARROW:
        raise ImportError(
            f"pyarrow {pyarrow.__version__} can be made to run code by the file that it reads; pip install -U pyarrow"
        )


def _need(name: str, what_for: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ModuleNotFoundError(f"{what_for}: this needs {name}; pip install {name}", name=name) from None
