from __future__ import annotations

import asyncio
import copy
import json
import pickle
import sys
from typing import Any

import pytest

from glovebox import errors
from glovebox._bundles.layout import BEGINNING
from glovebox._bundles.own_files import in_own_files
from glovebox._serving import failure
from glovebox._serving.failure import failure_message
from glovebox._tasks.failure import failure_of
from glovebox._values import codec


class Custom(Exception):
    pass


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


def caught(function: Any, *args: Any) -> BaseException:
    with pytest.raises(BaseException) as info:
        function(*args)
    return info.value


def exception_of(error: BaseException) -> dict[str, Any]:
    members = failure_message(error)
    assert list(members) == ["exception"]
    text = codec.dump(members)
    assert len(text.encode()) <= (1 << 20) + 100
    exception: dict[str, Any] = json.loads(text)["exception"]
    return exception


def fails(error: BaseException) -> None:
    raise error


class TestToTheWire:
    def test_an_exception(self) -> None:
        told = exception_of(caught(fails, ValueError("bad x")))
        assert (told["type"], told["message"]) == ("ValueError", "bad x")
        assert told["frames"][-1]["function"] == "fails"
        assert told["frames"][-1]["source"] == "raise error"
        assert told["frames"][-1]["file"] == __file__
        assert told["traceback"].startswith("Traceback (most recent call last):\n")
        assert told["traceback"].endswith("raise error\nValueError: bad x")

    @pytest.mark.parametrize(
        ("error", "name", "message"),
        [
            (KeyError("x"), "KeyError", "'x'"),
            (Custom("a"), f"{__name__}.Custom", "a"),
            (SystemExit(3), "SystemExit", "3"),
            (KeyboardInterrupt(), "KeyboardInterrupt", ""),
            (asyncio.TimeoutError("late"), "TimeoutError", "late"),
            (json.JSONDecodeError("bad", "{", 1), "json.decoder.JSONDecodeError", "bad: line 1 column 2 (char 1)"),
            (Mute(), f"{__name__}.Mute", "<Mute without a readable text>"),
            (ValueError("\ud800\udc00 \udc00"), "ValueError", "\U00010000 \ufffd"),
        ],
    )
    def test_types_and_messages(self, error: BaseException, name: str, message: str) -> None:
        told = exception_of(caught(fails, error))
        assert (told["type"], told["message"]) == (name, message)

    def test_causes_are_kept(self) -> None:
        def outer() -> None:
            try:
                fails(ZeroDivisionError("first"))
            except ZeroDivisionError as e:
                raise ValueError("second") from e

        told = exception_of(caught(outer))
        assert "ZeroDivisionError: first" in told["traceback"]
        assert "direct cause" in told["traceback"]
        assert told["traceback"].endswith("ValueError: second")

    def test_only_the_users_frames(self) -> None:
        async def main() -> None:
            await asyncio.gather(inner())

        async def inner() -> None:
            await asyncio.wait_for(deep(), 300)

        async def deep() -> None:
            codec.encode_fields((), {"x": 1})  # fails inside of the library

        told = exception_of(caught(lambda: asyncio.run(main())))
        assert {f["file"] for f in told["frames"]} == {__file__}
        assert [f["function"] for f in told["frames"]][-2:] == ["inner", "deep"]
        assert "asyncio" not in told["traceback"].replace("await asyncio", "").replace("asyncio.run", "")

    @pytest.mark.parametrize(
        "text", ["x" * 10_000_000, "\x00" * 3_000_000, "\U0001f600" * 1_000_000, "\n." * 1_000_000]
    )
    def test_bounds(self, text: str) -> None:
        told = exception_of(caught(fails, ValueError(text)))
        assert "characters left out" in told["message"]
        assert "characters left out" in told["traceback"]

    def test_a_long_message_that_fits_is_whole(self) -> None:
        assert exception_of(caught(fails, ValueError("x" * 150_000)))["message"] == "x" * 150_000

    def test_deep_recursion(self) -> None:
        def forever(n: int) -> int:
            return forever(n + 1)

        told = exception_of(caught(forever, 0))
        assert told["type"] == "RecursionError"
        assert len(told["frames"]) <= 512

    def test_long_chains(self) -> None:
        error: BaseException = ValueError(0)
        for i in range(2000):
            following = ValueError(i)
            following.__cause__ = error
            error = following
        assert exception_of(error)["message"] == "1999"

    def test_a_cycle_of_causes(self) -> None:
        one, two = ValueError("one"), ValueError("two")
        one.__cause__, two.__cause__ = two, one
        assert exception_of(one)["message"] == "one"

    @pytest.mark.skipif(sys.version_info < (3, 11), reason="exception groups are of Python 3.11")
    def test_groups(self) -> None:
        group = eval("ExceptionGroup('several', [ValueError('a'), KeyError('b')])")
        told = exception_of(caught(fails, group))
        assert (told["type"], told["message"]) == ("ExceptionGroup", "several (2 sub-exceptions)")
        assert "ValueError: a" in told["traceback"]

    def test_an_error_of_a_run_passes(self) -> None:
        inner = {
            "code": "timeout",
            "message": "too slow",
            "hint": "raise it",
            "retryable": False,
            "outcome": "failed",
            "details": {"duration_ns": 5},
        }
        told = failure_message(caught(fails, failure_of(inner, "run-1")))["error"]
        assert told == inner | {"details": {"duration_ns": 5, "run": "run-1"}}

    def test_the_outer_run_did_start(self) -> None:
        inner = failure_of(
            {"code": "worker_unavailable", "message": "none", "retryable": True, "outcome": "not_started"}
        )
        assert failure_message(inner)["error"]["outcome"] == "failed"
        inner = failure_of({"code": "worker_lost", "message": "gone", "retryable": True, "outcome": "unknown"})
        assert failure_message(inner)["error"]["outcome"] == "unknown"

    def test_an_exception_of_a_run_shows_the_way(self) -> None:
        inner = exception_of(caught(fails, ValueError("bad")))

        def outer() -> None:
            raise failure_of(python_exception(inner), "run-1")

        told = failure_message(caught(outer))["error"]
        assert told["code"] == "python_exception"
        assert [f["function"] for f in told["details"]["exception"]["frames"]][-4:-2] == ["caught", "outer"]
        assert told["details"]["exception"]["frames"][-1]["function"] == "fails"
        text = told["details"]["exception"]["traceback"]
        assert text.count("Traceback") == 1
        assert text.index("in outer") < text.index("in fails")
        assert text.endswith("ValueError: bad")

    def test_a_large_error_loses_its_details(self) -> None:
        inner = {"code": "nonzero_exit", "message": "m" * 100_000, "details": {"stderr": "x" * 2_000_000}}
        told = failure_message(failure_of(inner))["error"]
        assert told["code"] == "nonzero_exit"
        assert "details" not in told
        assert "left out" in told["message"]


