"""dataclasses: classes made from their annotated fields."""

import _glovebox
from _arguments import bind as _bind
from _repr import guarded as _guarded


class FrozenInstanceError(AttributeError):
    pass


class _MISSING_TYPE:
    pass


class _HAS_DEFAULT_FACTORY_CLASS:
    def __repr__(self):
        return '<factory>'


class KW_ONLY:
    pass


MISSING = _MISSING_TYPE()
_from_factory = _HAS_DEFAULT_FACTORY_CLASS()
_field, _pseudo_field, _class_variable = '_FIELD', '_FIELD_INITVAR', '_FIELD_CLASSVAR'


class InitVar:
    """A parameter of the constructor that goes to __post_init__ only."""

    def __init__(self, type):
        self.type = type

    def __class_getitem__(cls, type):
        return InitVar(type)

    def __repr__(self):
        name = self.type.__name__ if isinstance(self.type, type) else repr(self.type)
        return f'dataclasses.InitVar[{name}]'


class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.metadata = {} if metadata is None else metadata
        self.kw_only = kw_only
        self._field_type = None

    def __repr__(self):
        return (f'Field(name={self.name!r},type={self.type!r},default={self.default!r},'
                f'default_factory={self.default_factory!r},init={self.init!r},repr={self.repr!r},'
                f'hash={self.hash!r},compare={self.compare!r},metadata=mappingproxy({self.metadata!r}),'
                f'kw_only={self.kw_only!r},_field_type={self._field_type})')


class _Params:
    def __init__(self, **options):
        for name, value in options.items():
            setattr(self, name, value)

    def __repr__(self):
        return (f'_DataclassParams(init={self.init!r},repr={self.repr!r},eq={self.eq!r},'
                f'order={self.order!r},unsafe_hash={self.unsafe_hash!r},frozen={self.frozen!r})')


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True,
          hash=None, compare=True, metadata=None, kw_only=MISSING):
    """Say more about a field than its annotation and default."""
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError('cannot specify both default and default_factory')
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False,
              frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False):
    """Class decorator that adds the methods that follow from the fields."""
    params = _Params(init=init, repr=repr, eq=eq, order=order, unsafe_hash=unsafe_hash, frozen=frozen)

    def decorate(cls):
        _process(cls, params, match_args, kw_only)
        if slots:
            _add_slots(cls)
        elif weakref_slot:
            raise TypeError('weakref_slot is True but slots is False')
        return cls
    return decorate if cls is None else decorate(cls)


def _process(cls, params, match_args, kw_only):
    fields = _inherited(cls, params)
    own = _own_fields(cls, kw_only)
    for one in own:
        fields[one.name] = one
        if one.default is not MISSING:
            setattr(cls, one.name, one.default)
        elif isinstance(_glovebox.class_own(cls).get(one.name), Field):
            delattr(cls, one.name)
    for name, value in _glovebox.class_own(cls).items():
        if isinstance(value, Field) and name not in fields:
            raise TypeError(f'{name!r} is a field but has no type annotation')
    _glovebox.class_set(cls, '__dataclass_fields__', fields)
    _glovebox.class_set(cls, '__dataclass_params__', params)
    if params.order and not params.eq:
        raise ValueError('eq must be true if order is true')
    given = _glovebox.class_own(cls)
    real = [one for one in fields.values() if one._field_type is _field]
    _add_methods(cls, params, given, fields, real)
    if match_args and '__match_args__' not in given:
        _glovebox.class_set(cls, '__match_args__', tuple(
            [one.name for one in fields.values() if one.init and not one.kw_only and one._field_type is not _class_variable]))
    return cls


def _add_slots(cls):
    """Let instances have the fields as attributes and no others."""
    own = _glovebox.class_own(cls)
    if '__slots__' in own:
        raise TypeError(f'{cls.__name__} already specifies __slots__')
    inherited = set()
    for base in _glovebox.class_mro(cls)[1:]:
        names = _glovebox.class_own(base).get('__slots__', ())
        inherited.update((names,) if isinstance(names, str) else names)
    names = [one.name for one in fields(cls)]
    for name in names:
        if name in own:
            type.__delattr__(cls, name)
    _glovebox.class_set(cls, '__slots__', tuple([name for name in names if name not in inherited]))


