"""traceback: exceptions as text, as the interpreter shows those that nothing catches."""

import _glovebox

_cause = '\nThe above exception was the direct cause of the following exception:\n\n'
_context = '\nDuring handling of the above exception, another exception occurred:\n\n'
_header = 'Traceback (most recent call last):\n'
_unset = object()


class FrameSummary:
    """A place that an exception has passed."""

    def __init__(self, filename, lineno, name, *, lookup_line=True, locals=None, line=None):
        self.filename = filename
        self.lineno = lineno
        self.name = name
        self.line = line
        self.locals = None

    def __iter__(self):
        return iter((self.filename, self.lineno, self.name, self.line))

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return (self.filename, self.lineno, self.name, self.line)[index]

    def __eq__(self, other):
        if isinstance(other, FrameSummary):
            return tuple(self) == tuple(other)
        return NotImplemented

    def __repr__(self):
        return f'<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>'


class StackSummary(list):
    """The places that an exception has passed, the outermost first."""

    @classmethod
    def from_list(cls, frames):
        return cls([frame if isinstance(frame, FrameSummary) else FrameSummary(*frame[:3], line=frame[3]) for frame in frames])

    def format(self):
        lines = []
        before = None
        count = 0
        for frame in self:
            place = (frame.filename, frame.lineno, frame.name)
            if place != before:
                lines.extend(_repeated(count))
                before = place
                count = 0
            count += 1
            if count > 3:
                continue
            text = f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}\n'
            if frame.line:
                text += f'    {frame.line.strip()}\n'
            lines.append(text)
        lines.extend(_repeated(count))
        return lines


def _repeated(count):
    if count <= 3:
        return []
    more = count - 3
    return [f'  [Previous line repeated {more} more time{"s" if more > 1 else ""}]\n']


def extract_tb(tb, limit=None):
    """The places of a traceback."""
    places = []
    while tb is not None:
        filename, lineno, name, line = tb._place
        places.append(FrameSummary(filename, lineno, name, line=line))
        tb = tb.tb_next
    if limit is not None:
        places = places[:limit] if limit >= 0 else places[limit:]
    return StackSummary(places)


def format_list(extracted_list):
    return StackSummary.from_list(extracted_list).format()


def format_tb(tb, limit=None):
    return extract_tb(tb, limit).format()


def _name_of(exc_type):
    module = getattr(exc_type, '__module__', 'builtins')
    name = exc_type.__qualname__
    return name if module in ('__main__', 'builtins', None) else f'{module}.{name}'


def _message_of(exc):
    try:
        return str(exc)
    except Exception:
        return '<exception str() failed>'


class TracebackException:
    """An exception as it is when the object is made."""

    def __init__(self, exc_type, exc_value, exc_traceback, *, limit=None, lookup_lines=True, capture_locals=False, compact=False,
                 max_group_width=15, max_group_depth=10, _seen=None):
        seen = _seen or []
        seen.append(exc_value)
        self.exc_type = exc_type
        self.stack = extract_tb(exc_traceback, limit)
        self._lines = _only(exc_type, exc_value)
        self._str = _message_of(exc_value)
        self.__suppress_context__ = getattr(exc_value, '__suppress_context__', False)
        self.__cause__ = self._linked(getattr(exc_value, '__cause__', None), limit, seen)
        self.__context__ = None
        if self.__cause__ is None and not self.__suppress_context__:
            self.__context__ = self._linked(getattr(exc_value, '__context__', None), limit, seen)

    def _linked(self, exc, limit, seen):
        if exc is None or any([exc is other for other in seen]):
            return None
        return TracebackException(type(exc), exc, exc.__traceback__, limit=limit, _seen=seen)

    @classmethod
    def from_exception(cls, exc, *args, **keywords):
        return cls(type(exc), exc, exc.__traceback__, *args, **keywords)

    def __str__(self):
        return self._str

    def format_exception_only(self):
        yield from self._lines

    def format(self, *, chain=True):
        if chain:
            for linked, between in ((self.__cause__, _cause), (self.__context__, _context)):
                if linked is not None:
                    yield from linked.format()
                    yield between
        if self.stack:
            yield _header
            yield from self.stack.format()
        yield from self._lines

    def print(self, *, file=None, chain=True):
        _write(self.format(chain=chain), file)


def _only(exc_type, exc):
    if exc_type is None:
        return [f'{exc}\n']
    message = '' if exc is None else _message_of(exc)
    name = _name_of(exc_type)
    lines = [f'{name}: {message}\n' if message else f'{name}\n']
    for note in getattr(exc, '__notes__', None) or ():
        lines.extend([line + '\n' for line in str(note).split('\n')])
    return lines


def _parts(exc, value, tb):
    """The three arguments by which exceptions are named; one of them is enough."""
    if value is _unset and tb is _unset:
        if exc is None:
            return None, None, None
        if not isinstance(exc, BaseException):
            raise TypeError(f'Exception expected for value, {type(exc).__name__} found')
        return type(exc), exc, exc.__traceback__
    if value is _unset or tb is _unset:
        raise ValueError('Both or neither of value and tb must be given')
    return exc, value, tb


def format_exception_only(exc, /, value=_unset):
    if value is _unset:
        return _only(type(exc) if exc is not None else None, exc)
    return _only(exc, value)


def format_exception(exc, /, value=_unset, tb=_unset, limit=None, chain=True):
    kind, value, tb = _parts(exc, value, tb)
    if value is None:
        return ['NoneType: None\n']
    return list(TracebackException(type(value), value, tb, limit=limit).format(chain=chain))


def _write(lines, file):
    if file is None:
        import sys
        file = sys.stderr
    for line in lines:
        file.write(line)


def print_exception(exc, /, value=_unset, tb=_unset, limit=None, file=None, chain=True):
    _write(format_exception(exc, value, tb, limit, chain), file)


def format_exc(limit=None, chain=True):
    """The exception that is being handled, as text."""
    return ''.join(format_exception(_glovebox.handled(), limit=limit, chain=chain))


def print_exc(limit=None, file=None, chain=True):
    _write(format_exception(_glovebox.handled(), limit=limit, chain=chain), file)


def print_tb(tb, limit=None, file=None):
    _write(format_tb(tb, limit), file)


def print_list(extracted_list, file=None):
    _write(format_list(extracted_list), file)
