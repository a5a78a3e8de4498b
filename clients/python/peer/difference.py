"""What a comparison finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# name, callable and parameter: one library has none. way and default: of a parameter. Of what became of an
# entry: this library refused or accepted what the other one does not, or the class or text of an error or the
# value is another.
Kind = Literal["name", "callable", "parameter", "way", "default", "refused", "accepted", "class", "text", "value"]
Verdict = Literal["kept", "better", "more", "other", "left out"]


@dataclass(frozen=True)
class Difference:
    """One thing that a caller of both libraries would notice.

    ``subject`` is the entry of ``surface`` or ``cases``, ``name`` the parameter
    or name in it. ``theirs`` and ``ours`` say what each library has.
    """

    kind: Kind
    subject: str
    name: str
    theirs: str
    ours: str


@dataclass(frozen=True)
class Reason:
    """Why some differences are as they are. The first reason that fits a difference is the one of it.

    Args:
        kinds: Of the differences, separated by spaces.
        subjects: Patterns of the entries.
        names: Patterns of the names, separated by spaces.
        verdict: What it means for who comes from the other library.
        why: A sentence or two.
    """

    kinds: str
    subjects: tuple[str, ...]
    names: str
    verdict: Verdict
    why: str


@dataclass(frozen=True)
class Explained:
    """A difference with its reason."""

    difference: Difference
    reason: Reason
