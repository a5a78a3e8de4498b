"""abc: classes that can't have instances until their abstract methods are there."""

import _glovebox


def abstractmethod(funcobj):
    """Mark a method that subclasses must override."""
    funcobj.__isabstractmethod__ = True
    return funcobj


def _is_abstract(value):
    if isinstance(value, property):
        return any([_is_abstract(part) for part in (value.fget, value.fset, value.fdel)])
    if isinstance(value, (classmethod, staticmethod)):
        value = value.__func__
    return getattr(value, '__isabstractmethod__', False) is True


class ABCMeta(type):
    """The metaclass of classes with abstract methods."""

    def __new__(mcls, name, bases, namespace, /, **keywords):
        cls = super().__new__(mcls, name, bases, namespace, **keywords)
        return update_abstractmethods(cls)

    def register(cls, subclass):
        """Let isinstance and issubclass take subclass for one of cls."""
        if not isinstance(subclass, type):
            raise TypeError('Can only register classes')
        if issubclass(cls, subclass) and cls is not subclass:
            raise RuntimeError('Refusing to create an inheritance cycle')
        _glovebox.class_register(cls, subclass)
        return subclass


def update_abstractmethods(cls):
    """Find anew which methods of cls are abstract."""
    names = [name for name, value in _glovebox.class_own(cls).items() if _is_abstract(value)]
    for base in _glovebox.class_mro(cls)[1:]:
        for name in _glovebox.class_get(base, '__abstractmethods__', ()):
            if name not in names and _is_abstract(_glovebox.class_get(cls, name, None)):
                names.append(name)
    _glovebox.class_set_abstract(cls, tuple(sorted(names)))
    return cls


class ABC(metaclass=ABCMeta):
    """A class whose metaclass is ABCMeta, to inherit from."""

    __slots__ = ()
