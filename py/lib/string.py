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
