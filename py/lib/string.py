"""string: constants and templates."""

whitespace = ' \t\n\r\v\f'
ascii_lowercase = 'abcdefghijklmnopqrstuvwxyz'
ascii_uppercase = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
ascii_letters = ascii_lowercase + ascii_uppercase
digits = '0123456789'
hexdigits = digits + 'abcdef' + 'ABCDEF'
octdigits = '01234567'
punctuation = r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"""
printable = digits + ascii_letters + punctuation + whitespace

_first = frozenset(ascii_letters + '_')
_later = frozenset(ascii_letters + digits + '_')


def capwords(s, sep=None):
    """s with its words capitalized."""
    return (sep or ' ').join([word.capitalize() for word in s.split(sep)])


class Template:
    """A string with $placeholders."""

    delimiter = '$'
    idpattern = braceidpattern = pattern = flags = None

    def __init__(self, template):
        self.template = template

    def _parts(self):
        """The text and the placeholders, in order.

        Each is (text, None), (source, name), or (delimiter, index) for one that
        introduces neither a name nor itself."""
        if self.idpattern or self.braceidpattern or self.pattern:
            yield from self._matches()
            return
        template = self.template
        end = 0
        while True:
            start = template.find(self.delimiter, end)
            if start < 0:
                yield template[end:], None
                return
            yield template[end:start], None
            after = start + len(self.delimiter)
            if template.startswith(self.delimiter, after):
                yield self.delimiter, None
                end = after + len(self.delimiter)
                continue
            braced = template[after:after + 1] == '{'
            first = end = after + braced
            if template[end:end + 1] in _first:
                while template[end:end + 1] in _later:
                    end += 1
            closed = not braced or template[end:end + 1] == '}'
            if end == first or not closed:
                yield self.delimiter, after
                end = after
                continue
            name = template[first:end]
            end += braced
            yield template[start:end], name

    def _matches(self):
        """_parts by the patterns of a subclass."""
        import re
        pattern = self.pattern
        if not pattern:
            name = self.idpattern or '(?a:[_a-z][_a-z0-9]*)'
            sign = re.escape(self.delimiter)
            pattern = (f'{sign}(?:(?P<escaped>{sign})|(?P<named>{name})|'
                       f'{{(?P<braced>{self.braceidpattern or name})}}|(?P<invalid>))')
        flags = re.IGNORECASE if self.flags is None else self.flags
        end = 0
        for match in re.finditer(pattern, self.template, flags | re.VERBOSE):
            yield self.template[end:match.start()], None
            end = match.end()
            if match['escaped'] is not None:
                yield self.delimiter, None
            elif match['invalid'] is not None:
                yield match[0], match.start('invalid')
            else:
                yield match[0], match['named'] or match['braced']
        yield self.template[end:], None

    def _mapping(self, mapping, keywords):
        if mapping is None:
            return keywords
        if not keywords:
            return mapping
        from collections import ChainMap
        return ChainMap(keywords, mapping)

    def substitute(self, mapping=None, /, **keywords):
        mapping = self._mapping(mapping, keywords)
        result = []
        for source, name in self._parts():
            if name is None:
                result.append(source)
            elif isinstance(name, int):
                self._invalid(name)
            else:
                result.append(str(mapping[name]))
        return ''.join(result)

    def safe_substitute(self, mapping=None, /, **keywords):
        mapping = self._mapping(mapping, keywords)
        result = []
        for source, name in self._parts():
            if isinstance(name, str):
                try:
                    source = str(mapping[name])
                except KeyError:
                    pass
            result.append(source)
        return ''.join(result)

    def _invalid(self, index):
        lines = self.template[:index].splitlines(keepends=True)
        if lines:
            column, line = index - len(''.join(lines[:-1])), len(lines)
        else:
            column = line = 1
        raise ValueError(f'Invalid placeholder in string: line {line}, col {column}')

    def is_valid(self):
        return not any(isinstance(name, int) for _, name in self._parts())

    def get_identifiers(self):
        return list(dict.fromkeys([name for _, name in self._parts() if isinstance(name, str)]))


class Formatter:
    """str.format with parts that programs can override."""

    def format(self, format_string, /, *args, **kwargs):
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        used = set()
        result, _ = self._vformat(format_string, args, kwargs, used, 2, 0)
        self.check_unused_args(used, args, kwargs)
        return result

    def _vformat(self, format_string, args, kwargs, used, depth, number):
        """The text, and the number of the next field without a name; it is None once fields are numbered."""
        if depth < 0:
            raise ValueError('Max string recursion exceeded')
        parts = []
        for literal, name, spec, conversion in self.parse(format_string):
            if literal:
                parts.append(literal)
            if name is None:
                continue
            if name == '':
                if number is None:
                    raise ValueError('cannot switch from manual field specification to automatic field numbering')
                name = str(number)
                number += 1
            elif name.isdigit():
                if number:
                    raise ValueError('cannot switch from manual field specification to automatic field numbering')
                number = None
            value, key = self.get_field(name, args, kwargs)
            used.add(key)
            value = self.convert_field(value, conversion)
            spec, number = self._vformat(spec, args, kwargs, used, depth - 1, number)
            parts.append(self.format_field(value, spec))
        return ''.join(parts), number

    def get_value(self, key, args, kwargs):
        return args[key] if isinstance(key, int) else kwargs[key]

    def check_unused_args(self, used_args, args, kwargs):
        pass

    def format_field(self, value, format_spec):
        return format(value, format_spec)

    def convert_field(self, value, conversion):
        if conversion is None:
            return value
        if conversion in ('s', 'r', 'a'):
            return {'s': str, 'r': repr, 'a': ascii}[conversion](value)
        raise ValueError(f'Unknown conversion specifier {conversion!s}')

    def parse(self, format_string):
        """Tuples of the text before a field, its name, what to do with it, and how to convert it."""
        place = 0
        literal = ''
        while place < len(format_string):
            char = format_string[place]
            place += 1
            if char not in '{}':
                literal += char
            elif format_string[place:place + 1] == char:
                place += 1
                yield literal + char, None, None, None
                literal = ''
            elif char == '}':
                raise ValueError("Single '}' encountered in format string")
            else:
                end = _field_end(format_string, place)
                yield (literal, *_field(format_string[place:end]))
                literal = ''
                place = end + 1
        if literal:
            yield literal, None, None, None

    def get_field(self, field_name, args, kwargs):
        """The value of a name such as 0.real or x[k], and its first part."""
        first, steps = _steps(field_name)
        value = self.get_value(first, args, kwargs)
        for is_attr, step in steps:
            value = getattr(value, step) if is_attr else value[step]
        return value, first


def _field_end(text, place):
    """Where the field that begins at place is closed."""
    if place >= len(text):
        raise ValueError("Single '{' encountered in format string")
    depth = 1
    while place < len(text):
        if text[place] == '{':
            depth += 1
        elif text[place] == '}':
            depth -= 1
            if depth == 0:
                return place
        place += 1
    raise ValueError("expected '}' before end of string")


def _field(text):
    """The name, the specification and the conversion of a field."""
    brackets = 0
    for place, char in enumerate(text):
        if char == '[':
            brackets = 1
        elif char == ']':
            brackets = 0
        elif char == ':' and not brackets:
            return text[:place], text[place + 1:], None
        elif char == '!' and not brackets:
            rest = text[place + 1:]
            if not rest:
                raise ValueError("end of string while looking for conversion specifier")
            if len(rest) > 1 and rest[1] != ':':
                raise ValueError("expected ':' after conversion specifier")
            return text[:place], rest[2:], rest[0]
    return text, '', None


def _steps(name):
    """The first part of a field's name, and the attributes and items that follow."""
    end = min([place for place in (name.find('.'), name.find('[')) if place >= 0], default=len(name))
    first, rest = name[:end], name[end:]
    steps = []
    while rest:
        if rest[0] == '.':
            end = min([place for place in (rest.find('.', 1), rest.find('[', 1)) if place >= 0], default=len(rest))
            step, rest = rest[1:end], rest[end:]
            steps.append((True, step))
        elif rest[0] == '[':
            end = rest.find(']')
            if end < 0:
                raise ValueError("Missing ']' in format string")
            step, rest = rest[1:end], rest[end + 1:]
            steps.append((False, int(step) if step.isdigit() else step))
        else:
            raise ValueError("Only '.' or '[' may follow ']' in format field specifier")
        if step == '':
            raise ValueError('Empty attribute in format string')
    return int(first) if first.isdigit() else first, steps
