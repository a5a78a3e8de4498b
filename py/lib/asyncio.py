"""asyncio over the event loop of the machine.

A call of an async tool is a future that began already. It is taken wherever a
coroutine is, and what cancels the one that awaits it ends the call.
"""

import heapq
import _loop
from _loop import CancelledError, Future, InvalidStateError, Task, create_task as ensure_future, gather
from _asyncio_locks import Barrier, BoundedSemaphore, BrokenBarrierError, Condition, Event, Line, Lock, Semaphore

TimeoutError = TimeoutError

FIRST_COMPLETED = "FIRST_COMPLETED"
FIRST_EXCEPTION = "FIRST_EXCEPTION"
ALL_COMPLETED = "ALL_COMPLETED"


class QueueEmpty(Exception):
    pass


class QueueFull(Exception):
    pass


def run(main, *, debug=None):
    return _loop.run_main(main)


def create_task(coro, *, name=None, context=None):
    if not iscoroutine(coro):
        raise TypeError(f"a coroutine was expected, got {coro!r}")
    task = _loop.create_task(coro)
    if name is not None:
        task.set_name(name)
    return task


def iscoroutine(obj):
    return _loop.is_coroutine(obj) or _loop.is_call(obj)


def iscoroutinefunction(fn):
    return _loop.is_coroutine_function(fn)


def isfuture(obj):
    return _loop.is_future(obj)


def current_task():
    _running()
    return _loop.loop().current


def all_tasks():
    _running()
    return set(_loop.loop().tasks.values())


def _running():
    if _loop.loop().current is None:
        raise RuntimeError("no running event loop")


async def sleep(delay, result=None):
    if delay <= 0:
        await _loop.pass_turn()
        return result
    future = _loop.new_future()
    timer = _loop.call_at(_loop.loop().now + delay, _finish, future, result)
    try:
        return await future
    finally:
        _loop.cancel_timer(timer)


def _finish(future, result):
    if not future.done():
        _loop.settle(future, False, result)


async def to_thread(fn, /, *args, **kwargs):
    if _loop.is_tool(fn):
        return await _loop.begin(fn, *args, **kwargs)
    return fn(*args, **kwargs)


async def wait_for(fut, timeout):
    if timeout is None:
        return await fut
    fut = ensure_future(fut)
    if timeout <= 0:
        if fut.done():
            return fut.result()
        await _cancel_and_wait(fut)
        try:
            return fut.result()
        except CancelledError as e:
            raise TimeoutError() from e
    waiter = _loop.new_future()
    timer = _loop.call_at(_loop.loop().now + timeout, _finish, waiter, None)
    _loop.add_waiter(fut, _release, waiter)
    try:
        try:
            await waiter
        except CancelledError:
            if fut.done():
                return fut.result()
            await _cancel_and_wait(fut)
            raise
        if fut.done():
            return fut.result()
        await _cancel_and_wait(fut)
        try:
            return fut.result()
        except CancelledError as e:
            raise TimeoutError() from e
    finally:
        _loop.cancel_timer(timer)


def _release(future, waiter):
    _finish(waiter, None)


async def _cancel_and_wait(fut):
    waiter = _loop.new_future()
    _loop.add_waiter(fut, _release, waiter)
    fut.cancel()
    await waiter


async def wait(aws, *, timeout=None, return_when=ALL_COMPLETED):
    if _loop.is_future(aws) or _loop.is_coroutine(aws):
        raise TypeError(f"expect a list of futures, not {type(aws).__name__}")
    futures = set(aws)
    if not futures:
        raise ValueError("Set of Tasks/Futures is empty.")
    if return_when not in (FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED):
        raise ValueError(f"Invalid return_when value: {return_when}")
    if any(_loop.is_coroutine(f) for f in futures):
        raise TypeError("Passing coroutines is forbidden, use tasks explicitly.")
    await _wait_until(futures, timeout, return_when)
    done = {f for f in futures if f.done()}
    return done, futures - done


async def _wait_until(futures, timeout, return_when):
    waiter = _loop.new_future()
    left = 0

    def check(future, _):
        nonlocal left
        left -= 1
        if left <= 0 or _enough(future, return_when):
            _finish(waiter, None)

    for f in futures:
        if f.done():
            if _enough(f, return_when):
                return
        else:
            left += 1
    if left == 0:
        return
    for f in futures:
        if not f.done():
            _loop.add_waiter(f, check, None)
    timer = None
    if timeout is not None:
        timer = _loop.call_at(_loop.loop().now + timeout, _finish, waiter, None)
    try:
        await waiter
    finally:
        if timer is not None:
            _loop.cancel_timer(timer)


