"""The version of this library."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

_UNKNOWN = "0.0.0.dev0"  # of a source tree, as the build calls it


def version_at(directory: Path) -> str:
    """Returns the version of the wheel whose modules are in a directory, whatever the distribution is called."""
    own = f"{__package__}/{Path(__file__).name},"
    for found in directory.glob("*glovebox*.dist-info"):
        distribution = metadata.Distribution.at(found)
        if own in (distribution.read_text("RECORD") or ""):
            return distribution.version
    return _UNKNOWN


__version__ = version_at(Path(__file__).parents[1])
