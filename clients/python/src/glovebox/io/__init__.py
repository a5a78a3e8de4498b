"""Files, directories and tables that tasks take and return.

    >>> from glovebox.io import File
    >>> data = await File.from_local("data.csv")
    >>> total = await count_lines.aio(data)
"""  # fmt: skip

from ._dataframe import DataFrame
from ._dir import Dir
from ._file import File

__all__ = ["DataFrame", "Dir", "File"]
