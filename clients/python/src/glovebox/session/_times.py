"""Times as an engine writes them: RFC 3339 in UTC, with up to nine digits of a second."""

from __future__ import annotations

import datetime
import re

_FORM = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)")


def moment_of(text: str) -> datetime.datetime:
    """Reads a time, to the microsecond. Raises ValueError."""
    match = _FORM.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no time")
    fraction = (match[2] or "").ljust(6, "0")[:6]
    zone = "+00:00" if match[3] == "Z" else match[3]
    return datetime.datetime.fromisoformat(f"{match[1]}.{fraction}{zone}")