def _inherited(cls, params):
    """The fields of the base classes, in order."""
    fields = {}
    frozen = set()
    for base in _glovebox.class_mro(cls)[:0:-1]:
        namespace = _glovebox.class_own(base)
        if '__dataclass_fields__' in namespace:
            fields.update(namespace['__dataclass_fields__'])
            frozen.add(namespace['__dataclass_params__'].frozen)
    if True in frozen and not params.frozen:
        raise TypeError('cannot inherit non-frozen dataclass from a frozen one')
    if False in frozen and params.frozen:
        raise TypeError('cannot inherit frozen dataclass from a non-frozen one')
    return fields


def _own_fields(cls, kw_only):
    fields = []
    namespace = _glovebox.class_own(cls)
    marked = False
    for name, annotation in _glovebox.class_annotations(cls).items():
        if annotation is KW_ONLY or annotation in ('KW_ONLY', 'dataclasses.KW_ONLY'):
            if marked:
                raise TypeError(f'{name!r} is KW_ONLY, but KW_ONLY has already been specified')
            marked = kw_only = True
            continue
        fields.append(_own_field(name, annotation, namespace.get(name, MISSING), kw_only))
    return fields


def _own_field(name, annotation, default, kw_only):
    one = default
    if not isinstance(default, Field):
        one = Field(default, MISSING, True, True, None, True, None, MISSING)
    one.name = name
    one.type = annotation
    one._field_type = _kind(annotation)
    if one._field_type is not _field and one.default_factory is not MISSING:
        raise TypeError(f'field {name} cannot have a default factory')
    if one._field_type is _class_variable:
        if one.kw_only is not MISSING:
            raise TypeError(f'field {name} is a ClassVar but specifies kw_only')
    elif one.kw_only is MISSING:
        one.kw_only = kw_only
    kind = type(one.default)
    if one._field_type is _field and (
            isinstance(one.default, (list, dict, set)) or _glovebox.class_get(kind, '__hash__', True) is None):
        raise ValueError(f'mutable default {kind} for field {name} is not allowed: use default_factory')
    return one


def _kind(annotation):
    """Which of the three kinds of fields the annotation makes."""
    if isinstance(annotation, str):
        word = annotation.split('[')[0].strip()
        if word in ('ClassVar', 'typing.ClassVar', 't.ClassVar'):
            return _class_variable
        if word in ('InitVar', 'dataclasses.InitVar'):
            return _pseudo_field
        return _field
    if annotation is InitVar or isinstance(annotation, InitVar):
        return _pseudo_field
    if getattr(annotation, '_form', None) == 'ClassVar':
        return _class_variable
    return _field


def _add_methods(cls, params, given, fields, real):
    def add(name, method, doubled=None):
        if name not in given:
            method.__name__ = name
            method.__qualname__ = f'{cls.__qualname__}.{name}'
            _glovebox.class_set(cls, name, method)
        elif doubled:
            raise TypeError(doubled)

    if params.init:
        add('__init__', _constructor(cls, params, fields))
    if params.repr:
        add('__repr__', _representation([one.name for one in real if one.repr]))
    compared = tuple([one.name for one in real if one.compare])
    if params.eq:
        add('__eq__', _comparison(_glovebox.fields_eq, compared, lambda a, b: a == b))
    if params.order:
        for name, by_fields, operation in (('__lt__', _glovebox.fields_lt, lambda a, b: a < b),
                                           ('__le__', _glovebox.fields_le, lambda a, b: a <= b),
                                           ('__gt__', _glovebox.fields_gt, lambda a, b: a > b),
                                           ('__ge__', _glovebox.fields_ge, lambda a, b: a >= b)):
            add(name, _comparison(by_fields, compared, operation),
                f'Cannot overwrite attribute {name} in class {cls.__name__}. Consider using functools.total_ordering')
    if params.frozen:
        for name, method in _freezing(cls, {one.name for one in real}).items():
            add(name, method, f'Cannot overwrite attribute {name} in class {cls.__name__}')
    _add_hash(cls, params, given, real)


