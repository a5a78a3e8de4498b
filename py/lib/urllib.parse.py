"""urllib.parse: addresses taken apart and put together."""

from collections import namedtuple as _namedtuple

uses_relative = ['', 'ftp', 'http', 'gopher', 'nntp', 'imap', 'wais', 'file', 'https', 'shttp', 'mms', 'prospero', 'rtsp',
                 'rtspu', 'sftp', 'svn', 'svn+ssh', 'ws', 'wss']
uses_netloc = ['', 'ftp', 'http', 'gopher', 'nntp', 'telnet', 'imap', 'wais', 'file', 'mms', 'https', 'shttp', 'snews',
               'prospero', 'rtsp', 'rtspu', 'rsync', 'svn', 'svn+ssh', 'sftp', 'nfs', 'git', 'git+ssh', 'ws', 'wss']
uses_params = ['', 'ftp', 'hdl', 'prospero', 'http', 'imap', 'https', 'shttp', 'rtsp', 'rtspu', 'sip', 'sips', 'mms', 'sftp',
               'tel']
scheme_chars = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.'

_letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
_unreserved = frozenset(_letters + '0123456789_.-~')
_hex = '0123456789abcdefABCDEF'


class _Mixed:
    """What results of text share; those of bytes have the same with _text."""

    def _text(self, value):
        return value.decode('ascii') if isinstance(value, bytes) else value

    def _like(self, value):
        return value.encode('ascii') if isinstance(self[0], bytes) and value is not None else value

    def _account(self):
        user, at, host = self._text(self.netloc).rpartition('@')
        return (user if at else None), host

    @property
    def username(self):
        user, host = self._account()
        return None if user is None else self._like(user.partition(':')[0])

    @property
    def password(self):
        user, host = self._account()
        if user is None:
            return None
        name, colon, password = user.partition(':')
        return self._like(password) if colon else None

    def _host_and_port(self):
        host = self._account()[1]
        before, bracket, inner = host.partition('[')
        if bracket:
            name, closing, port = inner.partition(']')
            port = port.partition(':')[2]
        else:
            name, colon, port = host.partition(':')
        return name, port or None

    @property
    def hostname(self):
        name = self._host_and_port()[0]
        if not name:
            return None
        name, percent, zone = name.partition('%')
        return self._like(name.lower() + percent + zone)

    @property
    def port(self):
        port = self._host_and_port()[1]
        if port is None:
            return None
        if not (port.isdigit() and port.isascii()):
            raise ValueError(f'Port could not be cast to integer value as {port!r}')
        port = int(port)
        if port > 65535:
            raise ValueError('Port out of range 0-65535')
        return port


class _Encoding:
    def encode(self, encoding='ascii', errors='strict'):
        return self._other(*[part.encode(encoding, errors) for part in self])


class _Decoding:
    def decode(self, encoding='ascii', errors='strict'):
        return self._other(*[part.decode(encoding, errors) for part in self])


_Split = _namedtuple('SplitResult', 'scheme netloc path query fragment')
_Parse = _namedtuple('ParseResult', 'scheme netloc path params query fragment')
_Defrag = _namedtuple('DefragResult', 'url fragment')


class SplitResult(_Split, _Mixed, _Encoding):
    __slots__ = ()

    def geturl(self):
        return urlunsplit(self)


class SplitResultBytes(_Split, _Mixed, _Decoding):
    __slots__ = ()

    def geturl(self):
        return urlunsplit(self)


class ParseResult(_Parse, _Mixed, _Encoding):
    __slots__ = ()

    def geturl(self):
        return urlunparse(self)


class ParseResultBytes(_Parse, _Mixed, _Decoding):
    __slots__ = ()

    def geturl(self):
        return urlunparse(self)


class DefragResult(_Defrag, _Encoding):
    __slots__ = ()

    def geturl(self):
        return self.url + '#' + self.fragment if self.fragment else self.url


class DefragResultBytes(_Defrag, _Decoding):
    __slots__ = ()

    def geturl(self):
        return self.url + b'#' + self.fragment if self.fragment else self.url


for _text, _binary in ((SplitResult, SplitResultBytes), (ParseResult, ParseResultBytes), (DefragResult, DefragResultBytes)):
    _text._other = _binary
    _binary._other = _text


def _as_text(*args):
    """The arguments as str, and a function that turns results into what the first one is."""
    is_text = isinstance(args[0], str)
    for arg in args[1:]:
        if arg and isinstance(arg, str) != is_text:
            raise TypeError('Cannot mix str and non-str arguments')
    if is_text:
        return args + (_same,)
    return tuple([arg.decode('ascii') if arg else '' for arg in args]) + (_encoded,)