def python_exception(exception: dict[str, Any]) -> dict[str, Any]:
    return {
        "code": "python_exception",
        "message": f"{exception['type']}: {exception['message']}",
        "hint": "read the traceback",
        "retryable": False,
        "outcome": "failed",
        "details": {"exception": exception},
    }


def of(kind: str, message: str = "text") -> errors.GloveboxError:
    return failure_of(
        python_exception({"type": kind, "message": message, "traceback": f"Traceback ...\n{kind}: {message}"}), "run-1"
    )


class TestFromTheWire:
    @pytest.mark.parametrize(
        "kind",
        [ValueError, KeyError, TypeError, ZeroDivisionError, IndexError, AttributeError, NameError, RuntimeError, OSError, FileNotFoundError,
         ConnectionResetError, TimeoutError, ImportError, ModuleNotFoundError, SyntaxError, IndentationError, RecursionError,
         AssertionError, NotImplementedError, EOFError, OverflowError, UnicodeError, BlockingIOError, UserWarning],
    )  # fmt: skip
    def test_it_is_caught_as_what_it_was(self, kind: type[Exception]) -> None:
        error = of(kind.__name__)
        assert isinstance(error, kind)
        assert isinstance(error, errors.PythonExceptionError)
        assert error.args == ("text",)
        assert error.code == "python_exception"
        assert error.run_id == "run-1"
        assert "text" in str(error)
        assert "Traceback ..." in str(error)
        for same in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
            assert type(same) is type(error)
            assert (same.args, str(same), same.run_id, same.details) == (error.args, str(error), "run-1", error.details)

    @pytest.mark.parametrize(
        "name",
        ["SystemExit", "KeyboardInterrupt", "GeneratorExit", "BaseException", "StopIteration", "StopAsyncIteration", "ExceptionGroup",
         "BaseExceptionGroup", "Exception", "MemoryError", "custom.Error", "print", "__import__", "", None, 5, ["x"], "os.error"],
    )  # fmt: skip
    def test_what_stays_plain(self, name: Any) -> None:
        error = of(name)
        assert type(error) is errors.PythonExceptionError
        assert not isinstance(error, (SystemExit, StopIteration))

    def test_a_key_is_the_key(self) -> None:
        assert of("KeyError", "'x'").args == ("x",)
        assert of("KeyError", "('a', 1)").args == ("('a', 1)",)
        assert "KeyError: 'x'" in str(of("KeyError", "'x'"))

    def test_the_bytes_of_a_unicode_error_do_not_travel(self) -> None:
        error = of("UnicodeDecodeError")
        assert isinstance(error, UnicodeError)
        assert not isinstance(error, UnicodeDecodeError)
        str(error)
        repr(error)

    def test_other_codes(self) -> None:
        error = failure_of({"code": "timeout", "message": "late", "outcome": "failed"}, "run-2")
        assert error.code == "timeout"
        assert error.run_id == "run-2"

    def test_a_code_that_is_not_known(self) -> None:
        assert failure_of({"code": "something_new", "message": "m"}).message == "m"

    @pytest.mark.parametrize(
        "details",
        [None, {}, {"exception": None}, {"exception": {}}, {"exception": "x"}, {"exception": {"type": 1, "frames": 2}}],
    )
    def test_without_details(self, details: Any) -> None:
        error = failure_of({"code": "python_exception", "message": "m", "details": details})
        assert type(error) is errors.PythonExceptionError
        failure_message(error)

    def test_what_this_process_raised_is_the_cause(self) -> None:
        original = caught(fails, Custom("a"))
        failure.remember("run-3", original)
        error = of("KeyError")
        assert error.__cause__ is None
        error = failure_of({"code": "python_exception", "message": "m"}, "run-3")
        assert error.__cause__ is original
        assert failure_of({"code": "python_exception", "message": "m"}, "run-3").__cause__ is None

    def test_few_are_kept(self) -> None:
        for i in range(1000):
            failure.remember(f"many-{i}", ValueError(i))
        assert len(failure.originals._by_run) <= 64
        assert failure_of({"code": "python_exception", "message": "m"}, "many-0").__cause__ is None
        assert failure_of({"code": "python_exception", "message": "m"}, "many-999").__cause__ is not None
        for i in range(1000):
            failure.originals.take(f"many-{i}")

    def test_there_and_back(self) -> None:
        """What goes out comes back as the same, over several processes."""
        exception = exception_of(caught(fails, ZeroDivisionError("by zero")))
        error = failure_of(python_exception(exception), "run-1")
        for _ in range(3):
            error = failure_of(json.loads(codec.dump(failure_message(caught(fails, error))["error"])))
        assert isinstance(error, ZeroDivisionError)
        assert error.args == ("by zero",)
        assert str(error).count("ZeroDivisionError: by zero") <= 3


