"""collections: containers beyond list, dict, set and tuple."""

import _collections
import _glovebox
from _arguments import bind as _bind
from _repr import guarded as _guarded
from _userlist import UserList, UserString

_missing = object()
_list = _collections.items  # of a deque
_keywords = frozenset((
    'False', 'None', 'True', 'and', 'as', 'assert', 'async', 'await', 'break', 'class', 'continue',
    'def', 'del', 'elif', 'else', 'except', 'finally', 'for', 'from', 'global', 'if', 'import', 'in',
    'is', 'lambda', 'nonlocal', 'not', 'or', 'pass', 'raise', 'return', 'try', 'while', 'with', 'yield',
))


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    """A class of tuples whose items have names."""
    if isinstance(field_names, str):
        field_names = field_names.replace(',', ' ').split()
    fields = [str(name) for name in field_names]
    typename = str(typename)
    if rename:
        fields = _renamed(fields)
    _check_names(typename, fields, rename)
    values = {}
    if defaults is not None:
        defaults = tuple(defaults)
        if len(defaults) > len(fields):
            raise TypeError('Got more default values than field names')
        values = dict(zip(fields[len(fields) - len(defaults):], defaults))
    return _tuple_class(typename, tuple(fields), values, module)


def _renamed(fields):
    """fields with positional names in place of those that can't be."""
    seen = set()
    names = []
    for index, name in enumerate(fields):
        usable = name.isidentifier() and name not in _keywords and name[0] != '_' and name not in seen
        names.append(name if usable else f'_{index}')
        seen.add(name)
    return names


def _check_names(typename, fields, rename):
    for name in (typename, *fields):
        if not name.isidentifier():
            raise ValueError(f'Type names and field names must be valid identifiers: {name!r}')
        if name in _keywords:
            raise ValueError(f'Type names and field names cannot be a keyword: {name!r}')
    seen = set()
    for name in fields:
        if name[0] == '_' and not rename:
            raise ValueError(f'Field names cannot start with an underscore: {name!r}')
        if name in seen:
            raise ValueError(f'Encountered duplicate field name: {name!r}')
        seen.add(name)


def _tuple_class(typename, fields, defaults, module=None, extra=()):
    size = len(fields)
    new_tuple = tuple.__new__

    def bound(_cls, /, *args, **keywords):
        return new_tuple(_cls, _bind(f'{typename}.__new__', fields, (), defaults, args, keywords))

    def _make(cls, iterable):
        values = tuple(iterable)
        if len(values) != size:
            raise TypeError(f'Expected {size} arguments, got {len(values)}')
        return new_tuple(cls, values)

    def _replace(self, /, **keywords):
        values = [keywords.pop(name, old) for name, old in zip(fields, self)]
        if keywords:
            raise ValueError(f'Got unexpected field names: {list(keywords)!r}')
        return type(self)._make(values)

    def _asdict(self):
        return dict(zip(fields, self))

    def __repr__(self):
        return f"{type(self).__name__}({', '.join([f'{name}={value!r}' for name, value in zip(fields, self)])})"

    namespace = {
        '__doc__': f"{typename}({', '.join(fields)})",
        '__slots__': (), '_fields': fields, '_field_defaults': defaults,
        '__new__': _collections.tuple_new(fields, defaults, bound), '_make': classmethod(_make), '_replace': _replace,
        '_asdict': _asdict, '__repr__': __repr__, '__match_args__': fields,
    }
    if module is not None:
        namespace['__module__'] = module
    for index, name in enumerate(fields):
        namespace[name] = _glovebox.item_property(index)
    namespace.update(extra)
    return _glovebox.new_class(typename, (tuple,), namespace)


class defaultdict(dict):
    """A dictionary that makes a value for a missing key."""

    def __init__(self, default_factory=None, /, *args, **keywords):
        if default_factory is not None and not callable(default_factory):
            raise TypeError('first argument must be callable or None')
        super().__init__(*args, **keywords)
        self.default_factory = default_factory

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        value = self[key] = self.default_factory()
        return value

    def __repr__(self):
        return f'{type(self).__name__}({self.default_factory!r}, {super().__repr__()})'

    def copy(self):
        return type(self)(self.default_factory, self)

    __copy__ = copy

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = self.copy()
        result.update(other)
        return result

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = type(self)(self.default_factory, other)
        result.update(self)
        return result


