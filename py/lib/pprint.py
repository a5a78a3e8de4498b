"""pprint: values over as many lines as they need."""

import _glovebox

_class_get = _glovebox.class_get


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    PrettyPrinter(indent, width, depth, stream, compact=compact, sort_dicts=sort_dicts,
                  underscore_numbers=underscore_numbers).pprint(object)


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    return PrettyPrinter(indent, width, depth, compact=compact, sort_dicts=sort_dicts,
                         underscore_numbers=underscore_numbers).pformat(object)


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def saferepr(object):
    return PrettyPrinter()._short(object, [], 0)[0]


def isreadable(object):
    return PrettyPrinter().isreadable(object)


def isrecursive(object):
    return PrettyPrinter().isrecursive(object)


class _Key:
    """A value by which values of any classes can be sorted."""

    __slots__ = ('value',)

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        try:
            return self.value < other.value
        except TypeError:
            return str(type(self.value)) < str(type(other.value))


class _PairKey(_Key):
    def __lt__(self, other):
        first, second = self.value, other.value
        if _Key(first[0]) < _Key(second[0]):
            return True
        if _Key(second[0]) < _Key(first[0]):
            return False
        return _Key(first[1]) < _Key(second[1])


def _shows_as(obj, kind):
    """Whether obj is a kind whose repr is that of kind."""
    return isinstance(obj, kind) and _class_get(type(obj), '__repr__', None) is _class_get(kind, '__repr__', None)


def _recursion(obj):
    return f'<Recursion on {type(obj).__name__} with id={_glovebox.identity(obj)}>'


