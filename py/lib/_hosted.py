"""_hosted: classes and instances of the host of a session.

The machine makes a class over Hosted for each class that the host sends. What
an object does not have, its host is asked for.
"""

import _calls

_classes = {}  # by the identity that the host gave them


def _found(owner, name, missing):
    if name.startswith('_'):
        raise AttributeError(missing)
    if not _calls.calling(name):
        return _calls.attribute(owner, name, missing)

    def method(*args, **keywords):
        return _calls.method(owner, name, args, keywords)

    return method


class Type(type):
    def __getattr__(cls, name):
        return _found(cls, name, f"type object '{cls.__name__}' has no attribute '{name}'")

    def __call__(cls, *args, **keywords):
        return _calls.method(cls, '__call__', args, keywords)

    def __repr__(cls):
        return f"<class '{cls.__name__}'>"


class Hosted(metaclass=Type):
    __hash__ = None

    def __getattr__(self, name):
        return _found(self, name, f"'{type(self).__name__}' object has no attribute '{name}'")

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return _calls.attributes(self) == _calls.attributes(other)

    def __repr__(self):
        shown = ', '.join([f'{name}={value!r}' for name, value in _calls.attributes(self).items()])
        return f'{type(self).__name__}({shown})'


class module:
    """A module of the host, which the machine makes too."""

    def __getattr__(self, name):
        missing = f"module '{_calls.attributes(self).get('__name__')}' has no attribute '{name}'"
        if name.startswith('_'):
            raise AttributeError(missing)
        return _calls.attribute(self, name, missing)

    def __repr__(self):
        return f"<module '{self.__name__}'>"


def load(name):
    """A module of the host, which is asked for the first part of the name at each import."""
    top, *inner = name.split('.')
    found = _calls.ask('import', top)
    if type(found) is not module:
        raise TypeError(f"'import' must return a module, not {type(found).__name__}")
    for part in inner:
        found = getattr(found, part, None)
        if type(found) is not module:
            raise ModuleNotFoundError(f"No module named '{name}'")
    return found


def name_of(owner, name):
    """What from owner import name binds."""
    try:
        return getattr(owner, name)
    except AttributeError:
        raise ImportError(f"cannot import name '{name}' from '{owner.__name__}' (unknown location)") from None
