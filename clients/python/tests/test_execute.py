from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import datetime
import functools
import gc
import io
import logging
import os
import sys
import threading
import time
import weakref
from typing import Any

import pytest

from glovebox._process import context
from glovebox._serving import output
from glovebox._serving.execution import Execution, Offered, bound, positional_only
from worker_peer import PATIENCE, offered


class Done:
    """A call of a function and what came of it."""

    def __init__(self, function: Offered, **inputs: Any) -> None:
        self.logs: list[tuple[str, str]] = []
        self._ended: concurrent.futures.Future[Any] = concurrent.futures.Future()
        sink = output.Sink(lambda stream, text: self.logs.append((stream, text)), deaf=0)
        self.execution = Execution(function, context.Invocation("run-1", "key-1"), inputs, sink, self._ended.set_result)
        self.execution.start()

    @property
    def ending(self) -> Any:
        return self._ended.result(PATIENCE)

    def printed(self, stream: str = "stdout") -> str:
        return "".join(text for name, text in self.logs if name == stream)


def ending(function: Offered, **inputs: Any) -> Any:
    return Done(function, **inputs).ending


class TestCalls:
    def test_a_function(self) -> None:
        assert ending(offered(lambda x, y: x + y, "x:int y:int"), x=1, y=2) == '{"o0":3}'

    def test_an_async_function(self) -> None:
        async def add(x: int) -> int:
            await asyncio.sleep(0)
            return x + 1

        assert ending(offered(add, "x:int"), x=1) == '{"o0":2}'

    def test_what_returns_an_awaitable(self) -> None:
        async def add(x: int, y: int) -> int:
            return x + y

        assert ending(offered(functools.partial(add, 1), "y:int"), y=1) == '{"o0":2}'
        assert ending(offered(lambda y: add(2, y), "y:int"), y=1) == '{"o0":3}'

    def test_values_have_their_types(self) -> None:
        def check(when: datetime.datetime, raw: bytes, big: int) -> str:
            assert isinstance(when, datetime.datetime)
            assert raw == b"abc"
            return str(big.bit_length())

        function = offered(check, "when:datetime raw:bytes big:int", "str")
        assert ending(function, when="2024-01-02T03:04:05", raw="YWJj", big=1 << 500) == '{"o0":"501"}'

    def test_positional_only(self) -> None:
        def call(a: int, /, b: int, *, c: int) -> str:
            return f"{a}{b}{c}"

        assert ending(offered(call, "a:int b:int c:int", "str"), a=1, b=2, c=3) == '{"o0":"123"}'
        assert bound(positional_only(call), {"c": 3, "b": 2, "a": 1}) == ((1,), {"c": 3, "b": 2})

    def test_nothing_comes_out(self) -> None:
        assert ending(offered(lambda: None, output="")) == "{}"
        error = ending(offered(lambda: 5, output="", name="f"))["error"]
        assert (error["code"], error["message"]) == (
            "bad_output",
            "function f: the output: expected None, as it is declared to return, got int",
        )

    def test_a_thread_of_its_own(self) -> None:
        def where() -> str:
            thread = threading.current_thread()
            assert thread.daemon
            return thread.name

        assert ending(offered(where, output="str")) == '{"o0":"glovebox-where"}'

    def test_it_knows_its_run(self) -> None:
        seen: list[Any] = []

        async def look() -> None:
            seen.append(context.current.get())
            await asyncio.gather(asyncio.to_thread(lambda: seen.append(context.current_run())))

        assert ending(offered(look, output="")) == "{}"
        assert seen == [context.Invocation("run-1", "key-1"), "run-1"]
        assert context.current_run() is None

    def test_the_context_of_others_stays_out(self) -> None:
        variable: Any = __import__("contextvars").ContextVar("v", default="default")
        variable.set("mine")
        assert ending(offered(variable.get, output="str", name="f")) == '{"o0":"default"}'

    def test_what_an_async_function_leaves_behind_is_cancelled(self) -> None:
        cancelled = threading.Event()

        async def forever() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()

        async def leave() -> int:
            background.append(asyncio.create_task(forever()))
            await asyncio.sleep(0)
            return 1

        background: list[Any] = []
        assert ending(offered(leave)) == '{"o0":1}'
        assert cancelled.is_set()


