"""concurrent.futures: calls of tools that are under way at once.

There are no threads. A tool that is submitted is called at once, as far as
max_workers allows, and goes on while the program does; any other function runs
to its end when it is submitted."""

import _calls
from collections import deque as _deque, namedtuple as _namedtuple

FIRST_COMPLETED = 'FIRST_COMPLETED'
FIRST_EXCEPTION = 'FIRST_EXCEPTION'
ALL_COMPLETED = 'ALL_COMPLETED'

TimeoutError = TimeoutError

DoneAndNotDoneFutures = _namedtuple('DoneAndNotDoneFutures', 'done not_done')


class Error(Exception):
    """Base of the errors of this module."""


class CancelledError(Error):
    """The future was cancelled."""


class InvalidStateError(Error):
    """The future is in another state."""


class BrokenExecutor(RuntimeError):
    """The executor cannot take anything more."""


class Future:
    """What a call that was submitted will give."""

    def __init__(self):
        self._state = 'pending'
        self._result = None
        self._exception = None
        self._call = None
        self._executor = None
        self._callbacks = []

    def __repr__(self):
        shown = f'<Future state={self._state}'
        if self._state == 'finished':
            kind = 'returned', self._result
            if self._exception is not None:
                kind = 'raised', self._exception
            shown += f' {kind[0]} {type(kind[1]).__name__}'
        return shown + '>'

    def _look(self):
        """Take the outcome of the call, if there is one."""
        if self._state != 'running' or self._call is None or not self._call.done():
            return
        try:
            self._finish(self._call.result(), None)
        except Exception as exc:
            self._finish(None, exc)

    def _finish(self, result, exception):
        self._state = 'finished'
        self._result = result
        self._exception = exception
        if self._executor is not None:
            self._executor._ended(self)
        self._call_back()

    def _call_back(self):
        callbacks, self._callbacks = self._callbacks, []
        for fn in callbacks:
            _called(fn, self)

    def _over(self):
        self._look()
        return self._state in ('finished', 'cancelled')

    def _await(self, timeout):
        while not self._over():
            if timeout is not None and timeout <= 0:
                raise TimeoutError()
            _advance([self])

    def cancel(self):
        """Give up the call if it has not begun."""
        self._look()
        if self._state in ('running', 'finished'):
            return False
        if self._state == 'pending':
            self._state = 'cancelled'
            self._call_back()
        return True

    def cancelled(self):
        return self._state == 'cancelled'

    def running(self):
        self._look()
        return self._state == 'running'

    def done(self):
        return self._over()

    def result(self, timeout=None):
        """What the call returned; what it raised is raised."""
        self._await(timeout)
        if self._state == 'cancelled':
            raise CancelledError()
        if self._exception is not None:
            raise self._exception
        return self._result

    def exception(self, timeout=None):
        """What the call raised, or None."""
        self._await(timeout)
        if self._state == 'cancelled':
            raise CancelledError()
        return self._exception

    def add_done_callback(self, fn):
        """Call fn with this future when it is done."""
        if self._over():
            _called(fn, self)
        else:
            self._callbacks.append(fn)

    def set_running_or_notify_cancel(self):
        if self._state == 'cancelled':
            return False
        if self._state != 'pending':
            raise RuntimeError('Future in unexpected state')
        self._state = 'running'
        return True

    def set_result(self, result):
        self._settle(result, None)

    def set_exception(self, exception):
        self._settle(None, exception)

    def _settle(self, result, exception):
        if self._over():
            raise InvalidStateError(f'{self._state.upper()}: {self!r}')
        self._finish(result, exception)


def _called(fn, future):
    try:
        fn(future)
    except Exception:
        pass  # as in CPython, which writes it to a log


def _advance(futures):
    """Wait until the state of some call changes."""
    busy = False
    for future in futures:
        executor = future._executor
        if executor is not None:
            executor._fill()
            busy = busy or bool(executor._running)
    if any([future._over() for future in futures]):
        return
    if not busy:
        raise RuntimeError('the program waits for a future that nothing will complete')
    _calls.wait()


class Executor:
    """Takes calls."""

    def __init__(self, max_workers=None, thread_name_prefix='', initializer=None, initargs=()):
        if max_workers is not None and max_workers <= 0:
            raise ValueError('max_workers must be greater than 0')
        if initializer is not None:
            if not callable(initializer):
                raise TypeError('initializer must be a callable')
            initializer(*initargs)
        self._max_workers = 32 if max_workers is None else max_workers
        self._waiting = _deque()
        self._running = []
        self._closed = False

    def submit(self, fn, /, *args, **kwargs):
        """Begin a call, and return its future."""
        if self._closed:
            raise RuntimeError('cannot schedule new futures after shutdown')
        future = Future()
        if not _calls.is_tool(fn):
            future._state = 'running'
            try:
                future._finish(fn(*args, **kwargs), None)
            except Exception as exc:
                future._finish(None, exc)
            return future
        future._executor = self
        self._waiting.append((future, fn, args, kwargs))
        self._fill()
        return future

    def _fill(self):
        """Begin what waits, as far as there is room."""
        for future in list(self._running):
            future._look()
        while self._waiting and len(self._running) < self._max_workers:
            future, fn, args, kwargs = self._waiting.popleft()
            if future._state == 'cancelled':
                continue
            future._state = 'running'
            self._running.append(future)
            try:
                future._call = _calls.start(fn, args, kwargs)
            except Exception as exc:
                future._finish(None, exc)

    def _ended(self, future):
        if future in self._running:
            self._running.remove(future)

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        """The results of the calls with items of the iterables, in order."""
        if chunksize < 1:
            raise ValueError('chunksize must be >= 1.')
        futures = [self.submit(fn, *args) for args in zip(*iterables)]
        return (future.result(timeout) for future in futures)

    def shutdown(self, wait=True, *, cancel_futures=False):
        """Take nothing more, and wait for what is under way."""
        self._closed = True
        if cancel_futures:
            for future, *_ in self._waiting:
                future.cancel()
        while wait and (self._waiting or self._running):
            self._fill()
            if self._running:
                _advance(list(self._running))

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self.shutdown(wait=True)
        return False


class ThreadPoolExecutor(Executor):
    """An executor as others have it with threads."""


class ProcessPoolExecutor(Executor):
    """An executor as others have it with processes."""

    def __init__(self, max_workers=None, mp_context=None, initializer=None, initargs=(), *, max_tasks_per_child=None):
        super().__init__(max_workers, '', initializer, initargs)


def as_completed(fs, timeout=None):
    """Iterate over the futures as they are done."""
    left = list(dict.fromkeys(fs))
    total = len(left)
    while left:
        done = [future for future in left if future._over()]
        for future in done:
            left.remove(future)
            yield future
        if not done:
            if timeout is not None and timeout <= 0:
                raise TimeoutError(f'{len(left)} (of {total}) futures unfinished')
            _advance(left)


def wait(fs, timeout=None, return_when=ALL_COMPLETED):
    """Wait for futures; returns those that are done and those that are not."""
    if return_when not in (FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED):
        raise ValueError(f'Invalid return condition: {return_when!r}')
    futures = set(fs)
    while True:
        done = {future for future in futures if future._over()}
        left = futures - done
        failed = any([future._state == 'finished' and future._exception is not None for future in done])
        if (not left or return_when == FIRST_COMPLETED and done or return_when == FIRST_EXCEPTION and failed
                or timeout is not None and timeout <= 0):
            return DoneAndNotDoneFutures(done, left)
        _advance(list(left))
