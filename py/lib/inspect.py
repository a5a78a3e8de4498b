"""inspect: what kind of thing something is. Nothing here looks into code."""

import dataclasses as _dataclasses
import enum as _enum

import _glovebox
import _loop
import types as _types


def ismodule(object):
    return isinstance(object, _types.ModuleType)


def isclass(object):
    return isinstance(object, type)


def ismethod(object):
    return isinstance(object, _types.MethodType)


def isfunction(object):
    return isinstance(object, _types.FunctionType)


def isbuiltin(object):
    return isinstance(object, _types.BuiltinFunctionType)


def isroutine(object):
    return isbuiltin(object) or isfunction(object) or ismethod(object)


def isgenerator(object):
    return isinstance(object, _types.GeneratorType)


def isasyncgen(object):
    return isinstance(object, _types.AsyncGeneratorType)


def iscoroutine(object):
    return isinstance(object, _types.CoroutineType)


def iscoroutinefunction(obj):
    return _loop.is_coroutine_function(obj)


def isawaitable(object):
    """Whether await takes it."""
    return iscoroutine(object) or _loop.is_future(object) or _loop.has_await(object)


def isabstract(object):
    """Whether it is a class with abstract methods."""
    return isinstance(object, type) and bool(getattr(object, '__abstractmethods__', ()))


def isdatadescriptor(object):
    """Whether it is an attribute of a class that is asked when the attribute is set."""
    if isclass(object) or ismethod(object) or isfunction(object):
        return False
    kind = type(object)
    return hasattr(kind, '__set__') or hasattr(kind, '__delete__')


def getdoc(object):
    """The documentation, without its indentation."""
    text = getattr(object, '__doc__', None)
    return cleandoc(text) if isinstance(text, str) else None


def cleandoc(doc):
    """A text without the indentation that its lines after the first have in common."""
    lines = doc.expandtabs().split('\n')
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(margins, default=0)
    lines = [lines[0].lstrip(), *[line[margin:] for line in lines[1:]]]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return '\n'.join(lines)


class _Empty:
    """What stands where there is no default and no annotation."""


class Parameter:
    """A parameter of a signature."""

    empty = _Empty

    def __init__(self, name, kind, *, default=_Empty, annotation=_Empty):
        self.name = name
        self.kind = _Kind(kind)
        self.default = default
        self.annotation = annotation

    def replace(self, **changes):
        kept = {'name': self.name, 'kind': self.kind, 'default': self.default, 'annotation': self.annotation}
        kept.update(changes)
        return Parameter(kept.pop('name'), kept.pop('kind'), **kept)

    def __str__(self):
        text = {_Kind.VAR_POSITIONAL: '*', _Kind.VAR_KEYWORD: '**'}.get(self.kind, '') + self.name
        if self.annotation is not _Empty:
            text += ': ' + formatannotation(self.annotation)
        if self.default is _Empty:
            return text
        return f'{text} = {self.default!r}' if self.annotation is not _Empty else f'{text}={self.default!r}'

    def __repr__(self):
        return f'<Parameter "{self}">'

    def __eq__(self, other):
        if not isinstance(other, Parameter):
            return NotImplemented
        return ((self.name, self.kind, self.default, self.annotation)
                == (other.name, other.kind, other.default, other.annotation))

    def __hash__(self):
        return hash((self.name, self.kind, self.default, self.annotation))


class _Kind(_enum.IntEnum):
    POSITIONAL_ONLY = 0
    POSITIONAL_OR_KEYWORD = 1
    VAR_POSITIONAL = 2
    KEYWORD_ONLY = 3
    VAR_KEYWORD = 4

    def __str__(self):
        return self.name

    @property
    def description(self):
        return ('positional-only', 'positional or keyword', 'variadic positional', 'keyword-only', 'variadic keyword')[self]


for _kind in _Kind:
    setattr(Parameter, _kind.name, _kind)
del _kind


