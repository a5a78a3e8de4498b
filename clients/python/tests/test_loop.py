from __future__ import annotations

import _thread
import asyncio
import contextlib
import contextvars
import gc
import inspect
import itertools
import os
import pydoc
import signal
import subprocess
import sys
import textwrap
import threading
import traceback
import types
from collections.abc import Coroutine
from typing import Any

import pytest

from glovebox._process import io_thread, loop
from glovebox._process.loop import run_async, run_sync, syncify, syncify_method
from glovebox.errors import NotFoundError

variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="none")


@syncify
async def double(x: int, *, plus: int = 0) -> int:
    """Doubles x."""
    await asyncio.sleep(0)
    return 2 * x + plus


@syncify
async def where() -> tuple[str, str]:
    return threading.current_thread().name, variable.get()


@syncify
async def fails() -> None:
    raise NotFoundError("there is no such thing")


class Counter:
    def __init__(self) -> None:
        self.count = 0

    @syncify_method
    async def add(self, by: int = 1) -> int:
        """Adds to the count."""
        self.count += by
        return self.count


def test_a_call_blocks_in_plain_code() -> None:
    assert double(4, plus=1) == 9


def test_an_interruption_at_a_bad_moment_does_not_hold_the_loop_up() -> None:
    """One that comes when a condition has just been locked, and nobody is there yet to unlock it."""

    class Interruption(BaseException):
        pass

    def interrupt(frame: types.FrameType, event: str, _: object) -> Any:
        if (frame.f_code.co_filename, frame.f_code.co_name) != (threading.__file__, "__enter__"):
            return None
        if event == "return":
            raise Interruption
        return interrupt

    def call() -> None:
        sys.settrace(interrupt)
        with contextlib.suppress(Interruption):
            run_sync(asyncio.sleep(0.01))

    gc.disable()  # finalizers of other tests are not to be interrupted
    try:
        for target in call, lambda: double(1):
            thread = threading.Thread(target=target, daemon=True)
            thread.start()
            thread.join(300)
            assert not thread.is_alive()
    finally:
        gc.enable()


@pytest.mark.parametrize("how", ["plain", "aio"])
def test_an_interruption_of_a_start_leaves_nothing_under_way(how: str) -> None:
    """Wherever Python may look for signals from the call on until the caller waits: where functions begin and end."""
    run_sync(asyncio.sleep(0))  # the loop is there
    interrupted = ""
    for event in itertools.count(1):
        coroutine = forever()
        interrupted = call_interrupted(coroutine, event, how)
        state = inspect.getcoroutinestate(coroutine)
        run_sync(asyncio.sleep(0))  # all that was sent to the loop has begun
        assert inspect.getcoroutinestate(coroutine) == state, interrupted
        assert state in (inspect.CORO_CREATED, inspect.CORO_CLOSED), interrupted
        coroutine.close()
        if interrupted == "call wait":
            break
    assert event > 10  # the start has so many places


async def forever() -> None:
    try:
        await asyncio.Event().wait()
    finally:
        await asyncio.sleep(0.01)


