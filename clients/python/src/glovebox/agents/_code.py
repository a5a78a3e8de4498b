"""Code in what a model wrote."""

from __future__ import annotations

import re

_BLOCK = re.compile(
    r"^[ \t]*(`{3,})[ \t]*(?:python3?|py)?[ \t]*\n(.*?)^[ \t]*\1`*[ \t]*$", re.DOTALL | re.MULTILINE | re.IGNORECASE
)


def code_in(text: str) -> str:
    """Returns the first block of Python in a text, or an empty text if there is none."""
    found = _BLOCK.search(text)
    return found[2].strip() if found else ""
