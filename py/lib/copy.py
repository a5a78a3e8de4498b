"""copy: shallow and deep copies."""

import _glovebox


class Error(Exception):
    pass


error = Error

_atomic = frozenset((type(None), int, float, bool, str, bytes, range, type, type(...), type(NotImplemented),
                     type(lambda: 0), type(len), property, slice))
_containers = (dict, list, set)
_immutable = (tuple, frozenset, str, bytes, int, float)


def copy(x):
    """A new object with the same content."""
    kind = type(x)
    if kind in _atomic or isinstance(x, type):
        return x
    if kind in (list, dict, set):
        return x.copy()
    if kind in (tuple, frozenset):
        return x
    method = getattr(kind, '__copy__', None)
    if method is not None:
        return method(x)
    y = _blank(x)
    if y is x:
        return x
    _fill(y, x, lambda value: value)
    return y


def _blank(x):
    """A new object of x's class without content, but for what can't change; x if it has no copies."""
    kind = type(x)
    for base in _containers:
        if isinstance(x, base):
            return base.__new__(kind)
    for base in _immutable:
        if isinstance(x, base):
            return base.__new__(kind, base(x))
    if isinstance(x, BaseException):
        return kind.__new__(kind, *x.args)
    return x if _glovebox.is_atomic(x) else _glovebox.new_object(kind)


def _fill(y, x, convert):
    """Give y what x holds, converted: its attributes, then its items."""
    for name, value in _glovebox.object_own(x).items():
        _glovebox.object_set(y, name, convert(value))
    if isinstance(x, dict):
        for key, value in dict.items(x):
            y[convert(key)] = convert(value)
    elif isinstance(x, list):
        for value in list.__iter__(x):
            y.append(convert(value))
    elif isinstance(x, set):
        for value in set.__iter__(x):
            y.add(convert(value))


def deepcopy(x, memo=None):
    """A new object with copies of the content.

    memo maps the identities of the originals to their copies."""
    kind = type(x)
    if kind in _atomic or isinstance(x, type):
        return x
    if memo is None:
        memo = {}
    identity = _glovebox.identity(x)
    known = memo.get(identity)
    if known is not None:
        return known
    if kind is list:
        y = []
        memo[identity] = y
        for value in x:
            y.append(deepcopy(value, memo))
        return y
    if kind is dict:
        y = {}
        memo[identity] = y
        for key, value in x.items():
            y[deepcopy(key, memo)] = deepcopy(value, memo)
        return y
    if kind is tuple:
        y = _deep_tuple(x, memo)
    elif kind is set or kind is frozenset:
        y = kind([deepcopy(value, memo) for value in x])
    else:
        y = _deep_object(x, kind, memo, identity)
    memo[identity] = y
    return y


def _deep_tuple(x, memo):
    items = [deepcopy(value, memo) for value in x]
    known = memo.get(_glovebox.identity(x))
    if known is not None:
        return known
    for old, new in zip(x, items):
        if old is not new:
            return tuple(items)
    return x


def _deep_object(x, kind, memo, identity):
    method = getattr(kind, '__deepcopy__', None)
    if method is not None:
        return method(x, memo)
    if isinstance(x, tuple):
        y = tuple.__new__(kind, [deepcopy(value, memo) for value in x])
    else:
        y = _blank(x)
    if y is not x:
        memo[identity] = y
        _fill(y, x, lambda value: deepcopy(value, memo))
    return y
