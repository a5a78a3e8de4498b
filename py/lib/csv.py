"""csv: tables as text with a delimiter between the fields."""

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = range(4)

_dialects = {}
_limit = 131072


class Error(Exception):
    pass


def field_size_limit(limit=None, /):
    """The most characters of a field; sets it when a limit is given."""
    global _limit
    before = _limit
    if limit is not None:
        if not isinstance(limit, int):
            raise TypeError('limit must be an integer')
        _limit = limit
    return before


class Dialect:
    """How a table is written; programs make classes of it."""

    delimiter = None
    quotechar = None
    escapechar = None
    doublequote = None
    skipinitialspace = None
    lineterminator = None
    quoting = None

    def __init__(self):
        try:
            _Format(self, {})
        except TypeError as e:
            raise Error(str(e))


class excel(Dialect):
    delimiter = ','
    quotechar = '"'
    doublequote = True
    skipinitialspace = False
    lineterminator = '\r\n'
    quoting = QUOTE_MINIMAL


class excel_tab(excel):
    delimiter = '\t'


class unix_dialect(Dialect):
    delimiter = ','
    quotechar = '"'
    doublequote = True
    skipinitialspace = False
    lineterminator = '\n'
    quoting = QUOTE_ALL


_defaults = {'delimiter': ',', 'quotechar': '"', 'escapechar': None, 'doublequote': True, 'skipinitialspace': False,
             'lineterminator': '\r\n', 'quoting': QUOTE_MINIMAL, 'strict': False}


def _character(name, value, optional):
    if value is None and optional:
        return None
    if not isinstance(value, str):
        wanted = 'string or None' if optional else 'string'
        raise TypeError(f'"{name}" must be {wanted}, not {type(value).__name__}')
    if len(value) > 1 or not value and not optional:
        raise TypeError(f'"{name}" must be a 1-character string')
    return value or None


class _Format:
    """A dialect whose values have been looked at."""

    def __init__(self, dialect, given):
        values = {}
        for name in given:
            if name not in _defaults:
                raise TypeError(f"'{name}' is an invalid keyword argument for this function")
        for name, default in _defaults.items():
            values[name] = given[name] if name in given else getattr(dialect, name, default)
        self.delimiter = _character('delimiter', values['delimiter'], False)
        self.quotechar = _character('quotechar', values['quotechar'], True)
        self.escapechar = _character('escapechar', values['escapechar'], True)
        self.doublequote = bool(values['doublequote'])
        self.skipinitialspace = bool(values['skipinitialspace'])
        self.strict = bool(values['strict'])
        quoting = values['quoting']
        if not isinstance(quoting, int):
            raise TypeError('"quoting" must be an integer')
        if not 0 <= quoting <= 3:
            raise TypeError('bad "quoting" value')
        self.quoting = quoting
        if self.quotechar is None and quoting != QUOTE_NONE:
            if 'quoting' in given or 'quotechar' not in given:
                raise TypeError('quotechar must be set if quoting enabled')
            self.quoting = QUOTE_NONE
        if not isinstance(values['lineterminator'], str):
            if values['lineterminator'] is None:
                raise TypeError('lineterminator must be set')
            raise TypeError('"lineterminator" must be a string')
        self.lineterminator = values['lineterminator']


def _format_of(dialect, given):
    if dialect is None:
        return _Format(excel, given)
    if isinstance(dialect, str):
        return _Format(get_dialect(dialect), given)
    if isinstance(dialect, _Format) and not given:
        return dialect
    return _Format(dialect, given)


def register_dialect(name, dialect=None, **fmtparams):
    if not isinstance(name, str):
        raise TypeError('dialect name must be a string')
    _dialects[name] = _format_of(dialect, fmtparams)


def unregister_dialect(name):
    if name not in _dialects:
        raise Error('unknown dialect')
    del _dialects[name]


def get_dialect(name):
    if name not in _dialects:
        raise Error('unknown dialect')
    return _dialects[name]


def list_dialects():
    return list(_dialects)


register_dialect('excel', excel)
register_dialect('excel-tab', excel_tab)
register_dialect('unix', unix_dialect)


