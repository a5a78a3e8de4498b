"""types: the classes of what Python makes by itself."""

import _glovebox


def _function():
    yield


async def _coroutine():
    pass


async def _async_generator():
    yield


class _Class:
    def method(self):
        pass


FunctionType = LambdaType = type(_function)
BuiltinFunctionType = BuiltinMethodType = type(len)
MethodType = type(_Class().method)
ModuleType = type(_glovebox)
GeneratorType = type(_function())
_waiting = _coroutine()
CoroutineType = type(_waiting)
_waiting.close()
AsyncGeneratorType = type(_async_generator())
NoneType = type(None)
EllipsisType = type(...)
NotImplementedType = type(NotImplemented)
UnionType = type(int | str)
GenericAlias = type(list[int])


class SimpleNamespace:
    """An object with the attributes that it is given."""

    def __init__(self, /, *args, **keywords):
        if args:
            raise TypeError('no positional arguments expected')
        for name, value in keywords.items():
            _glovebox.object_set(self, name, value)

    def __repr__(self):
        return _guarded(self, f'{_shown(self)}(...)', _fields)

    def __eq__(self, other):
        if not isinstance(other, SimpleNamespace):
            return NotImplemented
        return _glovebox.object_own(self) == _glovebox.object_own(other)

    __hash__ = None


def _shown(space):
    return 'namespace' if type(space) is SimpleNamespace else type(space).__name__


def _fields(space):
    own = _glovebox.object_own(space)
    return f"{_shown(space)}({', '.join([f'{name}={value!r}' for name, value in own.items()])})"


from _repr import guarded as _guarded


class mappingproxy:
    """A mapping that can only be read."""

    def __init__(self, mapping):
        if not hasattr(type(mapping), '__getitem__') or isinstance(mapping, (list, tuple)):
            raise TypeError(f'mappingproxy() argument must be a mapping, not {type(mapping).__name__}')
        _glovebox.object_set(self, '_mapping', mapping)

    def __setattr__(self, name, value):
        raise AttributeError(f"'mappingproxy' object has no attribute {name!r}")

    def __getitem__(self, key):
        return self._mapping[key]

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        return iter(self._mapping)

    def __reversed__(self):
        return reversed(self._mapping)

    def __len__(self):
        return len(self._mapping)

    def __eq__(self, other):
        return self._mapping == (other._mapping if isinstance(other, mappingproxy) else other)

    def __hash__(self):
        return hash(self._mapping)

    def __or__(self, other):
        return self._mapping | (other._mapping if isinstance(other, mappingproxy) else other)

    def __ror__(self, other):
        return other | self._mapping

    def __ior__(self, other):
        raise TypeError("'|=' is not supported by mappingproxy; use '|' instead")

    def __repr__(self):
        return f'mappingproxy({self._mapping!r})'

    def __str__(self):
        return str(self._mapping)

    def get(self, key, default=None):
        return self._mapping.get(key, default)

    def keys(self):
        return self._mapping.keys()

    def values(self):
        return self._mapping.values()

    def items(self):
        return self._mapping.items()

    def copy(self):
        return self._mapping.copy()


MappingProxyType = mappingproxy


def new_class(name, bases=(), kwds=None, exec_body=None):
    """A class whose body is a function that fills its namespace."""
    keywords = dict(kwds or {})
    meta = keywords.pop('metaclass', None)
    if meta is None:
        meta = type(bases[0]) if bases else type
    namespace = {}
    if exec_body is not None:
        exec_body(namespace)
    return meta(name, tuple(bases), namespace, **keywords)


def resolve_bases(bases):
    """The bases with what __mro_entries__ of some of them stands for."""
    found = []
    for base in bases:
        if isinstance(base, type) or not hasattr(base, '__mro_entries__'):
            found.append(base)
            continue
        entries = base.__mro_entries__(bases)
        if not isinstance(entries, tuple):
            raise TypeError('__mro_entries__ must return a tuple')
        found.extend(entries)
    return bases if len(found) == len(bases) and all(a is b for a, b in zip(found, bases)) else tuple(found)


class DynamicClassAttribute:
    """A property of instances; the class may have another attribute of its name."""

    def __init__(self, fget=None, fset=None, fdel=None, doc=None):
        self.fget = fget
        self.fset = fset
        self.fdel = fdel
        self.__doc__ = doc

    def __get__(self, instance, ownerclass=None):
        if instance is None:
            raise AttributeError()
        if self.fget is None:
            raise AttributeError('unreadable attribute')
        return self.fget(instance)

    def __set__(self, instance, value):
        if self.fset is None:
            raise AttributeError("can't set attribute")
        self.fset(instance, value)

    def __delete__(self, instance):
        if self.fdel is None:
            raise AttributeError("can't delete attribute")
        self.fdel(instance)

    def getter(self, fget):
        return type(self)(fget, self.fset, self.fdel, self.__doc__)

    def setter(self, fset):
        return type(self)(self.fget, fset, self.fdel, self.__doc__)

    def deleter(self, fdel):
        return type(self)(self.fget, self.fset, fdel, self.__doc__)
