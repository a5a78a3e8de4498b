from __future__ import annotations

import builtins
import copy
import errno
import inspect
import pickle
import traceback
from typing import Any

import pytest

from glovebox import errors
from glovebox.errors import GloveboxError, from_problem

PYTHON = {
    "code": "python_exception",
    "message": "ZeroDivisionError: division by zero",
    "hint": "read the traceback",
    "retryable": False,
    "outcome": "failed",
    "attempts": 3,
    "details": {
        "exception": {
            "type": "ZeroDivisionError",
            "message": "division by zero",
            "traceback": 'Traceback (most recent call last):\n  File "box", line 3, in <module>\n    1 / 0\n'
            "ZeroDivisionError: division by zero\n",
        }
    },
}


@pytest.mark.parametrize("code", errors.BY_CODE)
def test_each_code_has_a_class(code: str) -> None:
    kind = errors.BY_CODE[code]
    error = from_problem({"code": code, "message": "so it was"})
    assert type(error) is kind
    assert getattr(errors, kind.__name__) is kind
    assert not hasattr(builtins, kind.__name__)
    assert (error.code, error.message, error.args) == (code, "so it was", ("so it was",))
    assert error.hint and error.outcome in ("not_started", "failed", "unknown")
    assert kind("raised here").code == code


def test_the_answer_of_a_run() -> None:
    error = from_problem(PYTHON)
    assert isinstance(error, errors.PythonExceptionError)
    assert (error.attempts, error.outcome, error.retryable) == (3, "failed", False)
    assert str(error) == (
        "ZeroDivisionError: division by zero (after 3 attempts)\n"
        "Traceback (most recent call last):\n"
        '  File "box", line 3, in <module>\n'
        "    1 / 0\n"
        "ZeroDivisionError: division by zero\n"
        "hint: read the traceback"
    )


def test_a_problem_of_a_request() -> None:
    error = from_problem({
        "type": "urn:glovebox:error:overloaded", "status": 429, "title": "too much", "detail": "100 runs wait",
        "code": "overloaded", "hint": "wait", "retryable": True, "outcome": "not_started",
    })  # fmt: skip
    assert isinstance(error, errors.OverloadedError)
    assert (error.message, error.retryable, str(error)) == ("100 runs wait", True, "100 runs wait\nhint: wait")


def test_a_code_of_a_newer_engine() -> None:
    error = from_problem({"code": "moon_full", "message": "howl", "hint": "", "retryable": True})
    assert type(error) is GloveboxError
    assert (error.code, str(error), error.retryable) == ("moon_full", "howl", True)


@pytest.mark.parametrize("value", [None, 1, [], {}, "x", True, [1], {"a": 1}])
@pytest.mark.parametrize("member", ["code", "message", "hint", "retryable", "outcome", "attempts", "details"])
def test_a_document_of_any_shape(member: str, value: Any) -> None:
    error = from_problem({**PYTHON, member: value})
    assert isinstance(str(error), str)
    assert error.outcome in ("not_started", "failed", "unknown")
    assert isinstance(error.details, dict) and isinstance(error.retryable, bool) and isinstance(error.attempts, int)
    inner = from_problem({**PYTHON, "details": {"exception": value, "call": value, "stderr": value, "log": value}})
    assert isinstance(str(inner), str)
    deep = from_problem(
        {**PYTHON, "details": {"exception": {"traceback": value}, "call": {"tool": value, "error": value}}}
    )
    assert isinstance(str(deep), str)


def test_nothing_said() -> None:
    assert str(from_problem({})) == "the engine said no more than that it failed"
    assert "no more than timeout" in str(from_problem({"code": "timeout"}))


def test_builtin_classes() -> None:
    for name, kind in {
        "InvalidInputError": ValueError, "InvalidTaskError": ValueError, "InvalidTypeError": TypeError,
        "NotFoundError": LookupError, "TaskTimeoutError": TimeoutError, "ServerUnavailableError": ConnectionError,
        "CodeSyntaxError": SyntaxError,
    }.items():  # fmt: skip
        error = getattr(errors, name)("it failed", hint="do it")
        assert isinstance(error, kind) and str(error) == "it failed\nhint: do it"