def call_interrupted(coroutine: Coroutine[Any, Any, None], number: int, how: str) -> str:
    """Runs a coroutine, interrupted at the event of a number in this library or asyncio, and returns which that was."""

    class Interruption(BaseException):
        pass

    interrupted: list[str] = []
    events = itertools.count(1)
    watched = loop.__file__, io_thread.__file__, os.path.dirname(asyncio.__file__)

    def interrupt(frame: types.FrameType, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(watched):
            return None
        if event in ("call", "return") and next(events) == number:
            interrupted.append(f"{event} {frame.f_code.co_name}")
            raise Interruption
        return interrupt

    def plain() -> None:
        sys.settrace(interrupt)
        run_sync(coroutine)

    async def aio() -> None:
        sys.settrace(interrupt)
        await run_async(coroutine)

    before = sys.gettrace()
    gc.disable()  # finalizers of other tests are not to be interrupted
    try:
        with pytest.raises(Interruption):
            plain() if how == "plain" else asyncio.run(aio())
    finally:
        sys.settrace(before)
        gc.enable()
    return interrupted[0]


def test_a_signal_that_does_not_end_a_wait_is_noticed() -> None:
    """Such as one that comes just before the wait, or that another thread takes while it is being started."""
    ended: list[bool] = []

    async def end() -> None:
        asyncio.get_running_loop().call_later(0.1, _thread.interrupt_main)  # while it waits
        await asyncio.sleep(10)
        ended.append(True)

    with pytest.raises(KeyboardInterrupt):
        run_sync(end())
    assert not ended


def test_a_call_works_below_a_running_loop_and_aio_does_not_block_it() -> None:
    async def main() -> tuple[int, list[int]]:
        return double(1), await asyncio.gather(*(double.aio(i) for i in range(50)))

    assert asyncio.run(main()) == (2, [2 * i for i in range(50)])


def test_calls_come_from_several_threads_and_loops_at_once() -> None:
    results: list[int] = []

    def work() -> None:
        results.append(asyncio.run(double.aio(3)) + double(4))

    threads = [threading.Thread(target=work) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [14] * 20


def test_aio_works_on_the_loop_itself() -> None:
    async def inner() -> int:
        return await double.aio(5)

    assert run_sync(inner()) == 10


def test_a_blocking_call_on_the_loop_is_refused_instead_of_hanging() -> None:
    async def inner() -> int:
        return double(5)

    with pytest.raises(RuntimeError, match="a blocking call was made on the thread"):
        run_sync(inner())


def test_the_coroutine_sees_the_context_of_its_caller() -> None:
    token = variable.set("mine")
    try:
        assert where() == ("glovebox-io", "mine")
        assert asyncio.run(where.aio()) == ("glovebox-io", "mine")
    finally:
        variable.reset(token)


def test_what_is_wrapped_looks_like_what_was_given() -> None:
    assert str(inspect.signature(double)) == "(x: 'int', *, plus: 'int' = 0) -> 'int'"
    assert "double(x: 'int', *, plus: 'int' = 0)" in pydoc.render_doc(double, renderer=pydoc.plaintext)  # type: ignore[attr-defined]
    assert "Doubles x." in pydoc.render_doc(double, renderer=pydoc.plaintext)  # type: ignore[attr-defined]


def test_a_method_shows_its_signature_without_self() -> None:
    counter = Counter()
    assert str(inspect.signature(counter.add)) == "(by: 'int' = 1) -> 'int'"
    assert str(inspect.signature(counter.add.aio)) == "(by: 'int' = 1) -> 'int'"
    assert "Adds to the count." in pydoc.render_doc(counter.add, renderer=pydoc.plaintext)  # type: ignore[attr-defined]
    assert "add(self, by: 'int' = 1)" in pydoc.render_doc(Counter, renderer=pydoc.plaintext)  # type: ignore[attr-defined]
    assert inspect.iscoroutinefunction(counter.add.aio)
    assert not inspect.iscoroutinefunction(counter.add)


def test_a_method_is_bound_both_ways() -> None:
    counter = Counter()
    assert counter.add(2) == 2
    assert asyncio.run(counter.add.aio()) == 3


@pytest.mark.parametrize("how", ["plain", "aio"])
def test_an_error_leaves_with_one_frame_of_the_library(how: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        fails() if how == "plain" else asyncio.run(fails.aio())
    frames = traceback.extract_tb(caught.value.__traceback__)
    library = os.path.dirname(loop.__file__) + os.sep
    ours = [frame for frame in frames if frame.filename.startswith(library)]
    assert [frame.name for frame in ours] == [how]


def test_debugging_keeps_every_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOVEBOX_DEBUG", "1")
    with pytest.raises(NotFoundError) as caught:
        fails()
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "fails"


def test_a_bug_of_the_library_keeps_its_frames() -> None:
    async def buggy() -> None:
        raise AttributeError("a bug")

    code = buggy.__code__.replace(co_filename=loop.__file__)
    buggy.__code__ = code
    with pytest.raises(AttributeError) as caught:
        run_sync(buggy())
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "buggy"


def test_wrong_arguments_are_told_as_by_a_function() -> None:
    with pytest.raises(TypeError, match="double"):
        double()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def test_cancelling_the_caller_cancels_and_waits_for_the_cleaning_up() -> None:
    events: list[str] = []
    started = threading.Event()

    async def slow() -> None:
        try:
            started.set()
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            events.append("cleaned")

    async def main() -> None:
        task = asyncio.create_task(run_async(slow()))
        await asyncio.to_thread(started.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        events.append("returned")

    asyncio.run(main())
    assert events == ["cleaned", "returned"]


def script(code: str, *, interrupt: bool = False) -> subprocess.CompletedProcess[str]:
    """Runs a program with warnings as errors; with interrupt, presses Ctrl-C when it says so."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(code)]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=environment, **pipes) as process:  # type: ignore[call-overload]
        first = ""
        if interrupt:
            first = process.stdout.readline()
            process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=300)
        finally:
            process.kill()
    return subprocess.CompletedProcess(command, process.returncode, first + out, err)


def test_ctrl_c_waits_until_the_cancellation_was_sent() -> None:
    done = script(
        """
        import asyncio
        from glovebox._process.loop import syncify
        @syncify
        async def slow():
            try:
                print("started", flush=True)
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0.05)
                print("cleaned", flush=True)
        try:
            slow()
        except KeyboardInterrupt:
            print("interrupted")
        """,
        interrupt=True,
    )
    assert (done.stdout, done.stderr) == ("started\ncleaned\ninterrupted\n", "")


def test_the_end_of_python_waits_until_cancellations_were_sent() -> None:
    """gather gives up with the first call that has ended, and asyncio.run then cancels the others once more."""
    done = script(
        """
        import asyncio
        from glovebox._process.loop import syncify
        begun = []
        @syncify
        async def slow(seconds):
            try:
                begun.append(seconds)
                await asyncio.Event().wait()
            finally:
                await asyncio.create_task(asyncio.sleep(seconds))
                print("cleaned", flush=True)
        async def main():
            calls = asyncio.gather(*(slow.aio(number / 10) for number in range(5)))
            calls.add_done_callback(lambda _: calls.cancelled() or calls.exception())  # Python 3.10 tells of it, sometimes
            while len(begun) < 5:
                await asyncio.sleep(0.01)
            print("started", flush=True)
            await calls
        try:
            asyncio.run(main())
        except KeyboardInterrupt:
            pass
        """,
        interrupt=True,
    )
    assert (done.stdout, done.stderr) == ("started\n" + 5 * "cleaned\n", "")


def test_ctrl_c_shows_no_frames_of_what_waits() -> None:
    done = script(
        """
        import asyncio
        from glovebox._process.loop import syncify
        @syncify
        async def slow():
            print("started", flush=True)
            await asyncio.Event().wait()
        slow()
        """,
        interrupt=True,
    )
    assert done.stderr.rstrip().endswith("KeyboardInterrupt")
    assert "threading.py" not in done.stderr and "concurrent" not in done.stderr


def test_the_end_of_python_is_quiet_with_work_under_way() -> None:
    done = script(
        """
        import asyncio, threading
        from glovebox._process import io_thread, loop
        started = threading.Event()
        async def slow():
            started.set()
            try:
                await asyncio.Event().wait()
            finally:
                print("cleaned", flush=True)
        async def bye():
            print("closed", flush=True)
        io_thread.on_exit(bye)
        threading.Thread(target=lambda: loop.run_sync(slow()), daemon=True).start()
        started.wait()
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "cleaned\nclosed\n", "")


def test_a_call_after_the_end_has_begun_is_refused() -> None:
    done = script(
        """
        import atexit
        from glovebox._process import loop
        async def nothing(): pass
        def late():
            try:
                loop.run_sync(nothing())
            except RuntimeError as error:
                print(error)
        atexit.register(late)
        loop.run_sync(nothing())
        """
    )
    assert done.stdout == "Python is about to end: nothing more can be started\n"
    assert done.stderr == ""


def test_a_child_that_was_forked_off_has_a_loop_of_its_own() -> None:
    done = script(
        """
        import os, sys, warnings
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        from glovebox._process.loop import run_sync
        async def pid(): return os.getpid()
        assert run_sync(pid()) == os.getpid()
        child = os.fork()
        if child == 0:
            assert run_sync(pid()) == os.getpid()
            print("child", flush=True)
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert run_sync(pid()) == os.getpid()
        print("parent")
        """
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "child\nparent\n", "")


def test_importing_starts_nothing() -> None:
    done = script(
        """
        import threading
        import glovebox._link.current, glovebox._tasks.progress
        print(threading.active_count())
        """
    )
    assert (done.stdout, done.stderr) == ("1\n", "")
