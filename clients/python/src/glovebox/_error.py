"""What all errors have in common. ``glovebox.errors`` has the classes."""

from __future__ import annotations

import errno
import unicodedata
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, cast

from ._values.type_guards import is_mapping, object_in

Outcome = Literal["not_started", "failed", "unknown"]

_OUTCOMES: tuple[Outcome, ...] = ("not_started", "failed", "unknown")
_SHOWN_LINES = 20  # of what a program or a build step printed

E = TypeVar("E", bound="GloveboxError")


class GloveboxError(Exception):
    """What went wrong in Glovebox, or in what it ran. Each code has a class below this one.

    >>> try:
    ...     sandbox.run(x=1)
    ... except glovebox.errors.TaskTimeoutError as error:
    ...     print(error.details["duration_ns"])
    ... except glovebox.errors.GloveboxError as error:
    ...     print(error.code, error.hint)

    ``str()`` of an error is its message, the lines of your code that it came
    from, and what to do next.
    """

    __module__ = "glovebox.errors"  # where users find it

    code: str = ""
    """The name of the kind of failure, which is stable. Empty if it has none."""
    hint: str = ""
    """What to do next."""
    retryable: bool = False
    """Whether the same thing can succeed if it is tried again later."""
    outcome: Outcome = "unknown"
    """How far it got: ``not_started``, ``failed``, or ``unknown``: it may or may not have had its effects."""

    message: str
    """What went wrong, in one or a few sentences."""
    details: dict[str, Any]
    """What there is to say beyond the message, as docs/API.md lists it by code."""
    attempts: int
    """How often the run was tried, 0 where that was not counted."""
    run_id: str
    """The run that failed, empty if it was none."""

    def __init__(
        self,
        message: str = "",
        *,
        code: str | None = None,
        hint: str | None = None,
        retryable: bool | None = None,
        outcome: Outcome | None = None,
        details: Mapping[str, Any] | None = None,
        attempts: int = 0,
        run_id: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.details = dict(details or {})
        self.attempts = attempts
        self.run_id = run_id
        if code is not None:
            self.code = code
        if hint is not None:
            self.hint = hint
        if retryable is not None:
            self.retryable = retryable
        if outcome is not None:
            self.outcome = outcome

    @property
    def problems(self) -> list[dict[str, Any]]:
        """What is wrong with the code of an orchestrator, in the order of its lines.

        Each has ``level``, ``code``, ``line``, ``column`` and ``message``. Empty if it is another error.
        """
        found = self.details.get("problems")
        return (
            [dict(each) for each in cast("list[object]", found) if is_mapping(each)] if isinstance(found, list) else []
        )

    def __str__(self) -> str:
        head = self.message
        if self.attempts > 1:
            head += f" (after {self.attempts} attempts)"
        place = _last_frame(self.details) if self.__cause__ is not None else ""
        parts = [head, place] if place else [head, *_circumstances(self.details)]
        if self.hint:
            parts.append(f"hint: {self.hint}")
        return _visible("\n".join(part for part in parts if part))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.message, dict(self.__dict__))


class PackageError(GloveboxError):
    """An error that a package is to blame for."""

    @property
    def package_name(self) -> str:
        """The package at fault, as it was asked for."""
        return _text(self.details, "package")

    @property
    def original_error(self) -> str:
        """The words of the package manager."""
        return _text(self.details, "log") or self.message


class SourceError(GloveboxError, SyntaxError):
    """An error of code that is not valid Python."""

    @property
    def msg(self) -> str:  # type: ignore[override]
        """All that Python prints of a syntax error."""
        return str(self)


def _restore(kind: type[E], message: str, state: Mapping[str, Any]) -> E:
    error = kind(message)
    error.__dict__.update(state)
    return error


