"""contextvars: variables that each task has for itself."""

import _loop

_missing = object()


def _holder():
    """What has the variables of the task that runs: a dict that is replaced and never changed."""
    loop = _loop.loop()
    return loop if loop.current is None else _loop.more(loop.current)


def _now():
    values = _holder().vars
    return {} if values is None else values


class Token:
    """What a variable was before it was set."""

    def __init__(self, var, old_value, holder):
        self.var = var
        self.old_value = old_value
        self._holder = holder
        self._used = False

    def __repr__(self):
        return f"<Token{' used' if self._used else ''} var={self.var!r}>"


class _Missing:
    def __repr__(self):
        return '<Token.MISSING>'


Token.MISSING = _Missing()


class ContextVar:
    """A variable that each task has for itself; a new task begins with those of the one that made it."""

    def __init__(self, name, *, default=_missing):
        if not isinstance(name, str):
            raise TypeError('context variable name must be a str')
        self._name = name
        self._default = default

    @property
    def name(self):
        return self._name

    def get(self, default=_missing, /):
        value = _now().get(self, default)
        if value is _missing:
            value = self._default
        if value is _missing:
            raise LookupError(self)
        return value

    def set(self, value, /):
        holder = _holder()
        values = _now()
        token = Token(self, values.get(self, Token.MISSING), holder)
        holder.vars = {**values, self: value}
        return token

    def reset(self, token, /):
        if not isinstance(token, Token):
            raise TypeError(f'expected an instance of Token, got {token!r}')
        if token._used:
            raise RuntimeError(f'{token!r} has already been used once')
        if token.var is not self:
            raise ValueError(f'{token!r} was created by a different ContextVar')
        if token._holder is not _holder():
            raise ValueError(f'{token!r} was created in a different Context')
        token._used = True
        values = dict(_now())
        if token.old_value is Token.MISSING:
            values.pop(self, None)
        else:
            values[self] = token.old_value
        token._holder.vars = values

    def __repr__(self):
        default = '' if self._default is _missing else f' default={self._default!r}'
        return f'<ContextVar name={self._name!r}{default}>'


class Context:
    """Variables as they were, to run functions with."""

    def __init__(self):
        self._values = {}
        self._entered = False

    def run(self, callable, /, *args, **kwargs):
        if self._entered:
            raise RuntimeError(f'cannot enter context: {self!r} is already entered')
        holder = _holder()
        before, holder.vars = holder.vars, self._values
        self._entered = True
        try:
            return callable(*args, **kwargs)
        finally:
            self._values, holder.vars = _now(), before
            self._entered = False

    def copy(self):
        other = Context()
        other._values = self._values
        return other

    def __getitem__(self, var):
        return self._values[var]

    def __contains__(self, var):
        return var in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def get(self, var, default=None):
        return self._values.get(var, default)

    def keys(self):
        return self._values.keys()

    def values(self):
        return self._values.values()

    def items(self):
        return self._values.items()


def copy_context():
    """The variables as they are now."""
    context = Context()
    context._values = _now()
    return context
