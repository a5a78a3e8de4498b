"""The error of a run as the exception that is raised here.

It is an error of ``glovebox.errors`` that is caught as the class it was where
that is a built-in one: ``except ValueError`` works across processes and cells.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Mapping
from typing import Any, cast

from .. import errors
from .._serving.failure import originals, type_name
from .._values.type_guards import object_in


def failure_of(error: Mapping[str, Any], run_id: str = "") -> errors.GloveboxError:
    """Returns what to raise for the error of a run, as the engine reports it.

    It is an error of ``glovebox.errors``. One for an exception of a built-in
    class is of that class, too. If the function ran in this process, what it
    raised is the cause.
    """
    failure = _typed(error)
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
