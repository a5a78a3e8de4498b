"""enum: classes of named constants."""

import _glovebox

_missing = object()
_mappingproxy = type(object.__dict__)
_builtin = (int, str, float, bytes, tuple, list, dict, set, frozenset, bool)
_descriptors = (type(lambda: None), property, classmethod, staticmethod)


class auto:
    """A value that the class chooses; what is computed from it in the class body waits."""

    def __init__(self, compute=None):
        self._compute = compute
        self.value = _missing

    def _resolve(self, generate):
        if self.value is _missing:
            self.value = generate() if self._compute is None else self._compute(generate)
        return self.value

    def __repr__(self):
        return f'auto({self.value!r})'


def _resolved(value, generate):
    """value with every auto in it replaced by what it stands for."""
    if isinstance(value, auto):
        return value._resolve(generate)
    if type(value) is tuple and any(isinstance(item, auto) for item in value):
        return tuple([_resolved(item, generate) for item in value])
    return value


def _deferred(operation):
    """The operator's method for auto, and the one with its operands exchanged."""
    def method(self, other):
        return auto(lambda generate: operation(_resolved(self, generate), _resolved(other, generate)))

    def reflected(self, other):
        return auto(lambda generate: operation(_resolved(other, generate), _resolved(self, generate)))
    return method, reflected


auto.__or__, auto.__ror__ = _deferred(lambda a, b: a | b)
auto.__and__, auto.__rand__ = _deferred(lambda a, b: a & b)
auto.__xor__, auto.__rxor__ = _deferred(lambda a, b: a ^ b)
auto.__add__, auto.__radd__ = _deferred(lambda a, b: a + b)
auto.__sub__, auto.__rsub__ = _deferred(lambda a, b: a - b)
auto.__mul__, auto.__rmul__ = _deferred(lambda a, b: a * b)
auto.__lshift__, auto.__rlshift__ = _deferred(lambda a, b: a << b)
auto.__invert__ = lambda self: auto(lambda generate: ~_resolved(self, generate))


class member:
    """Marks a value that would not be a member as one."""

    def __init__(self, value):
        self.value = value


class nonmember:
    """Marks a value that would be a member as an ordinary attribute."""

    def __init__(self, value):
        self.value = value


class _MemberProperty:
    """A property of members; the enumeration may have a member of its name."""

    def __init__(self, fget=None, fset=None, fdel=None, doc=None):
        self.fget = fget
        self.fset = fset
        self.fdel = fdel
        self.__doc__ = getattr(fget, '__doc__', None) if doc is None else doc
        self.name = self.clsname = None

    def __set_name__(self, owner, name):
        self.name = name
        self.clsname = owner.__name__

    def __get__(self, instance, owner=None):
        if instance is not None:
            if self.fget is None:
                raise AttributeError(f'{owner!r} has no attribute {self.name!r}')
            return self.fget(instance)
        found = owner._member_map_.get(self.name)
        if found is None:
            raise AttributeError(self.name)
        return found

    def __set__(self, instance, value):
        if self.fset is None:
            raise AttributeError(f"<enum {self.clsname!r}> cannot set attribute {self.name!r}")
        self.fset(instance, value)

    def __delete__(self, instance):
        if self.fdel is None:
            raise AttributeError(f"<enum {self.clsname!r}> cannot delete attribute {self.name!r}")
        self.fdel(instance)

    def getter(self, fget):
        return type(self)(fget, self.fset, self.fdel)

    def setter(self, fset):
        return type(self)(self.fget, fset, self.fdel)

    def deleter(self, fdel):
        return type(self)(self.fget, self.fset, fdel)


class FlagBoundary:
    """What a flag does with bits that no member has."""

    def __init__(self, name):
        self.name = self.value = name.lower()
        self._name = name

    def __repr__(self):
        return f'<FlagBoundary.{self._name}: {self.value!r}>'


STRICT = FlagBoundary('STRICT')
CONFORM = FlagBoundary('CONFORM')
EJECT = FlagBoundary('EJECT')
KEEP = FlagBoundary('KEEP')


