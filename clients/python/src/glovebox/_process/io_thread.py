"""One event loop in a thread of its own carries all input and output.

So a call works the same in plain code, below a running event loop and in a
notebook: the caller waits in its own way for what happens there. ``loop`` is
the way in.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import threading
import time
from collections.abc import Callable, Collection, Coroutine
from typing import Any, Generic, TypeVar

from .fork import in_children
from .tracebacks import trimmed

R = TypeVar("R")

# How long an interrupted caller waits until what it started has been cancelled,
# and Python at its end until what is under way has ended, in seconds.
_CANCEL_PATIENCE = 10.0
_EXIT_PATIENCE = 15.0


# How long a signal may go unnoticed, in seconds: Python looks for them before it
# waits for a lock, and one that comes between the two does not end the wait.
_SIGNAL_PATIENCE = 0.25


class _Selector(asyncio.SelectorEventLoop):
    """A loop that is collected quietly: a child that was forked off cannot close that of its parent."""

    def __del__(self) -> None:
        pass


class _Job(Generic[R]):
    """A coroutine for the loop.

    An interruption, such as Ctrl-C, may come at any moment, also while it is
    being started. So it is made first: cancel then knows what there is to end.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, R]) -> None:
        self.ended: concurrent.futures.Future[R] = concurrent.futures.Future()
        # The caller waits for a bare lock. An exception that comes at any moment, such as KeyboardInterrupt,
        # can leave the condition of the future locked, and then the loop would wait for that for ever.
        self._over = False
        self._running = threading.Lock()
        self._running.acquire()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._others: set[_Job[Any]] = set()  # it is among them while it is under way
        self._coroutine = coroutine
        self._cancelled = False
        self.task: asyncio.Task[R] | None = None

    def start(self, loop: asyncio.AbstractEventLoop, others: set[_Job[Any]]) -> None:
        """Has the coroutine begun on the loop."""
        self._others = others
        self._loop = loop
        loop.call_soon_threadsafe(self._begin)  # in a copy of the context of the caller

    def cancel(self) -> None:
        """Cancels the coroutine, from the thread that started it; it has ended only when ``ended`` is done."""
        try:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self.cancel_here)  # after the beginning, if that is to come
                return
        except RuntimeError:  # the loop is closed, and with it what had begun
            pass
        if self.task is None:
            self._drop()

    def wait(self, timeout: float = threading.TIMEOUT_MAX) -> None:
        """Blocks until it has ended, or for timeout seconds. For one thread."""
        late = time.monotonic() + timeout
        while not self._over and (left := late - time.monotonic()) > 0:
            self._running.acquire(timeout=min(left, _signal_patience()))

    def cancel_here(self) -> None:
        """Cancels the coroutine, from the loop, unless that was done: a second time would disturb its cleaning up."""
        if self._cancelled:
            return
        self._cancelled = True
        if self.task is None:
            self._drop()
        else:
            self.task.cancel()

    def _begin(self) -> None:
        self.task = asyncio.get_running_loop().create_task(self._coroutine)
        self.task.add_done_callback(self._end)
        self._others.add(self)

    def _end(self, task: asyncio.Task[R]) -> None:
        self._others.discard(self)
        if task.cancelled():
            self.ended.set_exception(asyncio.CancelledError())
        elif (error := task.exception()) is not None:
            self.ended.set_exception(error)
        else:
            self.ended.set_result(task.result())
        self._tell_caller()

    def _drop(self) -> None:
        """Ends what has not begun, and now will not."""
        self._coroutine.close()
        self.ended.set_exception(asyncio.CancelledError())
        self._tell_caller()

    def _tell_caller(self) -> None:
        self._over = True
        self._running.release()


def _signal_patience() -> float:
    return _SIGNAL_PATIENCE if threading.current_thread() is threading.main_thread() else threading.TIMEOUT_MAX