class _Reader:
    """The rows of an iterable of lines."""

    def __init__(self, lines, dialect, given):
        self._lines = iter(lines)
        self.dialect = _format_of(dialect, given)
        self.line_num = 0
        d = self.dialect
        self._special = [c for c in (d.quotechar if d.quoting != QUOTE_NONE else None, d.escapechar, '\r', '\n') if c]

    def __iter__(self):
        return self

    def _next_line(self):
        line = next(self._lines)
        if not isinstance(line, str):
            raise Error(f'iterator should return strings, not {type(line).__name__} (the file should be opened in text mode)')
        self.line_num += 1
        return line

    def __next__(self):
        line = self._next_line()
        d = self.dialect
        plain = line
        if plain.endswith('\r\n'):
            plain = plain[:-2]
        elif plain.endswith('\n') or plain.endswith('\r'):
            plain = plain[:-1]
        if d.skipinitialspace or d.quoting == QUOTE_NONNUMERIC or any([c in plain for c in self._special]):
            return self._scan(line)
        if not plain:
            return []
        fields = plain.split(d.delimiter)
        if len(plain) > _limit and any([len(field) > _limit for field in fields]):
            raise Error(f'field larger than field limit ({_limit})')
        return fields

    def _scan(self, line):
        """Reads a row by its characters, over as many lines as its quotes ask for."""
        row = _Row(self.dialect)
        while True:
            for char in line:
                row.take(char)
            row.end_line()
            if row.state == _START_RECORD:
                return row.fields
            try:
                line = self._next_line()
            except StopIteration:
                return row.end_data()


# The states of a row that is being read: what came before the next character.
(_START_RECORD, _START_FIELD, _ESCAPED, _IN_FIELD, _IN_QUOTES, _ESCAPED_IN_QUOTES, _AFTER_QUOTE, _LINE_ENDED,
 _AFTER_ESCAPED_END) = range(9)


class _Row:
    """A row that is being read."""

    def __init__(self, dialect):
        self.dialect = dialect
        self.fields = []
        self.state = _START_RECORD
        self.field = []
        self.numeric = False
        self.size = 0

    def add(self, char):
        self.size += 1
        if self.size > _limit:
            raise Error(f'field larger than field limit ({_limit})')
        self.field.append(char)

    def save(self):
        text = ''.join(self.field)
        self.field = []
        self.size = 0
        if self.numeric:
            self.numeric = False
            text = float(text)
        self.fields.append(text)

    def take(self, char):
        d = self.dialect
        state = self.state
        if state == _IN_QUOTES:
            if char == d.escapechar:
                self.state = _ESCAPED_IN_QUOTES
            elif char == d.quotechar and d.quoting != QUOTE_NONE:
                self.state = _AFTER_QUOTE if d.doublequote else _IN_FIELD
            else:
                self.add(char)
        elif state == _IN_FIELD or state == _AFTER_ESCAPED_END:
            self._in_field(char)
        elif state == _START_RECORD:
            if char == '\r' or char == '\n':
                self.state = _LINE_ENDED
            else:
                self._start_field(char)
        elif state == _START_FIELD:
            self._start_field(char)
        elif state == _AFTER_QUOTE:
            self._after_quote(char)
        elif state == _ESCAPED:
            self.add(char)
            self.state = _AFTER_ESCAPED_END if char == '\r' or char == '\n' else _IN_FIELD
        elif state == _ESCAPED_IN_QUOTES:
            self.add(char)
            self.state = _IN_QUOTES
        elif char != '\r' and char != '\n':
            raise Error('new-line character seen in unquoted field - do you need to open the file in universal-newline mode?')

    def _end_field(self, char):
        """Whether char ends the field."""
        if char == '\r' or char == '\n':
            self.save()
            self.state = _LINE_ENDED
            return True
        if char == self.dialect.delimiter:
            self.save()
            self.state = _START_FIELD
            return True
        return False

    def _start_field(self, char):
        d = self.dialect
        self.numeric = False
        if char == '\r' or char == '\n':
            self.save()
            self.state = _LINE_ENDED
        elif char == d.quotechar and d.quoting != QUOTE_NONE:
            self.state = _IN_QUOTES
        elif char == d.escapechar:
            self.state = _ESCAPED
        elif char == ' ' and d.skipinitialspace:
            self.state = _START_FIELD
        elif char == d.delimiter:
            self.save()
            self.state = _START_FIELD
        else:
            self.numeric = d.quoting == QUOTE_NONNUMERIC
            self.add(char)
            self.state = _IN_FIELD

    def _in_field(self, char):
        if self._end_field(char):
            return
        if char == self.dialect.escapechar:
            self.state = _ESCAPED
        else:
            self.add(char)
            self.state = _IN_FIELD

    def _after_quote(self, char):
        d = self.dialect
        if d.quoting != QUOTE_NONE and char == d.quotechar:
            self.add(char)
            self.state = _IN_QUOTES
        elif self._end_field(char):
            pass
        elif not d.strict:
            self.add(char)
            self.state = _IN_FIELD
        else:
            raise Error(f"'{d.delimiter}' expected after '{d.quotechar}'")

    def end_line(self):
        """The line has no more characters."""
        state = self.state
        if state == _START_FIELD or state == _IN_FIELD or state == _AFTER_QUOTE:
            self.save()
            self.state = _START_RECORD
        elif state == _ESCAPED:
            self.add('\n')
            self.state = _AFTER_ESCAPED_END
        elif state == _ESCAPED_IN_QUOTES:
            self.add('\n')
            self.state = _IN_QUOTES
        elif state == _LINE_ENDED:
            self.state = _START_RECORD

    def end_data(self):
        """There are no more lines."""
        if self.field or self.state == _IN_QUOTES:
            if self.dialect.strict:
                raise Error('unexpected end of data')
            self.save()
            return self.fields
        raise StopIteration


