"""Code in a string, as the engine takes it."""

from __future__ import annotations

import textwrap


def source_of_string(text: str) -> str:
    """Prepares code that was given as a string: indented code is moved to the left.

    Lines keep their numbers. Code without any content is ``None``.
    """
    return textwrap.dedent(text).rstrip() if text.strip() else "None"
