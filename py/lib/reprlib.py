"""reprlib: representations of a bounded size, and of what contains itself."""

from _repr import guarded as _guarded

_builtin = repr


def recursive_repr(fillvalue='...'):
    """Decorator of a __repr__ that gives fillvalue where the object contains itself."""
    def decorate(user_function):
        def wrapper(self):
            return _guarded(self, fillvalue, user_function)
        wrapper.__name__ = user_function.__name__
        wrapper.__doc__ = user_function.__doc__
        return wrapper
    return decorate


class Repr:
    """Makes representations; its attributes are the bounds."""

    def __init__(self):
        self.fillvalue = '...'
        self.maxlevel = 6
        self.maxtuple = self.maxlist = self.maxset = self.maxfrozenset = self.maxdeque = 6
        self.maxarray = 5
        self.maxdict = 4
        self.maxstring = self.maxother = 30
        self.maxlong = 40

    def repr(self, x):
        return self.repr1(x, self.maxlevel)

    def repr1(self, x, level):
        name = type(x).__name__.replace(' ', '_')
        method = getattr(self, f'repr_{name}', None)
        return self.repr_instance(x, level) if method is None else method(x, level)

    def _items(self, x, level, left, right, most, trail=''):
        count = len(x)
        if level <= 0 and count:
            return f'{left}{self.fillvalue}{right}'
        parts = []
        for item in x:
            if len(parts) == most:
                parts.append(self.fillvalue)
                break
            parts.append(self.repr1(item, level - 1))
        if count == 1 and trail:
            right = trail + right
        return f"{left}{', '.join(parts)}{right}"

    def repr_tuple(self, x, level):
        return self._items(x, level, '(', ')', self.maxtuple, ',')

    def repr_list(self, x, level):
        return self._items(x, level, '[', ']', self.maxlist)

    def repr_set(self, x, level):
        return self._items(_sorted(x), level, '{', '}', self.maxset) if x else 'set()'

    def repr_frozenset(self, x, level):
        return self._items(_sorted(x), level, 'frozenset({', '})', self.maxfrozenset) if x else 'frozenset()'

    def repr_deque(self, x, level):
        return self._items(x, level, 'deque([', '])', self.maxdeque)

    def repr_dict(self, x, level):
        if not x:
            return '{}'
        if level <= 0:
            return f'{{{self.fillvalue}}}'
        parts = [f'{self.repr1(key, level - 1)}: {self.repr1(x[key], level - 1)}' for key in _sorted(x)[:self.maxdict]]
        if len(x) > self.maxdict:
            parts.append(self.fillvalue)
        return f"{{{', '.join(parts)}}}"

    def _cut(self, text, most):
        if len(text) <= most:
            return text
        left = max(0, (most - 3) // 2)
        right = max(0, most - 3 - left)
        return text[:left] + self.fillvalue + text[len(text) - right:]

    def repr_str(self, x, level):
        text = _builtin(x[:self.maxstring])
        if len(text) <= self.maxstring:
            return text
        left = max(0, (self.maxstring - 3) // 2)
        right = max(0, self.maxstring - 3 - left)
        text = _builtin(x[:left] + x[len(x) - right:])
        return text[:left] + self.fillvalue + text[len(text) - right:]

    def repr_int(self, x, level):
        return self._cut(_builtin(x), self.maxlong)

    def repr_instance(self, x, level):
        return self._cut(_builtin(x), self.maxother)


def _sorted(x):
    try:
        return sorted(x)
    except Exception:
        return list(x)


aRepr = Repr()
repr = aRepr.repr
