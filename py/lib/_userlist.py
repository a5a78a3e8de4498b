"""UserList and UserString of collections."""

from _glovebox import object_own as _own


def _data(value):
    return value.data if isinstance(value, (UserList, UserString)) else value


class UserList:
    """A list to inherit from: its items are in data."""

    def __init__(self, initlist=None):
        self.data = []
        if initlist is not None:
            self.data = list(_data(initlist))

    def __repr__(self):
        return repr(self.data)

    def __lt__(self, other):
        return self.data < _data(other)

    def __le__(self, other):
        return self.data <= _data(other)

    def __eq__(self, other):
        return self.data == _data(other)

    def __gt__(self, other):
        return self.data > _data(other)

    def __ge__(self, other):
        return self.data >= _data(other)

    __hash__ = None

    def __contains__(self, item):
        return item in self.data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self._new(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def _new(self, items):
        return type(self)(items)

    def __add__(self, other):
        return self._new(self.data + list(_data(other)))

    def __radd__(self, other):
        return self._new(list(_data(other)) + self.data)

    def __iadd__(self, other):
        self.data += list(_data(other))
        return self

    def __mul__(self, n):
        return self._new(self.data * n)

    __rmul__ = __mul__

    def __imul__(self, n):
        self.data *= n
        return self

    def __copy__(self):
        other = self._new(self.data)
        for name, value in _own(self).items():
            if name != 'data':
                setattr(other, name, value)
        return other

    def append(self, item):
        self.data.append(item)

    def insert(self, i, item):
        self.data.insert(i, item)

    def pop(self, i=-1):
        return self.data.pop(i)

    def remove(self, item):
        self.data.remove(item)

    def clear(self):
        self.data.clear()

    def copy(self):
        return self._new(self.data)

    def count(self, item):
        return self.data.count(item)

    def index(self, item, *args):
        return self.data.index(item, *args)

    def reverse(self):
        self.data.reverse()

    def sort(self, /, *args, **keywords):
        self.data.sort(*args, **keywords)

    def extend(self, other):
        self.data.extend(_data(other))


class UserString:
    """A str to inherit from: its text is in data."""

    def __init__(self, seq):
        self.data = seq if isinstance(seq, str) else _text(seq)

    def __str__(self):
        return self.data

    def __repr__(self):
        return repr(self.data)

    def __int__(self):
        return int(self.data)

    def __float__(self):
        return float(self.data)

    def __hash__(self):
        return hash(self.data)

    def __eq__(self, other):
        return self.data == _data(other)

    def __lt__(self, other):
        return self.data < _data(other)

    def __le__(self, other):
        return self.data <= _data(other)

    def __gt__(self, other):
        return self.data > _data(other)

    def __ge__(self, other):
        return self.data >= _data(other)

    def __contains__(self, part):
        return _data(part) in self.data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return type(self)(self.data[i])

    def __add__(self, other):
        return type(self)(self.data + _text(other))

    def __radd__(self, other):
        return type(self)(_text(other) + self.data) if isinstance(other, (str, UserString)) else NotImplemented

    def __mul__(self, n):
        return type(self)(self.data * n)

    __rmul__ = __mul__

    def __mod__(self, args):
        return type(self)(self.data % args)

    def __rmod__(self, template):
        return type(self)(str(template) % self)

    def split(self, sep=None, maxsplit=-1):
        return self.data.split(_data(sep), maxsplit)

    def rsplit(self, sep=None, maxsplit=-1):
        return self.data.rsplit(_data(sep), maxsplit)

    def encode(self, encoding='utf-8', errors='strict'):
        return self.data.encode('utf-8' if encoding is None else encoding, 'strict' if errors is None else errors)

    maketrans = str.maketrans


def _text(value):
    return value.data if isinstance(value, UserString) else str(value)


def _same(name):
    """A method that gives what that of the text gives."""
    def method(self, *args, **keywords):
        return getattr(self.data, name)(*[_data(arg) for arg in args], **keywords)
    method.__name__ = name
    return method


def _anew(name):
    """A method that gives a UserString of what that of the text gives."""
    def method(self, *args, **keywords):
        return type(self)(getattr(self.data, name)(*[_data(arg) for arg in args], **keywords))
    method.__name__ = name
    return method


for _name in ('count find index rfind rindex startswith endswith isalpha isalnum isascii isdecimal isdigit isidentifier '
              'islower isnumeric isprintable isspace istitle isupper format format_map join partition rpartition '
              'splitlines').split():
    setattr(UserString, _name, _same(_name))
for _name in ('capitalize casefold center expandtabs ljust lower lstrip removeprefix removesuffix replace rjust rstrip '
              'strip swapcase title translate upper zfill').split():
    setattr(UserString, _name, _anew(_name))
