"""What tasks of asyncio wait for one another with."""

import _loop
from _loop import CancelledError


class BrokenBarrierError(RuntimeError):
    pass


class Line:
    # The places of those who wait, first come, first served. One who was woken
    # keeps its place until it runs, so that nobody who comes later overtakes it.
    def __init__(self):
        self._places = []

    def taken(self):
        return any(not place.cancelled() for place in self._places)

    # stand waits to be woken. One that is cancelled instead leaves by left, which
    # is told whether it slept.
    async def stand(self, left=None):
        place = _loop.new_future()
        self._places.append(place)
        try:
            await place
        except CancelledError:
            self._places.remove(place)
            if left is not None:
                left(place.cancelled())
            raise
        self._places.remove(place)

    # wake wakes the first n who sleep, and returns how many there were.
    def wake(self, n=1):
        woken = 0
        for place in self._places:
            if woken >= n:
                break
            if not place.done():
                _loop.settle(place, False, True)
                woken += 1
        return woken

    def wake_all(self):
        return self.wake(len(self._places))

    # wake_first wakes the first one, or nobody if that does not sleep.
    def wake_first(self):
        if self._places and not self._places[0].done():
            _loop.settle(self._places[0], False, True)


class _Guarded:
    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, value, traceback):
        self.release()


class Semaphore(_Guarded):
    # A permit is put aside for the one who is woken: _value counts the others.
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("Semaphore initial value must be >= 0")
        self._value = value
        self._line = Line()

    def locked(self):
        return self._value == 0 or self._line.taken()

    async def acquire(self):
        if self.locked():
            await self._line.stand(self._left)
            self._grant()
        else:
            self._value -= 1
        return True

    def _left(self, slept):
        if not slept:
            self._free()

    def _grant(self):
        if self._value > 0:
            self._value -= self._line.wake()

    def _free(self):
        self._value += 1
        self._grant()

    def release(self):
        self._free()


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        self._bound = value
        super().__init__(value)

    def release(self):
        if self._value >= self._bound:
            raise ValueError("BoundedSemaphore released too many times")
        super().release()


class Lock(_Guarded):
    def __init__(self):
        self._locked = False
        self._line = Line()

    def locked(self):
        return self._locked

    async def acquire(self):
        if self._locked or self._line.taken():
            await self._line.stand(self._left)
        self._locked = True
        return True

    def _left(self, slept):
        if not self._locked:
            self._line.wake_first()

    def release(self):
        if not self._locked:
            raise RuntimeError("Lock is not acquired.")
        self._locked = False
        self._line.wake_first()


class Condition(_Guarded):
    def __init__(self, lock=None):
        self._line = Line()
        self._lock = Lock() if lock is None else lock
        self.locked = self._lock.locked
        self.acquire = self._lock.acquire
        self.release = self._lock.release

    async def wait(self):
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        self.release()
        try:
            await self._line.stand()
        finally:
            await self._take_back()
        return True

    # _take_back takes the lock again, whatever happens: to be cancelled has to wait.
    async def _take_back(self):
        cancelled = False
        while True:
            try:
                await self.acquire()
            except CancelledError:
                cancelled = True
            else:
                break
        if cancelled:
            raise CancelledError

    async def wait_for(self, predicate):
        result = predicate()
        while not result:
            await self.wait()
            result = predicate()
        return result

    def notify(self, n=1):
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        self._line.wake(n)

    def notify_all(self):
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        self._line.wake_all()


class Event:
    def __init__(self):
        self._set = False
        self._line = Line()

    def is_set(self):
        return self._set

    def set(self):
        if not self._set:
            self._set = True
            self._line.wake_all()

    def clear(self):
        self._set = False

    async def wait(self):
        if not self._set:
            await self._line.stand()
        return True


class Barrier:
    # It fills until all parties are inside, and then drains; who comes meanwhile
    # waits outside. reset empties it, and after abort nobody passes.
    def __init__(self, parties):
        if parties < 1:
            raise ValueError("parties must be > 0")
        self._parties = parties
        self._inside = 0
        self._state = "filling"
        self._line = Line()
        self._outside = Line()

    @property
    def parties(self):
        return self._parties

    @property
    def n_waiting(self):
        return self._inside if self._state == "filling" else 0

    @property
    def broken(self):
        return self._state == "broken"

    async def __aenter__(self):
        return await self.wait()

    async def __aexit__(self, kind, value, traceback):
        pass

    async def wait(self):
        while self._state in ("draining", "resetting"):
            await self._outside.stand()
        if self._state == "broken":
            raise BrokenBarrierError("Barrier aborted")
        index = self._inside
        self._inside += 1
        try:
            if self._inside == self._parties:
                self._turn("draining")
            while self._state == "filling":
                await self._line.stand()
            if self._state != "draining":
                raise BrokenBarrierError("Abort or reset of barrier")
            return index
        finally:
            self._inside -= 1
            if self._inside == 0 and self._state in ("draining", "resetting"):
                self._turn("filling")

    def _turn(self, state):
        self._state = state
        self._line.wake_all()
        self._outside.wake_all()

    async def reset(self):
        self._turn("resetting" if self._inside > 0 else "filling")

    async def abort(self):
        self._turn("broken")
