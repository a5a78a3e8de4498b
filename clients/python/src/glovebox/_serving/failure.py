"""Failures of functions on their way to the engine: what was raised, with the lines of the user only."""

from __future__ import annotations

import functools
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, cast

from .. import errors
from .._process.tracebacks import is_users, joined, users_frames
from .._values import codec
from .._values.type_guards import object_in
from .output import readable

Json = dict[str, Any]

_MARK = "\n... {} characters left out ...\n"
_MAX_FAILURE = 1 << 20  # bytes of a failure as the engine takes it
_MAX_NAME = 256  # characters of a name of a class, function or file

# Other classes before Python 3.11, and since then TimeoutError itself.
_TIMEOUTS = ("asyncio.exceptions.TimeoutError", "concurrent.futures._base.TimeoutError")

# Characters of a message and of a traceback, and how many frames. The second
# row fits into a failure even if every character takes its longest escape.
_ROOMS = ((192 << 10, 384 << 10, 512), (24 << 10, 64 << 10, 32))


def failed(code: str, message: str, *, outcome: str = "failed", hint: str = "", **details: Any) -> Json:
    """Returns the members of a failure message with an error of that code."""
    error: Json = {"code": code, "message": message, "retryable": False, "outcome": outcome}
    if hint:
        error["hint"] = hint
    if details:
        error["details"] = details
    return {"error": error}


def unfit(name: str, code: str, what: str, error: BaseException, outcome: str = "failed") -> Json:
    """Returns the failure of what happened around a function, which is not what it raised."""
    if isinstance(error, codec.BadValue):
        return failed(
            code,
            f"function {name}: {error}",
            outcome=outcome,
            field=str(error.where),
            expected=str(error.expected),
            got=str(error.got),
        )
    if isinstance(error, errors.GloveboxError):
        return failure_message(error)
    why = f"{type(error).__name__}: {safe_str(error)[:4096]}"
    return failed(code, f"function {name}: {what}: {why}", outcome=outcome)


def failure_message(error: BaseException) -> Json:
    """Returns the members of a failure message for what a function raised.

    An error of a run that the function waited for passes with its code, so that
    the outer run shows the inner failure. Anything else is an exception.
    """
    if isinstance(error, errors.GloveboxError) and error.code:
        return _passed(error)
    return {"exception": _fitting(functools.partial(_exception, error))}


def remember(run_id: str, error: BaseException) -> None:
    """Keeps what a function of this process raised, as the cause of what the run fails with."""
    error.__traceback__ = users_frames(error.__traceback__)
    original: BaseException | None = error
    if isinstance(error, errors.GloveboxError):
        original = error.__cause__
        if original is not None:  # whose lines continue those of this function
            original.__traceback__ = joined(error.__traceback__, original.__traceback__)
    if original is not None:
        originals.keep(run_id, original)


def _fitting(make: Callable[[int, int, int], Json]) -> Json:
    """Makes a document with as much room as fits into a failure."""
    document: Json = {}
    for room in _ROOMS:
        document = make(*room)
        if len(codec.dump(document).encode()) <= _MAX_FAILURE:
            break
    return document


def _exception(error: BaseException, message: int, trace: int, frames: int) -> Json:
    described = traceback.TracebackException.from_exception(error)
    _keep_users_frames(described)
    return {
        "type": _short(type_name(type(error)), _MAX_NAME),
        "message": _short(safe_str(error), message),
        "traceback": _short("".join(described.format()).rstrip("\n"), trace),
        "frames": _frames(described.stack, frames),
    }


def type_name(kind: type[BaseException]) -> str:
    """Returns the name of a class with its module, where that says anything."""
    if kind.__module__ in ("builtins", "__main__"):
        return kind.__qualname__
    name = f"{kind.__module__}.{kind.__qualname__}"
    return "TimeoutError" if name in _TIMEOUTS else name


