"""Where the program ``glovebox`` is, which is the engine."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator

from ..errors import ServerUnavailableError
from .settings import PROGRAM_VARIABLE


def find_program() -> str:
    """Returns the path of the program ``glovebox``.

    It is the one that ``GLOVEBOX_PROGRAM`` names, else the one that was
    installed with this library, else the one on ``PATH``.
    """
    named = os.environ.get(PROGRAM_VARIABLE)
    if named:
        if not _is_program(named):
            raise _missing(
                f"{PROGRAM_VARIABLE} is {named!r}, which is no file that can be executed",
                "set it to the path of the program glovebox, or unset it to use the installed one",
            )
        return named
    for directory in _script_directories():
        candidate = os.path.join(directory, "glovebox")
        if _is_program(candidate):
            return candidate
    import shutil  # lazy: most programs are installed beside their Python

    found = shutil.which("glovebox")
    if found:
        return found
    raise _missing(
        "the program glovebox, which is the engine, is not installed here",
        "on Linux, install the wheel that holds it, with: pip install --force-reinstall glovebox-sandbox; or set "
        "GLOVEBOX_PROGRAM to the path of the program, or GLOVEBOX_URL to the address of a server",
    )


def _script_directories() -> Iterator[str]:
    """Yields where installers put programs: beside this Python, and for its user."""
    yield os.path.dirname(sys.executable)
    for scheme in (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")):
        path = sysconfig.get_path("scripts", scheme)
        if path:
            yield path


def _is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _missing(message: str, hint: str) -> ServerUnavailableError:
    return ServerUnavailableError(message, hint=hint, retryable=False, outcome="not_started")