def _same(result):
    return result


def _encoded(result):
    return result.encode('ascii')


def _check_netloc(netloc):
    if ('[' in netloc) != (']' in netloc):
        raise ValueError('Invalid IPv6 URL')


def urlsplit(url, scheme='', allow_fragments=True):
    """The five parts of an address."""
    url, scheme, coerced = _as_text(url, scheme)
    url = url.lstrip(''.join([chr(i) for i in range(33)]))
    scheme = scheme.strip(''.join([chr(i) for i in range(33)]))
    for char in '\t\r\n':
        url = url.replace(char, '')
        scheme = scheme.replace(char, '')
    netloc = query = fragment = ''
    colon = url.find(':')
    if colon > 0 and url[0].isascii() and url[0].isalpha() and all([char in scheme_chars for char in url[:colon]]):
        scheme, url = url[:colon].lower(), url[colon + 1:]
    if url[:2] == '//':
        end = min([place for place in (url.find('/', 2), url.find('?', 2), url.find('#', 2)) if place >= 0], default=len(url))
        netloc, url = url[2:end], url[end:]
        _check_netloc(netloc)
    if allow_fragments and '#' in url:
        url, _, fragment = url.partition('#')
    if '?' in url:
        url, _, query = url.partition('?')
    return coerced(SplitResult(scheme, netloc, url, query, fragment))


def _cut_params(url):
    """The path and the parameters of its last part."""
    slash = url.rfind('/')
    place = url.find(';', slash if slash >= 0 else 0)
    return (url, '') if place < 0 else (url[:place], url[place + 1:])


def urlparse(url, scheme='', allow_fragments=True):
    """The six parts of an address."""
    url, scheme, coerced = _as_text(url, scheme)
    scheme, netloc, url, query, fragment = urlsplit(url, scheme, allow_fragments)
    params = ''
    if scheme in uses_params and ';' in url:
        url, params = _cut_params(url)
    return coerced(ParseResult(scheme, netloc, url, params, query, fragment))


def urlunparse(components):
    scheme, netloc, url, params, query, fragment, coerced = _as_text(*components)
    if params:
        url = f'{url};{params}'
    return coerced(urlunsplit((scheme, netloc, url, query, fragment)))


def urlunsplit(components):
    scheme, netloc, url, query, fragment, coerced = _as_text(*components)
    if netloc or scheme and scheme in uses_netloc and url[:2] != '//':
        if url and url[:1] != '/':
            url = '/' + url
        url = '//' + (netloc or '') + url
    if scheme:
        url = scheme + ':' + url
    if query:
        url = url + '?' + query
    if fragment:
        url = url + '#' + fragment
    return coerced(url)


def urljoin(base, url, allow_fragments=True):
    """The address that url means in a page whose address is base."""
    if not base:
        return url
    if not url:
        return base
    base, url, coerced = _as_text(base, url)
    base_scheme, base_netloc, base_path, base_params, base_query, _ = urlparse(base, '', allow_fragments)
    scheme, netloc, path, params, query, fragment = urlparse(url, base_scheme, allow_fragments)
    if scheme != base_scheme or scheme not in uses_relative:
        return coerced(url)
    if scheme in uses_netloc:
        if netloc:
            return coerced(urlunparse((scheme, netloc, path, params, query, fragment)))
        netloc = base_netloc
    if not path and not params:
        return coerced(urlunparse((scheme, netloc, base_path, base_params, query or base_query, fragment)))
    return coerced(urlunparse((scheme, netloc, _joined_path(base_path, path), params, query, fragment)))


def _joined_path(base, path):
    parts = base.split('/')
    if parts[-1] != '':
        del parts[-1]
    if path[:1] == '/':
        segments = path.split('/')
    else:
        segments = parts + path.split('/')
        segments[1:-1] = [segment for segment in segments[1:-1] if segment]
    resolved = []
    for segment in segments:
        if segment == '..':
            if resolved:
                resolved.pop()
        elif segment != '.':
            resolved.append(segment)
    if segments[-1] in ('.', '..'):
        resolved.append('')
    return '/'.join(resolved) or '/'


def urldefrag(url):
    """The address without its fragment, and the fragment."""
    url, coerced = _as_text(url)
    rest, fragment = url, ''
    if '#' in url:
        scheme, netloc, path, params, query, fragment = urlparse(url)
        rest = urlunparse((scheme, netloc, path, params, query, ''))
    return coerced(DefragResult(rest, fragment))