def _is_member(owner, name, value):
    if isinstance(value, nonmember):
        return False
    if isinstance(value, member):
        return True
    if name[:2] == '__' and name[-2:] == '__' or name[:1] == name[-1:] == '_':
        return False
    if name.startswith(f'_{owner}__'):
        return False
    return not isinstance(value, _descriptors) and not (
        hasattr(type(value), '__get__') and not isinstance(value, type))


def _data_type(bases):
    """The class that the members' values have beside being members."""
    for chain in bases:
        candidate = None
        for base in _glovebox.class_mro(chain):
            if base is object:
                continue
            if isinstance(base, EnumType):
                if base._member_type_ is not object:
                    return base._member_type_
            elif base in _builtin or '__new__' in _glovebox.class_own(base):
                return candidate or base
            else:
                candidate = candidate or base
    return object


def _own_method(cls, name):
    """The method as a class that is neither built in nor of this module gives it."""
    for base in _glovebox.class_mro(cls):
        if base is not object and base not in _builtin:
            found = _glovebox.class_own(base).get(name)
            if found is not None:
                return found
    return None


_known_sunders = ('_order_', '_generate_next_value_', '_missing_', '_ignore_', '_numeric_repr_', '_iter_member_', '_iter_member_by_value_',
                  '_iter_member_by_def_', '_repr_', '_create_pseudo_member_')


def _check_name(name):
    """Refuse a name between single underscores that means nothing."""
    if len(name) > 2 and name[0] == name[-1] == '_' and name[1] != '_' and name[-2] != '_' and name not in _known_sunders:
        raise ValueError(f'_sunder_ names, such as {name!r}, are reserved for future Enum use')


def _check_order(cls, order):
    """Compare the order of the members with what _order_ says."""
    if order is None:
        return
    if isinstance(order, str):
        order = order.replace(',', ' ').split()
    names = cls._member_names_
    order = [name for name in order if name not in cls._member_map_ or name in names]
    if order != names:
        raise TypeError(f'member order does not match _order_:\n  {names!r}\n  {order!r}')


class EnumType(type):
    """The class of enumerations."""

    def __new__(metacls, name, bases, namespace, boundary=None, **keywords):
        parents = [base for base in bases if isinstance(base, EnumType)]
        for base in parents:
            if base._member_names_:
                raise TypeError(f'<enum {name!r}> cannot extend {base!r}')
        ignored = namespace.get('_ignore_', ())
        if isinstance(ignored, str):
            ignored = ignored.replace(',', ' ').split()
        members = {}
        rest = {}
        for key, value in namespace.items():
            if key == '_ignore_' or key in ignored:
                continue
            _check_name(key)
            if _is_member(name, key, value):
                members[key] = value.value if isinstance(value, member) else value
            else:
                rest[key] = value.value if isinstance(value, nonmember) else value
        cls = _glovebox.new_class(name, bases, rest, metacls)
        _prepare(cls, bases, parents, boundary)
        if parents:
            _show_as_member(cls, parents[-1])
        _add_members(cls, members)
        _check_order(cls, rest.get('_order_'))
        return cls

    def __init__(cls, name, bases, namespace, **keywords):
        pass

    def __call__(cls, value=_missing, names=None, *, module=None, qualname=None, type=None, start=1, boundary=None):
        if value is _missing:
            raise TypeError("EnumType.__call__() missing 1 required positional argument: 'value'")
        if names is None:
            return _find(cls, value)
        return _functional(cls, value, names, type, start, boundary)

    def __iter__(cls):
        members = cls._member_map_
        return (members[name] for name in cls._member_names_)

    def __reversed__(cls):
        members = cls._member_map_
        return (members[name] for name in reversed(cls._member_names_))

    def __len__(cls):
        return len(cls._member_names_)

    def __bool__(cls):
        return True

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __contains__(cls, value):
        if not isinstance(value, Enum):
            raise TypeError(f"unsupported operand type(s) for 'in': '{type(value).__qualname__}' and 'EnumType'")
        return isinstance(value, cls) and value._name_ in cls._member_map_

    def __getattr__(cls, name):
        raise AttributeError(name)

    def __setattr__(cls, name, value):
        if name in _glovebox.class_get(cls, '_member_map_', {}):
            raise AttributeError(f'cannot reassign member {name!r}')
        super().__setattr__(name, value)

    def __delattr__(cls, name):
        if name in cls._member_map_:
            raise AttributeError(f'{cls.__name__!r} cannot delete member {name!r}.')
        super().__delattr__(name)

    def __repr__(cls):
        return f"<{'flag' if cls._is_flag_ else 'enum'} {cls.__name__!r}>"

    def __dir__(cls):
        shown = set(_class_names) if cls._member_type_ is object else set(_type_names(cls))
        if _own_method(cls, '__new__') is not None:
            shown.add('__new__')
        return [*shown, *cls._member_names_]

    @property
    def __members__(cls):
        return _mappingproxy(cls._member_map_)