class PrettyPrinter:
    """Shows values; programs override format."""

    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True,
                 underscore_numbers=False):
        indent = int(indent)
        width = int(width)
        if indent < 0:
            raise ValueError('indent must be >= 0')
        if depth is not None and depth <= 0:
            raise ValueError('depth must be > 0')
        if not width:
            raise ValueError('width must be != 0')
        self._indent = indent
        self._width = width
        self._depth = depth
        self._stream = stream
        self._compact = bool(compact)
        self._sort_dicts = sort_dicts
        self._underscores = underscore_numbers
        self._readable = True
        self._recursive = False

    def pprint(self, object):
        stream = self._stream
        if stream is None:
            import sys
            stream = sys.stdout
        stream.write(self.pformat(object) + '\n')

    def pformat(self, object):
        out = []
        self._show(object, out, 0, 0, [], 0)
        return ''.join(out)

    def isreadable(self, object):
        text, readable, recursive = self.format(object, {}, 0, 0)
        return readable and not recursive

    def isrecursive(self, object):
        return self.format(object, {}, 0, 0)[2]

    def format(self, object, context, maxlevels, level):
        """The value in one line, whether that can be read back, and whether it contains itself."""
        self._readable = True
        self._recursive = False
        text = self._short(object, [], level)[0]
        return text, self._readable, self._recursive

    def _short(self, obj, around, level):
        """The value in one line; around are the containers it stands in."""
        if isinstance(obj, int) and not isinstance(obj, bool) and _shows_as(obj, int):
            return (f'{obj:_d}' if self._underscores else repr(obj)), True
        is_dict, is_list, is_tuple = _shows_as(obj, dict), _shows_as(obj, list), _shows_as(obj, tuple)
        if not (is_dict or is_list or is_tuple):
            text = repr(obj)
            if not text or text.startswith('<'):
                self._readable = False
            return text, True
        if not len(obj):
            return ('{}' if is_dict else '[]' if is_list else '()'), True
        if self._depth and level >= self._depth:
            self._readable = False
            return ('{...}' if is_dict else '[...]' if is_list else '(...)'), True
        if any([other is obj for other in around]):
            self._readable = False
            self._recursive = True
            return _recursion(obj), True
        around.append(obj)
        if is_dict:
            parts = []
            for key, value in self._pairs(obj):
                parts.append(f'{self._short(key, around, level + 1)[0]}: {self._short(value, around, level + 1)[0]}')
            text = '{' + ', '.join(parts) + '}'
        else:
            text = ', '.join([self._short(item, around, level + 1)[0] for item in obj])
            text = f'[{text}]' if is_list else f'({text},)' if len(obj) == 1 else f'({text})'
        around.pop()
        return text, True

    def _pairs(self, mapping):
        return sorted(mapping.items(), key=_PairKey) if self._sort_dicts else mapping.items()

    def _one_line(self, obj, around, level):
        """What format says, which a program may have overridden."""
        if _class_get(type(self), 'format', None) is _class_get(PrettyPrinter, 'format', None):
            return self._short(obj, around[:], level)[0]
        return self.format(obj, {}, self._depth, level)[0]

    def _show(self, obj, out, indent, allowance, around, level):
        """Adds the value to out; indent columns are taken before it, and allowance after it."""
        if any([other is obj for other in around]):
            self._recursive = True
            self._readable = False
            out.append(_recursion(obj))
            return
        text = self._one_line(obj, around, level)
        if len(text) > self._width - indent - allowance and not (self._depth and level >= self._depth):
            show = self._way(obj)
            if show is not None:
                around.append(obj)
                show(obj, out, indent, allowance, around, level + 1)
                around.pop()
                return
        out.append(text)

    def _way(self, obj):
        """How a value that is too long for a line is shown, or None."""
        for kind, show in ((dict, self._show_dict), (list, self._show_list), (tuple, self._show_tuple), (str, self._show_str),
                           (set, self._show_set), (frozenset, self._show_set), (bytes, self._show_bytes)):
            if _shows_as(obj, kind):
                return show
        module, name = getattr(type(obj), '__module__', ''), type(obj).__name__
        if module == 'collections':
            return {'OrderedDict': self._show_ordered, 'defaultdict': self._show_default, 'Counter': self._show_counter,
                    'deque': self._show_deque, 'ChainMap': self._show_chain, 'UserDict': self._show_user,
                    'UserList': self._show_user, 'UserString': self._show_user}.get(name)
        if module == 'types' and name == 'SimpleNamespace':
            return self._show_namespace
        if hasattr(type(obj), '__dataclass_fields__') and _is_generated(type(obj)):
            return self._show_dataclass
        return None

    def _open(self, out, mark):
        out.append(mark)
        if self._indent > 1:
            out.append(' ' * (self._indent - 1))

    def _show_dict(self, obj, out, indent, allowance, around, level):
        self._open(out, '{')
        self._show_pairs(self._pairs(obj), out, indent, allowance + 1, around, level)
        out.append('}')

    def _show_pairs(self, pairs, out, indent, allowance, around, level):
        pairs = list(pairs)
        indent += self._indent
        for index, (key, value) in enumerate(pairs):
            if index:
                out.append(',\n' + ' ' * indent)
            name = self._one_line(key, around, level)
            out.append(name + ': ')
            self._show(value, out, indent + len(name) + 2, allowance if index == len(pairs) - 1 else 1, around, level)

    def _show_list(self, obj, out, indent, allowance, around, level):
        out.append('[')
        self._show_items(obj, out, indent, allowance + 1, around, level)
        out.append(']')

    def _show_tuple(self, obj, out, indent, allowance, around, level):
        end = ',)' if len(obj) == 1 else ')'
        out.append('(')
        self._show_items(obj, out, indent, allowance + len(end), around, level)
        out.append(end)

    def _show_set(self, obj, out, indent, allowance, around, level):
        start, end = '{', '}'
        if type(obj) is not set:
            start, end = type(obj).__name__ + '({', '})'
            indent += len(type(obj).__name__) + 1
        out.append(start)
        self._show_items(sorted(obj, key=_Key), out, indent, allowance + len(end), around, level)
        out.append(end)

    def _show_items(self, items, out, indent, allowance, around, level):
        indent += self._indent
        if self._indent > 1:
            out.append(' ' * (self._indent - 1))
        items = list(items)
        between = ',\n' + ' ' * indent
        width = room = self._width - indent + 1
        for index, item in enumerate(items):
            last = index == len(items) - 1
            if self._compact:
                if last:
                    room -= allowance
                    width -= allowance
                text = self._one_line(item, around, level)
                size = len(text) + 2
                if index and room < size:
                    room = width
                    out.append(between)
                    fits = False
                else:
                    fits = index > 0
                if room >= size:
                    room -= size
                    out.append(', ' + text if fits else text)
                    continue
                if fits:
                    out.append(between)
            elif index:
                out.append(between)
            self._show(item, out, indent, allowance if last else 1, around, level)

    def _show_str(self, obj, out, indent, allowance, around, level):
        if level == 1:
            indent += 1
            allowance += 1
        pieces = self._pieces(obj, self._width - indent, allowance)
        if level == 1 and len(pieces) > 1:
            out.append('(')
        out.append(('\n' + ' ' * indent).join(pieces))
        if level == 1 and len(pieces) > 1:
            out.append(')')

    def _pieces(self, text, width, allowance):
        """The literals whose sum is text, each of a line and at most width wide where words allow."""
        lines = text.splitlines(True)
        pieces = []
        for number, line in enumerate(lines):
            last_line = number == len(lines) - 1
            if len(repr(line)) <= (width - allowance if last_line else width):
                pieces.append(repr(line))
                continue
            words = _words(line)
            piece = ''
            for index, word in enumerate(words):
                room = width - allowance if last_line and index == len(words) - 1 else width
                if len(repr(piece + word)) > room:
                    if piece:
                        pieces.append(repr(piece))
                    piece = word
                else:
                    piece += word
            if piece:
                pieces.append(repr(piece))
        return pieces or [repr(text)]

    def _show_bytes(self, obj, out, indent, allowance, around, level):
        if len(obj) <= 4:
            out.append(repr(obj))
            return
        parens = level == 1
        if parens:
            indent += 1
            allowance += 1
        pieces = []
        piece = b''
        last = len(obj) // 4 * 4
        width = self._width - indent
        for start in range(0, len(obj), 4):
            part = obj[start:start + 4]
            if start == last:
                width -= allowance
            if len(repr(piece + part)) > width:
                if piece:
                    pieces.append(repr(piece))
                piece = part
            else:
                piece += part
        if piece:
            pieces.append(repr(piece))
        text = ('\n' + ' ' * indent).join(pieces)
        out.append(f'({text})' if parens else text)

    def _show_ordered(self, obj, out, indent, allowance, around, level):
        name = type(obj).__name__
        out.append(name + '(')
        self._show([*obj.items()], out, indent + len(name) + 1, allowance + 1, around, level - 1)
        out.append(')')

    def _show_default(self, obj, out, indent, allowance, around, level):
        name = type(obj).__name__
        indent += len(name) + 1
        out.append(f'{name}({self._one_line(obj.default_factory, around, level)},\n{" " * indent}')
        self._show_dict(obj, out, indent, allowance + 1, around, level)
        out.append(')')

    def _show_counter(self, obj, out, indent, allowance, around, level):
        name = type(obj).__name__
        out.append(name + '({')
        if self._indent > 1:
            out.append(' ' * (self._indent - 1))
        self._show_pairs(obj.most_common(), out, indent + len(name) + 1, allowance + 2, around, level)
        out.append('})')

    def _show_deque(self, obj, out, indent, allowance, around, level):
        name = type(obj).__name__
        indent += len(name) + 1
        out.append(name + '([')
        if obj.maxlen is None:
            self._show_items(obj, out, indent, allowance + 2, around, level)
            out.append('])')
        else:
            self._show_items(obj, out, indent, 2, around, level)
            out.append(f'],\n{" " * indent}maxlen={self._one_line(obj.maxlen, around, level)})')

    def _show_chain(self, obj, out, indent, allowance, around, level):
        name = type(obj).__name__
        indent += len(name) + 1
        out.append(name + '(')
        for index, mapping in enumerate(obj.maps):
            last = index == len(obj.maps) - 1
            self._show(mapping, out, indent, allowance + 1 if last else 1, around, level)
            out.append(')' if last else ',\n' + ' ' * indent)

    def _show_user(self, obj, out, indent, allowance, around, level):
        self._show(obj.data, out, indent, allowance, around, level - 1)

    def _show_namespace(self, obj, out, indent, allowance, around, level):
        name = 'namespace' if type(obj).__name__ == 'SimpleNamespace' else type(obj).__name__
        out.append(name + '(')
        self._show_fields(list(_glovebox.object_own(obj).items()), out, indent + len(name) + 1, allowance, around, level)
        out.append(')')

    def _show_dataclass(self, obj, out, indent, allowance, around, level):
        name = type(obj).__name__
        fields = [(field.name, getattr(obj, field.name)) for field in type(obj).__dataclass_fields__.values() if field.repr]
        out.append(name + '(')
        self._show_fields(fields, out, indent + len(name) + 1, allowance, around, level)
        out.append(')')

    def _show_fields(self, fields, out, indent, allowance, around, level):
        for index, (name, value) in enumerate(fields):
            out.append(name + '=')
            last = index == len(fields) - 1
            if any([other is value for other in around]):
                out.append('...')
            else:
                self._show(value, out, indent + len(name) + 1, allowance if last else 1, around, level)
            if not last:
                out.append(',\n' + ' ' * indent)


def _words(line):
    """The words of a line, each with the white space after it."""
    words = []
    start = place = 0
    while place < len(line):
        while place < len(line) and not line[place].isspace():
            place += 1
        while place < len(line) and line[place].isspace():
            place += 1
        words.append(line[start:place])
        start = place
    return words


def _is_generated(cls):
    """Whether the repr of a dataclass is the one that dataclass made."""
    return getattr(_class_get(cls, '__repr__', None), '_generated', False)
