"""tomllib: TOML as dicts and lists."""

import datetime as _datetime
import re as _re

_controls = r'\x00-\x08\x0b-\x1f\x7f'
_blank = _re.compile(r'[ \t]*')
_bare = _re.compile(r'[A-Za-z0-9_\-]+')
_basic = _re.compile(rf'[^"\\\n{_controls}]*')
_illegal = _re.compile(rf'[\n{_controls}]')
_illegal_in_lines = _re.compile(f'[{_controls}]')
_hex = _re.compile(r'[0-9A-Fa-f]*')
_clock = r'([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,6})[0-9]*)?'
_time = _re.compile(_clock)
_moment = _re.compile(r'([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
                      rf'(?:[Tt ]{_clock}(?:([Zz])|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))?)?')
_number = _re.compile(r'0(?:x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|b[01](?:_?[01])*|o[0-7](?:_?[0-7])*)'
                      r'|[+-]?(?:0|[1-9](?:_?[0-9])*)((?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?)')
_word = _re.compile(r'true|false|[+-]?(?:inf|nan)')
_escapes = {'b': '\b', 't': '\t', 'n': '\n', 'f': '\f', 'r': '\r', '"': '"', '\\': '\\'}


class TOMLDecodeError(ValueError):
    """A text that is no TOML."""


def load(fp, /, *, parse_float=float):
    """What a binary file in memory holds."""
    data = fp.read()
    if not hasattr(data, 'decode'):
        raise TypeError("File must be opened in binary mode, e.g. use `open('foo.toml', 'rb')`")
    return loads(data.decode(), parse_float=parse_float)


def loads(s, /, *, parse_float=float):
    """What a text holds."""
    text = s.replace('\r\n', '\n')
    return _Reader(text, _checked(parse_float)).document()


def _checked(parse_float):
    if parse_float is float:
        return float

    def parse(text):
        value = parse_float(text)
        if isinstance(value, (dict, list)):
            raise ValueError('parse_float must not return dicts or lists')
        return value
    return parse


class _Marks:
    """What is known about the names below a table: whether they are closed."""

    __slots__ = ('inner', 'declared', 'frozen')

    def __init__(self):
        self.inner = {}
        self.declared = False
        self.frozen = False

    def at(self, key):
        marks = self
        for name in key:
            marks = marks.inner.setdefault(name, _Marks())
        return marks

    def is_declared(self, key):
        marks = self
        for name in key:
            marks = marks.inner.get(name)
            if marks is None:
                return False
        return marks.declared

    def is_frozen(self, key):
        marks = self
        for name in key:
            marks = marks.inner.get(name)
            if marks is None:
                return False
            if marks.frozen:
                return True
        return False