def _enough(future, return_when):
    if return_when == FIRST_COMPLETED:
        return True
    if return_when == ALL_COMPLETED or future.cancelled():
        return False
    return future.exception() is not None


def as_completed(fs, *, timeout=None):
    if _loop.is_future(fs) or _loop.is_coroutine(fs):
        raise TypeError(f"expect an iterable of futures, not {type(fs).__name__}")
    done = Queue()
    todo = {ensure_future(f) for f in fs}
    total = len(todo)
    for f in todo:
        _loop.add_waiter(f, _collect, done)
    expired = None
    if timeout is not None and total > 0:
        expired = _loop.call_at(_loop.loop().now + timeout, _expire, done, total)

    async def next_one():
        f = await done.get()
        if f is None:
            raise TimeoutError
        return f.result()

    for _ in range(total):
        yield next_one()


def _collect(future, done):
    done.put_nowait(future)


def _expire(done, total):
    for _ in range(total):
        done.put_nowait(None)


def shield(arg):
    inner = ensure_future(arg)
    if inner.done():
        return inner
    outer = _loop.new_future()
    _loop.add_waiter(inner, _pass_on, outer)
    return outer


def _pass_on(inner, outer):
    if outer.done():
        return
    try:
        value = inner.result()
    except BaseException as e:
        _loop.settle(outer, True, e)
    else:
        _loop.settle(outer, False, value)


class Timeout:
    def __init__(self, when):
        self._when = when
        self._task = None
        self._timer = None
        self._expired = False

    def when(self):
        return self._when

    def expired(self):
        return self._expired

    def reschedule(self, when):
        self._when = when
        if self._timer is not None:
            _loop.cancel_timer(self._timer)
            self._timer = None
        if when is not None:
            self._timer = _loop.call_at(max(when, _loop.loop().now), _timed_out, self, None)

    async def __aenter__(self):
        self._task = current_task()
        self._cancelling = self._task.cancelling()
        self.reschedule(self._when)
        return self

    async def __aexit__(self, kind, value, traceback):
        if self._timer is not None:
            _loop.cancel_timer(self._timer)
        if self._expired and self._task.uncancel() <= self._cancelling and kind is CancelledError:
            raise TimeoutError from value


def _timed_out(block, _):
    block._expired = True
    block._task.cancel()


def timeout(delay):
    return Timeout(None if delay is None else _loop.loop().now + delay)


def timeout_at(when):
    return Timeout(when)


class Queue:
    def __init__(self, maxsize=0):
        self._maxsize = maxsize
        self._items = []
        self._getters = Line()
        self._putters = Line()
        self._unfinished = 0
        self._finished = Event()
        self._finished.set()

    @property
    def maxsize(self):
        return self._maxsize

    def _put(self, item):
        self._items.append(item)

    def _get(self):
        return self._items.pop(0)

    def qsize(self):
        return len(self._items)

    def empty(self):
        return not self._items

    def full(self):
        return 0 < self._maxsize <= len(self._items)

    async def put(self, item):
        while self.full():
            await self._putters.stand(self._put_left)
        self.put_nowait(item)

    def _put_left(self, slept):
        if not slept and not self.full():
            self._putters.wake()

    def _get_left(self, slept):
        if not slept and not self.empty():
            self._getters.wake()

    def put_nowait(self, item):
        if self.full():
            raise QueueFull
        self._put(item)
        self._unfinished += 1
        self._finished.clear()
        self._getters.wake()

    async def get(self):
        while self.empty():
            await self._getters.stand(self._get_left)
        return self.get_nowait()

    def get_nowait(self):
        if self.empty():
            raise QueueEmpty
        item = self._get()
        self._putters.wake()
        return item

    def task_done(self):
        if self._unfinished <= 0:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if self._unfinished == 0:
            self._finished.set()

    async def join(self):
        if self._unfinished > 0:
            await self._finished.wait()


class PriorityQueue(Queue):
    def _put(self, item):
        heapq.heappush(self._items, item)

    def _get(self):
        return heapq.heappop(self._items)


