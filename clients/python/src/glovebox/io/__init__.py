"""Files, directories and tables that tasks take and return.

    >>> from glovebox.io import File
    >>> data = await File.from_local("data.csv")
    >>> total = await count_lines.aio(data)
"""  # fmt: skip

from __future__ import annotations

from glovebox.io._dataframe import DataFrame
from glovebox.io._dir import Dir
from glovebox.io._file import File
from glovebox.io._stage import local_path, materialize, stage, stage_fields

__all__ = ["DataFrame", "Dir", "File", "local_path", "materialize", "stage", "stage_fields"]
