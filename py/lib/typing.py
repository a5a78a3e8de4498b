"""typing: names for annotations. They exist and combine; nothing checks them at run time."""

import _glovebox

TYPE_CHECKING = False
_missing = object()


def _shown(value):
    """How a type looks inside the brackets of another."""
    if isinstance(value, type):
        name = value.__qualname__
        return name if value.__module__ == 'builtins' else f'{value.__module__}.{name}'
    if value is ...:
        return '...'
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    return repr(value)


class ForwardRef:
    """A type given as a string."""

    def __init__(self, arg):
        self.__forward_arg__ = arg

    def __eq__(self, other):
        if not isinstance(other, ForwardRef):
            return NotImplemented
        return self.__forward_arg__ == other.__forward_arg__

    def __hash__(self):
        return hash(self.__forward_arg__)

    def __repr__(self):
        return f'ForwardRef({self.__forward_arg__!r})'


def _type(value):
    """value as it is kept among the arguments of another type."""
    if value is None:
        return type(None)
    if isinstance(value, str):
        return ForwardRef(value)
    return [_type(one) for one in value] if isinstance(value, list) else value


class _Special:
    """A name such as Optional or List, alone."""

    def __init__(self, name, origin=None):
        self._form = self._name = name
        self.__origin__ = origin

    def __getitem__(self, params):
        if not isinstance(params, tuple):
            params = (params,)
        if self._form == 'Optional':
            if len(params) != 1:
                raise TypeError(f'typing.Optional requires a single type. Got {params!r}.')
            return Union[params[0], None]
        if self._form == 'Union':
            return _union(params)
        if self._form == 'Callable':
            params = tuple(map(_type, params))
            return _Alias(self, (*(params[0] if isinstance(params[0], list) else params[:1]), *params[1:]), params)
        if self._form == 'Literal':
            return _Alias(self, params)
        if self._form == 'Annotated':
            return _Alias(self, (_type(params[0]), *params[1:]))
        return _Alias(self, tuple(map(_type, params)))

    def __call__(self, *args, **keywords):
        if self._form in _builtin_forms:
            raise TypeError(f'Type {self._form} cannot be instantiated; use {_builtin_forms[self._form]}() instead')
        if self._form == 'Any':
            raise TypeError('Any cannot be instantiated')
        if _origin(self) is None:
            raise TypeError(f'Cannot instantiate {self!r}')
        return self.__origin__(*args, **keywords)

    def __repr__(self):
        return f'typing.{self._form}'

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __mro_entries__(self, bases):
        return _bases_of(self)

    def __instancecheck__(self, instance):
        return self.__subclasscheck__(type(instance))

    def __subclasscheck__(self, cls):
        origin = _origin(self)
        if origin is None:
            raise TypeError(f'{self!r} cannot be used with isinstance()')
        return issubclass(cls, origin)