class LifoQueue(Queue):
    def _get(self):
        return self._items.pop()


class TaskGroup:
    def __init__(self):
        self._entered = False
        self._exiting = False
        self._aborting = False
        self._parent = None
        self._parent_cancelled = False
        self._tasks = set()
        self._errors = []
        self._idle = None

    async def __aenter__(self):
        if self._entered:
            raise RuntimeError("TaskGroup has been already entered")
        self._entered = True
        self._parent = current_task()
        return self

    async def __aexit__(self, kind, value, traceback):
        self._exiting = True
        if kind is CancelledError and self._parent_cancelled:
            self._parent.uncancel()
        cancelled = value if kind is CancelledError and not self._parent_cancelled else None
        if kind is not None and not self._aborting:
            self._abort()
        while self._tasks:
            self._idle = _loop.new_future()
            try:
                await self._idle
            except CancelledError as e:
                if not self._aborting:
                    cancelled = e
                    self._abort()
        if cancelled is not None and not self._errors:
            raise cancelled
        if kind is not None and kind is not CancelledError:
            self._errors.append(value)
        if self._errors:
            raise _group(self._errors)

    def create_task(self, coro, *, name=None, context=None):
        if not self._entered:
            raise RuntimeError("TaskGroup has not been entered")
        if self._exiting and not self._tasks:
            raise RuntimeError("TaskGroup is finished")
        task = ensure_future(coro)
        if name is not None and iscoroutine(coro):
            task.set_name(name)
        self._tasks.add(task)
        _loop.add_waiter(task, _left, self)
        return task

    def _abort(self):
        self._aborting = True
        for t in list(self._tasks):
            t.cancel()


def _left(task, group):
    group._tasks.discard(task)
    if group._idle is not None and not group._tasks:
        _finish(group._idle, None)
    if task.cancelled() or task.exception() is None:
        return
    group._errors.append(task.exception())
    if not group._aborting and not group._parent_cancelled:
        group._abort()
        if not group._exiting:
            group._parent_cancelled = True
            group._parent.cancel()


def _group(errors):
    return BaseExceptionGroup("unhandled errors in a TaskGroup", errors)


class _Runner:
    # The event loop as programs see it.
    def run_until_complete(self, future):
        return _loop.run_main(future) if _loop.is_coroutine(future) else _loop.run_main(_await(future))

    def create_task(self, coro, *, name=None, context=None):
        return create_task(coro, name=name)

    def create_future(self):
        return _loop.new_future()

    def time(self):
        return _loop.loop().now

    def call_soon(self, fn, *args):
        _loop.call_soon(_call, fn, args)

    def call_later(self, delay, fn, *args):
        return _Handle(_loop.call_at(_loop.loop().now + delay, _call, fn, args))

    def call_at(self, when, fn, *args):
        return _Handle(_loop.call_at(when, _call, fn, args))

    def run_in_executor(self, executor, fn, *args):
        return ensure_future(to_thread(fn, *args))

    def is_running(self):
        return _loop.loop().current is not None

    def is_closed(self):
        return False

    def close(self):
        pass


class _Handle:
    def __init__(self, timer):
        self._timer = timer

    def cancel(self):
        _loop.cancel_timer(self._timer)


def _call(fn, args):
    fn(*args)


async def _await(future):
    return await future


class Runner:
    # A loop of its own for several programs, one after another.
    def __init__(self, *, debug=None, loop_factory=None):
        self._closed = False

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.close()

    def close(self):
        if not self._closed:
            self._closed = True
            _loop.cancel_all()

    def get_loop(self):
        self._check()
        return _runner

    def run(self, coro, *, context=None):
        if not iscoroutine(coro):
            raise ValueError(f"a coroutine was expected, got {coro!r}")
        if _loop.loop().current is not None:
            raise RuntimeError("Runner.run() cannot be called from a running event loop")
        self._check()
        return _loop.run_until(coro)

    def _check(self):
        if self._closed:
            raise RuntimeError("Runner is closed")


_runner = _Runner()


def get_event_loop():
    return _runner


def new_event_loop():
    return _runner


def set_event_loop(loop):
    pass


def get_running_loop():
    # A program that awaits outside of functions has a loop there, as in a notebook.
    if not _loop.awaits_outside():
        _running()
    return _runner
