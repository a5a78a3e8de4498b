"""collections.abc: what it takes to be a sequence, a mapping and the like."""

import _glovebox
from abc import ABCMeta, abstractmethod


class _StructuralMeta(ABCMeta):
    """The class of classes that every class with the methods in _required belongs to."""

    def __instancecheck__(cls, instance):
        if cls is Callable:
            return callable(instance)
        return cls.__subclasscheck__(type(instance))

    def __subclasscheck__(cls, other):
        if super().__subclasscheck__(other):
            return True
        required = _glovebox.class_own(cls).get('_required')
        return bool(required) and all([_glovebox.class_get(other, name, None) is not None for name in required])


class _Generic:
    def __class_getitem__(cls, params):
        return _glovebox.GenericAlias(cls, params)


class Hashable(metaclass=_StructuralMeta):
    _required = ('__hash__',)

    @abstractmethod
    def __hash__(self):
        return 0


class Sized(metaclass=_StructuralMeta):
    _required = ('__len__',)

    @abstractmethod
    def __len__(self):
        return 0


class Container(_Generic, metaclass=_StructuralMeta):
    _required = ('__contains__',)

    @abstractmethod
    def __contains__(self, x):
        return False


class Callable(_Generic, metaclass=_StructuralMeta):
    _required = ('__call__',)

    @abstractmethod
    def __call__(self, *args, **keywords):
        return False


class Iterable(_Generic, metaclass=_StructuralMeta):
    _required = ('__iter__',)

    @abstractmethod
    def __iter__(self):
        return iter(())


class Iterator(Iterable):
    _required = ('__iter__', '__next__')

    @abstractmethod
    def __next__(self):
        raise StopIteration

    def __iter__(self):
        return self


class Reversible(Iterable):
    _required = ('__reversed__', '__iter__')

    @abstractmethod
    def __reversed__(self):
        return iter(())


class Collection(Sized, Iterable, Container):
    _required = ('__len__', '__iter__', '__contains__')


class Generator(Iterator):
    _required = ('__iter__', '__next__', 'send', 'throw', 'close')

    def __next__(self):
        return self.send(None)

    @abstractmethod
    def send(self, value):
        raise StopIteration

    @abstractmethod
    def throw(self, typ, val=None, tb=None):
        raise typ if val is None else val

    def close(self):
        try:
            self.throw(GeneratorExit)
        except (GeneratorExit, StopIteration):
            return
        raise RuntimeError('generator ignored GeneratorExit')


class Awaitable(_Generic, metaclass=_StructuralMeta):
    _required = ('__await__',)

    @abstractmethod
    def __await__(self):
        yield


class Coroutine(Awaitable):
    _required = ('__await__', 'send', 'throw', 'close')

    @abstractmethod
    def send(self, value):
        raise StopIteration

    @abstractmethod
    def throw(self, typ, val=None, tb=None):
        raise typ if val is None else val

    close = Generator.close


class AsyncIterable(_Generic, metaclass=_StructuralMeta):
    _required = ('__aiter__',)

    @abstractmethod
    def __aiter__(self):
        return self


class AsyncIterator(AsyncIterable):
    _required = ('__aiter__', '__anext__')

    @abstractmethod
    async def __anext__(self):
        raise StopAsyncIteration

    def __aiter__(self):
        return self


class AsyncGenerator(AsyncIterator):
    _required = ('__aiter__', '__anext__', 'asend', 'athrow', 'aclose')


class Sequence(Reversible, Collection):
    """Needs __getitem__ and __len__; gives the rest of a sequence's methods."""

    __abc_tpflags__ = 1 << 5  # matches patterns of sequences

    @abstractmethod
    def __getitem__(self, index):
        raise IndexError

    def __iter__(self):
        index = 0
        try:
            while True:
                yield self[index]
                index += 1
        except IndexError:
            return

    def __contains__(self, value):
        return any(one is value or one == value for one in self)

    def __reversed__(self):
        for index in reversed(range(len(self))):
            yield self[index]

    def index(self, value, start=0, stop=None):
        size = len(self)
        start = max(size + start, 0) if start < 0 else start
        if stop is None:
            stop = size
        elif stop < 0:
            stop += size
        for index in range(start, min(stop, size)):
            one = self[index]
            if one is value or one == value:
                return index
        raise ValueError

    def count(self, value):
        return sum(one is value or one == value for one in self)


class ByteString(Sequence):
    pass