def test_what_a_tool_raised_is_caught_where_an_orchestrator_is_called() -> None:
    exception = {"type": "KeyError", "message": "'k'", "traceback": "KeyError: 'k'"}
    failure = failure_of({"code": "call_failed", "message": "call 1 of f failed", "details": {"exception": exception}})
    assert isinstance(failure, errors.CallFailedError) and isinstance(failure, KeyError)
    assert failure.args == ("k",)
    again = pickle.loads(pickle.dumps(failure))
    assert (type(again), str(again)) == (type(failure), str(failure))


def test_the_call_behind_a_function_is_no_line_of_the_users() -> None:
    call = "f(n)" + BEGINNING
    frames = [
        {"file": "a.py", "line": 9, "function": "<module>", "source": call},
        {"file": "a.py", "line": 8, "function": "f"},
    ]
    text = f'Traceback (most recent call last):\n  File "a.py", line 9, in <module>\n    {call}\n  File "a.py", line 8, in f\nE: x\n'
    error = {"code": "call_failed", "details": {"exception": {"traceback": text, "frames": frames}}}
    failure = failure_of(in_own_files(error))
    told = failure.details["exception"]
    assert told["traceback"] == 'Traceback (most recent call last):\n  File "a.py", line 8, in f\nE: x\n'
    assert [frame["function"] for frame in told["frames"]] == ["f"]
