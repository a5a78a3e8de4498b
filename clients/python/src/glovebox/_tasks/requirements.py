"""Files of requirements, as pip reads them, without its options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_MOST = 1 << 20  # bytes


def requirements_of(file: Path) -> list[str]:
    """Returns the packages that a requirements file lists.

    Raises:
        ValueError: It has an option of pip, or is no .txt file.
        OSError: It cannot be read.
    """
    if file.suffix != ".txt":
        raise ValueError(f"Requirements file {file} must have a .txt extension")
    with file.open("rb") as handle:
        content = handle.read(_MOST + 1)
    if len(content) > _MOST:
        raise ValueError(f"Requirements file {file} is larger than 1 MiB")
    return [requirement for requirement in (_requirement(file, *line) for line in _joined(content)) if requirement]


def _joined(content: bytes) -> Iterator[tuple[int, str]]:
    """Yields the lines of a requirements file with their numbers. A backslash at the end joins the next one."""
    begun, first = "", 1
    for number, line in enumerate(content.decode("utf-8-sig").splitlines(), 1):
        if not begun:
            first = number
        if line.endswith("\\"):
            begun += line[:-1] + " "
            continue
        yield first, begun + line
        begun = ""
    yield first, begun


def _requirement(file: Path, number: int, line: str) -> str:
    requirement = " ".join(re.sub(r"(^|\s)#.*", "", line).split())
    if requirement.startswith("-") or " --" in requirement:
        raise ValueError(f"{file}, line {number}: {requirement!r} is an option of pip; only packages may be listed")
    return requirement