_class_names = ('__class__', '__contains__', '__doc__', '__getitem__', '__init_subclass__', '__iter__', '__len__',
                '__members__', '__module__', '__name__', '__qualname__')
_shown_names = ('__class__', '__doc__', '__eq__', '__hash__', '__module__')


def _type_names(cls):
    """What dir() has for a class of members that are of a data type."""
    return [*_class_names, *dir(cls._member_type_)]


def _member_names(made):
    """What dir() has for a member: what its classes define, and what it has itself."""
    cls = type(made)
    names = set(_shown_names) if cls._member_type_ is object else set(dir(cls._member_type_))
    names.update(['name', 'value'])
    names.update([name for name in _glovebox.object_own(made) if name[0] != '_'])
    for base in _glovebox.class_mro(cls):
        names.update([name for name in _glovebox.class_own(base) if name[0] != '_' and name not in cls._member_map_])
    return names


EnumMeta = EnumType


def _prepare(cls, bases, parents, boundary):
    """Give cls the bookkeeping of an enumeration without members."""
    data_type = _data_type(bases)
    values = {
        '_member_names_': [], '_member_map_': {}, '_value2member_map_': {}, '_unhashable_': [],
        '_member_type_': data_type, '_flag_mask_': 0, '_all_bits_': 0,
        '_is_flag_': any(base._is_flag_ for base in parents) or cls.__name__ == 'Flag',
        '_boundary_': boundary or next((base._boundary_ for base in parents if base._boundary_), None),
    }
    for name, value in values.items():
        _glovebox.class_set(cls, name, value)


def _show_as_member(cls, parent):
    """Prefer the way in which parent shows members to that of the mixed-in class."""
    for name in ('__repr__', '__str__', '__format__'):
        for base in _glovebox.class_mro(cls):
            if base in _builtin or issubclass(cls._member_type_, base):
                _glovebox.class_set(cls, name, _glovebox.class_get(parent, name, None))
                break
            if name in _glovebox.class_own(base):
                break


def _add_members(cls, members):
    values = []
    generator = _glovebox.class_get(cls, '_generate_next_value_', None)
    if isinstance(generator, staticmethod):
        generator = generator.__func__
    for name, value in members.items():
        if name in ('mro', ''):
            raise ValueError(f'invalid enum member name(s) {name!r}')
        given = value
        value = _resolved(value, lambda: generator(name, 1, len(values), values[:]))
        if value is not given and type(given) is tuple:
            values.extend([new for new, old in zip(value, given) if new is not old])
        else:
            values.append(value)
        _add_member(cls, name, value)


def _make(cls, value):
    """A new member with this value, without a name."""
    data_type = cls._member_type_
    args = value if isinstance(value, tuple) and data_type is not tuple else (value,)
    maker = _own_method(cls, '__new__')
    if maker is not None:
        if isinstance(maker, staticmethod):
            maker = maker.__func__
        made = maker(cls, *args)
        if _glovebox.object_get(made, '_value_', _missing) is not _missing:
            return made, args
    elif data_type is object:
        made = _glovebox.new_object(cls)
    else:
        made = data_type.__new__(cls, *args)
    if data_type is not object and data_type in _builtin:
        value = data_type(*args)
    elif data_type is not object:
        value = _data_value(data_type, args, value)
    _glovebox.object_set(made, '_value_', value)
    return made, args


