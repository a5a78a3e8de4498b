"""Files, directories and tables that tasks take and return.

    >>> from glovebox.io import File
    >>> data = await File.from_local("data.csv")
    >>> total = await count_lines.aio(data)
"""  # fmt: skip

from typing import TYPE_CHECKING

from .._lazy import attributes

if TYPE_CHECKING:
    from ._dataframe import DataFrame
    from ._dir import Dir
    from ._file import File

__all__ = ["DataFrame", "Dir", "File"]

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__, {"DataFrame": "._dataframe", "Dir": "._dir", "File": "._file"})


def __dir__() -> list[str]:
    return __all__
