"""The header of an answer."""

from __future__ import annotations

import re

_MOST = 100  # fields
_FIELD = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\x00-\x08\x0a-\x1f\x7f]*)")


class DamagedError(Exception):
    """What was read is no header."""


class Header:
    """The fields of a header, found by their names in any case."""

    def __init__(self) -> None:
        self._values: dict[str, list[str]] = {}

    @classmethod
    def read(cls, text: bytes) -> Header:
        """Reads lines up to an empty one.

        Raises DamagedError for a line that is no field, also for one that
        continues another: a proxy on the way may take it for something else.
        """
        header = cls()
        for count, line in enumerate(text.decode("latin-1").split("\r\n")):
            if not line:
                break
            field = _FIELD.fullmatch(line)
            if field is None or count == _MOST:
                raise DamagedError
            header._values.setdefault(field[1].lower(), []).append(field[2].strip(" \t"))
        return header

    def get(self, name: str) -> str:
        """Returns the first value of a field, empty if it is not there."""
        return next(iter(self.get_all(name)), "")

    def get_all(self, name: str) -> list[str]:
        return self._values.get(name.lower(), [])
