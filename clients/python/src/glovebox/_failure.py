"""Failures of functions, to the wire and from it.

What a function raised goes to the engine with the user's lines only. What a run
failed with comes back as an error of ``glovebox.errors`` that is caught as the
class it was where that is a built-in one: ``except ValueError`` works across
processes and cells.
"""

from __future__ import annotations

import asyncio
import builtins
import concurrent.futures
import functools
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, cast

from . import _codec, errors
from ._guards import object_in
from ._origin import in_own_files
from ._output import readable
from ._trace import is_users, joined, users_frames

Json = dict[str, Any]

_MARK = "\n... {} characters left out ...\n"
_MAX_FAILURE = 1 << 20  # bytes of a failure as the engine takes it
_MAX_NAME = 256  # characters of a name of a class, function or file

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
        if len(_codec.dump(document).encode()) <= _MAX_FAILURE:
            break
    return document


def _exception(error: BaseException, message: int, trace: int, frames: int) -> Json:
    told = traceback.TracebackException.from_exception(error)
    _keep_users_frames(told)
    return {
        "type": _short(type_name(type(error)), _MAX_NAME),
        "message": _short(safe_str(error), message),
        "traceback": _short("".join(told.format()).rstrip("\n"), trace),
        "frames": _frames(told.stack, frames),
    }


def type_name(kind: type[BaseException]) -> str:
    """Returns the name of a class with its module, where that says anything."""
    if kind is asyncio.TimeoutError or kind is concurrent.futures.TimeoutError:
        return "TimeoutError"  # which is what they are since Python 3.11
    if kind.__module__ in ("builtins", "__main__"):
        return kind.__qualname__
    return f"{kind.__module__}.{kind.__qualname__}"


def safe_str(error: BaseException) -> str:
    """Returns str(error), also of an exception that cannot say what it is."""
    try:
        return str(error)
    except Exception:  # the user's __str__ may raise anything
        return f"<{type(error).__name__} whose text cannot be told>"


def _keep_users_frames(told: traceback.TracebackException) -> None:
    waiting, seen = [told], {id(told)}
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
    if len(_codec.dump(document).encode()) > _MAX_FAILURE:
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


# --- from the wire ---


def failure_of(error: Mapping[str, Any], run_id: str = "") -> errors.GloveboxError:
    """Returns what to raise for the error of a run, as the engine tells it.

    It is an error of ``glovebox.errors``. One for an exception of a built-in
    class is of that class, too. If the function ran in this process, what it
    raised is the cause.
    """
    failure = _typed(in_own_files(error))
    if run_id and not failure.run_id:
        failure.run_id = run_id
    original = originals.take(run_id)
    if original is not None:
        failure.__cause__ = original
    return failure


def _typed(error: Mapping[str, Any]) -> errors.GloveboxError:
    failure = errors.from_problem(error)
    if not isinstance(failure, _RAISED):
        return failure
    exception = object_in(failure.details, "exception")
    kind = _known(exception.get("type"))
    if kind is None or issubclass(type(failure), kind):
        return failure
    both = _both(failure.code, type_name(kind))
    made = both.__new__(both)
    made.__dict__.update(failure.__dict__)
    made.args = (_argument(kind, str(exception.get("message") or "")),)
    made.__dict__["_document"] = dict(error)
    if isinstance(made, SyntaxError) and not isinstance(made, errors.CodeSyntaxError):
        made.msg = str(made)  # all that Python prints of a syntax error
    return made


# The errors of code that did not catch an exception, its own or that of a tool.
_RAISED = (errors.PythonExceptionError, errors.CallFailedError)
_ERRORS = f"{errors.__name__}."  # before the names of the errors of this library


def _known(name: object) -> type[Exception] | None:
    """Returns the class of that name as which an error can be caught: a built-in one, or one of ``errors``."""
    if not isinstance(name, str) or not name.startswith(_ERRORS):
        return _builtin(name)
    kind = getattr(errors, name.removeprefix(_ERRORS), None)
    if isinstance(kind, type) and issubclass(kind, errors.GloveboxError) and type_name(kind) == name:
        return kind
    return None


def _builtin(name: object) -> type[Exception] | None:
    """Returns the built-in class of that name as which an error can be caught.

    None for what steers a program, such as SystemExit and StopIteration, and for
    what cannot be made of a message, or not of a class below.
    """
    kind = getattr(builtins, name, None) if isinstance(name, str) else None
    if not (isinstance(kind, type) and issubclass(kind, Exception)) or kind is Exception:
        return None
    if issubclass(kind, UnicodeError):
        return UnicodeError  # the narrower ones hold the bytes at fault
    if kind.__name__ in ("StopIteration", "StopAsyncIteration", "ExceptionGroup", "MemoryError"):
        return None
    return kind


@functools.lru_cache(maxsize=256)
def _both(code: str, other: str) -> type[errors.GloveboxError]:
    """Makes the class of the errors that are both an error of a run and of another class."""
    base, kind = errors.BY_CODE[code], _known(other)
    assert kind is not None
    name = f"{base.__name__}[{kind.__name__}]"
    body = {
        "__module__": errors.__name__,
        "__qualname__": name,
        "__doc__": f"A {kind.__name__} that the code of a run raised.",
        "__reduce__": _reduce,
    }
    return cast("type[errors.GloveboxError]", type(name, (base, kind), body))


def _reduce(self: errors.GloveboxError) -> tuple[Any, ...]:
    state = {name: value for name, value in self.__dict__.items() if name != "_document"}
    return _typed, (self.__dict__["_document"],), state


def _argument(kind: type[Exception], message: str) -> str:
    """Returns what args holds: the message, or of a KeyError the key, if it is plain text."""
    if not issubclass(kind, KeyError) or len(message) < 2 or "\\" in message:
        return message
    return message[1:-1] if message[0] == message[-1] and message[0] in "'\"" else message


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
