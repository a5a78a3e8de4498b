"""functools: functions that act on or return other functions."""

import _glovebox

_missing = object()

WRAPPER_ASSIGNMENTS = ('__module__', '__name__', '__qualname__', '__doc__', '__annotations__')
WRAPPER_UPDATES = ('__dict__',)


def reduce(function, sequence, initial=_missing, /):
    """Fold a sequence from the left into one value."""
    items = iter(sequence)
    if initial is _missing:
        for initial in items:
            break
        else:
            raise TypeError('reduce() of empty iterable with no initial value')
    for item in items:
        initial = function(initial, item)
    return initial


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """Make wrapper look like wrapped."""
    for name in assigned:
        if name == '__annotations__' and assigned is WRAPPER_ASSIGNMENTS:
            continue  # those of __wrapped__ are worked out when they are asked for
        try:
            setattr(wrapper, name, getattr(wrapped, name))
        except AttributeError:
            pass
    if updated:
        for name, value in _glovebox.object_own(wrapped).items():
            setattr(wrapper, name, value)
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """Decorator form of update_wrapper."""
    def decorate(wrapper):
        return update_wrapper(wrapper, wrapped, assigned, updated)
    return decorate


class partial:
    """A call with some of its arguments already given."""

    def __init__(self, /, *args, **keywords):
        if not args:
            raise TypeError("type 'partial' takes at least one argument")
        func, *first = args
        if not callable(func):
            raise TypeError('the first argument must be callable')
        if isinstance(func, partial):
            first = (*func.args, *first)
            keywords = {**func.keywords, **keywords}
            func = func.func
        self.func = func
        self.args = tuple(first)
        self.keywords = keywords

    def __call__(self, /, *args, **keywords):
        if keywords or self.keywords:
            return self.func(*self.args, *args, **{**self.keywords, **keywords})
        return self.func(*self.args, *args)

    def __repr__(self):
        parts = [repr(self.func)]
        parts.extend(map(repr, self.args))
        parts.extend(f'{name}={value!r}' for name, value in self.keywords.items())
        kind = 'functools.partial' if type(self) is partial else type(self).__qualname__
        return f"{kind}({', '.join(parts)})"


class partialmethod:
    """A method with some of its arguments already given."""

    def __init__(self, func, /, *args, **keywords):
        if not callable(func) and not hasattr(func, '__get__'):
            raise TypeError(f'{func!r} is not callable or a descriptor')
        if isinstance(func, partialmethod):
            args = (*func.args, *args)
            keywords = {**func.keywords, **keywords}
            func = func.func
        self.func = func
        self.args = args
        self.keywords = keywords

    def __get__(self, obj, owner=None):
        func = self.func
        if isinstance(func, (classmethod, staticmethod)):
            return partial(func.__get__(obj, owner), *self.args, **self.keywords)
        if obj is None:
            return lambda receiver, /, *args, **keywords: func(
                receiver, *self.args, *args, **{**self.keywords, **keywords})
        return partial(func, obj, *self.args, **self.keywords)


def _key(args, keywords, typed):
    """The dictionary key of a call: ints and strings alone stand for themselves."""
    if not keywords and not typed and len(args) == 1 and type(args[0]) in (int, str):
        return args[0]
    key = args
    if keywords:
        key += (_missing, *[part for pair in keywords.items() for part in pair])
    if typed:
        key += (_missing, *map(type, args), *map(type, keywords.values()))
    return (key,)


def _cache_info(hits, misses, maxsize, currsize):
    global _cache_info
    from collections import namedtuple
    _cache_info = namedtuple('CacheInfo', 'hits misses maxsize currsize', module='functools')
    return _cache_info(hits, misses, maxsize, currsize)


def lru_cache(maxsize=128, typed=False):
    """Decorator that remembers the results of the latest calls."""
    if callable(maxsize) and isinstance(typed, bool):
        wrapper = _remember(maxsize, 128, typed)
        wrapper.cache_parameters = lambda: {'maxsize': 128, 'typed': typed}
        return wrapper
    if isinstance(maxsize, int):
        maxsize = max(maxsize, 0)
    elif maxsize is not None:
        raise TypeError('Expected first argument to be an integer, a callable, or None')

    def decorate(function):
        if not callable(function):
            raise TypeError('the first argument must be callable')
        wrapper = _remember(function, maxsize, typed)
        wrapper.cache_parameters = lambda: {'maxsize': maxsize, 'typed': typed}
        return wrapper
    return decorate


def cache(user_function, /):
    """Decorator that remembers the results of all calls."""
    return lru_cache(maxsize=None)(user_function)


def _remember(function, maxsize, typed):
    results = {}  # from the call used longest ago to the latest
    hits = misses = 0

    def unlimited(*args, **keywords):
        nonlocal hits, misses
        key = _key(args, keywords, typed)
        result = results.get(key, _missing)
        if result is not _missing:
            hits += 1
            return result
        misses += 1
        result = results[key] = function(*args, **keywords)
        return result

    def limited(*args, **keywords):
        nonlocal hits, misses
        key = _key(args, keywords, typed)
        result = results.get(key, _missing)  # which, unlike pop, always hashes the key
        if result is not _missing:
            hits += 1
            del results[key]
            results[key] = result
            return result
        misses += 1
        result = function(*args, **keywords)
        if key not in results:
            if len(results) >= maxsize:
                del results[next(iter(results))]
            results[key] = result
        return result

    def uncached(*args, **keywords):
        nonlocal misses
        misses += 1
        return function(*args, **keywords)

    def cache_info():
        return _cache_info(hits, misses, maxsize, len(results))

    def cache_clear():
        nonlocal hits, misses
        hits = misses = 0
        results.clear()

    wrapper = unlimited if maxsize is None else limited if maxsize else uncached
    wrapper.cache_info = cache_info
    wrapper.cache_clear = cache_clear
    return update_wrapper(wrapper, function)


