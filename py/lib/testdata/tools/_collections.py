"""What the machine's native module _collections does, in terms of CPython."""

from collections import deque as _deque


def _ring(self):
    return self.__dict__.setdefault('_ring', _deque())


def init(self, iterable=(), maxlen=None):
    self._ring = _deque(iterable, maxlen)


def _method(name):
    def method(self, *args):
        return getattr(_ring(self), name)(*[_ring(self) if arg is self else arg for arg in args])
    return method


for _name in ('append', 'appendleft', 'pop', 'popleft', 'extend', 'extendleft', 'clear', 'rotate', 'reverse', 'insert',
              '__len__', '__iter__', '__reversed__', '__setitem__', '__delitem__'):
    globals()[_name.strip('_')] = _method(_name)


def getitem(self, index):
    if not hasattr(index, '__index__'):
        raise TypeError(f"sequence index must be integer, not '{type(index).__name__}'")
    return _ring(self)[index]


def maxlen(self):
    return _ring(self).maxlen


def items(self):
    return [*_ring(self)]


def tuple_new(fields, defaults, bound):
    return staticmethod(bound)