class _Alias:
    """A name with its brackets, such as List[int]."""

    def __init__(self, special, args, params=None):
        self._form = special._form
        self._special = special
        self._params = args if params is None else params
        self.__args__ = args

    @property
    def __origin__(self):
        return _origin(self._special) or self._special

    @property
    def __parameters__(self):
        found = []
        for one in self.__args__:
            for variable in (one,) if isinstance(one, TypeVar) else getattr(one, '__parameters__', ()):
                if variable not in found:
                    found.append(variable)
        return tuple(found)

    @property
    def __metadata__(self):
        return self.__args__[1:]

    def __getitem__(self, params):
        if not isinstance(params, tuple):
            params = (params,)
        given = dict(zip(self.__parameters__, params))
        return self._special[tuple([given.get(one, one) if isinstance(one, TypeVar) else one for one in self.__args__])]

    def __call__(self, *args, **keywords):
        return self._special(*args, **keywords)

    def __repr__(self):
        params = self._params
        if self._form == 'Literal':
            return f"typing.Literal[{', '.join(map(repr, params))}]"
        if self._form == 'Union' and len(params) == 2 and type(None) in params:
            other = params[0] if params[1] is type(None) else params[1]
            return f'typing.Optional[{_shown(other)}]'
        if self._form == 'Annotated':
            return f"typing.Annotated[{', '.join([_shown(params[0]), *map(repr, params[1:])])}]"
        return f"typing.{self._form}[{', '.join(map(_shown, params))}]"

    def __eq__(self, other):
        if self._form == 'Union' and isinstance(other, _glovebox.UnionType):
            return set(self.__args__) == set(other.__args__)
        if not isinstance(other, _Alias) or other._form != self._form:
            return NotImplemented
        if self._form in ('Union', 'Literal'):
            return set(self.__args__) == set(other.__args__)
        return self.__args__ == other.__args__

    def __hash__(self):
        if self._form in ('Union', 'Literal'):
            return hash((self._form, frozenset(self.__args__)))
        return hash((self._form, self.__args__))

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __mro_entries__(self, bases):
        return _bases_of(self._special)

    def __instancecheck__(self, instance):
        if self._form == 'Union':
            return isinstance(instance, self.__args__)
        raise TypeError('Subscripted generics cannot be used with class and instance checks')

    def __subclasscheck__(self, cls):
        if self._form == 'Union':
            return issubclass(cls, self.__args__)
        raise TypeError('Subscripted generics cannot be used with class and instance checks')


def _union(params):
    """The union of the types, flat and without repetitions."""
    if not params:
        raise TypeError('Cannot take a Union of no types.')
    found = []
    for one in params:
        one = _type(one)
        joined = isinstance(one, _glovebox.UnionType) or getattr(one, '_form', None) == 'Union'
        for part in one.__args__ if joined else (one,):
            if part not in found:
                found.append(part)
    return found[0] if len(found) == 1 else _Alias(Union, tuple(found))


_builtin_forms = {'List': 'list', 'Dict': 'dict', 'Set': 'set', 'FrozenSet': 'frozenset', 'Tuple': 'tuple', 'Type': 'type'}
_collections_forms = {'DefaultDict': 'defaultdict', 'OrderedDict': 'OrderedDict', 'Counter': 'Counter',
                      'Deque': 'deque', 'ChainMap': 'ChainMap'}
_abc_forms = ('Iterable', 'Iterator', 'Generator', 'Reversible', 'Container', 'Collection', 'Callable',
              'Mapping', 'MutableMapping', 'Sequence', 'MutableSequence', 'AbstractSet', 'MutableSet',
              'KeysView', 'ItemsView', 'ValuesView', 'MappingView', 'Hashable', 'Sized', 'ByteString', 'Awaitable',
              'Coroutine', 'AsyncIterable', 'AsyncIterator', 'AsyncGenerator')


def _origin(special):
    """The class at run time behind a name, or None."""
    if special.__origin__ is None:
        name = special._form
        if name in _collections_forms:
            import collections
            special.__origin__ = getattr(collections, _collections_forms[name])
        elif name in _abc_forms:
            from collections import abc
            special.__origin__ = getattr(abc, 'Set' if name == 'AbstractSet' else name)
    return special.__origin__


def _bases_of(special):
    origin = _origin(special)
    return () if origin is None else (origin,)