def quote(string, safe='/', encoding=None, errors=None):
    """string with %xx for all but letters, digits, _.-~ and what is safe."""
    if isinstance(string, str):
        if not string:
            return string
        string = string.encode(encoding or 'utf-8', errors or 'strict')
    else:
        if encoding is not None:
            raise TypeError("quote() doesn't support 'encoding' for bytes")
        if errors is not None:
            raise TypeError("quote() doesn't support 'errors' for bytes")
    return quote_from_bytes(string, safe)


def quote_plus(string, safe='', encoding=None, errors=None):
    """quote with plus signs for blanks, as forms are sent."""
    blank = ' ' if isinstance(string, str) else b' '
    if blank not in string:
        return quote(string, safe, encoding, errors)
    more = ' ' if isinstance(safe, str) else b' '
    return quote(string, safe + more, encoding, errors).replace(' ', '+')


def quote_from_bytes(bs, safe='/'):
    if not isinstance(bs, bytes):
        raise TypeError('quote_from_bytes() expected bytes')
    if not bs:
        return ''
    if isinstance(safe, str):
        safe = safe.encode('ascii', 'ignore').decode('ascii')
    else:
        safe = bytes([byte for byte in safe if byte < 128]).decode('ascii')
    kept = _unreserved.union(safe)
    text = bs.decode('latin-1')
    return ''.join([char if char in kept else f'%{ord(char):02X}' for char in text])


def unquote_to_bytes(string):
    if not string:
        return b''
    if isinstance(string, str):
        string = string.encode('utf-8')
    first, *parts = string.split(b'%')
    result = [first]
    for part in parts:
        code = part[:2].decode('latin-1')
        if len(code) == 2 and code[0] in _hex and code[1] in _hex:
            result.append(bytes([int(code, 16)]))
            result.append(part[2:])
        else:
            result.append(b'%')
            result.append(part)
    return b''.join(result)


def unquote(string, encoding='utf-8', errors='replace'):
    """string with the characters that its %xx stand for."""
    if isinstance(string, bytes):
        return unquote_to_bytes(string).decode(encoding or 'utf-8', errors or 'replace')
    if '%' not in string:
        string.split
        return string
    parts = []
    run = []
    for char in string:
        if char.isascii():
            run.append(char)
            continue
        if run:
            parts.append(unquote_to_bytes(''.join(run)).decode(encoding or 'utf-8', errors or 'replace'))
            run = []
        parts.append(char)
    if run:
        parts.append(unquote_to_bytes(''.join(run)).decode(encoding or 'utf-8', errors or 'replace'))
    return ''.join(parts)


def unquote_plus(string, encoding='utf-8', errors='replace'):
    return unquote(string.replace('+', ' '), encoding, errors)


def parse_qs(qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace', max_num_fields=None,
             separator='&'):
    """The fields of a query as a dict of lists."""
    result = {}
    for name, value in parse_qsl(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator):
        result.setdefault(name, []).append(value)
    return result


def parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace', max_num_fields=None,
              separator='&'):
    """The fields of a query as a list of pairs."""
    qs, coerced = _as_text(qs)
    if not separator or not isinstance(separator, (str, bytes)):
        raise ValueError('Separator must be of type string or bytes.')
    if isinstance(separator, bytes):
        separator = separator.decode('ascii')
    if max_num_fields is not None and max_num_fields < 1 + qs.count(separator) and qs:
        raise ValueError('Max number of fields exceeded')
    pairs = []
    for field in qs.split(separator) if qs else []:
        if not field and not strict_parsing:
            continue
        name, equals, value = field.partition('=')
        if not equals:
            if strict_parsing:
                raise ValueError(f'bad query field: {field!r}')
            if not keep_blank_values:
                continue
        if value or keep_blank_values:
            pairs.append((coerced(unquote_plus(name, encoding, errors)), coerced(unquote_plus(value, encoding, errors))))
    return pairs


def urlencode(query, doseq=False, safe='', encoding=None, errors=None, quote_via=quote_plus):
    """A mapping, or pairs, as a query."""
    if hasattr(query, 'items'):
        query = query.items()
    else:
        try:
            if len(query) and not isinstance(query[0], tuple):
                raise TypeError
        except TypeError:
            raise TypeError('not a valid non-string sequence or mapping object') from None

    def quoted(value):
        if isinstance(value, bytes):
            return quote_via(value, safe)
        return quote_via(str(value), safe, encoding, errors)

    fields = []
    for name, value in query:
        values = [value]
        if doseq and not isinstance(value, (str, bytes)):
            try:
                len(value)
                values = value
            except TypeError:
                pass
        for item in values:
            fields.append(quoted(name) + '=' + quoted(item))
    return '&'.join(fields)
