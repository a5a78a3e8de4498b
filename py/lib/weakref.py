"""weakref: references as others have them to things that may go away. Here they keep them alive."""

import _glovebox


class ReferenceType:
    """A reference; calling it gives the object."""

    def __init__(self, object, callback=None):
        _refuse(object)
        _glovebox.object_fill(self, ('_object', '__callback__'), (object, callback))

    def __call__(self):
        return self._object

    def __eq__(self, other):
        if not isinstance(other, ReferenceType):
            return NotImplemented
        return self._object == other._object

    def __hash__(self):
        return hash(self._object)


ref = ReferenceType


def _refuse(object):
    if object is None or type(object) in (int, float, str, bytes, bool, tuple, list, dict):
        raise TypeError(f"cannot create weak reference to '{type(object).__name__}' object")


def proxy(object, callback=None):
    """The object itself."""
    _refuse(object)
    return object


def getweakrefcount(object):
    return 0


def getweakrefs(object):
    return []


class WeakValueDictionary(dict):
    """A dict."""

    def valuerefs(self):
        return [ref(value) for value in self.values()]


class WeakKeyDictionary(dict):
    """A dict."""

    def keyrefs(self):
        return [ref(key) for key in self]


class WeakSet(set):
    """A set."""


class WeakMethod(ReferenceType):
    """A reference to a method."""


class finalize:
    """A call that only its caller makes: nothing goes away by itself."""

    def __init__(self, obj, func, /, *args, **kwargs):
        _refuse(obj)
        self._call = obj, func, args, kwargs
        self.atexit = False

    @property
    def alive(self):
        return self._call is not None

    def __call__(self, _=None):
        if self._call is None:
            return None
        _, func, args, kwargs = self._call
        self._call = None
        return func(*args, **kwargs)

    def detach(self):
        call, self._call = self._call, None
        return call

    def peek(self):
        return self._call