Any = _Special('Any')
Union = _Special('Union')
Optional = _Special('Optional')
Literal = _Special('Literal')
Final = _Special('Final')
ClassVar = _Special('ClassVar')
Annotated = _Special('Annotated')
Concatenate = _Special('Concatenate')
Required = _Special('Required')
NotRequired = _Special('NotRequired')
Unpack = _Special('Unpack')
TypeGuard = _Special('TypeGuard')
TypeAlias = _Special('TypeAlias')
NoReturn = _Special('NoReturn')
Never = _Special('Never')
Self = _Special('Self')
LiteralString = _Special('LiteralString')
List = _Special('List', list)
Dict = _Special('Dict', dict)
Set = _Special('Set', set)
FrozenSet = _Special('FrozenSet', frozenset)
Tuple = _Special('Tuple', tuple)
Type = _Special('Type', type)
DefaultDict = _Special('DefaultDict')
OrderedDict = _Special('OrderedDict')
Counter = _Special('Counter')
Deque = _Special('Deque')
ChainMap = _Special('ChainMap')
Iterable = _Special('Iterable')
Iterator = _Special('Iterator')
Generator = _Special('Generator')
Reversible = _Special('Reversible')
Container = _Special('Container')
Collection = _Special('Collection')
Callable = _Special('Callable')
Mapping = _Special('Mapping')
MutableMapping = _Special('MutableMapping')
Sequence = _Special('Sequence')
MutableSequence = _Special('MutableSequence')
AbstractSet = _Special('AbstractSet')
MutableSet = _Special('MutableSet')
KeysView = _Special('KeysView')
ItemsView = _Special('ItemsView')
ValuesView = _Special('ValuesView')
MappingView = _Special('MappingView')
Hashable = _Special('Hashable')
Sized = _Special('Sized')
ByteString = _Special('ByteString')
Awaitable = _Special('Awaitable')
Coroutine = _Special('Coroutine')
AsyncIterable = _Special('AsyncIterable')
AsyncIterator = _Special('AsyncIterator')
AsyncGenerator = _Special('AsyncGenerator')
Pattern = _Special('Pattern')
Match = _Special('Match')
IO = _Special('IO')
TextIO = _Special('TextIO')
BinaryIO = _Special('BinaryIO')
Text = str


class TypeVar:
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        if covariant and contravariant:
            raise ValueError('Bivariant types are not supported.')
        if len(constraints) == 1:
            raise TypeError('A single constraint is not allowed')
        self.__name__ = name
        self.__constraints__ = constraints
        self.__bound__ = bound
        self.__covariant__ = covariant
        self.__contravariant__ = contravariant

    def __typing_subst__(self, arg):
        return arg

    def __repr__(self):
        sign = '+' if self.__covariant__ else '-' if self.__contravariant__ else '~'
        return sign + self.__name__

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]


class ParamSpec(TypeVar):
    @property
    def args(self):
        return self

    kwargs = args


class TypeVarTuple:
    def __init__(self, name):
        self.__name__ = name

    def __iter__(self):
        yield Unpack[self]

    def __repr__(self):
        return self.__name__


AnyStr = TypeVar('AnyStr', bytes, str)


class NewType:
    def __init__(self, name, tp):
        self.__name__ = self.__qualname__ = name
        self.__supertype__ = tp

    def __call__(self, value, /):
        return value

    def __repr__(self):
        return f'__main__.{self.__name__}'

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]


class Generic:
    """Base of generic classes, such as Stack[int]."""

    __slots__ = ()

    def __class_getitem__(cls, params):
        return _glovebox.GenericAlias(cls, params)


class _ProtocolMeta(type):
    def __call__(cls, *args, **keywords):
        if _glovebox.class_own(cls).get('_is_protocol'):
            raise TypeError('Protocols cannot be instantiated')
        return super().__call__(*args, **keywords)

    def __instancecheck__(cls, instance):
        if not _glovebox.class_own(cls).get('_is_protocol'):
            return super().__instancecheck__(instance)
        if not _glovebox.class_own(cls).get('_is_runtime_protocol'):
            raise TypeError('Instance and class checks can only be used with @runtime_checkable protocols')
        return super().__instancecheck__(instance) or all([hasattr(instance, name) for name in _members(cls)])

    def __subclasscheck__(cls, other):
        if not _glovebox.class_own(cls).get('_is_protocol'):
            return super().__subclasscheck__(other)
        if not _glovebox.class_own(cls).get('_is_runtime_protocol'):
            raise TypeError('Instance and class checks can only be used with @runtime_checkable protocols')
        return super().__subclasscheck__(other) or all([hasattr(other, name) for name in _members(cls)])


class Protocol(metaclass=_ProtocolMeta):
    """Base of classes that say which members others must have."""

    __slots__ = ()
    _is_protocol = True

    def __class_getitem__(cls, params):
        return _glovebox.GenericAlias(cls, params)

    def __init_subclass__(cls, **keywords):
        super().__init_subclass__(**keywords)
        _glovebox.class_set(cls, '_is_protocol', Protocol in _glovebox.class_bases(cls))