class _Reader:
    """Reads a text line by line, so that a place in it is quickly found."""

    def __init__(self, text, parse_float):
        self.lines = text.split('\n')
        for i in range(len(self.lines) - 1):
            self.lines[i] += '\n'
        self.row = 0
        self.line = self.lines[0]
        self.at = 0
        self.parse_float = parse_float
        self.marks = _Marks()
        self.data = {}
        self.pending = []

    def error(self, message, at=None):
        at = self.at if at is None else at
        if self.row == len(self.lines) - 1 and at >= len(self.line):
            return TOMLDecodeError(f'{message} (at end of document)')
        return TOMLDecodeError(f'{message} (at line {self.row + 1}, column {at + 1})')

    def char(self):
        return self.line[self.at:self.at + 1]

    def blank(self):
        self.at = _blank.match(self.line, self.at).end()

    def next_line(self):
        self.row += 1
        self.line = self.lines[self.row]
        self.at = 0

    def comment(self):
        if self.char() != '#':
            return
        end = len(self.line) - (self.line[-1] == '\n')
        bad = _illegal.search(self.line, self.at, end)
        if bad:
            raise self.error(f'Found invalid character {bad[0]!r}', bad.start())
        self.at = end

    def gap(self):
        """Passes blanks, comments and ends of lines."""
        while True:
            self.blank()
            self.comment()
            if self.char() != '\n':
                return
            self.next_line()

    def document(self):
        header = ()
        while True:
            self.gap()
            char = self.char()
            if not char:
                return self.data
            if char == '[':
                self._close_names()
                header = self._array_header() if self.line.startswith('[[', self.at) else self._table_header()
            elif char in '"\'_-' or char.isascii() and char.isalnum():
                self._statement(header)
            else:
                raise self.error('Invalid statement')
            self.blank()
            self.comment()
            if self.char() not in ('', '\n'):
                raise self.error('Expected newline or end of document after a statement')

    def _close_names(self):
        """Tables that dotted keys made cannot be opened by a later header."""
        for key in self.pending:
            self.marks.at(key).declared = True
        self.pending = []

    def _table_header(self):
        self.at += 1
        self.blank()
        key = self._key()
        if self.marks.is_declared(key) or self.marks.is_frozen(key):
            raise self.error(f'Cannot declare {key} twice')
        self.marks.at(key).declared = True
        self._table(self.data, key)
        if self.char() != ']':
            raise self.error("Expected ']' at the end of a table declaration")
        self.at += 1
        return key

    def _array_header(self):
        self.at += 2
        self.blank()
        key = self._key()
        if self.marks.is_frozen(key):
            raise self.error(f'Cannot mutate immutable namespace {key}')
        marks = self.marks.at(key)
        marks.inner, marks.declared = {}, True
        array = self._table(self.data, key[:-1]).setdefault(key[-1], [])
        if not isinstance(array, list):
            raise self.error('Cannot overwrite a value')
        array.append({})
        if not self.line.startswith(']]', self.at):
            raise self.error("Expected ']]' at the end of an array declaration")
        self.at += 2
        return key

    def _table(self, data, key, lists=True):
        """The table at a key, made if it is not there."""
        for name in key:
            data = data.setdefault(name, {})
            if lists and isinstance(data, list):
                data = data[-1]
            if not isinstance(data, dict):
                raise self.error('Cannot overwrite a value')
        return data

    def _statement(self, header):
        key, value = self._pair()
        for i in range(1, len(key)):
            outer = header + key[:i]
            if self.marks.is_declared(outer):
                raise self.error(f'Cannot redefine namespace {outer}')
            self.pending.append(outer)
        outer = header + key[:-1]
        if self.marks.is_frozen(outer):
            raise self.error(f'Cannot mutate immutable namespace {outer}')
        table = self._table(self.data, outer)
        if key[-1] in table:
            raise self.error('Cannot overwrite a value')
        if isinstance(value, (dict, list)):
            self.marks.at(header + key).frozen = True
        table[key[-1]] = value

    def _pair(self):
        key = self._key()
        if self.char() != '=':
            raise self.error("Expected '=' after a key in a key/value pair")
        self.at += 1
        self.blank()
        return key, self._value()

    def _key(self):
        names = [self._name()]
        self.blank()
        while self.char() == '.':
            self.at += 1
            self.blank()
            names.append(self._name())
            self.blank()
        return tuple(names)

    def _name(self):
        if m := _bare.match(self.line, self.at):
            self.at = m.end()
            return m[0]
        match self.char():
            case "'":
                return self._literal()
            case '"':
                self.at += 1
                return self._basic(False)
        raise self.error('Invalid initial character for a key part')

    def _value(self):
        match self.char():
            case '"':
                if not self.line.startswith('"""', self.at):
                    self.at += 1
                    return self._basic(False)
                self._open_lines()
                return self._basic(True)
            case "'":
                return self._literal_lines() if self.line.startswith("'''", self.at) else self._literal()
            case '[':
                return self._array()
            case '{':
                return self._inline()
        if m := _moment.match(self.line, self.at):
            return self._moment(m)
        if m := _time.match(self.line, self.at):
            self.at = m.end()
            return _datetime.time(*_parts(m, 1))
        if m := _number.match(self.line, self.at):
            self.at = m.end()
            return self.parse_float(m[0]) if m[1] else int(m[0], 0)
        if m := _word.match(self.line, self.at):
            self.at = m.end()
            return m[0] == 'true' if m[0] in ('true', 'false') else self.parse_float(m[0])
        raise self.error('Invalid value')

    def _moment(self, m):
        year, month, day = int(m[1]), int(m[2]), int(m[3])
        try:
            if m[4] is None:
                value = _datetime.date(year, month, day)
            else:
                zone = None
                if m[8]:
                    zone = _datetime.timezone.utc
                elif m[9]:
                    offset = _datetime.timedelta(hours=int(m[10]), minutes=int(m[11]))
                    zone = _datetime.timezone(offset if m[9] == '+' else -offset)
                value = _datetime.datetime(year, month, day, *_parts(m, 4), tzinfo=zone)
        except ValueError:
            raise self.error('Invalid date or datetime') from None
        self.at = m.end()
        return value

    def _array(self):
        self.at += 1
        self.gap()
        items = []
        while self.char() != ']':
            items.append(self._value())
            self.gap()
            if self.char() == ']':
                break
            if self.char() != ',':
                raise self.error('Unclosed array')
            self.at += 1
            self.gap()
        self.at += 1
        return items

    def _inline(self):
        self.at += 1
        self.blank()
        table, marks = {}, _Marks()
        if self.char() == '}':
            self.at += 1
            return table
        while True:
            key, value = self._pair()
            if marks.is_frozen(key):
                raise self.error(f'Cannot mutate immutable namespace {key}')
            inner = self._table(table, key[:-1], lists=False)
            if key[-1] in inner:
                raise self.error(f'Duplicate inline table key {key[-1]!r}')
            inner[key[-1]] = value
            self.blank()
            if self.char() == '}':
                self.at += 1
                return table
            if self.char() != ',':
                raise self.error('Unclosed inline table')
            if isinstance(value, (dict, list)):
                marks.at(key).frozen = True
            self.at += 1
            self.blank()

    def _open_lines(self):
        """Passes three quotes, and the end of the line if it follows."""
        self.at += 3
        if self.char() == '\n':
            self.next_line()

    def _literal(self):
        start = self.at + 1
        end = self.line.find("'", start)
        if end < 0:
            if not any("'" in line for line in self.lines[self.row + 1:]):
                self.row = len(self.lines) - 1
                raise self.error('Expected "\'"', len(self.lines[-1]))
            end = len(self.line)
        bad = _illegal.search(self.line, start, end)
        if bad:
            raise self.error(f'Found invalid character {bad[0]!r}', bad.start())
        self.at = end + 1
        return self.line[start:end]

    def _literal_lines(self):
        self._open_lines()
        parts = []
        while (end := self.line.find("'''", self.at)) < 0:
            parts.append(self._part(len(self.line)))
            if self.row == len(self.lines) - 1:
                raise self.error('Expected "\'\'\'"', len(self.line))
            self.next_line()
        parts.append(self._part(end))
        self.at += 3
        while self.char() == "'" and self.at < end + 5:
            parts.append("'")
            self.at += 1
        return ''.join(parts)

    def _part(self, end):
        bad = _illegal_in_lines.search(self.line, self.at, end)
        if bad:
            raise self.error(f'Found invalid character {bad[0]!r}', bad.start())
        part = self.line[self.at:end]
        self.at = end
        return part

    def _basic(self, lines):
        """A string in double quotes, from after the first."""
        parts = []
        while True:
            m = _basic.match(self.line, self.at)
            parts.append(m[0])
            self.at = m.end()
            match self.char():
                case '':
                    raise self.error('Unterminated string')
                case '\\':
                    parts.append(self._escape(lines))
                case '\n' if lines:
                    parts.append('\n')
                    self.next_line()
                case '"' if not lines:
                    self.at += 1
                    return ''.join(parts)
                case '"':
                    if self.line.startswith('"""', self.at):
                        self.at += 3
                        end = self.at
                        while self.char() == '"' and self.at < end + 2:
                            parts.append('"')
                            self.at += 1
                        return ''.join(parts)
                    parts.append('"')
                    self.at += 1
                case char:
                    raise self.error(f'Illegal character {char!r}')

    def _escape(self, lines):
        sign = self.line[self.at + 1:self.at + 2]
        if lines and sign and sign in ' \t\n':
            self._continue()
            return ''
        self.at += 1 + len(sign)
        if sign in _escapes:
            return _escapes[sign]
        if sign == 'u' or sign == 'U':
            return self._character(4 if sign == 'u' else 8)
        raise self.error("Unescaped '\\' in a string")

    def _continue(self):
        """Passes a backslash at the end of a line, and all blanks and ends of lines that follow."""
        self.at += 1
        self.blank()
        if not self.char():
            return
        if self.char() != '\n':
            raise self.error("Unescaped '\\' in a string")
        while self.char() == '\n':
            self.next_line()
            self.blank()

    def _character(self, length):
        digits = _hex.match(self.line, self.at, self.at + length)[0]
        if len(digits) < length:
            raise self.error('Invalid hex value')
        self.at += length
        number = int(digits, 16)
        if number > 0x10ffff or 0xd800 <= number < 0xe000:
            raise self.error('Escaped character is not a Unicode scalar value')
        return chr(number)


def _parts(m, group):
    """Hour, minute, second and microsecond."""
    return int(m[group]), int(m[group + 1]), int(m[group + 2]), int((m[group + 3] or '0').ljust(6, '0'))
