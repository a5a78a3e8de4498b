"""hmac: codes that show who made a message, from a key that both sides know."""

import _glovebox
import hashlib as _hashlib


def compare_digest(a, b, /):
    """Whether two texts of ASCII, or two bytes, are equal."""
    if isinstance(a, str) and isinstance(b, str):
        if not (a.isascii() and b.isascii()):
            raise TypeError('comparing strings with non-ASCII characters is not supported')
    elif not (isinstance(a, bytes) and isinstance(b, bytes)):
        if isinstance(a, (str, bytes)) and isinstance(b, (str, bytes)):
            raise TypeError(f"a bytes-like object is required, not 'str'")
        names = type(a).__name__, type(b).__name__
        raise TypeError(f"unsupported operand types(s) or combination of types: '{names[0]}' and '{names[1]}'")
    return a == b


class HMAC:
    """A code of a message that may come in parts."""

    def __init__(self, key, msg=None, digestmod=''):
        if not isinstance(key, bytes):
            raise TypeError(f"key: expected bytes or bytearray, but got {type(key).__name__!r}")
        if not digestmod:
            raise TypeError("Missing required parameter 'digestmod'.")
        make = digestmod
        if isinstance(digestmod, str):
            make = lambda data=b'': _hashlib.new(digestmod, data)
        inner = make()
        self.block_size = inner.block_size
        self.digest_size = inner.digest_size
        self.name = f'hmac-{inner.name}'
        if len(key) > self.block_size:
            key = make(key).digest()
        key = key.ljust(self.block_size, b'\0')
        inner.update(bytes([byte ^ 0x36 for byte in key]))
        self._inner = inner
        self._outer = make(bytes([byte ^ 0x5c for byte in key]))
        if msg is not None:
            self.update(msg)

    def update(self, msg):
        self._inner.update(msg)

    def copy(self):
        other = _glovebox.new_object(type(self))
        names = ('block_size', 'digest_size', 'name', '_inner', '_outer')
        values = (self.block_size, self.digest_size, self.name, self._inner.copy(), self._outer.copy())
        _glovebox.object_fill(other, names, values)
        return other

    def digest(self):
        outer = self._outer.copy()
        outer.update(self._inner.digest())
        return outer.digest()

    def hexdigest(self):
        return self.digest().hex()


def new(key, msg=None, digestmod=''):
    """A code of a key, a message and a hash function."""
    return HMAC(key, msg, digestmod)


def digest(key, msg, digest):
    """The code of a message as bytes."""
    return HMAC(key, msg, digest).digest()
