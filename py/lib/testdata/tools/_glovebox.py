"""What the machine's native module _glovebox does, in terms of CPython.

It is the specification of that module, and lets the library be tested without
the machine."""

import types

def class_own(cls):
    """A copy of the class's own namespace."""
    return dict(cls.__dict__)


def class_annotations(cls):
    """A copy of the class's own annotations."""
    return dict(cls.__dict__.get('__annotations__', {}))


def class_get(cls, name, default):
    """The attribute as some class along the method resolution order holds it, unbound."""
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return default


def class_set(cls, name, value):
    """Set a class attribute, past the metaclass's __setattr__."""
    type.__setattr__(cls, name, value)


def class_bases(cls):
    return cls.__bases__


def class_mro(cls):
    return cls.__mro__


def new_class(name, bases, namespace, meta=None):
    """What a class statement does after its body has run, without asking meta's __new__."""
    return type.__new__(meta or type, name, bases, namespace)


def class_set_abstract(cls, names):
    """Refuse instances of cls, naming these methods, if there are any."""
    cls.__abstractmethods__ = frozenset(names)


def new_object(cls):
    """An instance of cls without its __new__ or __init__."""
    return object.__new__(cls)


def object_own(obj):
    """A copy of the object's own attributes; {} for one that can't have any."""
    return dict(getattr(obj, '__dict__', {}))


def object_get(obj, name, default):
    return obj.__dict__.get(name, default)


def object_set(obj, name, value):
    """Set an attribute of the object itself, past any __setattr__ and descriptor."""
    try:
        obj.__dict__[name] = value
    except AttributeError:
        object.__setattr__(obj, name, value)


def object_fill(obj, names, values):
    """object_set for each name and its value."""
    obj.__dict__.update(zip(names, values))


def item_property(index):
    """A read-only attribute whose value is the tuple's item at index.

    Setting or deleting it is AttributeError("can't set attribute")."""
    return _Item(index)


class _Item:
    def __init__(self, index):
        self.index = index

    def __get__(self, obj, owner=None):
        return self if obj is None else tuple.__getitem__(obj, self.index)

    def __set__(self, obj, value):
        raise AttributeError("can't set attribute")

    def __delete__(self, obj):
        raise AttributeError("can't delete attribute")


def is_atomic(obj):
    """Whether a copy of obj is obj itself: modules, functions, handles and other
    things that are not instances of classes of programs or of the library."""
    return not hasattr(obj, '__dict__') or isinstance(obj, (types.FunctionType, types.ModuleType))


def identity(obj):
    """An int that no other object has, had or will have in this run."""
    _identified.append(obj)
    return id(obj)


_identified = []


def class_register(cls, other):
    """Make isinstance and issubclass take other, and what inherits from it, for a
    subclass of cls and of the classes that cls inherits from, except object."""
    for base in cls.__mro__[:-1]:
        _virtual.setdefault(base, []).append(other)


_virtual = {}


def _issubclass(cls, kinds):
    """The machine's issubclass."""
    if isinstance(kinds, tuple):
        return any(_issubclass(cls, kind) for kind in kinds)
    if issubclass(cls, kinds):
        return True
    return isinstance(kinds, type) and any(issubclass(cls, other) for other in _virtual.get(kinds, ()))


def _isinstance(obj, kinds):
    """The machine's isinstance."""
    if isinstance(kinds, tuple):
        return any(_isinstance(obj, kind) for kind in kinds)
    return isinstance(obj, kinds) or isinstance(kinds, type) and _issubclass(type(obj), kinds)


def asks_clock():
    """Whether a session asks its host for the time."""
    return False


def clock():
    """Microseconds since 1970 in UTC; RuntimeError if the host grants no clock."""
    return 1_700_000_000_123_456


def entropy(size):
    """Random bytes; RuntimeError if the host grants none."""
    return bytes(i * 37 % 256 for i in range(size))


def output(text, to_error):
    """Adds to the output of the program."""
    print(text, end='')


def seed():
    """The seed of the module random, or None."""
    return None


GenericAlias = types.GenericAlias
UnionType = types.UnionType
mappingproxy = types.MappingProxyType


def type_of(text):
    """The type that a text says, by the global names of the program."""
    import sys
    return eval(text, vars(sys.modules['__main__']))


def handled():
    """The exception that is being handled, or None."""
    import sys
    return sys.exc_info()[1]


def bound_fields(names, positional, defaults, args, keywords):
    values = dict(zip(names, args))
    if len(args) > positional or set(values) & set(keywords) or set(keywords) - set(names):
        return None
    values = defaults | values | keywords
    return [values[name] for name in names] if set(names) <= set(values) else None


def object_values(obj, names):
    return None


def fields_repr(obj, names):
    return None


def fields_eq(obj, other, names, slow):
    """A comparison by the named attributes; slow makes it for two objects of one class."""
    return slow(obj, other) if type(obj) is type(other) else NotImplemented


fields_lt = fields_le = fields_gt = fields_ge = fields_eq


def fill_fields(obj, fields, args, keywords):
    """Whether the arguments were stored as attributes, which can be left undone."""
    return False