class Signature:
    """The parameters and the result of a function."""

    empty = _Empty

    def __init__(self, parameters=None, *, return_annotation=_Empty):
        self.parameters = _types.MappingProxyType({p.name: p for p in parameters or ()})
        self.return_annotation = return_annotation

    @classmethod
    def from_callable(cls, obj):
        return signature(obj)

    def replace(self, **changes):
        kept = {'parameters': self.parameters.values(), 'return_annotation': self.return_annotation, **changes}
        return Signature(kept['parameters'], return_annotation=kept['return_annotation'])

    def __eq__(self, other):
        if not isinstance(other, Signature):
            return NotImplemented
        return (list(self.parameters.values()) == list(other.parameters.values())
                and self.return_annotation == other.return_annotation)

    def __str__(self):
        parts, before = [], None
        starred = False
        for p in self.parameters.values():
            if before == _Kind.POSITIONAL_ONLY and p.kind != before:
                parts.append('/')
            starred = starred or p.kind == _Kind.VAR_POSITIONAL
            if p.kind == _Kind.KEYWORD_ONLY and not starred:
                parts.append('*')
                starred = True
            parts.append(str(p))
            before = p.kind
        if before == _Kind.POSITIONAL_ONLY:
            parts.append('/')
        text = f"({', '.join(parts)})"
        if self.return_annotation is _Empty:
            return text
        return f'{text} -> {formatannotation(self.return_annotation)}'

    def __repr__(self):
        return f'<Signature {self}>'


def formatannotation(annotation, base_module=None):
    if isinstance(annotation, _types.GenericAlias):
        return str(annotation)
    if isinstance(annotation, type):
        return annotation.__qualname__
    return repr(annotation).replace('typing.', '')


def signature(obj):
    """The signature of a function or method of the program, or of a class with such an __init__."""
    if not callable(obj):
        raise TypeError(f'{obj!r} is not a callable object')
    bound = ismethod(obj)
    function = obj
    if isclass(obj):
        function, bound = obj.__init__, True
        if '__dataclass_fields__' in obj.__dict__ and function.__name__ == '__init__' and not _own_init(function):
            return _of_fields(obj)
        if function is object.__init__ and obj.__module__ != 'builtins':
            return Signature()
    elif not isfunction(obj) and not bound:
        function, bound = getattr(type(obj), '__call__', None), True
    function = unwrap(function)
    if not isfunction(function) and not ismethod(function):
        raise ValueError(f"no signature found for builtin {'type ' if isclass(obj) else ''}{obj!r}")
    made = _signature(function)
    parameters = list(made.parameters.values())
    if bound and parameters and parameters[0].kind < _Kind.VAR_POSITIONAL:
        del parameters[0]
    return Signature(parameters, return_annotation=_Empty if isclass(obj) else made.return_annotation)


def _own_init(function):
    """Whether the program wrote it: the one that dataclasses make takes whatever it is given."""
    return not isfunction(function) or 'given' not in _glovebox.function_shape(function)[5]


class _Factory:
    def __repr__(self):
        return '<factory>'


def _of_fields(cls):
    """The signature of a dataclass."""
    found = []
    for f in cls.__dataclass_fields__.values():
        if not f.init or f not in _dataclasses.fields(cls):
            continue
        default = f.default
        if default is _dataclasses.MISSING:
            default = _Empty if f.default_factory is _dataclasses.MISSING else _Factory()
        kind = _Kind.KEYWORD_ONLY if f.kw_only else _Kind.POSITIONAL_OR_KEYWORD
        found.append(Parameter(f.name, kind, default=default, annotation=f.type))
    return Signature(sorted(found, key=lambda p: p.kind), return_annotation=None)


def _signature(function):
    only, positional, named, rest, keywords, names, defaults, kwdefaults = _glovebox.function_shape(function)
    notes = function.__annotations__
    found = []

    def add(name, kind, default=_Empty):
        found.append(Parameter(name, kind, default=default, annotation=notes.get(name, _Empty)))

    first = positional - len(defaults)
    for i, name in enumerate(names[:positional]):
        add(name, _Kind.POSITIONAL_ONLY if i < only else _Kind.POSITIONAL_OR_KEYWORD,
            _Empty if i < first else defaults[i - first])
    if rest:
        add(names[positional + named], _Kind.VAR_POSITIONAL)
    for name in names[positional:positional + named]:
        add(name, _Kind.KEYWORD_ONLY, kwdefaults.get(name, _Empty))
    if keywords:
        add(names[-1], _Kind.VAR_KEYWORD)
    return Signature(found, return_annotation=notes.get('return', _Empty))


def unwrap(func, *, stop=None):
    """The function that decorators such as functools.wraps stand around."""
    passed = set()
    while hasattr(func, '__wrapped__') and not (stop and stop(func)):
        if id(func) in passed:
            raise ValueError(f'wrapper loop when unwrapping {func!r}')
        passed.add(id(func))
        func = func.__wrapped__
    return func


def getmro(cls):
    return cls.__mro__


def getmembers(object, predicate=None):
    """The attributes of an object that dir lists, by their names."""
    found = []
    for name in dir(object):
        try:
            value = getattr(object, name)
        except AttributeError:
            continue
        if predicate is None or predicate(value):
            found.append((name, value))
    return sorted(found, key=lambda pair: pair[0])
