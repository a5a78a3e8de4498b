"""_xmlscan: the parts of an XML document, one after the other.

One regular expression takes the document apart, so that reading takes time in
proportion to its length, whatever is in it. Entities that a document declares
are not read: they are what makes small documents huge.
"""

import re as _re

_start = (r'A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f'
          r'\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd')
_rest = _start + r'\-.0-9\u00b7\u0300-\u036f\u203f\u2040'
_plain = f'[{_start}][{_rest}]*'
_name = f'{_plain}(?::{_plain})?'
_gap = r'[ \t\n]'

_token = _re.compile(
    rf'''<({_name})((?:{_gap}+{_name}{_gap}*={_gap}*(?:"[^<"]*"|'[^<']*'))*){_gap}*(/?)>'''
    rf'|</({_name}){_gap}*>'
    r'|([^<]+)'
    r'|<!--(.*?)-->'
    r'|<!\[CDATA\[(.*?)\]\]>'
    rf'|<\?({_plain})(?:{_gap}+(.*?))?\?>'
    rf'''|<!DOCTYPE{_gap}+{_name}((?:[^\[\]<>"']|"[^"]*"|'[^']*')*)'''
    rf'''(?:\[(?:[^\]"'<]|"[^"]*"|'[^']*'|<!--.*?-->|<\?.*?\?>|<![A-Z](?:[^"'>]|"[^"]*"|'[^']*')*>)*\]{_gap}*)?>'''
    r'|<', _re.DOTALL)
_attribute = _re.compile(rf'''({_name}){_gap}*={_gap}*("[^"]*"|'[^']*')''')
_bad = _re.compile(r'[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]')

# What a part that is wrong begins with: where it ends is the mistake.
_begun_tag = _re.compile(
    rf'''<(?:{_name}(?:{_gap}+{_name}{_gap}*={_gap}*(?:"[^<"]*"|'[^<']*'))*'''
    rf'''(?:/|{_gap}+(?:{_plain}(?::(?:{_plain})?)?(?:{_gap}*(?:={_gap}*(?:"[^<"]*|'[^<']*)?)?)|/)?)?)?''')
_begun_end = _re.compile(rf'</(?:{_name}{_gap}*)?')
_begun_instruction = _re.compile(rf'<\?(?:{_plain}(?:\?|{_gap}.*)?)?', _re.DOTALL)
_begun_reference = _re.compile(rf'&(?:{_plain}|#(?:[0-9]+|x[0-9a-fA-F]*)?)?')
_word = _re.compile(f'[{_rest}:]*')

_five = {'amp': '&', 'lt': '<', 'gt': '>', 'quot': '"', 'apos': "'"}
_xml = 'http://www.w3.org/XML/1998/namespace'

_messages = {
    2: 'syntax error', 3: 'no element found', 4: 'not well-formed (invalid token)', 5: 'unclosed token', 7: 'mismatched tag',
    8: 'duplicate attribute', 9: 'junk after document element', 11: 'undefined entity',
    14: 'reference to invalid character number', 17: 'XML or text declaration not at start of entity',
    20: 'unclosed CDATA section', 27: 'unbound prefix', 28: 'must not undeclare prefix', 36: 'parsing finished'}


class ParseError(SyntaxError):
    """A text that is no XML, with code and position."""

    __module__ = 'xml.etree.ElementTree'
    filename = lineno = offset = text = None

    def __init__(self, *args):
        super().__init__(*args)
        self.msg = args[0] if args else None


def text_of(data, encoding=None):
    """The document as a str without a carriage return, and whether it was cut where its bytes are no text."""
    cut = False
    if not isinstance(data, str):
        data = bytes(data)
        name = encoding or _declared(data)
        try:
            data = data.decode(name)
        except UnicodeDecodeError:
            data, cut = data[:_good(data, name)].decode(name), True
    if data[:1] == '\ufeff':
        data = data[1:]
    if '\r' in data:
        data = data.replace('\r\n', '\n').replace('\r', '\n')
    return data, cut