def _data_value(data_type, args, value):
    try:
        return data_type(*args)
    except TypeError:
        return value


def _add_member(cls, name, value):
    made, args = _make(cls, value)
    value = made._value_
    known = _known(cls, value)
    if known is not None:
        _glovebox.class_set(cls, name, known)
        cls._member_map_[name] = known
        return
    _name(made, name, value)
    initialise = _own_method(cls, '__init__')
    if initialise is not None:
        initialise(made, *args)
    flag = cls._is_flag_ and isinstance(value, int)
    if flag:
        _glovebox.class_set(cls, '_flag_mask_', cls._flag_mask_ | value)
        _glovebox.class_set(cls, '_all_bits_', 2 ** cls._flag_mask_.bit_length() - 1)
    if not flag or value > 0 and value & (value - 1) == 0:
        cls._member_names_.append(name)
    _glovebox.class_set(cls, name, made)
    cls._member_map_[name] = made
    try:
        cls._value2member_map_[value] = made
    except TypeError:
        cls._unhashable_.append(made)


def _name(made, name, value):
    _glovebox.object_set(made, '_name_', name)
    _glovebox.object_set(made, 'name', name)
    _glovebox.object_set(made, 'value', value)


def _known(cls, value):
    """The member with this value, or None."""
    try:
        return cls._value2member_map_.get(value)
    except TypeError:
        return next((made for made in cls._unhashable_ if made._value_ == value), None)


def _find(cls, value):
    if type(value) is cls:
        return value
    found = _known(cls, value)
    if found is not None:
        return found
    result = cls._missing_(value)
    if isinstance(result, cls):
        return result
    if cls._is_flag_ and cls._boundary_ is EJECT and isinstance(result, int):
        return result
    if result is None:
        raise ValueError(f'{value!r} is not a valid {cls.__qualname__}')
    raise TypeError(f'error in {cls.__name__}._missing_: returned {result!r} '
                    'instead of None or a valid member')


def _functional(cls, name, names, mixin, start, boundary):
    """The class of a call such as Enum('Color', 'RED GREEN')."""
    if cls._member_names_:
        raise TypeError(f'<enum {name!r}> cannot extend {cls!r}')
    bases = (cls,) if mixin is None else (mixin, cls)
    if isinstance(names, str):
        names = names.replace(',', ' ').split()
    namespace = {}
    generator = _glovebox.class_get(cls, '_generate_next_value_', None)
    if isinstance(generator, staticmethod):
        generator = generator.__func__
    if isinstance(names, dict):
        names = names.items()
    values = []
    for item in names:
        if isinstance(item, str):
            item = item, generator(item, start, len(values), values[:])
        namespace[item[0]] = item[1]
        values.append(item[1])
    return EnumType(name, bases, namespace, boundary=boundary)


class Enum(metaclass=EnumType):
    """A class of named constants."""

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start
        try:
            return max(last_values) + 1
        except TypeError:
            return last_values[-1] + 1

    @classmethod
    def _missing_(cls, value):
        return None

    def __setattr__(self, name, value):
        if name in ('name', 'value'):
            raise AttributeError(f"<enum 'Enum'> cannot set attribute {name!r}")
        found = _glovebox.class_get(type(self), name, None)
        if isinstance(found, _MemberProperty):
            return found.__set__(self, value)
        _glovebox.object_set(self, name, value)

    def __repr__(self):
        cls = type(self)
        data_type = cls._member_type_
        if data_type is object or data_type in _builtin:
            return f'<{cls.__name__}.{self._name_}: {self._value_!r}>'
        return f'<{cls.__name__}.{self._name_}: {_data_repr(data_type, self._value_)}>'

    def __str__(self):
        return f'{type(self).__name__}.{self._name_}'

    def __format__(self, format_spec):
        return str.__format__(str(self), format_spec)

    def __dir__(self):
        return _member_names(self)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _data_repr(data_type, made):
    """How a member of a mixed-in class shows its value."""
    if not isinstance(made, data_type):
        return repr(made)
    if _glovebox.class_get(data_type, '__dataclass_fields__', None) is not None:
        return ', '.join([f'{name}={getattr(made, name)!r}' for name in data_type.__dataclass_fields__])
    return data_type.__repr__(made)