class MutableSequence(Sequence):
    """Needs __setitem__, __delitem__ and insert beside what a Sequence needs."""

    @abstractmethod
    def __setitem__(self, index, value):
        raise IndexError

    @abstractmethod
    def __delitem__(self, index):
        raise IndexError

    @abstractmethod
    def insert(self, index, value):
        raise IndexError

    def append(self, value):
        self.insert(len(self), value)

    def clear(self):
        try:
            while True:
                self.pop()
        except IndexError:
            pass

    def reverse(self):
        last = len(self) - 1
        for index in range(len(self) // 2):
            self[index], self[last - index] = self[last - index], self[index]

    def extend(self, values):
        for value in list(values) if values is self else values:
            self.append(value)

    def pop(self, index=-1):
        value = self[index]
        del self[index]
        return value

    def remove(self, value):
        del self[self.index(value)]

    def __iadd__(self, values):
        self.extend(values)
        return self


class Set(Collection):
    """Needs __contains__, __iter__ and __len__; gives the comparisons and operators."""

    @classmethod
    def _from_iterable(cls, items):
        return cls(items)

    def __le__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) <= len(other) and all(item in other for item in self)

    def __lt__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) < len(other) and self <= other

    def __ge__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) >= len(other) and all(item in self for item in other)

    def __gt__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) > len(other) and self >= other

    def __eq__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) == len(other) and self <= other

    __hash__ = None

    def __and__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable([item for item in other if item in self])

    def __or__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable([*self, *other])

    def __sub__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        other = other if isinstance(other, Set) else self._from_iterable(other)
        return self._from_iterable([item for item in self if item not in other])

    def __rsub__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable([item for item in other if item not in self])

    def __xor__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        other = other if isinstance(other, Set) else self._from_iterable(other)
        return (self - other) | (other - self)

    __rand__ = __and__
    __ror__ = __or__
    __rxor__ = __xor__

    def isdisjoint(self, other):
        return not any(item in self for item in other)


class MutableSet(Set):
    """Needs add and discard beside what a Set needs."""

    @abstractmethod
    def add(self, value):
        raise NotImplementedError

    @abstractmethod
    def discard(self, value):
        raise NotImplementedError

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        for value in self:
            self.discard(value)
            return value
        raise KeyError

    def clear(self):
        try:
            while True:
                self.pop()
        except KeyError:
            pass

    def __ior__(self, other):
        for value in other:
            self.add(value)
        return self

    def __iand__(self, other):
        for value in self - other:
            self.discard(value)
        return self

    def __isub__(self, other):
        for value in list(other):
            self.discard(value)
        return self

    def __ixor__(self, other):
        for value in list(other):
            if value in self:
                self.discard(value)
            else:
                self.add(value)
        return self


class Mapping(Collection):
    """Needs __getitem__, __iter__ and __len__; gives the rest of a mapping's methods."""

    __abc_tpflags__ = 1 << 6  # matches patterns of mappings
    __reversed__ = None

    @abstractmethod
    def __getitem__(self, key):
        raise KeyError

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return KeysView(self)

    def items(self):
        return ItemsView(self)

    def values(self):
        return ValuesView(self)

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    __hash__ = None


class MappingView(Sized):
    def __init__(self, mapping):
        self._mapping = mapping

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return f'{type(self).__name__}({self._mapping!r})'


class KeysView(MappingView, Set):
    @classmethod
    def _from_iterable(cls, items):
        return set(items)

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        yield from self._mapping


class ItemsView(MappingView, Set):
    @classmethod
    def _from_iterable(cls, items):
        return set(items)

    def __contains__(self, item):
        key, value = item
        try:
            found = self._mapping[key]
        except KeyError:
            return False
        return found is value or found == value

    def __iter__(self):
        for key in self._mapping:
            yield key, self._mapping[key]


class ValuesView(MappingView, Collection):
    def __contains__(self, value):
        return any(one is value or one == value for one in self)

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]


_missing = object()


class MutableMapping(Mapping):
    """Needs __setitem__ and __delitem__ beside what a Mapping needs."""

    @abstractmethod
    def __setitem__(self, key, value):
        raise KeyError

    @abstractmethod
    def __delitem__(self, key):
        raise KeyError

    def pop(self, key, default=_missing):
        try:
            value = self[key]
        except KeyError:
            if default is _missing:
                raise
            return default
        del self[key]
        return value

    def popitem(self):
        for key in self:
            value = self[key]
            del self[key]
            return key, value
        raise KeyError

    def clear(self):
        try:
            while True:
                self.popitem()
        except KeyError:
            pass

    def update(self, other=(), /, **keywords):
        if isinstance(other, Mapping):
            for key in other:
                self[key] = other[key]
        elif hasattr(other, 'keys'):
            for key in other.keys():
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in keywords.items():
            self[key] = value

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default


def _register():
    from collections import ChainMap, UserDict, UserList, UserString, deque
    for cls, members in (
            (Sequence, (tuple, str, range, UserString)), (ByteString, (bytes,)), (MutableSequence, (list, deque, UserList)),
            (Set, (frozenset,)), (MutableSet, (set,)), (MutableMapping, (dict, ChainMap, UserDict)),
            (KeysView, (type({}.keys()),)), (ItemsView, (type({}.items()),)), (ValuesView, (type({}.values()),))):
        for one in members:
            _glovebox.class_register(cls, one)


_register()
