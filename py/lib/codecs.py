"""codecs: text as bytes, and other ways to write the same."""

BOM_UTF8 = b'\xef\xbb\xbf'
BOM_UTF16_LE = BOM_LE = b'\xff\xfe'
BOM_UTF16_BE = BOM_BE = b'\xfe\xff'
BOM_UTF16 = BOM = BOM_UTF16_LE
BOM_UTF32_LE = b'\xff\xfe\x00\x00'
BOM_UTF32_BE = b'\x00\x00\xfe\xff'
BOM_UTF32 = BOM_UTF32_LE

_names = {'utf_8': 'utf-8', 'utf8': 'utf-8', 'u8': 'utf-8', 'utf': 'utf-8', 'cp65001': 'utf-8', 'utf_8_sig': 'utf-8-sig',
          'utf_16': 'utf-16', 'utf16': 'utf-16', 'utf_16_le': 'utf-16-le', 'utf_16_be': 'utf-16-be', 'utf_16le': 'utf-16-le',
          'utf_16be': 'utf-16-be', 'utf_32': 'utf-32', 'utf32': 'utf-32', 'utf_32_le': 'utf-32-le', 'utf_32_be': 'utf-32-be',
          'ascii': 'ascii', 'us_ascii': 'ascii', '646': 'ascii', 'latin_1': 'iso8859-1', 'latin1': 'iso8859-1',
          'latin': 'iso8859-1', 'l1': 'iso8859-1', 'iso_8859_1': 'iso8859-1', 'iso8859_1': 'iso8859-1', '8859': 'iso8859-1',
          'cp819': 'iso8859-1', 'rot13': 'rot13', 'rot_13': 'rot13', 'hex': 'hex', 'hex_codec': 'hex', 'base64': 'base64',
          'base64_codec': 'base64', 'base_64': 'base64', 'zlib': 'zlib', 'zlib_codec': 'zlib', 'zip': 'zlib',
          'unicode_escape': 'unicode-escape', 'unicodeescape': 'unicode-escape'}
_same_class = ('rot13', 'hex', 'base64', 'zlib')


class CodecInfo(tuple):
    """What is known of a codec: its functions, and its name."""

    def __new__(cls, encode, decode, streamreader=None, streamwriter=None, incrementalencoder=None, incrementaldecoder=None,
                name=None):
        self = tuple.__new__(cls, (encode, decode, streamreader, streamwriter))
        self.name = name
        self.encode = encode
        self.decode = decode
        self.incrementalencoder = incrementalencoder
        self.incrementaldecoder = incrementaldecoder
        return self

    def __repr__(self):
        return f'<codecs.CodecInfo object for encoding {self.name}>'


def lookup(encoding, /):
    if not isinstance(encoding, str):
        raise TypeError(f'lookup() argument must be str, not {type(encoding).__name__}')
    name = _names.get(encoding.lower().replace('-', '_').replace(' ', '_'))
    if name is None:
        raise LookupError(f'unknown encoding: {encoding}')

    def encoder(input, errors='strict'):
        return _encode(input, name, errors), len(input)

    def decoder(input, errors='strict'):
        return _decode(input, name, errors), len(input)

    return CodecInfo(encoder, decoder, name=name)


def getencoder(encoding):
    return lookup(encoding).encode


def getdecoder(encoding):
    return lookup(encoding).decode


def encode(obj, encoding='utf-8', errors='strict'):
    try:
        return _encode(obj, lookup(encoding).name, errors)
    except TypeError as e:
        raise TypeError(f"encoding with '{encoding}' codec failed (TypeError: {e})") from None


def decode(obj, encoding='utf-8', errors='strict'):
    try:
        return _decode(obj, lookup(encoding).name, errors)
    except TypeError as e:
        raise TypeError(f"decoding with '{encoding}' codec failed (TypeError: {e})") from None


def _encode(obj, name, errors):
    if name in _same_class:
        return _worked(name, 'encod', obj)
    if not isinstance(obj, str):
        raise TypeError(f'{name.replace("-", "_")}_encode() argument 1 must be str, not {type(obj).__name__}')
    if name == 'unicode-escape':
        return ''.join([_escaped(char) for char in obj]).encode('ascii')
    return obj.encode(name, errors)


def _decode(obj, name, errors):
    if name in _same_class:
        return _worked(name, 'decod', obj)
    if name == 'unicode-escape':
        return _unescaped(obj if isinstance(obj, str) else obj.decode('latin-1'), isinstance(obj, str))
    if not isinstance(obj, bytes):
        raise TypeError(f"a bytes-like object is required, not '{type(obj).__name__}'")
    return obj.decode(name, errors)


def _worked(name, way, obj):
    """obj in one of the codecs whose results are of the class of what they take."""
    if name == 'rot13':
        if not isinstance(obj, str):
            raise TypeError(f"'{type(obj).__name__}' object is not text")
        return obj.translate(_rot13)
    if name == 'hex':
        import binascii
        return binascii.hexlify(obj) if way == 'encod' else binascii.unhexlify(obj)
    if name == 'zlib':
        import zlib
        return zlib.compress(obj) if way == 'encod' else zlib.decompress(obj)
    import base64
    return base64.encodebytes(obj) if way == 'encod' else base64.decodebytes(obj)


_small = 'abcdefghijklmnopqrstuvwxyz'
_rot13 = str.maketrans(_small + _small.upper(), _small[13:] + _small[:13] + (_small[13:] + _small[:13]).upper())
_short = {'\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r'}
_signs = {'\n': '', '\\': '\\', "'": "'", '"': '"', 'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}
_widths = {'x': 2, 'u': 4, 'U': 8}


def _escaped(char):
    code = ord(char)
    if char in _short:
        return _short[char]
    if 32 <= code < 127:
        return char
    return f'\\x{code:02x}' if code < 256 else f'\\u{code:04x}' if code < 65536 else f'\\U{code:08x}'


def _unescaped(text, was_text):
    """text with the characters that its escapes stand for."""
    if was_text:
        text = text.encode().decode('latin-1')
    parts = []
    place = 0
    while True:
        slash = text.find('\\', place)
        if slash < 0:
            parts.append(text[place:])
            return ''.join(parts)
        parts.append(text[place:slash])
        sign = text[slash + 1:slash + 2]
        place = slash + 2
        if not sign:
            raise ValueError("'unicodeescape' codec can't decode byte 0x5c in position "
                             f'{slash}: \\ at end of string')
        if sign in _signs:
            parts.append(_signs[sign])
        elif sign in _widths:
            digits = text[place:place + _widths[sign]]
            if len(digits) < _widths[sign] or any([digit not in '0123456789abcdefABCDEF' for digit in digits]):
                raise ValueError("'unicodeescape' codec can't decode bytes in position "
                                 f'{slash}: truncated \\{sign} escape')
            parts.append(chr(int(digits, 16)))
            place += len(digits)
        elif sign in '01234567':
            end = place
            while end < place + 2 and text[end:end + 1] and text[end] in '01234567':
                end += 1
            parts.append(chr(int(text[place - 1:end], 8)))
            place = end
        else:
            parts.append('\\' + sign)
