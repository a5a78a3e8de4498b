"""uuid: universally unique identifiers."""

import _glovebox

RESERVED_NCS, RFC_4122, RESERVED_MICROSOFT, RESERVED_FUTURE = [
    'reserved for NCS compatibility', 'specified in RFC 4122',
    'reserved for Microsoft compatibility', 'reserved for future definition']


class UUID:
    """An identifier of 128 bits; it can't be changed."""

    def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None, *, is_safe=None):
        if [hex, bytes, bytes_le, fields, int].count(None) != 4:
            raise TypeError('one of the hex, bytes, bytes_le, fields, or int arguments must be given')
        if hex is not None:
            digits = hex.replace('urn:', '').replace('uuid:', '').strip('{}').replace('-', '')
            if len(digits) != 32:
                raise ValueError('badly formed hexadecimal UUID string')
            int = _int(digits, 16)
        elif bytes_le is not None:
            if len(bytes_le) != 16:
                raise ValueError('bytes_le is not a 16-char string')
            bytes = bytes_le[3::-1] + bytes_le[5:3:-1] + bytes_le[7:5:-1] + bytes_le[8:]
        elif fields is not None:
            int = _from_fields(fields)
        if bytes is not None:
            if len(bytes) != 16:
                raise ValueError('bytes is not a 16-char string')
            int = _int.from_bytes(bytes, 'big')
        if not 0 <= int < 1 << 128:
            raise ValueError('int is out of range (need a 128-bit value)')
        if version is not None:
            if not 1 <= version <= 5:
                raise ValueError('illegal version number')
            int = int & ~(0xf000 << 64) & ~(0xc000 << 48) | 0x8000 << 48 | version << 76
        _glovebox.object_set(self, 'int', int)

    def __setattr__(self, name, value):
        raise TypeError('UUID objects are immutable')

    def __eq__(self, other):
        if not isinstance(other, UUID):
            return NotImplemented
        return self.int == other.int

    def __lt__(self, other):
        if not isinstance(other, UUID):
            return NotImplemented
        return self.int < other.int

    def __gt__(self, other):
        if not isinstance(other, UUID):
            return NotImplemented
        return self.int > other.int

    def __le__(self, other):
        if not isinstance(other, UUID):
            return NotImplemented
        return self.int <= other.int

    def __ge__(self, other):
        if not isinstance(other, UUID):
            return NotImplemented
        return self.int >= other.int

    def __hash__(self):
        return hash(self.int)

    def __int__(self):
        return self.int

    def __repr__(self):
        return f'{type(self).__name__}({str(self)!r})'

    def __str__(self):
        digits = self.hex
        return f'{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}'

    @property
    def bytes(self):
        return self.int.to_bytes(16, 'big')

    @property
    def bytes_le(self):
        data = self.bytes
        return data[3::-1] + data[5:3:-1] + data[7:5:-1] + data[8:]

    @property
    def fields(self):
        return (self.time_low, self.time_mid, self.time_hi_version,
                self.clock_seq_hi_variant, self.clock_seq_low, self.node)

    @property
    def time_low(self):
        return self.int >> 96

    @property
    def time_mid(self):
        return self.int >> 80 & 0xffff

    @property
    def time_hi_version(self):
        return self.int >> 64 & 0xffff

    @property
    def clock_seq_hi_variant(self):
        return self.int >> 56 & 0xff

    @property
    def clock_seq_low(self):
        return self.int >> 48 & 0xff

    @property
    def time(self):
        return (self.time_hi_version & 0x0fff) << 48 | self.time_mid << 32 | self.time_low

    @property
    def clock_seq(self):
        return (self.clock_seq_hi_variant & 0x3f) << 8 | self.clock_seq_low

    @property
    def node(self):
        return self.int & 0xffffffffffff

    @property
    def hex(self):
        return '%032x' % self.int

    @property
    def urn(self):
        return 'urn:uuid:' + str(self)

    @property
    def variant(self):
        if not self.int & 0x8000 << 48:
            return RESERVED_NCS
        if not self.int & 0x4000 << 48:
            return RFC_4122
        return RESERVED_FUTURE if self.int & 0x2000 << 48 else RESERVED_MICROSOFT

    @property
    def version(self):
        return self.int >> 76 & 0xf if self.variant == RFC_4122 else None


_int = int


def _from_fields(fields):
    if len(fields) != 6:
        raise ValueError('fields is not a 6-tuple')
    value = 0
    for place, (field, bits) in enumerate(zip(fields, (32, 16, 16, 8, 8, 48)), 1):
        if not 0 <= field < 1 << bits:
            raise ValueError(f'field {place} out of range (need a {bits}-bit value)')
        value = value << bits | field
    return value


def _clock():
    now = _glovebox.clock()
    if now is not None:
        return now
    from _asked import micros
    return micros()


def _entropy(size):
    drawn = _glovebox.entropy(size)
    if drawn is not None:
        return drawn
    from _asked import entropy
    return entropy(size)


def uuid1(node=None, clock_seq=None):
    """An identifier made of the time, a sequence number and a node."""
    # 100 ns since the Gregorian calendar began
    time = _clock() * 10 + 0x01b21dd213814000
    if clock_seq is None:
        clock_seq = int.from_bytes(_entropy(2), 'big')
    if node is None:
        node = int.from_bytes(_entropy(6), 'big') | 1 << 40
    return UUID(fields=(time & 0xffffffff, time >> 32 & 0xffff, time >> 48 & 0x0fff,
                        clock_seq >> 8 & 0x3f, clock_seq & 0xff, node), version=1)


def uuid3(namespace, name):
    """An identifier made of the MD5 digest of a name."""
    from hashlib import md5
    return UUID(bytes=md5(namespace.bytes + name.encode()).digest(), version=3)


def uuid4():
    """A random identifier."""
    return UUID(bytes=_entropy(16), version=4)


def uuid5(namespace, name):
    """An identifier made of the SHA-1 digest of a name."""
    from hashlib import sha1
    return UUID(bytes=sha1(namespace.bytes + name.encode()).digest()[:16], version=5)


NAMESPACE_DNS = UUID('6ba7b810-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_URL = UUID('6ba7b811-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_OID = UUID('6ba7b812-9dad-11d1-80b4-00c04fd430c8')
NAMESPACE_X500 = UUID('6ba7b814-9dad-11d1-80b4-00c04fd430c8')
