"""threading: locks that are always free. There are no threads to keep out."""


class Lock:
    """A lock that only this program's own mistakes can block."""

    def __init__(self):
        self._held = False

    def acquire(self, blocking=True, timeout=-1):
        if not self._held:
            self._held = True
            return True
        if blocking and timeout < 0:
            raise RuntimeError('acquire() waits for a lock that nothing else can release: there are no threads')
        return False

    def release(self):
        if not self._held:
            raise RuntimeError('release unlocked lock')
        self._held = False

    def locked(self):
        return self._held

    def __enter__(self):
        return self.acquire()

    def __exit__(self, exc_type, exc_value, traceback):
        self.release()


class RLock:
    """A lock that whoever holds it can take again."""

    def __init__(self):
        self._count = 0

    def acquire(self, blocking=True, timeout=-1):
        self._count += 1
        return True

    def release(self):
        if not self._count:
            raise RuntimeError('cannot release un-acquired lock')
        self._count -= 1

    def __enter__(self):
        return self.acquire()

    def __exit__(self, exc_type, exc_value, traceback):
        self.release()


class Event:
    """A flag."""

    def __init__(self):
        self._flag = False

    def is_set(self):
        return self._flag

    def set(self):
        self._flag = True

    def clear(self):
        self._flag = False

    def wait(self, timeout=None):
        if not self._flag and timeout is None:
            raise RuntimeError('wait() waits for an event that nothing else can set: there are no threads')
        return self._flag


class local:
    """Attributes of one thread, which is the only one."""


class _MainThread:
    name = 'MainThread'
    daemon = False

    def is_alive(self):
        return True

    def __repr__(self):
        return '<_MainThread(MainThread, started)>'


_main = _MainThread()


def current_thread():
    return _main


def main_thread():
    return _main


def active_count():
    return 1