def _members(cls):
    """The names that a protocol asks for."""
    names = []
    for base in _glovebox.class_mro(cls):
        namespace = _glovebox.class_own(base)
        if base is not Protocol and namespace.get('_is_protocol'):
            names.extend(namespace)
            names.extend(_glovebox.class_annotations(base))
    return [name for name in names if name not in _not_members]


_not_members = frozenset((
    '_is_protocol', '_is_runtime_protocol', '__module__', '__qualname__', '__doc__', '__annotations__', '__dict__',
    '__weakref__', '__init__', '__slots__', '__parameters__', '__orig_bases__', '__abstractmethods__', '__hash__',
    '__init_subclass__', '__class_getitem__', '_abc_impl', '__subclasshook__', '__new__', '__match_args__'))


def runtime_checkable(cls):
    """Class decorator that lets isinstance look for a protocol's members."""
    if not _glovebox.class_own(cls).get('_is_protocol'):
        raise TypeError(f'@runtime_checkable can be only applied to protocol classes, got {cls!r}')
    _glovebox.class_set(cls, '_is_runtime_protocol', True)
    return cls


@runtime_checkable
class SupportsInt(Protocol):
    def __int__(self): ...


@runtime_checkable
class SupportsFloat(Protocol):
    def __float__(self): ...


@runtime_checkable
class SupportsIndex(Protocol):
    def __index__(self): ...


@runtime_checkable
class SupportsAbs(Protocol):
    def __abs__(self): ...


class _NamedTupleMeta(type):
    def __new__(metacls, name, bases, namespace):
        if not bases:
            return _glovebox.new_class(name, bases, namespace, metacls)
        annotations = namespace.get('__annotations__', {})
        defaults = {}
        for field in annotations:
            if field in namespace:
                defaults[field] = namespace[field]
            elif defaults:
                raise TypeError(f'Non-default namedtuple field {field} cannot follow default '
                                f"field{'s' if len(defaults) > 1 else ''} {', '.join(defaults)}")
        extra = {key: value for key, value in namespace.items() if key not in annotations}
        for key in extra:
            if key in ('__new__', '__init__', '__slots__', '__getnewargs__', '_fields', '_field_defaults',
                       '_field_types', '_make', '_replace', '_asdict', '_source'):
                raise AttributeError(f'Cannot overwrite NamedTuple attribute {key}')
        from collections import _tuple_class, _check_names
        _check_names(name, list(annotations), False)
        return _tuple_class(name, tuple(annotations), defaults, None, extra)

    def __init__(cls, name, bases, namespace):
        pass

    def __call__(cls, typename, fields=(), /, **keywords):
        import collections
        fields = list(fields or keywords.items())
        made = collections.namedtuple(typename, [name for name, _ in fields])
        _glovebox.class_set(made, '__annotations__', dict(fields))
        return made


class NamedTuple(metaclass=_NamedTupleMeta):
    """Base of classes of tuples whose items have names and types."""


class _TypedDictMeta(type):
    def __new__(metacls, name, bases, namespace, total=True):
        if not bases:
            return _glovebox.new_class(name, bases, namespace, metacls)
        own = namespace.get('__annotations__', {})
        annotations = {}
        required, optional = set(), set()
        for base in bases:
            namespace_of_base = _glovebox.class_own(base)
            annotations.update(namespace_of_base.get('__annotations__', {}))
            required.update(namespace_of_base.get('__required_keys__', ()))
            optional.update(namespace_of_base.get('__optional_keys__', ()))
        for key, annotation in own.items():
            form = getattr(annotation, '_form', None)
            needed = form == 'Required' or total and form != 'NotRequired'
            (required if needed else optional).add(key)
        namespace['__annotations__'] = {**annotations, **own}
        namespace['__required_keys__'] = frozenset(required)
        namespace['__optional_keys__'] = frozenset(optional)
        namespace['__total__'] = total
        return _glovebox.new_class(name, (dict,), namespace, metacls)

    def __init__(cls, name, bases, namespace, total=True):
        pass

    def __call__(cls, *args, **keywords):
        if cls is TypedDict:
            total = keywords.pop('total', True)
            name, fields = args if len(args) == 2 else (args[0], keywords)
            return _TypedDictMeta(name, (TypedDict,), {'__annotations__': dict(fields)}, total=total)
        return dict(*args, **keywords)

    def __instancecheck__(cls, instance):
        raise TypeError('TypedDict does not support instance and class checks')

    __subclasscheck__ = __instancecheck__