class TestFailures:
    @pytest.mark.parametrize(
        "error",
        [ValueError("x"), KeyboardInterrupt("x"), SystemExit("x"), GeneratorExit("x"), asyncio.CancelledError("x")],
    )
    def test_whatever_is_raised(self, error: BaseException) -> None:
        def fail() -> int:
            raise type(error)("x")

        async def fail_later() -> int:
            await asyncio.sleep(0)
            raise type(error)("x")

        for function in (fail, fail_later):
            told = ending(offered(function))["exception"]
            assert told["type"].endswith(type(error).__name__)
            if not isinstance(error, asyncio.CancelledError) or function is fail:
                assert told["message"] == "x"
                assert [f["function"] for f in told["frames"]] == [function.__name__]

    def test_an_exit(self) -> None:
        assert ending(offered(lambda: sys.exit(3)))["exception"]["message"] == "3"

    def test_an_input_that_does_not_fit(self) -> None:
        error = ending(offered(lambda x: x, "x:int", name="f"), x="text")["error"]
        assert (error["code"], error["outcome"], error["details"]["field"]) == ("invalid_input", "not_started", "x")

    def test_an_output_that_does_not_fit(self) -> None:
        error = ending(offered(lambda: "text", name="f"))["error"]
        assert (error["code"], error["outcome"], error["details"]["field"]) == ("bad_output", "failed", "o0")
        assert error["message"] == "function f: o0: expected int, got str 'text'"

    def test_an_output_that_is_too_large(self) -> None:
        error = ending(offered(lambda: "x" * (64 << 20), output="str"))["error"]
        assert error["code"] == "output_too_large"
        assert error["hint"] == "return large data as a File"

    def test_an_output_that_breaks(self) -> None:
        class Broken(list[int]):
            def __iter__(self) -> Any:
                raise RuntimeError("broken")

        error = ending(offered(lambda: Broken([1]), output="Any"))
        assert error == '{"o0":[1]}' or error["error"]["code"] == "bad_output"


class TestStopping:
    def test_nothing_hits_a_function_that_has_ended(self) -> None:
        """Stopping at any moment ends in a result or in canceled, and in nothing else."""

        def work() -> int:
            return sum(range(200))

        for i in range(300):
            done = Done(offered(work))
            if i % 2:
                time.sleep(0)
            done.execution.stop()
            done.execution.stop()
            end = done.ending
            assert end == '{"o0":19900}' or end["error"]["code"] == "canceled"

    def test_code_can_be_traced_afterwards(self) -> None:
        """As debuggers do. Python 3.11 hangs there while it looks for an exception that was taken back."""
        assert ending(offered(lambda: 1)) == '{"o0":1}'

        def trace() -> None:
            sys.settrace(lambda frame, event, arg: None)
            ending(offered(lambda: 1))

        thread = threading.Thread(target=trace, daemon=True)
        thread.start()
        thread.join(PATIENCE)
        assert not thread.is_alive()

    def test_before_it_began(self) -> None:
        def call() -> int:
            raise AssertionError("it was called")

        function = offered(call)
        sink = output.Sink(lambda stream, text: None, deaf=0)
        ended: concurrent.futures.Future[Any] = concurrent.futures.Future()
        execution = Execution(function, context.Invocation("r"), {}, sink, ended.set_result)
        execution.stop()
        execution.start()
        assert ended.result(PATIENCE)["error"]["code"] == "canceled"

    def test_an_exception_of_the_clean_up_is_told(self) -> None:
        waiting = threading.Event()

        async def fail() -> int:
            try:
                waiting.set()
                await asyncio.Event().wait()
            finally:
                raise ValueError("while stopping")
            return 1

        done = Done(offered(fail))
        assert waiting.wait(PATIENCE)
        done.execution.stop()
        assert done.ending["exception"]["type"] == "ValueError"


