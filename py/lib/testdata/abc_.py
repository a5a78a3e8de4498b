from abc import ABC, ABCMeta, abstractmethod
from collections.abc import (
    Awaitable, Hashable, Iterable, Iterator, Generator, Reversible, Sized, Container, Callable, Collection,
    Set, MutableSet, Mapping, MutableMapping, MappingView, KeysView, ItemsView, ValuesView, Sequence,
    MutableSequence, ByteString)
from collections import deque, ChainMap, UserDict, OrderedDict, Counter, namedtuple


def show(f, *args, **kw):
    try:
        print(repr(f(*args, **kw)))
    except Exception as e:
        print(type(e).__name__, e)


class Shape(ABC):
    @abstractmethod
    def area(self): ...

    @property
    @abstractmethod
    def name(self): ...

    def describe(self):
        return f'{self.name} {self.area()}'


class Half(Shape):
    def area(self):
        return 1


class Sq(Half):
    name = 'sq'


show(Shape)
show(Half)
print(Sq().describe(), isinstance(Sq(), Shape), sorted(Shape.__abstractmethods__), sorted(Sq.__abstractmethods__))


class Reg(metaclass=ABCMeta):
    pass


@Reg.register
class Other:
    pass


class Sub(Other):
    pass


print(isinstance(Other(), Reg), issubclass(Sub, Reg), isinstance(3, Reg))
show(Reg.register, 3)
show(lambda: Sub.register)


class It:
    def __iter__(self):
        return iter(())


class NoHash:
    __hash__ = None


values = [1, 1.5, 's', b'b', [], (), {}, set(), frozenset(), range(3), iter([]), (x for x in ''), len, lambda: 0, int, None, It(), NoHash(),
          {}.keys(), {}.items(), {}.values(), deque(), ChainMap(), UserDict(), OrderedDict(), Counter(), zip(), map(len, []), enumerate([]), namedtuple('T', 'a')(1)]
for cls in (Hashable, Sized, Container, Callable, Iterable, Iterator, Reversible, Collection, Generator, Sequence, MutableSequence,
            Set, MutableSet, Mapping, MutableMapping, KeysView, ItemsView, ValuesView, MappingView, Awaitable, ByteString):
    if cls is Reversible:
        print(cls.__name__, [isinstance(v, cls) for v in values[:10]])
        continue
    print(cls.__name__, [isinstance(v, cls) for v in values], [issubclass(type(v), cls) for v in values[:8]])


class Seq(Sequence):
    def __init__(self, *items):
        self.items = items

    def __getitem__(self, i):
        return self.items[i]

    def __len__(self):
        return len(self.items)


s = Seq(1, 2, 3, 2)
print(list(s), 2 in s, 9 in s, s.index(2), s.count(2), list(reversed(s)), isinstance(s, Iterable), s.index(2, 2))
show(s.index, 9)
show(lambda: Sequence())


class MSeq(MutableSequence):
    def __init__(self):
        self.items = []

    def __getitem__(self, i):
        return self.items[i]

    def __setitem__(self, i, v):
        self.items[i] = v

    def __delitem__(self, i):
        del self.items[i]

    def __len__(self):
        return len(self.items)

    def insert(self, i, v):
        self.items.insert(i, v)


m = MSeq()
m.append(1)
m.extend([2, 3])
m += [4]
m.reverse()
m.remove(2)
print(list(m), m.pop(), m.pop(0), list(m))
m.clear()
print(len(m))


class Map(MutableMapping):
    def __init__(self, *args, **kw):
        self.d = dict(*args, **kw)

    def __getitem__(self, k):
        return self.d[k]

    def __setitem__(self, k, v):
        self.d[k] = v

    def __delitem__(self, k):
        del self.d[k]

    def __iter__(self):
        return iter(self.d)

    def __len__(self):
        return len(self.d)

    def __repr__(self):
        return f'Map({self.d})'


m = Map(a=1)
m.update({'b': 2}, c=3)
m.update([('d', 4)])
print(m, list(m.items()), list(m.keys()), list(m.values()), m.get('z', 0), 'a' in m, m == {'a': 1, 'b': 2, 'c': 3, 'd': 4}, m.pop('a'), m.pop('q', 5), m.setdefault('e', 9), m.popitem(), len(m), dict(m), {**m})
show(m.pop, 'none')
print(m.keys(), m.keys() & {'e'}, sorted(m.keys() | {'x'}), ('e', 9) in m.items(), 9 in m.values())


class MySet(MutableSet):
    def __init__(self, items=()):
        self.s = list(dict.fromkeys(items))

    def __contains__(self, x):
        return x in self.s

    def __iter__(self):
        return iter(self.s)

    def __len__(self):
        return len(self.s)

    def add(self, x):
        if x not in self.s:
            self.s.append(x)

    def discard(self, x):
        if x in self.s:
            self.s.remove(x)

    def __repr__(self):
        return f'MySet({self.s})'


a, b = MySet([1, 2, 3]), MySet([2, 3, 4])
print(a & b, a | b, a - b, a ^ b, a <= b, a == MySet([3, 2, 1]), a < MySet([1, 2, 3, 4]), a.isdisjoint([9]), a & {1}, {1, 9} - a, a == {1, 2, 3})
a |= [7]
a -= [1]
a ^= [2, 8]
a &= MySet([7, 8])
print(a, a.pop())
show(a.remove, 99)