class OrderedDict(dict):
    """A dictionary that compares and moves its keys by their order."""

    def move_to_end(self, key, last=True):
        if key not in self:
            raise KeyError(key)
        value = dict.pop(self, key)
        if last:
            dict.__setitem__(self, key, value)
            return
        items = list(dict.items(self))
        dict.clear(self)
        dict.__setitem__(self, key, value)
        dict.update(self, items)

    def pop(self, key, default=_missing):
        if key in self:
            value = self[key]
            del self[key]
            return value
        if default is not _missing:
            return default
        missing = getattr(type(self), '__missing__', None)
        if missing is None:
            raise KeyError(key)
        return missing(self, key)

    def popitem(self, last=True):
        if not self:
            raise KeyError('dictionary is empty')
        if last:
            return dict.popitem(self)
        key = next(iter(self))
        return key, dict.pop(self, key)

    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return dict.__eq__(self, other) and list(self) == list(other)
        return dict.__eq__(self, other)

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    def __repr__(self):
        name = type(self).__name__
        return f'{name}({list(self.items())!r})' if self else f'{name}()'

    def copy(self):
        return type(self)(self)

    __copy__ = copy

    @classmethod
    def fromkeys(cls, iterable, value=None):
        result = cls()
        for key in iterable:
            result[key] = value
        return result

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = type(self)(self)
        result.update(other)
        return result

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = type(self)(other)
        result.update(self)
        return result


def _second(pair):
    return pair[1]


class Counter(dict):
    """A dictionary from elements to how often they occur."""

    def __init__(self, iterable=None, /, **keywords):
        super().__init__()
        self.update(iterable, **keywords)

    def __missing__(self, key):
        return 0

    def total(self):
        return sum(self.values())

    def most_common(self, n=None):
        pairs = sorted(self.items(), key=_second, reverse=True)
        return pairs if n is None else pairs[:max(n, 0)]

    def elements(self):
        for element, count in self.items():
            for _ in range(count):
                yield element

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError('Counter.fromkeys() is undefined.  Use Counter(iterable) instead.')

    def update(self, iterable=None, /, **keywords):
        if iterable is not None:
            if isinstance(iterable, dict):
                if not self:
                    super().update(iterable)
                else:
                    for element, count in iterable.items():
                        self[element] = count + self.get(element, 0)
            elif self:
                for element in iterable:
                    self[element] = self.get(element, 0) + 1
            else:
                counts = {}
                for element in iterable:
                    counts[element] = counts.get(element, 0) + 1
                super().update(counts)
        if keywords:
            self.update(keywords)

    def subtract(self, iterable=None, /, **keywords):
        if iterable is not None:
            if isinstance(iterable, dict):
                for element, count in iterable.items():
                    self[element] = self.get(element, 0) - count
            else:
                for element in iterable:
                    self[element] = self.get(element, 0) - 1
        if keywords:
            self.subtract(keywords)

    def copy(self):
        return type(self)(self)

    __copy__ = copy

    def __delitem__(self, element):
        if element in self:
            super().__delitem__(element)

    def __eq__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[element] == other[element] for counts in (self, other) for element in counts)

    def __ne__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return not self == other

    __hash__ = None

    def __le__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[element] <= other[element] for counts in (self, other) for element in counts)

    def __lt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self <= other and self != other

    def __ge__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[element] >= other[element] for counts in (self, other) for element in counts)

    def __gt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self >= other and self != other

    def __repr__(self):
        name = type(self).__name__
        if not self:
            return f'{name}()'
        try:
            counts = dict(self.most_common())
        except TypeError:
            counts = dict(self)
        return f'{name}({counts!r})'

    def __add__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        result = Counter()
        for element, count in self.items():
            count += other[element]
            if count > 0:
                result[element] = count
        for element, count in other.items():
            if element not in self and count > 0:
                result[element] = count
        return result

    def __sub__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        result = Counter()
        for element, count in self.items():
            count -= other[element]
            if count > 0:
                result[element] = count
        for element, count in other.items():
            if element not in self and count < 0:
                result[element] = -count
        return result

    def __or__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        result = Counter()
        for element, count in self.items():
            count = max(count, other[element])
            if count > 0:
                result[element] = count
        for element, count in other.items():
            if element not in self and count > 0:
                result[element] = count
        return result

    def __and__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        result = Counter()
        for element, count in self.items():
            count = min(count, other[element])
            if count > 0:
                result[element] = count
        return result

    def __pos__(self):
        return self + Counter()

    def __neg__(self):
        return Counter() - self

    def _keep_positive(self):
        for element in [element for element, count in self.items() if not count > 0]:
            del self[element]
        return self

    def __iadd__(self, other):
        for element, count in other.items():
            self[element] += count
        return self._keep_positive()

    def __isub__(self, other):
        for element, count in other.items():
            self[element] -= count
        return self._keep_positive()

    def __ior__(self, other):
        for element, count in other.items():
            if count > self[element]:
                self[element] = count
        return self._keep_positive()

    def __iand__(self, other):
        for element, count in self.items():
            if other[element] < count:
                self[element] = other[element]
        return self._keep_positive()