class TypedDict(metaclass=_TypedDictMeta):
    """Base of classes that describe dictionaries; calling one makes a plain dict."""


def cast(typ, val):
    """val, whatever it is."""
    return val


def overload(func):
    """Marks one of several signatures; the last definition without it counts."""
    def overloaded(*args, **keywords):
        raise NotImplementedError('You should not call an overloaded function. '
                                  'A series of @overload-decorated functions outside a stub module '
                                  'should always be followed by an implementation that is not @overload-ed.')
    return overloaded


def final(f):
    return f


def no_type_check(arg):
    return arg


def dataclass_transform(**options):
    return lambda cls_or_fn: cls_or_fn


def assert_type(val, typ, /):
    return val


def reveal_type(obj, /):
    return obj


def assert_never(arg, /):
    raise AssertionError(f'Expected code to be unreachable, but got: {arg!r}')


def get_origin(tp):
    """The class or form before the brackets, or None."""
    if isinstance(tp, _Alias):
        return Annotated if tp._form == 'Annotated' else tp.__origin__
    if isinstance(tp, _glovebox.UnionType):
        return _glovebox.UnionType
    if isinstance(tp, type) or isinstance(tp, _Special):
        return None
    return getattr(tp, '__origin__', None)


def get_args(tp):
    """What is in the brackets, or ()."""
    if isinstance(tp, _Alias):
        if tp._form == 'Callable' and isinstance(tp._params[0], list):
            return (list(tp._params[0]), *tp._params[1:])
        return tp.__args__
    return () if isinstance(tp, (type, _Special)) else getattr(tp, '__args__', ())


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    """The annotations of a class and its bases, or of a function, with what texts stand for."""
    names = {**(globalns or {}), **(localns or {})}
    if isinstance(obj, type):
        hints = {}
        for base in reversed(_glovebox.class_mro(obj)):
            hints.update(_glovebox.class_annotations(base))
    else:
        hints = getattr(obj, '__annotations__', None)
        if hints is None:
            raise TypeError(f'{obj!r} is not a module, class, method, or function.')
    return {name: _hint(value, names, include_extras) for name, value in hints.items()}


def _hint(value, names, extras):
    """A type without texts in it, and without what only checkers read."""
    if value is None:
        return type(None)
    if isinstance(value, ForwardRef):
        value = value.__forward_arg__
    if isinstance(value, str):
        value = names[value] if value in names else _glovebox.type_of(value)
        return _hint(value, names, extras)
    if isinstance(value, _Alias):
        if value._form in ('Annotated', 'Required', 'NotRequired') and not extras:
            return _hint(value.__args__[0], names, extras)
        if value._form in ('Literal', 'Callable', 'Annotated'):
            return value
        args = tuple([_hint(arg, names, extras) for arg in value.__args__])
        return value if args == value.__args__ else value._special[args]
    if isinstance(value, _glovebox.UnionType):
        args = [_hint(arg, names, extras) for arg in value.__args__]
        whole = args[0]
        for arg in args[1:]:
            whole = whole | arg
        return whole
    if isinstance(value, _glovebox.GenericAlias):
        args = tuple([arg if arg is ... or isinstance(arg, list) else _hint(arg, names, extras) for arg in value.__args__])
        return _glovebox.GenericAlias(value.__origin__, args)
    return value


def is_typeddict(tp):
    return isinstance(tp, _TypedDictMeta) and tp is not TypedDict
