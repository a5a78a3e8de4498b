"""ipaddress: addresses and networks of the Internet protocols."""

from functools import total_ordering as _total_ordering
from _ipnetworks import collapsed as _collapsed, summarized as _summarized

IPV4LENGTH = 32
IPV6LENGTH = 128


class AddressValueError(ValueError):
    """The text is no address."""


class NetmaskValueError(ValueError):
    """The text is no netmask."""


def ip_address(address):
    """The address of either version that a text, an int or bytes are."""
    for kind in (IPv4Address, IPv6Address):
        try:
            return kind(address)
        except (AddressValueError, NetmaskValueError):
            pass
    raise ValueError(f'{address!r} does not appear to be an IPv4 or IPv6 address')


def ip_network(address, strict=True):
    """The network of either version."""
    for kind in (IPv4Network, IPv6Network):
        try:
            return kind(address, strict)
        except (AddressValueError, NetmaskValueError):
            pass
    raise ValueError(f'{address!r} does not appear to be an IPv4 or IPv6 network')


def ip_interface(address):
    """An address together with its network."""
    for kind in (IPv4Interface, IPv6Interface):
        try:
            return kind(address)
        except (AddressValueError, NetmaskValueError):
            pass
    raise ValueError(f'{address!r} does not appear to be an IPv4 or IPv6 interface')


def v4_int_to_packed(address):
    try:
        return address.to_bytes(4, 'big')
    except OverflowError:
        raise ValueError('Address negative or too large for IPv4')


def v6_int_to_packed(address):
    try:
        return address.to_bytes(16, 'big')
    except OverflowError:
        raise ValueError('Address negative or too large for IPv6')


def summarize_address_range(first, last):
    """The networks that the addresses from first to last make up."""
    if not (isinstance(first, _Address) and isinstance(last, _Address)):
        raise TypeError('first and last must be IP addresses, not networks')
    if first.version != last.version:
        raise TypeError(f'{first} and {last} are not of the same version')
    if first > last:
        raise ValueError('last IP address must be greater than first')
    network = IPv4Network if first.version == 4 else IPv6Network
    for start, length in _summarized(first._ip, last._ip, first.max_prefixlen):
        yield network((start, length))


def collapse_addresses(addresses):
    """The fewest networks that have the same addresses."""
    networks = []
    for one in addresses:
        network = one if isinstance(one, _Network) else (IPv4Network if one.version == 4 else IPv6Network)(one)
        if networks and networks[-1].version != network.version:
            raise TypeError(f'{one} and {networks[-1]} are not of the same version')
        networks.append(network)
    if not networks:
        return iter(())
    kind = type(networks[0])
    ranges = [(network.network_address._ip, network._last) for network in networks]
    return (kind(pair) for pair in _collapsed(ranges, kind.max_prefixlen))


def get_mixed_type_key(obj):
    """A key to sort networks and addresses together."""
    if isinstance(obj, _Network):
        return (obj._version, obj.network_address, obj.netmask)
    if isinstance(obj, _Address):
        return (obj._version, obj)
    return NotImplemented


def _octet(text, whole):
    if not text:
        raise AddressValueError(f'Empty octet not permitted in {whole!r}')
    if not (text.isascii() and text.isdigit()):
        raise AddressValueError(f'Only decimal digits permitted in {text!r} in {whole!r}')
    if len(text) > 3:
        raise AddressValueError(f'At most 3 characters permitted in {text!r} in {whole!r}')
    if text != '0' and text[0] == '0':
        raise AddressValueError(f'Leading zeros are not permitted in {text!r} in {whole!r}')
    if int(text) > 255:
        raise AddressValueError(f'Octet {int(text)} (> 255) not permitted in {whole!r}')
    return int(text)


def _parse_v4(text):
    if not text:
        raise AddressValueError('Address cannot be empty')
    octets = text.split('.')
    if len(octets) != 4:
        raise AddressValueError(f'Expected 4 octets in {text!r}')
    value = 0
    for octet in octets:
        value = value << 8 | _octet(octet, text)
    return value


