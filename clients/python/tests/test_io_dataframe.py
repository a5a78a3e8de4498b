from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from blob_store import BlobStore, fresh
from glovebox._process.loop import run_sync
from glovebox._values.types import Param, Type
from glovebox.errors import InvalidInputError
from glovebox.io import DataFrame, File, _frames
from glovebox.io._stage import local_path, materialize, stage, stage_fields

COLUMNS: dict[str, list[Any]] = {"n": [1, 2, 3], "x": [0.5, -1.0, 2.25], "s": ["a", "\xe9", ""]}


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> BlobStore:
    return fresh(monkeypatch)


def table_of(library: str) -> Any:
    module = pytest.importorskip(library, reason=f"{library} is not installed")
    return module.table(COLUMNS) if library == "pyarrow" else module.DataFrame(COLUMNS)


def columns_of(table: Any, library: str) -> dict[str, list[Any]]:
    if library == "pyarrow":
        return dict(table.to_pydict())
    return dict(table.to_dict(orient="list") if library == "pandas" else table.to_dict(as_series=False))


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("format", _frames.FORMATS)
def test_there_and_back(store: BlobStore, library: str, format: str) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = table_of(library)
    made = DataFrame.from_df(table, format=format)
    assert (made.format, made.name, store.sent) == (format, f"table.{format}", [])
    run_sync(stage({"t": made}))
    reference = made._reference()
    assert reference == {"path": f"table.{format}", "size": made.size, "sha256": made.sha256, "format": format}
    again = DataFrame._from_reference(reference)
    assert again == made
    for reader in ("pandas", "polars", "pyarrow"):
        module = pytest.importorskip(reader, reason=f"{reader} is not installed")
        kind = module.Table if reader == "pyarrow" else module.DataFrame
        read = again.open(kind).all_sync()
        assert isinstance(read, kind)
        if format != "csv":
            assert columns_of(read, reader) == COLUMNS
        else:
            assert columns_of(read, reader)["n"] == COLUMNS["n"]
    assert store.fetched == [made.sha256]


def test_the_named_methods(store: BlobStore) -> None:
    made = DataFrame.from_df(table_of("polars"))
    pytest.importorskip("pandas", reason="pandas is not installed")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")

    async def inside() -> Any:
        return await made.to_pandas.aio()

    assert columns_of(made.to_pandas(), "pandas") == columns_of(asyncio.run(inside()), "pandas") == COLUMNS
    assert columns_of(made.to_polars(), "polars") == columns_of(made.to_arrow(), "pyarrow") == COLUMNS


def test_open_and_all_are_awaited(store: BlobStore) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")

    async def inside() -> Any:
        made = await DataFrame.from_local(table_of("polars"))
        return await made.open(polars.DataFrame).all()

    assert columns_of(asyncio.run(inside()), "polars") == COLUMNS


def test_the_index_of_pandas_survives(store: BlobStore) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = pandas.DataFrame({"v": [1.5, 2.5]}, index=["a", "b"])
    for format in ("parquet", "arrow"):
        pandas.testing.assert_frame_equal(DataFrame.from_df(table, format=format).to_pandas(), table)


def test_a_table_is_taken_as_it_is_then(store: BlobStore) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = table_of("pandas")
    made = DataFrame.from_df(table)
    table["n"] = 0
    assert list(made.to_pandas()["n"]) == COLUMNS["n"]


def test_equal_tables_have_equal_bytes(store: BlobStore) -> None:
    first, second = (DataFrame.from_df(table_of("polars")) for _ in range(2))
    assert first == second and first.sha256 == second.sha256