def _add_hash(cls, params, given, real):
    own = given.get('__hash__', MISSING)
    explicit = not (own is MISSING or own is None and '__eq__' in given)
    names = [one.name for one in real if (one.compare if one.hash is None else one.hash)]
    if params.unsafe_hash:
        if explicit:
            raise TypeError(f'Cannot overwrite attribute __hash__ in class {cls.__name__}')
        _glovebox.class_set(cls, '__hash__', _hashing(names))
    elif params.eq and not explicit:
        _glovebox.class_set(cls, '__hash__', _hashing(names) if params.frozen else None)


def _constructor(cls, params, fields):
    accepted = [one for one in fields.values() if one.init and one._field_type is not _class_variable]
    positional = [one for one in accepted if not one.kw_only]
    keyword_only = [one for one in accepted if one.kw_only]
    defaults = {}
    for one in accepted:
        if one.default is not MISSING:
            defaults[one.name] = one.default
        elif one.default_factory is not MISSING:
            defaults[one.name] = _from_factory
    optional = False
    for one in positional:
        if optional and one.name not in defaults:
            raise TypeError(f'non-default argument {one.name!r} follows default argument')
        optional = one.name in defaults

    qualname = f'{cls.__qualname__}.__init__'
    names = tuple([one.name for one in positional])
    keyword_names = tuple([one.name for one in keyword_only])
    stored = names + keyword_names
    size = -1 if keyword_names else len(names)
    factories = {one.name: one.default_factory for one in fields.values() if one.default_factory is not MISSING}
    made = [(place, factories[name]) for place, name in enumerate(stored) if name in factories]
    late = [one.name for one in fields.values() if not one.init and one.name in factories]
    passed = [one.name for one in fields.values() if one._field_type is _pseudo_field]
    stored_only = [name for name in stored if name not in passed] + late
    direct = params.frozen or _stores_directly(cls, stored_only)
    plain = direct and not passed and not late
    fill = _glovebox.object_fill

    bound = _glovebox.bound_fields
    after = hasattr(cls, '__post_init__')
    filled = _glovebox.fill_fields
    shape = (None if params.frozen else cls, stored, len(names), tuple([defaults.get(name, MISSING) for name in stored]),
             tuple([factories.get(name) for name in stored]), MISSING) if plain and not after else None

    def __init__(self, /, *given, **keywords):
        if filled(self, shape, given, keywords):
            return
        args = given
        if keywords or len(given) != size:
            args = bound(stored, len(names), defaults, given, keywords)
            if args is None:
                args = _bind(qualname, names, keyword_names, defaults, given, keywords)
        for place, make in made:
            if args[place] is _from_factory:
                args[place] = make()
        if plain and (params.frozen or type(self) is cls):
            fill(self, stored, args)
            if after:
                self.__post_init__()
            return
        values = dict(zip(stored, args))
        for name in late:
            values[name] = factories[name]()
        if params.frozen or direct and type(self) is cls:
            fill(self, stored_only, [values[name] for name in stored_only])
        else:
            for name in stored_only:
                setattr(self, name, values[name])
        if after:
            self.__post_init__(*[values[name] if name in values else fields[name].default for name in passed])

    return __init__


def _stores_directly(cls, names):
    """Whether nothing in cls asks to see its attributes being set."""
    for base in _glovebox.class_mro(cls):
        if base is not object and '__setattr__' in _glovebox.class_own(base):
            return False
    return not any(isinstance(_glovebox.class_get(cls, name, None), property) for name in names)


def _representation(names):
    plain = _glovebox.fields_repr

    def render(self):
        return f"{type(self).__qualname__}({', '.join([f'{name}={getattr(self, name)!r}' for name in names])})"

    def __repr__(self):
        text = plain(self, names)
        return _guarded(self, '...', render) if text is None else text
    __repr__._generated = True
    return __repr__


def _comparison(by_fields, names, operation):
    def slow(self, other):
        return operation(_values(self, names), _values(other, names))

    def compare(self, other):
        return by_fields(self, other, names, slow)
    return compare