class cached_property:
    """A property that is computed once for each instance."""

    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        if self.attrname is None:
            self.attrname = name
        elif name != self.attrname:
            raise TypeError('Cannot assign the same cached_property to two different names '
                            f'({self.attrname!r} and {name!r}).')

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self.attrname is None:
            raise TypeError('Cannot use cached_property instance without calling __set_name__ on it.')
        value = _glovebox.object_get(instance, self.attrname, _missing)
        if value is _missing:
            value = self.func(instance)
            _glovebox.object_set(instance, self.attrname, value)
        return value


def cmp_to_key(mycmp):
    """Turn a comparison function into a key function."""
    class KeyWrapper:
        __hash__ = None

        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0

        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0

        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0

        def __le__(self, other):
            return mycmp(self.obj, other.obj) <= 0

        def __ge__(self, other):
            return mycmp(self.obj, other.obj) >= 0
    return KeyWrapper


def _derive(root, joined):
    """The comparison that follows from root: its opposite, or joined with equality."""
    def compare(self, other):
        result = getattr(type(self), root)(self, other)
        if result is NotImplemented:
            return result
        if joined == 'or equal':
            return result or self == other
        if joined == 'and different':
            return not result and self != other
        if joined == 'and also different':
            return result and self != other
        if joined == 'or also equal':
            return not result or self == other
        return not result
    return compare


# What each comparison gives for the other three.
_orderings = {
    '__lt__': {'__gt__': 'and different', '__le__': 'or equal', '__ge__': 'not'},
    '__le__': {'__ge__': 'or also equal', '__lt__': 'and also different', '__gt__': 'not'},
    '__gt__': {'__lt__': 'and different', '__ge__': 'or equal', '__le__': 'not'},
    '__ge__': {'__le__': 'or also equal', '__gt__': 'and also different', '__lt__': 'not'},
}


def total_ordering(cls):
    """Class decorator that adds the comparisons that are missing."""
    defined = set()
    for base in _glovebox.class_mro(cls):
        if base is not object:
            defined.update(_glovebox.class_own(base))
    root = next((name for name in ('__lt__', '__le__', '__gt__', '__ge__') if name in defined), None)
    if root is None:
        raise ValueError('must define at least one ordering operation: < > <= >=')
    for name, joined in _orderings[root].items():
        if name not in defined:
            function = _derive(root, joined)
            function.__name__ = name
            _glovebox.class_set(cls, name, function)
    return cls


def _closest(cls, registry):
    """The implementation for cls: that of its nearest class, virtual bases last."""
    for base in _glovebox.class_mro(cls):
        if base is not object and base in registry:
            return registry[base]
    best = None
    for kind in registry:
        if kind is not object and issubclass(cls, kind):
            if best is None or issubclass(kind, best):
                best = kind
            elif not issubclass(best, kind):
                raise RuntimeError(f'Ambiguous dispatch: {best} or {kind}')
    return registry[object if best is None else best]


def singledispatch(func):
    """A function whose implementation depends on the type of its first argument."""
    registry = {object: func}
    found = {}
    funcname = getattr(func, '__name__', 'singledispatch function')

    def dispatch(cls):
        impl = found.get(cls)
        if impl is None:
            impl = found[cls] = _closest(cls, registry)
        return impl

    def register(cls, func=None):
        if func is None and not _is_dispatchable(cls):
            cls, func = _annotated(cls), cls
        if func is None:
            return lambda implementation: register(cls, implementation)
        for kind in _kinds(cls):
            registry[kind] = func
        found.clear()
        return func

    def wrapper(*args, **keywords):
        if not args:
            raise TypeError(f'{funcname} requires at least 1 positional argument')
        return dispatch(type(args[0]))(*args, **keywords)

    update_wrapper(wrapper, func)
    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = registry
    return wrapper


def _kinds(cls):
    """The classes of a class or of a union of classes."""
    return (cls,) if isinstance(cls, type) else cls.__args__


def _is_dispatchable(cls):
    if isinstance(cls, type):
        return True
    kinds = getattr(cls, '__args__', None)
    return bool(kinds) and all(isinstance(kind, type) for kind in kinds)


def _annotated(func):
    """The class in the annotation of func's first parameter."""
    annotations = getattr(func, '__annotations__', None)
    if not annotations:
        raise TypeError(
            f'Invalid first argument to `register()`: {func!r}. Use either `@register(some_class)` '
            'or plain `@register` on an annotated function.')
    name, cls = next(iter(annotations.items()))
    if not _is_dispatchable(cls):
        raise TypeError(f'Invalid annotation for {name!r}. {cls!r} is not a class.')
    return cls


class singledispatchmethod:
    """singledispatch for methods: the type of the argument after self decides."""

    def __init__(self, func):
        if not callable(func) and not hasattr(func, '__get__'):
            raise TypeError(f'{func!r} is not callable or a descriptor')
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, func=method)

    def __get__(self, obj, owner=None):
        def method(*args, **keywords):
            implementation = self.dispatcher.dispatch(type(args[0]))
            return implementation.__get__(obj, owner)(*args, **keywords)
        method.register = self.register
        return update_wrapper(method, self.func)
