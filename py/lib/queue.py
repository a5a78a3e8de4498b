"""queue: queues. Nothing else runs while one waits, so to wait for ever is an error."""

import heapq as _heapq
from collections import deque as _deque


class Empty(Exception):
    """There is nothing to get."""


class Full(Exception):
    """There is no room."""


class Queue:
    """First in, first out."""

    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.unfinished_tasks = 0
        self._init(maxsize)

    def _init(self, maxsize):
        self.queue = _deque()

    def _qsize(self):
        return len(self.queue)

    def _put(self, item):
        self.queue.append(item)

    def _get(self):
        return self.queue.popleft()

    def qsize(self):
        return self._qsize()

    def empty(self):
        return not self._qsize()

    def full(self):
        return 0 < self.maxsize <= self._qsize()

    def put(self, item, block=True, timeout=None):
        """Add an item, if there is room."""
        if self.full():
            _refuse(block, timeout, Full, 'put() waits for room')
        self._put(item)
        self.unfinished_tasks += 1

    def get(self, block=True, timeout=None):
        """Take the next item, if there is one."""
        if not self._qsize():
            _refuse(block, timeout, Empty, 'get() waits for an item')
        return self._get()

    def put_nowait(self, item):
        return self.put(item, block=False)

    def get_nowait(self):
        return self.get(block=False)

    def task_done(self):
        """Say that an item which was taken is dealt with."""
        if self.unfinished_tasks <= 0:
            raise ValueError('task_done() called too many times')
        self.unfinished_tasks -= 1

    def join(self):
        """Return if all items are dealt with."""
        if self.unfinished_tasks:
            raise RuntimeError('join() waits for items that nothing else can deal with: there are no threads')


def _refuse(block, timeout, error, what):
    if block and timeout is None:
        raise RuntimeError(f'{what} that nothing else can bring: there are no threads')
    if block and timeout < 0:
        raise ValueError("'timeout' must be a non-negative number")
    raise error


class LifoQueue(Queue):
    """Last in, first out."""

    def _init(self, maxsize):
        self.queue = []

    def _get(self):
        return self.queue.pop()


class PriorityQueue(Queue):
    """The smallest comes first."""

    def _init(self, maxsize):
        self.queue = []

    def _put(self, item):
        _heapq.heappush(self.queue, item)

    def _get(self):
        return _heapq.heappop(self.queue)


class SimpleQueue:
    """First in, first out, without a bound."""

    def __init__(self):
        self._items = _deque()

    def put(self, item, block=True, timeout=None):
        self._items.append(item)

    def get(self, block=True, timeout=None):
        if not self._items:
            _refuse(block, timeout, Empty, 'get() waits for an item')
        return self._items.popleft()

    def put_nowait(self, item):
        self._items.append(item)

    def get_nowait(self):
        return self.get(block=False)

    def qsize(self):
        return len(self._items)

    def empty(self):
        return not self._items