class deque:
    """A sequence that grows and shrinks at both ends.

    The methods of every day are those of the native module _collections, which
    keeps the items in the attribute _ring."""

    __abc_tpflags__ = 1 << 5  # matches patterns of sequences

    __init__ = _collections.init
    append = _collections.append
    appendleft = _collections.appendleft
    pop = _collections.pop
    popleft = _collections.popleft
    extend = _collections.extend
    extendleft = _collections.extendleft
    clear = _collections.clear
    rotate = _collections.rotate
    reverse = _collections.reverse
    insert = _collections.insert
    maxlen = property(_collections.maxlen)
    __len__ = _collections.len
    __iter__ = _collections.iter
    __reversed__ = _collections.reversed
    __getitem__ = _collections.getitem
    __setitem__ = _collections.setitem
    __delitem__ = _collections.delitem
    __hash__ = None

    def copy(self):
        if type(self) is deque or self.maxlen is not None:
            return type(self)(self, self.maxlen)
        return type(self)(self)

    __copy__ = copy

    def __deepcopy__(self, memo):
        from copy import deepcopy
        made = type(self)() if self.maxlen is None else type(self)((), self.maxlen)
        memo[_glovebox.identity(self)] = made
        for name, value in _glovebox.object_own(self).items():
            if name != '_ring':
                _glovebox.object_set(made, name, deepcopy(value, memo))
        made.extend([deepcopy(item, memo) for item in _list(self)])
        return made

    def count(self, item, /):
        return _list(self).count(item)

    def index(self, item, *bounds):
        try:
            return _list(self).index(item, *bounds)
        except ValueError:
            raise ValueError(f'{item!r} is not in deque') from None

    def remove(self, item, /):
        items = _list(self)
        try:
            place = items.index(item)
        except ValueError:
            raise ValueError(f'{item!r} is not in deque') from None
        if len(items) != len(self):
            raise IndexError('deque mutated during remove().')
        del self[place]

    def __contains__(self, item):
        return item in _list(self)

    def __repr__(self):
        return _guarded(self, '[...]', _deque_text)

    def __eq__(self, other):
        if not isinstance(other, deque):
            return NotImplemented
        return _list(self) == _list(other)

    def __lt__(self, other):
        if not isinstance(other, deque):
            return NotImplemented
        return _list(self) < _list(other)

    def __le__(self, other):
        if not isinstance(other, deque):
            return NotImplemented
        return _list(self) <= _list(other)

    def __gt__(self, other):
        if not isinstance(other, deque):
            return NotImplemented
        return _list(self) > _list(other)

    def __ge__(self, other):
        if not isinstance(other, deque):
            return NotImplemented
        return _list(self) >= _list(other)

    def __add__(self, other):
        if not isinstance(other, deque):
            raise TypeError(f'can only concatenate deque (not "{type(other).__name__}") to deque')
        result = self.copy()
        result.extend(other)
        return result

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __mul__(self, number):
        if not isinstance(number, int):
            return NotImplemented
        return type(self)(_list(self) * number, self.maxlen)

    __rmul__ = __mul__

    def __imul__(self, number):
        if not isinstance(number, int):
            return NotImplemented
        items = _list(self) * number
        self.clear()
        self.extend(items)
        return self


def _deque_text(self):
    name = type(self).__name__
    return f'{name}({_list(self)!r})' if self.maxlen is None else f'{name}({_list(self)!r}, maxlen={self.maxlen})'


