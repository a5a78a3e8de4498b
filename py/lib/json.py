"""json: the text format for data that most programs understand."""

from _json import JSONDecodeError, dumps, loads, scan as _scan


class JSONEncoder:
    """Writes values as JSON; a subclass says in default how to write others."""

    item_separator = ', '
    key_separator = ': '

    def __init__(self, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True,
                 sort_keys=False, indent=None, separators=None, default=None):
        self.skipkeys = skipkeys
        self.ensure_ascii = ensure_ascii
        self.check_circular = check_circular
        self.allow_nan = allow_nan
        self.sort_keys = sort_keys
        self.indent = indent
        if separators is not None:
            self.item_separator, self.key_separator = separators
        elif indent is not None:
            self.item_separator = ','
        if default is not None:
            self.default = default

    def default(self, o):
        raise TypeError(f'Object of type {type(o).__name__} is not JSON serializable')

    def encode(self, o):
        """The text of a value."""
        if type(self).iterencode is not JSONEncoder.iterencode and not isinstance(o, str):
            return ''.join(self.iterencode(o))
        return self._encoded(o)

    def iterencode(self, o, _one_shot=False):
        """The text of a value, in parts."""
        return iter([self._encoded(o)])

    def _encoded(self, o):
        return dumps(o, skipkeys=self.skipkeys, ensure_ascii=self.ensure_ascii, check_circular=self.check_circular,
                     allow_nan=self.allow_nan, sort_keys=self.sort_keys, indent=self.indent, default=self.default,
                     separators=(self.item_separator, self.key_separator))


class JSONDecoder:
    """Reads JSON."""

    def __init__(self, *, object_hook=None, parse_float=None, parse_int=None, parse_constant=None,
                 strict=True, object_pairs_hook=None):
        self.object_hook = object_hook
        self.object_pairs_hook = object_pairs_hook
        self.parse_float = parse_float
        self.parse_int = parse_int
        self.parse_constant = parse_constant
        self.strict = strict

    def decode(self, s):
        """The value of a text that has nothing else."""
        start = len(s) - len(s.lstrip(' \t\n\r'))
        value, end = self.raw_decode(s, start)
        rest = s[end:].lstrip(' \t\n\r')
        if rest:
            raise JSONDecodeError('Extra data', s, len(s) - len(rest))
        return value

    def raw_decode(self, s, idx=0):
        """The value that begins at an index, and where it ends."""
        return _scan(s, idx, self.strict, self.object_hook, self.object_pairs_hook,
                     self.parse_float, self.parse_int, self.parse_constant)


def dump(obj, fp, **options):
    """Write the text of a value to something that has write."""
    fp.write(dumps(obj, **options))


def load(fp, **options):
    """The value of the text that something that has read gives."""
    return loads(fp.read(), **options)