def _text_v4(value):
    return '.'.join([str(byte) for byte in value.to_bytes(4, 'big')])


def _hextet(text, whole):
    if not set(text) <= set('0123456789abcdefABCDEF'):
        raise AddressValueError(f'Only hex digits permitted in {text!r} in {whole!r}')
    if len(text) > 4:
        raise AddressValueError(f'At most 4 characters permitted in {text!r} in {whole!r}')
    return int(text, 16)


def _parse_v6(text):
    if not text:
        raise AddressValueError('Address cannot be empty')
    parts = text.split(':')
    if len(parts) < 3:
        raise AddressValueError(f'At least 3 parts expected in {text!r}')
    if '.' in parts[-1]:
        try:
            low = _parse_v4(parts.pop())
        except AddressValueError as exc:
            raise AddressValueError(f'{exc} in {text!r}') from None
        parts += [f'{low >> 16:x}', f'{low & 0xffff:x}']
    if len(parts) > 9:
        raise AddressValueError(f'At most 8 colons permitted in {text!r}')
    gaps = [i for i in range(1, len(parts) - 1) if not parts[i]]
    if len(gaps) > 1:
        raise AddressValueError(f"At most one '::' permitted in {text!r}")
    if gaps:
        left, right = parts[:gaps[0]], parts[gaps[0] + 1:]
        if not left[0]:
            del left[0]
            if left:
                raise AddressValueError(f"Leading ':' only permitted as part of '::' in {text!r}")
        if not right[-1]:
            del right[-1]
            if right:
                raise AddressValueError(f"Trailing ':' only permitted as part of '::' in {text!r}")
        missing = 8 - len(left) - len(right)
        if missing < 1:
            raise AddressValueError(f"Expected at most 7 other parts with '::' in {text!r}")
        parts = [*left, *['0'] * missing, *right]
    else:
        if len(parts) != 8:
            raise AddressValueError(f"Exactly 8 parts expected without '::' in {text!r}")
        if not parts[0]:
            raise AddressValueError(f"Leading ':' only permitted as part of '::' in {text!r}")
        if not parts[-1]:
            raise AddressValueError(f"Trailing ':' only permitted as part of '::' in {text!r}")
    value = 0
    for part in parts:
        value = value << 16 | _hextet(part, text)
    return value


def _text_v6(value):
    """The text in which the longest row of zeros is left out."""
    words = [value >> shift & 0xffff for shift in range(112, -1, -16)]
    best = start = length = 0
    for i, word in enumerate(words):
        length = 0 if word else length + 1
        if length > best and length > 1:
            best, start = length, i - length + 1
    digits = [f'{word:x}' for word in words]
    if not best:
        return ':'.join(digits)
    return ':'.join(digits[:start]) + '::' + ':'.join(digits[start + best:])