def safe_str(error: BaseException) -> str:
    """Returns str(error), also of an exception that cannot say what it is."""
    try:
        return str(error)
    except Exception:  # the user's __str__ may raise anything
        return f"<{type(error).__name__} without a readable text>"


def _keep_users_frames(described: traceback.TracebackException) -> None:
    waiting, seen = [described], {id(described)}
    while waiting:
        one = waiting.pop()
        one.stack = traceback.StackSummary.from_list([f for f in one.stack if is_users(f.filename)])
        group = cast("list[traceback.TracebackException] | None", getattr(one, "exceptions", None))
        for other in (one.__cause__, one.__context__, *(group or ())):
            if other is not None and id(other) not in seen:
                seen.add(id(other))
                waiting.append(other)


def _frames(stack: traceback.StackSummary, limit: int) -> list[Json]:
    """Lists the outermost and the innermost frames, as many as there is room for."""
    chosen = list(stack)
    if len(chosen) > limit:
        chosen = chosen[: limit // 2] + chosen[len(chosen) - (limit - limit // 2) :]
    return [
        {
            "file": _short(f.filename, _MAX_NAME),
            "line": f.lineno or 0,
            "function": _short(f.name, _MAX_NAME),
            "source": _short(f.line or "", _MAX_NAME),
        }
        for f in chosen
    ]


def _short(text: str, limit: int) -> str:
    """Makes text fit for the wire. The middle of what is too long is left out, and says so."""
    text = readable(text)
    if len(text) <= limit:
        return text
    mark = _MARK.format(len(text) - limit)
    kept = max(0, limit - len(mark))
    return text[: kept - kept // 2] + mark + text[len(text) - kept // 2 :]


def _passed(error: errors.GloveboxError) -> Json:
    # The function itself did start, whatever became of the run that it waited for.
    document: Json = {
        "code": error.code,
        "message": error.message,
        "hint": error.hint,
        "retryable": error.retryable,
        "outcome": "unknown" if error.outcome == "unknown" else "failed",
        "details": _placed(error),
    }
    if len(codec.dump(document).encode()) > _MAX_FAILURE:
        del document["details"]
        document["message"], document["hint"] = _short(error.message, 64 << 10), _short(error.hint, 4 << 10)
    return {"error": document}


def _placed(error: errors.GloveboxError) -> Json:
    """Returns the details of an error, with the lines between the inner run and the outer one."""
    details: Json = dict(error.details)
    if error.run_id:
        details.setdefault("run", error.run_id)
    inner = object_in(details, "exception")
    if not inner:
        return details
    outer = [f for f in traceback.extract_tb(error.__traceback__) if is_users(f.filename)]
    stack = traceback.StackSummary.from_list(outer)
    below = inner.get("frames")
    frames = [*_frames(stack, _ROOMS[1][2]), *(cast("list[Json]", below) if isinstance(below, list) else ())]
    text = _continued("".join(stack.format()), str(inner.get("traceback") or ""))
    details["exception"] = {**inner, "frames": frames, "traceback": text}
    return details


_HEAD = "Traceback (most recent call last):\n"


def _continued(outer: str, inner: str) -> str:
    """Puts the lines of a caller before those of a traceback that it continues."""
    before, head, after = inner.rpartition(_HEAD)
    return before + head + outer + after if head else inner


class _Originals:
    """The last exceptions of functions that ran in this process, by run.

    It is bounded: exceptions keep alive what their frames refer to.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._by_run: OrderedDict[str, BaseException] = OrderedDict()

    def keep(self, run_id: str, error: BaseException) -> None:
        with self._lock:
            self._by_run.pop(run_id, None)
            self._by_run[run_id] = error
            while len(self._by_run) > self._limit:
                self._by_run.popitem(last=False)

    def take(self, run_id: str) -> BaseException | None:
        with self._lock:
            return self._by_run.pop(run_id, None)


originals = _Originals(64)