def _values(obj, names):
    """The attributes of those names, as a tuple."""
    values = _glovebox.object_values(obj, names)
    return tuple([getattr(obj, name) for name in names]) if values is None else values


def _hashing(names):
    def __hash__(self):
        return hash(_values(self, names))
    return __hash__


def _freezing(cls, names):
    def __setattr__(self, name, value):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f'cannot assign to field {name!r}')
        super(cls, self).__setattr__(name, value)

    def __delattr__(self, name):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f'cannot delete field {name!r}')
        super(cls, self).__delattr__(name)
    return {'__setattr__': __setattr__, '__delattr__': __delattr__}


def _fields_of(obj):
    cls = obj if isinstance(obj, type) else type(obj)
    return _glovebox.class_get(cls, '__dataclass_fields__', None)


def fields(class_or_instance):
    """The fields, in order."""
    found = _fields_of(class_or_instance)
    if found is None:
        raise TypeError('must be called with a dataclass type or instance')
    return tuple([one for one in found.values() if one._field_type is _field])


def is_dataclass(obj):
    """Whether obj is a dataclass or an instance of one."""
    return _fields_of(obj) is not None


def _is_instance(obj):
    return not isinstance(obj, type) and _fields_of(obj) is not None


_atomic = frozenset((int, str, float, bool, bytes, type(None)))


def asdict(obj, *, dict_factory=dict):
    """The fields as a dictionary, also within their values."""
    if not _is_instance(obj):
        raise TypeError('asdict() should be called on dataclass instances')
    return _converted(obj, lambda names, values: dict_factory([*zip(names, values)]), dict_factory)


def astuple(obj, *, tuple_factory=tuple):
    """The fields as a tuple, also within their values."""
    if not _is_instance(obj):
        raise TypeError('astuple() should be called on dataclass instances')
    return _converted(obj, lambda names, values: tuple_factory(values), None)


def _converted(obj, build, dict_factory):
    kind = type(obj)
    if kind in _atomic:
        return obj
    found = None if isinstance(obj, type) else _fields_of(obj)
    if found is not None:
        names = [one.name for one in found.values() if one._field_type is _field]
        values = []
        for name in names:
            value = getattr(obj, name)
            values.append(value if type(value) in _atomic else _converted(value, build, dict_factory))
        return build(names, values)
    if isinstance(obj, (list, tuple)):
        items = [_converted(item, build, dict_factory) for item in obj]
        if kind is list:
            return items
        return kind(*items) if hasattr(obj, '_fields') else kind(items)
    if isinstance(obj, dict):
        items = [(_converted(key, build, dict_factory), _converted(value, build, dict_factory))
                 for key, value in obj.items()]
        return kind(items)
    from copy import deepcopy
    return deepcopy(obj)


def replace(obj, /, **changes):
    """A new object of the same class with some fields changed."""
    if not _is_instance(obj):
        raise TypeError('replace() should be called on dataclass instances')
    for one in _fields_of(obj).values():
        if one._field_type is _class_variable:
            continue
        if not one.init:
            if one.name in changes:
                raise ValueError(f'field {one.name} is declared with init=False, '
                                 'it cannot be specified with replace()')
        elif one.name not in changes:
            if one._field_type is _pseudo_field and one.default is MISSING:
                raise ValueError(f'InitVar {one.name!r} must be specified with replace()')
            changes[one.name] = getattr(obj, one.name)
    return type(obj)(**changes)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    """A dataclass from a list of names, (name, type) and (name, type, default)."""
    annotations = {}
    own = dict(namespace or {})
    for item in fields:
        if isinstance(item, str):
            item = item, 'typing.Any'
        if not isinstance(item[0], str) or not item[0].isidentifier():
            raise TypeError(f'Field names must be valid identifiers: {item[0]!r}')
        if item[0] in annotations:
            raise TypeError(f'Field name duplicated: {item[0]!r}')
        annotations[item[0]] = item[1]
        if len(item) == 3:
            own[item[0]] = item[2]
    own['__annotations__'] = annotations
    return dataclass(**options)(_glovebox.new_class(cls_name, bases, own))
