"""Sessions: cells that are kept, with commands, files, ports and code.

``glovebox.Session`` is one of them. Here are the classes of what it gives, to
name them in annotations.

>>> from glovebox.session import CommandResult, Execution, Process
"""

from typing import TYPE_CHECKING

from .._lazy import attributes

if TYPE_CHECKING:
    from ._context import Context
    from ._execution import Execution, ExecutionError, Result
    from ._files import FileChange, FileInfo, Files, Watch
    from ._port import Port
    from ._process import CommandResult, Output, Process
    from ._snapshot import SnapshotImage
    from ._stream import Stream

__all__ = [
    "CommandResult",
    "Context",
    "Execution",
    "ExecutionError",
    "FileChange",
    "FileInfo",
    "Files",
    "Output",
    "Port",
    "Process",
    "Result",
    "SnapshotImage",
    "Stream",
    "Watch",
]

_MODULES = {
    "CommandResult": "._process",
    "Context": "._context",
    "Execution": "._execution",
    "ExecutionError": "._execution",
    "FileChange": "._files",
    "FileInfo": "._files",
    "Files": "._files",
    "Output": "._process",
    "Port": "._port",
    "Process": "._process",
    "Result": "._execution",
    "SnapshotImage": "._snapshot",
    "Stream": "._stream",
    "Watch": "._files",
}

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
