"""The modules that are imported in a cell before its code."""

from __future__ import annotations

from collections.abc import Sequence

MOST = 100  # modules
_LONGEST = 255  # bytes of a name


def preload_json(preload: Sequence[str] | None) -> list[str]:
    """Returns what ``preload=`` says, and raises TypeError or ValueError if it names no modules."""
    if preload is None:
        return []
    if isinstance(preload, (str, bytes)) or not isinstance(preload, Sequence):
        raise TypeError(f"preload is {preload!r}, expected a list of modules such as ['numpy']")
    if len(preload) > MOST:
        raise ValueError(f"preload names {len(preload)} modules, expected at most {MOST}")
    for module in preload:
        if not isinstance(module, str):
            raise TypeError(f"preload has {module!r} ({type(module).__name__}), expected the name of a module")
        if not all(map(str.isidentifier, module.split("."))) or len(module.encode()) > _LONGEST:
            raise ValueError(f"preload has {module!r}, expected the full name of a module such as 'xml.etree'")
    return list(preload)