def reader(iterable, /, dialect=None, **fmtparams):
    return _Reader(iterable, dialect, fmtparams)


class _Writer:
    """Writes rows to an object that has write."""

    def __init__(self, target, dialect, given):
        write = getattr(target, 'write', None)
        if not callable(write):
            raise TypeError('argument 1 must have a "write" method')
        self._write = write
        self.dialect = d = _format_of(dialect, given)
        self._special = [c for c in (d.delimiter, d.escapechar, d.quotechar) if c] + list(d.lineterminator)

    def writerow(self, row, /):
        try:
            items = iter(row)
        except TypeError:
            raise Error(f'iterable expected, not {type(row).__name__}') from None
        d = self.dialect
        fields = [self._field(item) for item in items]
        if fields == ['']:
            if d.quoting == QUOTE_NONE:
                raise Error('single empty field record must be quoted')
            fields = [d.quotechar * 2]
        return self._write(d.delimiter.join(fields) + d.lineterminator)

    def writerows(self, rows, /):
        for row in rows:
            self.writerow(row)

    def _field(self, item):
        d = self.dialect
        quoted = d.quoting == QUOTE_ALL or d.quoting == QUOTE_NONNUMERIC and not isinstance(item, (int, float))
        text = '' if item is None else item if isinstance(item, str) else str(item)
        for char in self._special:
            if char in text:
                return self._escaped(text, quoted)
        return d.quotechar + text + d.quotechar if quoted else text

    def _escaped(self, text, quoted):
        """text, which has a character that means something, as a field."""
        d = self.dialect
        parts = []
        for char in text:
            if char in self._special:
                if d.quoting == QUOTE_NONE or char == d.escapechar or char == d.quotechar and not d.doublequote:
                    if d.escapechar is None:
                        raise Error('need to escape, but no escapechar set')
                    parts.append(d.escapechar)
                else:
                    quoted = True
                    if char == d.quotechar:
                        parts.append(char)
            parts.append(char)
        text = ''.join(parts)
        return d.quotechar + text + d.quotechar if quoted else text


def writer(target, /, dialect=None, **fmtparams):
    return _Writer(target, dialect, fmtparams)


class DictReader:
    """The rows of an iterable of lines as dicts; the first row has the keys."""

    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect='excel', *args, **kwds):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self._fieldnames = fieldnames
        self.restkey = restkey
        self.restval = restval
        self.reader = reader(f, dialect, *args, **kwds)
        self.dialect = dialect
        self.line_num = 0

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            try:
                self._fieldnames = next(self.reader)
            except StopIteration:
                pass
        self.line_num = self.reader.line_num
        return self._fieldnames

    @fieldnames.setter
    def fieldnames(self, value):
        self._fieldnames = value

    def __iter__(self):
        return self

    def __next__(self):
        if self.line_num == 0:
            self.fieldnames
        row = next(self.reader)
        self.line_num = self.reader.line_num
        while row == []:
            row = next(self.reader)
        names = self.fieldnames
        result = dict(zip(names, row))
        if len(names) < len(row):
            result[self.restkey] = row[len(names):]
        else:
            for name in names[len(row):]:
                result[name] = self.restval
        return result