@pytest.mark.parametrize(
    ("code", "name", "kind"),
    [
        ("not_found", "ENOENT", FileNotFoundError),
        ("request_invalid", "EISDIR", IsADirectoryError),
        ("request_invalid", "ENOTDIR", NotADirectoryError),
        ("conflict", "EACCES", PermissionError),
        ("conflict", "EEXIST", FileExistsError),
        ("request_invalid", "EINVAL", OSError),
    ],
)
def test_what_linux_said_of_a_file(code: str, name: str, kind: type[OSError]) -> None:
    error = from_problem({"code": code, "message": "open a: no", "hint": "look", "details": {"errno": name}})
    assert isinstance(error, kind) and isinstance(error, errors.BY_CODE[code])
    assert (error.errno, error.code, str(error)) == (getattr(errno, name), code, "open a: no\nhint: look")
    second = pickle.loads(pickle.dumps(error))
    assert type(second) is type(error) and (vars(second), second.args) == (vars(error), error.args)


@pytest.mark.parametrize(("code", "name"), [("not_found", "ENOSUCHNAME"), ("not_found", 2), ("syntax_error", "EISDIR")])
def test_what_no_file_can_have(code: str, name: object) -> None:
    assert type(from_problem({"code": code, "details": {"errno": name}})) is errors.BY_CODE[code]


def test_package() -> None:
    error = from_problem(
        {"code": "invalid_package", "message": "there is no package x", "details": {"package": "x", "log": "apt: none"}}
    )
    assert isinstance(error, errors.InvalidPackageError)
    assert (error.package_name, error.original_error) == ("x", "apt: none")
    assert errors.InvalidPackageError("there is none").original_error == "there is none"


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
@pytest.mark.parametrize("code", ["timeout", "syntax_error", "invalid_package", "python_exception", "moon_full"])
def test_copies(code: str, again: Any) -> None:
    error = from_problem({**PYTHON, "code": code})
    error.run_id = "run-1"
    second = again(error)
    assert type(second) is type(error) and second is not error
    assert (str(second), vars(second), second.args) == (str(error), vars(error), error.args)


def test_what_python_prints() -> None:
    for code in ("syntax_error", "timeout"):
        error = from_problem({"code": code, "message": "line 3 is wrong", "hint": "correct it"})
        printed = "".join(traceback.format_exception_only(type(error), error))
        assert printed == f"glovebox.errors.{type(error).__name__}: line 3 is wrong\nhint: correct it\n"


def test_what_a_program_printed() -> None:
    lines = "".join(f"line {n}\n" for n in range(100))
    error = from_problem({"code": "nonzero_exit", "message": "status 3", "hint": "read", "details": {"stderr": lines}})
    shown = str(error).split("\n")
    assert shown == ["status 3", *(f"  | line {n}" for n in range(80, 100)), "hint: read"]


def test_the_call_at_fault() -> None:
    error = from_problem({
        "code": "call_failed", "message": "tool failed", "hint": "",
        "details": {"call": {"id": 1, "tool": "tool", "run": "run-2", "error": PYTHON}},
    })  # fmt: skip
    assert str(error).startswith('tool failed\nin tool, run run-2:\nTraceback (most recent call last):\n  File "box"')


def test_no_tricks_on_terminals() -> None:
    error = from_problem({"code": "internal", "message": "a\x1b[31mb\u202ec\r\x00\x9b\udc9bé\n\tx", "hint": ""})
    assert str(error) == "a\ufffd[31mb\ufffdc\ufffd\ufffd\ufffd\ufffdé\n\tx"
    assert error.message.startswith("a\x1b")
    str(error).encode()


def test_aliases_and_documentation() -> None:
    assert errors.BaseRuntimeError is GloveboxError
    assert errors.ActionAbortedError is errors.CanceledError
    for kind in errors.BY_CODE.values():
        assert inspect.getdoc(kind)