def test_a_file_that_holds_a_table(store: BlobStore, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("n,s\n1,a\n")
    made = DataFrame.from_local_sync(tmp_path / "t.csv")
    assert made.format == "csv" and store.sent == [b"n,s\n1,a\n"]
    assert made._reference()["format"] == "csv"
    (tmp_path / "t.dat").write_bytes(b"PAR1...")
    assert DataFrame.from_local_sync(str(tmp_path / "t.dat")).format == "parquet"
    (tmp_path / "t.bin").write_bytes(b"ARROW1..")
    assert DataFrame.from_local_sync(tmp_path / "t.bin").format == "arrow"
    (tmp_path / "t.txt").write_text("n\n1\n")
    with pytest.raises(ValueError, match=r"t\.txt: cannot tell the format"):
        DataFrame.from_local_sync(tmp_path / "t.txt")
    assert DataFrame.from_local_sync(tmp_path / "t.txt", format="csv").format == "csv"
    with pytest.raises(FileNotFoundError, match="there is no file"):
        DataFrame.from_local_sync(tmp_path / "missing.csv")


def test_bad_arguments(store: BlobStore) -> None:
    with pytest.raises(
        TypeError, match=r"expected a pandas\.DataFrame, polars\.DataFrame or pyarrow\.Table, got list;"
    ):
        DataFrame.from_df([1])
    with pytest.raises(TypeError, match="got int;"):
        DataFrame.from_local_sync(3)
    with pytest.raises(ValueError, match="format: expected one of parquet, arrow, csv, got 'xls'"):
        DataFrame("x", format="xls")
    with pytest.raises(TypeError, match="dataframe_type: expected pandas.DataFrame"):
        DataFrame("x").open(dict)
    with pytest.raises(InvalidInputError, match="a reference to a DataFrame"):
        DataFrame._from_reference({"path": "/etc/passwd", "format": "csv"})


def test_a_reference_without_a_known_format(store: BlobStore) -> None:
    node = {"path": "o0", "sha256": store.add(b"\0\1\2"), "format": "../x"}
    made = DataFrame._from_reference(node)
    assert made.format == "" and made._reference() == {"path": "o0", "sha256": made.sha256}
    with pytest.raises(ValueError, match="cannot tell the format"):
        made.to_polars()


@pytest.mark.parametrize("format", _frames.FORMATS)
def test_in_a_cell_a_table_has_no_suffix(store: BlobStore, tmp_path: Path, format: str) -> None:
    pytest.importorskip("polars", reason="polars is not installed")
    DataFrame.from_df(table_of("polars"), format=format).download_sync(tmp_path / "o0")
    for made in (DataFrame._at(tmp_path / "o0"), DataFrame._from_reference({"path": "o0", "sha256": _sent(tmp_path)})):
        assert columns_of(made.to_polars(), "polars")["n"] == COLUMNS["n"]


def _sent(directory: Path) -> str:
    return str(File.from_local_sync(directory / "o0").sha256)


def test_a_cell_puts_tables_out_as_parquet(store: BlobStore, tmp_path: Path) -> None:
    pytest.importorskip("polars", reason="polars is not installed")
    table, type = table_of("polars"), Type("DataFrame")
    (tmp_path / "t.csv").write_text("n\n1\n")
    values = [table, DataFrame.from_df(table), DataFrame.from_df(table, format="arrow"), str(tmp_path / "t.csv")]
    for value in values:
        with open(run_sync(local_path(type, value, "o0")), "rb") as file:
            assert file.read(4) == b"PAR1"
    assert store.sent == []


def test_a_library_that_is_missing_is_named(store: BlobStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    for library in ("pandas", "polars", "pyarrow"):
        monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match="pip install polars"):
        DataFrame(tmp_path / "t.parquet").to_polars()
    with pytest.raises(ImportError, match="pip install pandas"):
        DataFrame(tmp_path / "t.parquet").to_pandas()
    with pytest.raises(ImportError, match="pip install pyarrow"):
        DataFrame(tmp_path / "t.parquet").to_arrow()


def test_pandas_without_pyarrow(store: BlobStore, monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of("pandas")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        ImportError, match=r"a pandas\.DataFrame travels as parquet: this needs pyarrow; pip install pyarrow"
    ):
        DataFrame.from_df(table)
    assert columns_of(DataFrame.from_df(table, format="csv").to_pandas(), "pandas")["n"] == COLUMNS["n"]


@pytest.mark.parametrize("version", ["13.0.0", "14.0.0", "0.17.1"])
def test_a_pyarrow_that_runs_code_of_files_is_refused(
    store: BlobStore, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    made = DataFrame.from_df(table_of("pyarrow"))
    monkeypatch.setattr(pyarrow, "__version__", version)
    with pytest.raises(ImportError, match="pip install -U pyarrow"):
        made.to_arrow()


def test_the_import_starts_nothing_and_imports_no_library() -> None:
    code = """
import sys, threading, glovebox.io
print([m for m in ('pandas', 'polars', 'pyarrow') if m in sys.modules], threading.active_count())
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[] 1\n"


def test_tables_become_handles_and_handles_tables(store: BlobStore) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    table = table_of("polars")
    same = [1, 2]
    staged = run_sync(stage({"a": table, "b": [table, {"k": (table, 1)}], "c": same}))
    assert isinstance(staged["a"], DataFrame) and staged["b"][0] is staged["a"] is staged["b"][1]["k"][0]
    assert staged["c"] is same and len(store.sent) == 1
    frame = Type("DataFrame", python="polars")
    shapes = {
        "a": (frame, staged["a"]),
        "b": (Type("list", (Type("Union", (frame, Type("None"))),)), [staged["a"], None]),
        "c": (Type("dict", (Type("str"), frame)), {"k": staged["a"]}),
        "d": (Type("tuple", (Type("int"), frame)), (1, staged["a"])),
        "e": (Type("tuple", (frame, Type("..."))), (staged["a"], staged["a"])),
        "f": (Type("DataFrame", python=polars.DataFrame), staged["a"]),
    }
    made = {name: run_sync(materialize(type, value)) for name, (type, value) in shapes.items()}
    tables = [made["a"], made["b"][0], made["c"]["k"], made["d"][1], made["e"][1], made["f"]]
    assert all(isinstance(each, polars.DataFrame) and each.equals(table) for each in tables)
    assert made["b"][1] is None and made["d"][0] == 1
    assert run_sync(materialize(Type("DataFrame"), staged["a"])) is staged["a"]
    assert run_sync(materialize(frame, 7)) == 7  # what does not fit is the business of the codec


def test_a_declared_frame_may_be_a_path(store: BlobStore, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("n\n1\n")
    staged = run_sync(stage_fields([Param("t", Type("DataFrame"))], {"t": tmp_path / "t.csv"}))
    assert isinstance(staged["t"], DataFrame) and staged["t"]._reference()["path"] == "t.csv"


def test_pickle_and_what_is_shown(store: BlobStore) -> None:
    made = DataFrame.from_df(table_of("polars"))
    assert pickle.loads(pickle.dumps(made)) == made
    assert repr(made).startswith("DataFrame('table.parquet', parquet, ") and "parquet" in made._repr_html_()