class ReprEnum(Enum):
    """An enumeration whose members look like their values, but for repr."""


class IntEnum(int, ReprEnum):
    """An enumeration whose members are ints."""

    def __str__(self):
        return str(self._value_)

    def __format__(self, format_spec):
        return format(self._value_, format_spec) if format_spec else str(self)

    __repr__ = Enum.__repr__


class StrEnum(str, ReprEnum):
    """An enumeration whose members are strings."""

    def __new__(cls, *values):
        if len(values) > 3:
            raise TypeError(f'too many arguments for str(): {values!r}')
        if len(values) == 1 and not isinstance(values[0], str):
            raise TypeError(f'{values[0]!r} is not a string')
        made = str.__new__(cls, *values)
        _glovebox.object_set(made, '_value_', str(*values))
        return made

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    def __str__(self):
        return self._value_

    def __format__(self, format_spec):
        return format(self._value_, format_spec) if format_spec else str(self)

    __repr__ = Enum.__repr__


def _bits(number, width):
    """number in binary with its sign, as the messages of flags have it."""
    digits = bin(number + (1 << width) if number < 0 else number)[2:]
    sign = '1' if number < 0 else '0'
    return f'0b{sign} {digits.rjust(width, sign)}'


class Flag(Enum, boundary=STRICT):
    """An enumeration whose members combine by the bitwise operators."""

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start if start is not None else 1
        last = max(last_values)
        if not isinstance(last, int):
            raise TypeError(f'invalid flag value {last!r}')
        return 2 ** last.bit_length()

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            raise ValueError(f'{value!r} is not a valid {cls.__qualname__}')
        every = cls._all_bits_
        if not ~every <= value <= every or value & (every ^ cls._flag_mask_):
            if cls._boundary_ is STRICT:
                width = max(value.bit_length(), cls._flag_mask_.bit_length())
                raise ValueError(f'{cls!r} invalid value {value!r}\n    given {_bits(value, width)}\n'
                                 f'  allowed {_bits(cls._flag_mask_, width)}')
            if cls._boundary_ is CONFORM:
                value &= cls._flag_mask_
            elif cls._boundary_ is EJECT:
                return value
        if value < 0:
            value += max(every + 1, 2 ** value.bit_length())
        found = cls._value2member_map_.get(value)
        return _combined(cls, value) if found is None else found

    def __iter__(self):
        return iter([made for made in type(self) if made._value_ & self._value_])

    def __len__(self):
        return self._value_.bit_count()

    def __contains__(self, other):
        if not isinstance(other, type(self)):
            raise TypeError(f"unsupported operand type(s) for 'in': '{type(other).__qualname__}' "
                            f"and '{type(self).__qualname__}'")
        return other._value_ & self._value_ == other._value_

    def __bool__(self):
        return bool(self._value_)

    def __repr__(self):
        cls = type(self)
        if self._name_ is None:
            return f'<{cls.__name__}: {self._value_!r}>'
        return f'<{cls.__name__}.{self._name_}: {self._value_!r}>'

    def __str__(self):
        if self._name_ is None:
            return f'{type(self).__name__}({self._value_!r})'
        return f'{type(self).__name__}.{self._name_}'

    def _operand(self, other):
        """The bits of other, or None if it has none for this flag."""
        if isinstance(other, type(self)):
            return other._value_
        if self._member_type_ is not object and isinstance(other, self._member_type_):
            return int(other)
        return None

    def __or__(self, other):
        bits = self._operand(other)
        return NotImplemented if bits is None else type(self)(self._value_ | bits)

    def __and__(self, other):
        bits = self._operand(other)
        return NotImplemented if bits is None else type(self)(self._value_ & bits)

    def __xor__(self, other):
        bits = self._operand(other)
        return NotImplemented if bits is None else type(self)(self._value_ ^ bits)

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__

    def __invert__(self):
        cls = type(self)
        if cls._boundary_ is KEEP:
            return cls(~self._value_)
        return cls(cls._flag_mask_ & ~self._value_)