class _Loop:
    """The loop of this process. It starts with the first job."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._jobs: set[_Job[Any]] = set()  # under way; for the thread of the loop
        self.closed = False  # for good, because Python ends
        self.closers: list[Callable[[], Coroutine[Any, Any, None]]] = []

    def start(self, job: _Job[Any]) -> None:
        try:
            job.start(self._running(), self._jobs)
        except RuntimeError:
            raise RuntimeError("Python is about to end: nothing more can be started") from None

    def is_current(self) -> bool:
        try:
            return asyncio.get_running_loop() is self._loop
        except RuntimeError:
            return False

    def close(self) -> None:
        """Ends what is under way and stops the loop, for good."""
        with self._lock:
            self.closed = True
            loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._finish(loop), loop)
        thread.join(_EXIT_PATIENCE)
        if not thread.is_alive():
            loop.close()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self.closed:
                raise RuntimeError("closed")
            if self._loop is None:
                loop = _Selector()
                loop.slow_callback_duration = 10.0  # seconds; in debug mode: modules are imported there, too
                thread = threading.Thread(target=loop.run_forever, name="glovebox-io", daemon=True)
                thread.start()
                self._loop, self._thread = loop, thread  # only now: an interruption may come before
                atexit.register(self.close)
            return self._loop

    async def _finish(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            # Jobs first: to clean up they need the other tasks of this loop.
            for job in self._jobs:
                job.cancel_here()
            await _ended({job.task for job in self._jobs if job.task is not None})
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await _ended(others)
            await asyncio.gather(*(closer() for closer in self.closers), return_exceptions=True)
            await loop.shutdown_asyncgens()
            await loop.shutdown_default_executor()
        finally:
            loop.call_soon(loop.stop)


async def _ended(tasks: Collection[asyncio.Task[Any]]) -> None:
    if tasks:
        await asyncio.wait(tasks, timeout=_CANCEL_PATIENCE)


_loop = _Loop()
_inherited: list[_Loop] = []  # of the processes that this one was forked off; they must not be touched


def _forget() -> None:
    global _loop
    atexit.unregister(_loop.close)
    _inherited.append(_loop)
    _loop = _Loop()


in_children(_forget)


def on_exit(closer: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Has a coroutine function called on the loop when Python ends."""
    _loop.closers.append(closer)


def block(coroutine: Coroutine[Any, Any, R]) -> tuple[R | None, BaseException | None]:
    """Runs coroutine on the loop and blocks until it has ended. Returns its result, or what it raised."""
    if _loop.is_current():
        coroutine.close()
        return None, RuntimeError("a blocking call was made on the thread that carries all input and output")
    job = _Job(coroutine)
    try:
        _loop.start(job)
        job.wait()
    except BaseException as interruption:
        job.cancel()
        job.wait(_CANCEL_PATIENCE)
        return None, trimmed(interruption)
    outcome = _outcome(job)
    if isinstance(outcome[1], asyncio.CancelledError) and _loop.closed:
        return None, SystemExit()  # ends a thread that Python does not wait for, quietly
    return outcome


async def awaited(coroutine: Coroutine[Any, Any, R]) -> tuple[R | None, BaseException | None]:
    """Runs coroutine on the loop and awaits it from any other loop. Returns its result, or what it raised."""
    if _loop.is_current():
        try:
            return await coroutine, None
        except BaseException as error:
            return None, error
    job = _Job(coroutine)
    ending = _ending(job)
    try:
        _loop.start(job)
        await asyncio.wait([ending])  # which leaves it alone when it is cancelled itself
    except BaseException as interruption:
        job.cancel()
        await asyncio.wait([ending], timeout=_CANCEL_PATIENCE)
        return None, interruption
    return _outcome(job)


def _ending(job: _Job[Any]) -> asyncio.Future[None]:
    """Returns a future of the running loop that is done when the job has ended."""
    loop = asyncio.get_running_loop()
    ending: asyncio.Future[None] = loop.create_future()

    def end() -> None:
        if not ending.done():
            ending.set_result(None)

    def pass_on(_: object) -> None:
        try:
            loop.call_soon_threadsafe(end)
        except RuntimeError:  # the caller did not wait, and its loop is closed
            pass

    job.ended.add_done_callback(pass_on)
    return ending


def _outcome(job: _Job[R]) -> tuple[R | None, BaseException | None]:
    error = job.ended.exception()
    if error is None:
        return job.ended.result(), None
    return None, trimmed(error)