def _declared(data):
    if data[:2] in (b'\xff\xfe', b'\xfe\xff'):
        return 'utf-16'
    if data[:5] != b'<?xml':
        return 'utf-8'
    found = _re.match(rb'''<\?xml[^>]*?[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*["']([A-Za-z0-9._\-]+)["']''', data[:200])
    return found[1].decode() if found else 'utf-8'


def _good(data, name):
    """How many of the bytes are text: found by halving, since the error does not say."""
    low, high = 0, len(data)
    while low < high:
        middle = (low + high + 1) // 2
        if '\ufffd' in data[:middle].decode(name, 'replace')[:-1] or _fails(data[:middle], name):
            high = middle - 1
        else:
            low = middle
    return low


def _fails(data, name):
    try:
        data.decode(name)
    except UnicodeDecodeError:
        return True
    return False


class Scanner:
    """The parts of a text that text_of made."""

    def __init__(self, text, cut=False):
        bad = _bad.search(text)
        self.cut = cut or bad is not None
        self.text = text[:bad.start()] if bad else text
        self.open = []
        self.done = False
        self.external = False

    def error(self, code, at, extra=''):
        if self.cut and code in (3, 5, 20):
            code, at = 4, len(self.text)
        before = self.text[:at]
        line = before.count('\n') + 1
        column = at - (before.rfind('\n') + 1)
        made = ParseError(f'{_messages[code]}{extra}: line {line}, column {column}')
        made.code = code
        made.position = line, column
        return made

    def events(self):
        """A kind and two values of each part. Names are {space}name."""
        spaces = {'xml': _xml}
        for m in _token.finditer(self.text):
            if (text := m[5]) is not None:
                if not self.open:
                    self._outside(text, m)
                    continue
                if ']]>' in text:
                    raise self.error(4, m.start() + text.index(']]>') + 2)
                yield 'data', self._references(text, m, 5) if '&' in text else text, None
            elif (name := m[1]) is not None:
                if self.done and not self.open:
                    raise self.error(9, m.start())
                attributes = self._attributes(m) if m[2] else {}
                inner, new = self._bind(attributes, spaces, m) if 'xmlns' in m[2] else (spaces, ())
                for prefix, uri in new:
                    yield 'start-ns', prefix, uri
                if ':' in name or '' in inner:
                    name = self._qualified(name, inner, m)
                if ':' in m[2]:
                    attributes = self._qualified_attributes(attributes, inner, m)
                self.done = True
                yield 'start', name, attributes
                if m[3]:
                    yield 'end', name, None
                    for _ in new:
                        yield 'end-ns', None, None
                else:
                    self.open.append((m[1], name, spaces, len(new)))
                    spaces = inner
            elif (name := m[4]) is not None:
                if not self.open:
                    raise self.error(4, m.start() + 1)
                raw, name, spaces, count = self.open.pop()
                if raw != m[4]:
                    raise self.error(7, m.start(4))
                yield 'end', name, None
                for _ in range(count):
                    yield 'end-ns', None, None
            elif (text := m[6]) is not None:
                if '--' in text + '-':
                    raise self.error(4, m.start(6) + (text + '-').index('--') + 2)
                yield 'comment', text, None
            elif (text := m[7]) is not None:
                if not self.open:
                    raise self.error(9 if self.done else 2, m.start())
                yield 'data', text, None
            elif (name := m[8]) is not None:
                if name == 'xml':
                    if m.start():
                        raise self.error(9 if self.done and not self.open else 17, m.start())
                else:
                    yield 'pi', name, m[9]
            elif (text := m[10]) is not None:
                if self.done:
                    raise self.error(9 if not self.open else 4, m.start() + (2 if self.open else 0))
                self.external = 'SYSTEM' in text or 'PUBLIC' in text
            else:
                raise self._broken(m.start())
        if self.open or not self.done or self.cut:
            raise self.error(3, len(self.text))

    def _outside(self, text, m):
        """Text before or after the document element: blanks alone."""
        word = text.lstrip(' \t\n')
        if not word:
            return
        at = m.start() + len(text) - len(word)
        length = _word.match(word).end()
        after = self.text[at + length:at + length + 1]
        if not length or after not in ' \t\n':
            raise self.error(4, at + length)
        raise self.error(9 if self.done else 2, at)

    def _attributes(self, m):
        found = {}
        for a in _attribute.finditer(m[2]):
            name = a[1]
            if name in found:
                raise self.error(8, m.start(2) + a.start())
            value = a[2][1:-1]
            if '\n' in value or '\t' in value:
                value = value.replace('\n', ' ').replace('\t', ' ')
            if '&' in value:
                value = self._references(value, m, 2, a.start(2) + 1)
            found[name] = value
        return found

    def _references(self, text, m, group, offset=0):
        """The text with what its references stand for."""
        first, *parts = text.split('&')
        made = [first]
        passed = len(first)
        for part in parts:
            name, semicolon, rest = part.partition(';')
            if semicolon and name in _five:
                made.append(_five[name])
            else:
                made.append(self._reference(part, m.start(group) + offset + passed, m.start() if group == 2 else -1))
            made.append(rest)
            passed += len(part) + 1
        return ''.join(made)

    def _reference(self, part, at, tag):
        begun = _begun_reference.match('&' + part)[0]
        if part[len(begun) - 1:len(begun)] != ';' or begun in ('&', '&#', '&#x'):
            end = at + len(begun)
            raise self.error(5, at) if end >= len(self.text) else self.error(4, end)
        if begun[1] != '#':
            raise self.error(11, tag if tag >= 0 else at, f' {begun};' if self.external else '')
        digits = begun[3:].lstrip('0') if begun[2] == 'x' else begun[2:].lstrip('0')
        number = int(digits or '0', 16 if begun[2] == 'x' else 10) if len(digits) < 8 else 0
        if not (number in (9, 10, 13) or 32 <= number < 0xd800 or 0xe000 <= number < 0xfffe or 0x10000 <= number < 0x110000):
            raise self.error(14, at)
        return chr(number)

    def _bind(self, attributes, spaces, m):
        """The namespaces within an element, and those that are new; attributes loses what declares them."""
        inner, new = dict(spaces), []
        for key in list(attributes):
            if key != 'xmlns' and key[:6] != 'xmlns:':
                continue
            prefix, uri = key[6:], attributes.pop(key)
            if uri:
                inner[prefix] = uri
            elif prefix:
                raise self.error(28, m.start())
            else:
                inner.pop('', None)
            new.append((prefix, uri))
        return inner, new

    def _qualified(self, name, spaces, m):
        prefix, colon, local = name.rpartition(':')
        if prefix not in spaces:
            if colon:
                raise self.error(27, m.start())
            return name
        return f'{{{spaces[prefix]}}}{local}'

    def _qualified_attributes(self, attributes, spaces, m):
        found = {self._qualified(key, spaces, m) if ':' in key else key: value for key, value in attributes.items()}
        if len(found) < len(attributes):
            raise self.error(8, m.start())
        return found

    def _broken(self, at):
        """The mistake in the part that begins at the sign < there."""
        text = self.text[at:]
        if text[:4] == '<!--':
            place = text.find('--', 4) + 2
            return self.error(4, at + place) if 2 < place < len(text) else self.error(5, at)
        if text[:9] == '<![CDATA[':
            return self.error(20, len(self.text)) if self.open else self.error(9 if self.done else 2, at)
        if text[:9] == '<!DOCTYPE':
            return self.error(2 if '>' in text else 5, at)
        if text[:2] == '<!':
            whole = any(word.startswith(text) for word in ('<!--', '<![CDATA[', '<!DOCTYPE'))
            return self.error(5, at) if whole else self.error(4, at + 2)
        pattern = {'/': _begun_end, '?': _begun_instruction}.get(text[1:2], _begun_tag)
        length = pattern.match(text).end()
        return self.error(5, at) if length == len(text) else self.error(4, at + length)