class DictWriter:
    """Writes dicts as rows."""

    def __init__(self, f, fieldnames, restval='', extrasaction='raise', dialect='excel', *args, **kwds):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self.fieldnames = fieldnames
        self.restval = restval
        if extrasaction.lower() not in ('raise', 'ignore'):
            raise ValueError(f"extrasaction ({extrasaction}) must be 'raise' or 'ignore'")
        self.extrasaction = extrasaction
        self.writer = writer(f, dialect, *args, **kwds)

    def writeheader(self):
        return self.writerow(dict(zip(self.fieldnames, self.fieldnames)))

    def _values(self, row):
        if self.extrasaction == 'raise':
            extra = [repr(name) for name in row if name not in self.fieldnames]
            if extra:
                raise ValueError('dict contains fields not in fieldnames: ' + ', '.join(extra))
        return [row.get(name, self.restval) for name in self.fieldnames]

    def writerow(self, rowdict):
        return self.writer.writerow(self._values(rowdict))

    def writerows(self, rowdicts):
        for row in rowdicts:
            self.writer.writerow(self._values(row))


class Sniffer:
    """Guesses how a table is written."""

    preferred = [',', '\t', ';', ' ', ':']

    def sniff(self, sample, delimiters=None):
        """The dialect of the sample: its delimiter is a character that each
        line has equally often outside of quotes."""
        lines = [line for line in sample.splitlines() if line]
        quote = max('"\'', key=lambda mark: _quotes(sample, mark, delimiters))
        if not _quotes(sample, quote, delimiters):
            quote = '"'
        counts = [_counts(line, quote) for line in lines[:200]]
        candidates = {}
        for char in (delimiters or [c for c in dict.fromkeys(sample) if not c.isalnum() and c not in '\r\n"\'._'] + ['_', '.']):
            seen = [count.get(char, 0) for count in counts]
            usual = max(set(seen), key=seen.count, default=0)
            share = seen.count(usual) / max(1, len(seen))
            if usual and share > 0.9:
                candidates[char] = share, usual
        if not candidates:
            raise Error('Could not determine delimiter')
        delimiter = next((c for c in self.preferred if c in candidates), None) or max(candidates, key=candidates.get)

        class dialect(Dialect):
            _name = 'sniffed'
            lineterminator = '\r\n'
            quoting = QUOTE_MINIMAL

        dialect.delimiter = delimiter
        dialect.quotechar = quote
        dialect.doublequote = quote * 2 in sample.replace(delimiter + quote * 2 + delimiter, '')
        pieces = [line.split(delimiter)[1:] for line in lines if delimiter in line]
        dialect.skipinitialspace = delimiter != ' ' and bool(pieces) and all(
            [piece.startswith(' ') for row in pieces for piece in row])
        return dialect

    def has_header(self, sample):
        """Whether the first row looks unlike the others: a text over numbers, or
        of another length than all the texts below it."""
        rows = list(reader(sample.splitlines(), self.sniff(sample)))
        header, rows = rows[0], [row for row in rows[1:21] if len(row) == len(rows[0])]
        score = 0
        for index, title in enumerate(header):
            kinds = {_kind_of(row[index]) for row in rows}
            if len(kinds) != 1:
                continue
            kind = kinds.pop()
            if isinstance(kind, int):
                score += 1 if len(title) != kind else -1
            else:
                score += -1 if _kind_of(title) is kind else 1
        return score > 0


def _kind_of(text):
    """complex for a number, or the length of another text."""
    try:
        float(text)
    except ValueError:
        return len(text)
    return float


def _quotes(sample, mark, delimiters):
    """How often mark stands where the quote of a field does."""
    sides = ('\n' + sample + '\n').split(mark)
    return sum([1 for side in sides[1:] if side and not side[0].isalnum()]) if len(sides) > 2 else 0


def _counts(line, quote):
    """How often each character stands outside of quotes."""
    counts = {}
    inside = False
    for char in line:
        if char == quote:
            inside = not inside
        elif not inside:
            counts[char] = counts.get(char, 0) + 1
    return counts