class ChainMap:
    """Several mappings seen as one: reads search all, writes go to the first."""

    __abc_tpflags__ = 1 << 6  # matches patterns of mappings

    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def _merged(self):
        merged = {}
        for mapping in reversed(self.maps):
            merged.update(dict.fromkeys(mapping))
        return merged

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for mapping in self.maps:
            try:
                return mapping[key]
            except KeyError:
                pass
        return self.__missing__(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __len__(self):
        return len(self._merged())

    def __iter__(self):
        return iter(self._merged())

    def __contains__(self, key):
        return any(key in mapping for mapping in self.maps)

    def __bool__(self):
        return any(self.maps)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(map(repr, self.maps))})"

    def keys(self):
        return dict.fromkeys(self).keys()

    def items(self):
        return {key: self[key] for key in self}.items()

    def values(self):
        return {key: self[key] for key in self}.values()

    def __eq__(self, other):
        if not isinstance(other, (dict, ChainMap)):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    __hash__ = None

    @classmethod
    def fromkeys(cls, iterable, value=None):
        return cls(dict.fromkeys(iterable, value))

    def copy(self):
        return type(self)(self.maps[0].copy(), *self.maps[1:])

    __copy__ = copy

    def new_child(self, m=None, **keywords):
        if m is None:
            m = keywords
        elif keywords:
            m.update(keywords)
        return type(self)(m, *self.maps)

    @property
    def parents(self):
        return type(self)(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        try:
            del self.maps[0][key]
        except KeyError:
            raise KeyError(f'Key not found in the first mapping: {key!r}')

    def popitem(self):
        try:
            return self.maps[0].popitem()
        except KeyError:
            raise KeyError('No keys found in the first mapping.')

    def pop(self, key, *args):
        try:
            return self.maps[0].pop(key, *args)
        except KeyError:
            raise KeyError(f'Key not found in the first mapping: {key!r}')

    def clear(self):
        self.maps[0].clear()

    def update(self, *args, **keywords):
        self.maps[0].update(*args, **keywords)

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def __or__(self, other):
        if not isinstance(other, (dict, ChainMap)):
            return NotImplemented
        result = self.copy()
        result.maps[0].update(other)
        return result

    def __ror__(self, other):
        if not isinstance(other, (dict, ChainMap)):
            return NotImplemented
        return type(self)({**other, **self})

    def __ior__(self, other):
        self.maps[0].update(other)
        return self


class UserDict:
    """A dictionary to inherit from: every access goes through its methods."""

    __abc_tpflags__ = 1 << 6  # matches patterns of mappings

    def __init__(self, dict=None, /, **keywords):
        self.data = {}
        self.update(dict or (), **keywords)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        missing = getattr(type(self), '__missing__', None)
        if missing is not None:
            return missing(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        if isinstance(other, UserDict):
            other = other.data
        if not isinstance(other, dict):
            return NotImplemented
        return self.data == other

    __hash__ = None

    def get(self, key, default=None):
        return self[key] if key in self else default

    def keys(self):
        return self.data.keys()

    def items(self):
        return self.data.items()

    def values(self):
        return self.data.values()

    def update(self, other=(), /, **keywords):
        for key, value in {**dict(other), **keywords}.items():
            self[key] = value

    def setdefault(self, key, default=None):
        if key in self:
            return self[key]
        self[key] = default
        return default

    def pop(self, key, default=_missing):
        if key not in self:
            if default is _missing:
                raise KeyError(key)
            return default
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        if not self.data:
            raise KeyError
        key = next(iter(self))
        value = self[key]
        del self[key]
        return key, value

    def clear(self):
        while self.data:
            self.popitem()

    def copy(self):
        if type(self) is UserDict:
            return UserDict(self.data)
        copied = self.__copy__()
        copied.data = {}
        copied.update(self)
        return copied

    def __copy__(self):
        copied = _glovebox.new_object(type(self))
        for name, value in _glovebox.object_own(self).items():
            _glovebox.object_set(copied, name, value)
        _glovebox.object_set(copied, 'data', self.data.copy())
        return copied

    def __or__(self, other):
        if isinstance(other, UserDict):
            other = other.data
        if not isinstance(other, dict):
            return NotImplemented
        return type(self)(self.data | other)

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        return type(self)(other | self.data)

    def __ior__(self, other):
        self.data |= other.data if isinstance(other, UserDict) else other
        return self
