"""What can be said of the code of a sandbox before it runs."""

from __future__ import annotations

import ast
import sys
import textwrap
import threading
import warnings

# The Python of images whose version the caller leaves to the engine is at most this.
_IMAGE_PYTHON = (3, 12)
_MOST_CHECKED = 1 << 20  # characters

_filters = threading.Lock()


def check_syntax(code: str, filename: str, *, auto_io: bool, python_version: tuple[int, ...] | None) -> None:
    """Raises SyntaxError, with the line, if the code cannot be Python for the image, and ValueError if it is no text.

    In auto-IO mode it may be indented as a whole, and await outside of functions.
    Only a Python that is as new as that of the image can tell: newer syntax is
    unknown to an older one. Where it cannot, the run says what is wrong.
    """
    try:
        code.encode()
    except UnicodeEncodeError as e:
        raise ValueError(f"code has half of a surrogate pair at {e.start}, which no source file can hold") from None
    image = (python_version or _IMAGE_PYTHON)[:2]
    if sys.version_info[:2] < max(image, _IMAGE_PYTHON) or len(code) > _MOST_CHECKED:
        return
    if "\0" in code:
        raise SyntaxError("the code has a NUL", (filename, code.count("\n", 0, code.index("\0")) + 1, None, None))
    text = code.removeprefix("\ufeff")
    text = textwrap.dedent(text) if auto_io else text
    try:
        _compile(text, filename, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if auto_io else 0)
    except (MemoryError, RecursionError):
        return  # too nested for this process to tell


def _compile(text: str, filename: str, flags: int) -> None:
    # The filters of warnings belong to the whole process, hence the lock.
    with _filters, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(text, filename, "exec", flags, dont_inherit=True)