@_total_ordering
class _Address:
    """What addresses of both versions have in common."""

    _scope_id = None

    def __init__(self, address):
        if isinstance(address, int):
            self._check(address)
            self._ip = address
        elif isinstance(address, bytes):
            if len(address) != self.max_prefixlen // 8:
                raise AddressValueError(f'{address!r} (len {len(address)} != {self.max_prefixlen // 8}) is not '
                                        f'permitted as an IPv{self._version} address')
            self._ip = int.from_bytes(address, 'big')
        else:
            text = str(address)
            if '/' in text:
                raise AddressValueError(f"Unexpected '/' in {text!r}")
            self._ip = self._read(text)

    def _check(self, address):
        if address < 0:
            raise AddressValueError(f'{address} (< 0) is not permitted as an IPv{self._version} address')
        if address >= 1 << self.max_prefixlen:
            raise AddressValueError(f'{address} (>= 2**{self.max_prefixlen}) is not permitted as an IPv{self._version} address')

    @property
    def version(self):
        return self._version

    @property
    def packed(self):
        return self._ip.to_bytes(self.max_prefixlen // 8, 'big')

    @property
    def compressed(self):
        return str(self)

    @property
    def exploded(self):
        return str(self)

    def __int__(self):
        return self._ip

    def __eq__(self, other):
        if not isinstance(other, _Address):
            return NotImplemented
        return self._ip == other._ip and self._version == other._version and self._scope_id == other._scope_id

    def __lt__(self, other):
        if not isinstance(other, _Address):
            return NotImplemented
        if self._version != other._version:
            raise TypeError(f'{self} and {other} are not of the same version')
        return self._ip < other._ip

    def __hash__(self):
        return hash(hex(int(self._ip)))

    def __add__(self, other):
        return type(self)(int(self) + other) if isinstance(other, int) else NotImplemented

    def __sub__(self, other):
        return type(self)(int(self) - other) if isinstance(other, int) else NotImplemented

    def __str__(self):
        return self._write(self._ip)

    def __repr__(self):
        return f'{type(self).__name__}({str(self)!r})'

    def __format__(self, spec):
        if not spec or spec[-1] == 's':
            return format(str(self), spec)
        kind = spec[-1]
        if kind == 'n':
            kind = 'b' if self._version == 4 else 'x'
        if kind not in 'bXx':
            return super().__format__(spec)
        flags = spec[:-1]
        text = f'{int(self):{kind}}'.rjust(self.max_prefixlen // (1 if kind == 'b' else 4), '0')
        if '_' in flags:
            text = '_'.join([text[i:i + 4] for i in range(0, len(text), 4)])
        return f'0{kind}{text}' if '#' in flags else text

    def _within(self, networks):
        return any([self in network for network in networks])

    @property
    def is_multicast(self):
        return self in self._special['multicast']

    @property
    def is_unspecified(self):
        return self._ip == 0

    @property
    def is_loopback(self):
        return self in self._special['loopback']

    @property
    def is_link_local(self):
        return self in self._special['link_local']

    @property
    def is_reserved(self):
        return self._within(self._special['reserved'])

    @property
    def is_private(self):
        return self._within(self._special['private']) and not self._within(self._special['exceptions'])


class IPv4Address(_Address):
    """An address of version 4."""

    _version = 4
    max_prefixlen = IPV4LENGTH
    _read = staticmethod(_parse_v4)
    _write = staticmethod(_text_v4)

    @property
    def is_global(self):
        return self not in self._special['shared'] and not self.is_private

    @property
    def reverse_pointer(self):
        return '.'.join(reversed(str(self).split('.'))) + '.in-addr.arpa'


class IPv6Address(_Address):
    """An address of version 6."""

    _version = 6
    max_prefixlen = IPV6LENGTH
    _write = staticmethod(_text_v6)

    def _read(self, text):
        text, percent, scope = text.partition('%')
        if percent:
            if not scope or '%' in scope:
                raise AddressValueError(f'Invalid IPv6 address: "{text + percent + scope!r}"')
            self._scope_id = scope
        return _parse_v6(text)

    def __str__(self):
        text = super().__str__()
        return f'{text}%{self._scope_id}' if self._scope_id else text

    def __hash__(self):
        return hash((self._ip, self._scope_id))

    @property
    def scope_id(self):
        return self._scope_id

    @property
    def exploded(self):
        digits = f'{self._ip:032x}'
        text = ':'.join([digits[i:i + 4] for i in range(0, 32, 4)])
        return f'{text}%{self._scope_id}' if self._scope_id else text

    @property
    def is_global(self):
        return not self.is_private

    @property
    def is_site_local(self):
        return self in self._special['site_local']

    @property
    def is_private(self):
        mapped = self.ipv4_mapped
        return mapped.is_private if mapped is not None else super().is_private

    @property
    def ipv4_mapped(self):
        return IPv4Address(self._ip & 0xffffffff) if self._ip >> 32 == 0xffff else None

    @property
    def sixtofour(self):
        return IPv4Address(self._ip >> 80 & 0xffffffff) if self._ip >> 112 == 0x2002 else None

    @property
    def teredo(self):
        if self._ip >> 96 != 0x20010000:
            return None
        return IPv4Address(self._ip >> 64 & 0xffffffff), IPv4Address(~self._ip & 0xffffffff)

    @property
    def reverse_pointer(self):
        return '.'.join(f'{self._ip:032x}'[::-1]) + '.ip6.arpa'


@_total_ordering
class _Network:
    """What networks of both versions have in common."""

    def __init__(self, address, strict=True):
        if isinstance(address, (str, _Address)):
            text = str(address)
            host, slash, mask = text.partition('/')
            if '/' in mask:
                raise AddressValueError(f"Only one '/' permitted in {text!r}")
            if slash and not mask:
                raise NetmaskValueError(f'{mask!r} is not a valid netmask')
        elif isinstance(address, tuple):
            host = address[0]
            mask = address[1] if len(address) > 1 else self.max_prefixlen
        else:
            host, mask = address, ''
        self.network_address = self._kind(host)
        self._prefixlen = self.max_prefixlen if mask == '' else self._length(mask)
        bits = self.network_address._ip
        hosts = (1 << self.max_prefixlen - self._prefixlen) - 1
        if bits & hosts:
            if strict:
                raise ValueError(f'{self} has host bits set')
            self.network_address = self._kind(bits & ~hosts)
        self._last = self.network_address._ip | hosts

    def _length(self, mask):
        if isinstance(mask, int):
            if not 0 <= mask <= self.max_prefixlen:
                raise NetmaskValueError(f'{mask!r} is not a valid netmask')
            return mask
        mask = str(mask)
        if mask.isascii() and mask.isdigit() and int(mask) <= self.max_prefixlen:
            return int(mask)
        if self._version == 6:
            raise NetmaskValueError(f'{mask!r} is not a valid netmask')
        try:
            bits = _parse_v4(mask)
        except AddressValueError:
            raise NetmaskValueError(f'{mask!r} is not a valid netmask') from None
        for value in (bits, bits ^ 0xffffffff):  # a netmask, or else a mask of hosts
            hosts = value ^ 0xffffffff
            if hosts & hosts + 1 == 0:
                return 32 - hosts.bit_length()
        raise NetmaskValueError(f'{mask!r} is not a valid netmask')

    @property
    def version(self):
        return self._version

    @property
    def prefixlen(self):
        return self._prefixlen

    @property
    def broadcast_address(self):
        return self._kind(self._last)

    @property
    def netmask(self):
        return self._kind((1 << self.max_prefixlen) - (1 << self.max_prefixlen - self._prefixlen))

    @property
    def hostmask(self):
        return self._kind((1 << self.max_prefixlen - self._prefixlen) - 1)

    @property
    def num_addresses(self):
        return 1 << self.max_prefixlen - self._prefixlen

    @property
    def with_prefixlen(self):
        return f'{self.network_address}/{self._prefixlen}'

    @property
    def with_netmask(self):
        return f'{self.network_address}/{self.netmask}'

    @property
    def with_hostmask(self):
        return f'{self.network_address}/{self.hostmask}'

    @property
    def compressed(self):
        return str(self)

    @property
    def exploded(self):
        return f'{self.network_address.exploded}/{self._prefixlen}'

    def __str__(self):
        return f'{self.network_address}/{self._prefixlen}'

    def __repr__(self):
        return f'{type(self).__name__}({str(self)!r})'

    def __eq__(self, other):
        if not isinstance(other, _Network):
            return NotImplemented
        return (self._version == other._version and self.network_address == other.network_address
                and self._prefixlen == other._prefixlen)

    def __lt__(self, other):
        if not isinstance(other, _Network):
            return NotImplemented
        if self._version != other._version:
            raise TypeError(f'{self} and {other} are not of the same version')
        if self.network_address != other.network_address:
            return self.network_address < other.network_address
        return self._prefixlen < other._prefixlen

    def __hash__(self):
        return hash((self.network_address._ip, self._prefixlen))

    def __iter__(self):
        return self._each(self.network_address._ip, self._last)

    def __getitem__(self, n):
        value = self.network_address._ip + n if n >= 0 else self._last + n + 1
        if not self.network_address._ip <= value <= self._last:
            raise IndexError('address out of range')
        return self._kind(value)

    def __contains__(self, other):
        if isinstance(other, _Network) or self._version != other._version:
            return False
        return self.network_address._ip <= other._ip <= self._last

    def hosts(self):
        """The addresses that hosts can have."""
        first, last = self.network_address._ip, self._last
        if self._prefixlen < self.max_prefixlen - 1:
            first += 1
            last -= self._version == 4
        if self._prefixlen >= self.max_prefixlen - 1:
            return list(self._each(first, last))
        return self._each(first, last)

    def _each(self, first, last):
        while first <= last:  # no range: its ints have at most 64 bits
            yield self._kind(first)
            first += 1

    def overlaps(self, other):
        return self.network_address in other or self.broadcast_address in other or other.network_address in self

    def _covers(self, other, name):
        if not isinstance(other, _Network):
            raise TypeError(f'Unable to test subnet containment between {self} and {other}')
        if self._version != other._version:
            raise TypeError(f'{self if name == "a" else other} and {other if name == "a" else self} are not of the same version')
        return self.network_address._ip <= other.network_address._ip and other._last <= self._last

    def subnet_of(self, other):
        return other._covers(self, 'b')

    def supernet_of(self, other):
        return self._covers(other, 'a')

    def compare_networks(self, other):
        if self._version != other._version:
            raise TypeError(f'{self} and {other} are not of the same type')
        mine = self.network_address._ip, self.netmask._ip
        its = other.network_address._ip, other.netmask._ip
        return (mine > its) - (mine < its)

    def subnets(self, prefixlen_diff=1, new_prefix=None):
        """The networks of a longer prefix that this one consists of."""
        if self._prefixlen == self.max_prefixlen:
            yield self
            return
        if new_prefix is not None:
            if new_prefix < self._prefixlen:
                raise ValueError('new prefix must be longer')
            if prefixlen_diff != 1:
                raise ValueError('cannot set prefixlen_diff and new_prefix')
            prefixlen_diff = new_prefix - self._prefixlen
        if prefixlen_diff < 0:
            raise ValueError('prefix length diff must be > 0')
        length = self._prefixlen + prefixlen_diff
        if length > self.max_prefixlen:
            raise ValueError(f'prefix length diff {length} is invalid for netblock {self}')
        start = self.network_address._ip
        while start <= self._last:
            yield type(self)((start, length))
            start += 1 << self.max_prefixlen - length

    def supernet(self, prefixlen_diff=1, new_prefix=None):
        """The network of a shorter prefix that this one is in."""
        if self._prefixlen == 0:
            return self
        if new_prefix is not None:
            if new_prefix > self._prefixlen:
                raise ValueError('new prefix must be shorter')
            if prefixlen_diff != 1:
                raise ValueError('cannot set prefixlen_diff and new_prefix')
            prefixlen_diff = self._prefixlen - new_prefix
        length = self._prefixlen - prefixlen_diff
        if length < 0:
            raise ValueError(f'current prefixlen is {self._prefixlen}, cannot have a prefixlen_diff of {prefixlen_diff}')
        return type(self)((self.network_address._ip >> self.max_prefixlen - length << self.max_prefixlen - length, length))

    def address_exclude(self, other):
        """The networks that are left without other."""
        if self._version != other._version:
            raise TypeError(f'{self} and {other} are not of the same version')
        if not isinstance(other, _Network):
            raise TypeError(f'{other} is not a network object')
        if not other.subnet_of(self):
            raise ValueError(f'{other} not contained in {self}')
        left = self
        while left != other:
            low, high = left.subnets()
            if other.subnet_of(low):
                yield high
                left = low
            else:
                yield low
                left = high

    def _both(self, name):
        return getattr(self.network_address, name) and getattr(self.broadcast_address, name)

    @property
    def is_multicast(self):
        return self._both('is_multicast')

    @property
    def is_reserved(self):
        return self._both('is_reserved')

    @property
    def is_link_local(self):
        return self._both('is_link_local')

    @property
    def is_unspecified(self):
        return self._both('is_unspecified')

    @property
    def is_loopback(self):
        return self._both('is_loopback')

    @property
    def is_private(self):
        special = self._kind._special
        return (any([self.network_address in one and self.broadcast_address in one for one in special['private']])
                and not any([self.network_address in one or self.broadcast_address in one for one in special['exceptions']]))

    @property
    def is_global(self):
        if self._version == 4:
            shared = self._kind._special['shared']
            return not (self.network_address in shared and self.broadcast_address in shared) and not self.is_private
        return not self.is_private


class IPv4Network(_Network):
    """A network of version 4."""

    _version = 4
    max_prefixlen = IPV4LENGTH
    _kind = IPv4Address


class IPv6Network(_Network):
    """A network of version 6."""

    _version = 6
    max_prefixlen = IPV6LENGTH
    _kind = IPv6Address

    @property
    def is_site_local(self):
        return self._both('is_site_local')


class _Interface:
    """An address and its network."""

    def __init__(self, address):
        if isinstance(address, (str, _Address)):
            host, mask = str(address), ''
            if '/' in host:
                host, mask = host.split('/', 1)
        elif isinstance(address, tuple):
            host, mask = address[0], address[1] if len(address) > 1 else ''
        else:
            host, mask = address, ''
        super().__init__(host)
        self.network = self._net((self._ip, mask) if mask != '' else self._ip, strict=False)
        self.netmask = self.network.netmask
        self._prefixlen = self.network._prefixlen

    @property
    def ip(self):
        return self._plain(self._ip)

    @property
    def hostmask(self):
        return self.network.hostmask

    @property
    def with_prefixlen(self):
        return f'{self.ip}/{self._prefixlen}'

    @property
    def with_netmask(self):
        return f'{self.ip}/{self.netmask}'

    @property
    def with_hostmask(self):
        return f'{self.ip}/{self.hostmask}'

    def __str__(self):
        return f'{self._write(self._ip)}/{self._prefixlen}'

    def __eq__(self, other):
        if not isinstance(other, _Interface):
            return NotImplemented if not isinstance(other, _Address) else False
        return self._ip == other._ip and self.network == other.network

    def __lt__(self, other):
        if not isinstance(other, _Interface):
            return super().__lt__(other)
        if self._version != other._version:
            raise TypeError(f'{self} and {other} are not of the same version')
        return (self.network, self._ip) < (other.network, other._ip)

    def __hash__(self):
        return hash((self._ip, self._prefixlen, int(self.network.network_address)))


class IPv4Interface(_Interface, IPv4Address):
    """An address of version 4 and its network."""

    _net = IPv4Network
    _plain = IPv4Address


class IPv6Interface(_Interface, IPv6Address):
    """An address of version 6 and its network."""

    _net = IPv6Network
    _plain = IPv6Address


def _networks(kind, text):
    return [kind(one) for one in text.split()]


IPv4Address._special = {
    'multicast': IPv4Network('224.0.0.0/4'), 'loopback': IPv4Network('127.0.0.0/8'),
    'link_local': IPv4Network('169.254.0.0/16'), 'shared': IPv4Network('100.64.0.0/10'),
    'reserved': _networks(IPv4Network, '240.0.0.0/4'),
    'private': _networks(IPv4Network, '0.0.0.0/8 10.0.0.0/8 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/29 '
                                      '192.0.0.170/31 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 '
                                      '203.0.113.0/24 240.0.0.0/4 255.255.255.255/32'),
    'exceptions': [],
}
IPv6Address._special = {
    'multicast': IPv6Network('ff00::/8'), 'loopback': IPv6Network('::1/128'),
    'link_local': IPv6Network('fe80::/10'), 'site_local': IPv6Network('fec0::/10'),
    'reserved': _networks(IPv6Network, '::/8 100::/8 200::/7 400::/6 800::/5 1000::/4 4000::/3 6000::/3 8000::/3 '
                                       'a000::/3 c000::/3 e000::/4 f000::/5 f800::/6 fe00::/9'),
    'private': _networks(IPv6Network, '::1/128 ::/128 ::ffff:0:0/96 100::/64 2001::/23 2001:2::/48 2001:db8::/32 '
                                      '2001:10::/28 fc00::/7 fe80::/10'),
    'exceptions': [],
}