def _combined(cls, value):
    """The flag of several members' bits."""
    if cls._member_type_ is object:
        made = _glovebox.new_object(cls)
    else:
        made = cls._member_type_.__new__(cls, value)
    names = [one._name_ for one in cls if one._value_ & value]
    rest = value & ~cls._flag_mask_
    if names and rest:
        names.append(str(rest))
    _glovebox.object_set(made, '_value_', value)
    _name(made, '|'.join(names) if names else None, value)
    cls._value2member_map_[value] = made
    return made


class IntFlag(int, ReprEnum, Flag, boundary=KEEP):
    """A flag whose members are ints."""

    def __str__(self):
        return str(self._value_)

    def __format__(self, format_spec):
        return format(self._value_, format_spec) if format_spec else str(self)

    __repr__ = Flag.__repr__
    __or__ = __ror__ = Flag.__or__
    __and__ = __rand__ = Flag.__and__
    __xor__ = __rxor__ = Flag.__xor__
    __invert__ = Flag.__invert__
    __contains__ = Flag.__contains__
    __bool__ = Flag.__bool__


property = _MemberProperty


def unique(enumeration):
    """Class decorator that refuses two names for one value."""
    aliases = [f'{name} -> {made._name_}' for name, made in enumeration._member_map_.items()
               if name != made._name_]
    if aliases:
        raise ValueError(f"duplicate values found in {enumeration!r}: {', '.join(aliases)}")
    return enumeration


class EnumCheck(StrEnum):
    """What verify can look for."""

    CONTINUOUS = 'no skipped integer values'
    NAMED_FLAGS = 'multi-flag aliases may not contain unnamed flags'
    UNIQUE = 'one name per value'


CONTINUOUS, NAMED_FLAGS, UNIQUE = EnumCheck


class verify:
    """Class decorator that refuses what does not pass the checks."""

    def __init__(self, *checks):
        self.checks = checks

    def __call__(self, enumeration):
        for check in self.checks:
            if check is UNIQUE:
                _verify_unique(enumeration)
            elif check is CONTINUOUS:
                _verify_continuous(enumeration)
            elif check is NAMED_FLAGS:
                _verify_named(enumeration)
        return enumeration


def _verify_unique(enumeration):
    aliases = [f'{name} -> {made._name_}' for name, made in enumeration._member_map_.items() if name != made._name_]
    if aliases:
        raise ValueError(f"aliases found in {enumeration!r}: {', '.join(aliases)}")


def _verify_continuous(enumeration):
    values = {made.value for made in enumeration}
    if len(values) < 2:
        return
    low, high = min(values), max(values)
    kind = 'flag' if issubclass(enumeration, Flag) else 'enum'
    if kind == 'flag':
        missing = [1 << bit for bit in range(low.bit_length(), high.bit_length() - 1) if 1 << bit not in values]
    else:
        missing = [value for value in range(low + 1, high) if value not in values]
    if missing:
        message = f"invalid {kind} {enumeration.__name__!r}: missing values {', '.join(map(str, missing))}"
        raise ValueError(message[:256])


def _verify_named(enumeration):
    values = {made.value for made in enumeration}
    names, bits = [], 0
    for name, alias in enumeration._member_map_.items():
        if name in enumeration._member_names_ or alias.value < 0:
            continue
        missed = [bit for bit in show_flag_values(alias.value) if bit not in values]
        if missed:
            names.append(name)
            bits |= sum(missed)
    if not names:
        return
    who = f'alias {names[0]} is missing'
    if len(names) > 1:
        who = f"aliases {', '.join(names[:-1])} and {names[-1]} are missing"
    what = f'value 0x{bits:x}' if bits & bits - 1 == 0 else f'combined values of 0x{bits:x}'
    raise ValueError(f'invalid Flag {enumeration.__name__!r}: {who} {what} [use enum.show_flag_values(value) for details]')


def show_flag_values(value):
    """The bits of a value, lowest first."""
    return [1 << bit for bit in range(value.bit_length()) if value >> bit & 1]