def error_of(kinds: Mapping[str, type[GloveboxError]], document: Mapping[str, Any]) -> GloveboxError:
    """Makes the error that a document of the engine describes, whatever is in it."""
    code = _text(document, "code")
    outcome = document.get("outcome")
    kind = _of_file(kinds.get(code, GloveboxError), _text(object_in(document, "details"), "errno"))
    details, attempts = document.get("details"), document.get("attempts")
    retryable, hint = document.get("retryable"), document.get("hint")
    return kind(
        _text(document, "message")
        or _text(document, "detail")
        or f"the engine said no more than {code or 'that it failed'}",
        code=code,
        hint=hint if isinstance(hint, str) else None,
        retryable=retryable if isinstance(retryable, bool) else None,
        outcome=outcome if outcome in _OUTCOMES else None,
        details=details if is_mapping(details) else None,
        attempts=attempts if isinstance(attempts, int) else 0,
    )


_of_files: dict[tuple[type[GloveboxError], int], type[GloveboxError]] = {}


def _of_file(kind: type[GloveboxError], name: str) -> type[GloveboxError]:
    """Returns the class of the errors of a kind that are also what Python raises: ``except FileNotFoundError``."""
    number = getattr(errno, name, None) if name else None
    if not isinstance(number, int):
        return kind
    if (kind, number) not in _of_files:
        _of_files[kind, number] = _both(kind, name, number)
    return _of_files[kind, number]


def _both(kind: type[GloveboxError], name: str, number: int) -> type[GloveboxError]:
    builtin = type(OSError(number, name))

    def reduce(self: GloveboxError) -> tuple[Any, ...]:
        return _restore_of_file, (kind, name, self.message, dict(self.__dict__))

    body: dict[str, Any] = {
        "__module__": kind.__module__,
        "__doc__": f"A {builtin.__name__} in a session.",
        "__reduce__": reduce,
        "errno": number,
    }
    try:
        both = type(f"{kind.__name__}[{builtin.__name__}]", (kind, builtin), body)
    except TypeError:  # of a class that Python cannot combine with it
        return kind
    return cast("type[GloveboxError]", both)


def _restore_of_file(kind: type[GloveboxError], name: str, message: str, state: Mapping[str, Any]) -> GloveboxError:
    return _restore(_of_file(kind, name), message, state)


def _text(document: Mapping[str, Any], member: str) -> str:
    value = document.get(member)
    return value if isinstance(value, str) else ""


def _circumstances(details: Mapping[str, Any]) -> list[str]:
    """Returns what there is to show beyond the message: where it went wrong, and what was printed."""
    shown = [_text(object_in(details, "exception"), "traceback").rstrip("\n")]
    call = object_in(details, "call")
    failure = object_in(call, "error")
    inner = _text(object_in(object_in(failure, "details"), "exception"), "traceback")
    if inner:
        shown.append(f"in {_text(call, 'tool')}, run {_text(call, 'run')}:\n" + inner.rstrip("\n"))
    if not any(shown):
        shown += [_last_lines(_text(details, "stderr")), _last_lines(_text(details, "log"))]
    return shown


def _last_frame(details: Mapping[str, Any]) -> str:
    """Returns the end of a traceback of which Python shows all with the cause."""
    frames = object_in(details, "exception").get("frames")
    frame = cast("list[object]", frames)[-1] if isinstance(frames, list) and frames else None
    if not is_mapping(frame):
        return ""
    place = f'  File "{_text(frame, "file")}", line {frame.get("line")}, in {_text(frame, "function")}'
    source = _text(frame, "source")
    return f"{place}\n    {source}" if source else place


def _last_lines(text: str) -> str:
    lines = text.rstrip("\n").split("\n")[-_SHOWN_LINES:]
    return "\n".join(f"  | {line}" for line in lines) if text else ""


_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")


def _visible(text: str) -> str:
    """Replaces characters that could play tricks on a terminal: parts of an error come from unreviewed code."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(
        c if c in "\n\t" or not (c in _BIDI or unicodedata.category(c) in ("Cc", "Cs")) else "\ufffd" for c in text
    )