class TestPrints:
    def test_all_ways(self, capsys: pytest.CaptureFixture[str]) -> None:
        def talk() -> None:
            print("a", "b")
            sys.stdout.write("c\n")
            sys.stdout.writelines(["d\n", "e"])
            sys.stdout.flush()
            print("err", file=sys.stderr)
            sys.stdout.buffer.write("ü\n".encode()[:1])
            sys.stdout.buffer.write("ü\n".encode()[1:])
            sys.stdout.buffer.flush()

        done = Done(offered(talk, output=""))
        assert done.ending == "{}"
        assert done.printed() == "a b\nc\nd\neü\n"
        assert done.printed("stderr") == "err\n"
        told = capsys.readouterr()
        assert (told.out, told.err) == ("a b\nc\nd\neü\n", "err\n")

    def test_async_tasks_and_their_threads(self, capsys: pytest.CaptureFixture[str]) -> None:
        async def talk() -> None:
            await asyncio.gather(asyncio.to_thread(print, "from a thread"), other())

        async def other() -> None:
            print("from a task")

        done = Done(offered(talk, output=""))
        assert done.ending == "{}"
        assert sorted(done.printed().splitlines()) == ["from a task", "from a thread"]

    def test_other_threads_only_pass_through(self, capsys: pytest.CaptureFixture[str]) -> None:
        def talk() -> None:
            thread = threading.Thread(target=print, args=("elsewhere",))
            thread.start()
            thread.join()
            print("here")

        done = Done(offered(talk, output=""))
        assert done.ending == "{}"
        assert done.printed() == "here\n"
        assert capsys.readouterr().out == "elsewhere\nhere\n"

    def test_calls_do_not_mix(self, capsys: pytest.CaptureFixture[str]) -> None:
        meeting = threading.Barrier(8, timeout=PATIENCE)

        def talk(x: int) -> None:
            for _ in range(50):
                meeting.wait()
                print(x)

        calls = [Done(offered(talk, "x:int", ""), x=x) for x in range(8)]
        assert [call.ending for call in calls] == ["{}"] * 8
        assert [call.printed() for call in calls] == [f"{x}\n" * 50 for x in range(8)]

    def test_the_streams_are_put_back(self) -> None:
        before = sys.stdout, sys.stderr
        inside: list[Any] = []
        assert ending(offered(lambda: inside.append(sys.stdout), output="")) == "{}"
        assert inside[0] is not before[0]
        assert (sys.stdout, sys.stderr) == before

    def test_code_that_redirects(self, capsys: pytest.CaptureFixture[str]) -> None:
        kept = io.StringIO()

        def talk() -> None:
            with contextlib.redirect_stdout(kept):
                print("kept")
            print("told")

        done = Done(offered(talk, output=""))
        assert done.ending == "{}"
        assert (kept.getvalue(), done.printed()) == ("kept\n", "told\n")

    def test_code_that_replaces_the_stream_for_good(self, capsys: pytest.CaptureFixture[str]) -> None:
        before, mine = sys.stdout, io.StringIO()

        def replace() -> None:
            sys.stdout = mine

        try:
            assert ending(offered(replace, output="")) == "{}"
            assert sys.stdout is mine
            done = Done(offered(lambda: print("hello"), output=""))
            assert done.ending == "{}"
            assert (mine.getvalue(), done.printed()) == ("hello\n", "hello\n")
            assert sys.stdout is mine
        finally:
            sys.stdout = before

    def test_our_stream_put_back_when_we_are_gone(self, capsys: pytest.CaptureFixture[str]) -> None:
        before, kept = sys.stdout, []

        def keep() -> None:
            kept.append(sys.stdout)

        assert ending(offered(keep, output="")) == "{}"
        try:
            sys.stdout = kept[0]
            print("through")
            done = Done(offered(lambda: print("hello"), output=""))
            assert done.ending == "{}"
            assert done.printed() == "hello\n"
        finally:
            sys.stdout = before
        assert capsys.readouterr().out == "through\nhello\n"

    def test_a_stream_that_was_replaced_while_another_call_goes_on(self) -> None:
        began, go_on = threading.Event(), threading.Event()

        def wait() -> None:
            began.set()
            assert go_on.wait(PATIENCE)
            print("late")

        long = Done(offered(wait, output=""))
        assert began.wait(PATIENCE)
        with contextlib.redirect_stdout(io.StringIO()) as kept:
            for _ in range(2):
                done = Done(offered(lambda: print("hello"), output=""))
                assert (done.ending, done.printed()) == ("{}", "hello\n")
            go_on.set()
            assert (long.ending, long.printed()) == ("{}", "late\n")
            assert sys.stdout is kept
        assert kept.getvalue() == "hello\nhello\nlate\n"

    def test_a_stream_above_ours_is_copied_once(self) -> None:
        class Both(io.StringIO):
            def __init__(self, other: Any) -> None:
                super().__init__()
                self.other = other

            def write(self, text: str) -> int:
                self.other.write(text)
                self.other.buffer.write(b"")
                return super().write(text)

        before = sys.stdout

        def replace() -> None:
            sys.stdout = Both(sys.stdout)

        try:
            assert ending(offered(replace, output="")) == "{}"
            done = Done(offered(lambda: print("hello"), output=""))
            assert (done.ending, done.printed()) == ("{}", "hello\n")
        finally:
            sys.stdout = before

    def test_a_stream_is_there_until_who_prints_to_it_is_done(self) -> None:
        """CPython's print() does not hold it: gh-130163."""
        go_on = threading.Event()
        calls: list[Done] = []

        class Slow(io.StringIO):
            def write(self, text: str) -> int:
                if text == "text":  # and the line end is to come
                    go_on.set()
                    assert calls[0].ending == '{"o0":true}'
                    assert sys.stdout is self
                return super().write(text)

        with contextlib.redirect_stdout(Slow()) as slow:
            calls.append(Done(offered(lambda: go_on.wait(PATIENCE), output="bool")))
            while sys.stdout is slow:
                time.sleep(0.001)
            ours = weakref.ref(sys.stdout)
            print("text")
            assert ours() is not None
        assert slow.getvalue() == "text\n"

    def test_streams_of_old_calls_are_let_go(self) -> None:
        streams: list[weakref.ref[io.StringIO]] = []
        for _ in range(50):
            with contextlib.redirect_stdout(io.StringIO()) as stream:
                assert ending(offered(lambda: print("hello"), output="")) == "{}"
            streams.append(weakref.ref(stream))
        del stream
        gc.collect()
        assert sum(ref() is not None for ref in streams) < 20

    def test_a_call_that_does_not_leave_does_not_keep_the_streams(self) -> None:
        """Others may raise exceptions in threads at any moment, as we do."""
        before = sys.stdout
        thread = threading.Thread(target=output._installation.enter)
        thread.start()
        thread.join()
        assert sys.stdout is not before
        assert ending(offered(lambda: None, output="")) == "{}"
        assert sys.stdout is before

    def test_it_looks_like_the_stream_below(self) -> None:
        def look() -> None:
            assert sys.stdout.encoding == below.encoding
            assert sys.stdout.isatty() == below.isatty()
            assert sys.stdout.errors == below.errors
            assert not sys.stdout.closed
            with pytest.raises(AttributeError):
                sys.stdout.nothing  # type: ignore[union-attr]  # noqa: B018

        below = sys.stdout
        assert ending(offered(look, output="")) == "{}"

    def test_warnings_of_logging(self, capsys: pytest.CaptureFixture[str]) -> None:
        handler = logging.StreamHandler()

        def talk() -> None:
            inner = logging.StreamHandler(sys.stderr)
            inner.emit(logging.makeLogRecord({"msg": "inside"}))
            handler.emit(logging.makeLogRecord({"msg": "from before"}))

        done = Done(offered(talk, output=""))
        assert done.ending == "{}"
        assert done.printed("stderr") == "inside\n"

    def test_long_lines_are_cut_and_characters_are_not(self, capsys: pytest.CaptureFixture[str]) -> None:
        text = "\U0001f600" * 100_000
        done = Done(offered(lambda: print(text), output=""))
        assert done.ending == "{}"
        assert done.printed() == text + "\n"
        assert max(len(piece.encode()) for _, piece in done.logs) <= 256 << 10

    def test_bytes_that_are_no_text(self, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
        done = Done(offered(lambda: sys.stdout.buffer.write(b"\xff\xfea\xf0\x9f"), output="int"))
        assert done.ending == '{"o0":5}'
        assert done.printed() == "\ufffd\ufffda\ufffd"

    def test_surrogates(self) -> None:
        done = Done(offered(lambda: sys.stdout.flush(), output=""))
        assert done.ending == "{}"
        got: list[str] = []
        sink = output.Sink(lambda stream, text: got.append(text), deaf=0)
        sink.write("stdout", "\ud800\udc00\ud800\n")
        assert got == ["\U00010000\ufffd\n"]

    def test_what_comes_after_the_end_is_dropped(self) -> None:
        got: list[str] = []
        sink = output.Sink(lambda stream, text: got.append(text), deaf=0)
        sink.write("stdout", "rest")
        sink.close()
        sink.write("stdout", "late\n")
        assert got == ["rest"]

    def test_the_thread_of_the_loop_is_never_held_up(self) -> None:
        got: list[str] = []
        sink = output.Sink(lambda stream, text: got.append(text), deaf=threading.get_ident())
        sink.write("stdout", "text\n")
        sink.write_bytes("stdout", b"text\n")
        sink.flush("stdout")
        assert got == []

    @pytest.mark.skipif(sys.version_info >= (3, 12), reason="later ones warn when a process with threads forks")
    def test_a_child_that_was_forked_off_only_prints_through(self) -> None:
        function = offered(_fork_and_print)
        done = Done(function)
        assert done.ending == '{"o0":0}'
        assert done.printed() == ""


def _fork_and_print() -> int:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            sys.stdout.write("")
            output._sink.get().write("stdout", "child\n")  # type: ignore[union-attr]
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1]
