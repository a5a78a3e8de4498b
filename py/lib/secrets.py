"""secrets: random values that nobody can guess, from the host's source."""

import _glovebox
from base64 import urlsafe_b64encode as _urlsafe
from hmac import compare_digest
from random import SystemRandom

DEFAULT_ENTROPY = 32

_source = SystemRandom()
choice = _source.choice
randbits = _source.getrandbits


def randbelow(exclusive_upper_bound):
    """An int of at least 0 and below the bound."""
    if exclusive_upper_bound <= 0:
        raise ValueError('Upper bound must be positive.')
    return _source.randrange(exclusive_upper_bound)


def token_bytes(nbytes=None):
    """Random bytes."""
    return _source.randbytes(DEFAULT_ENTROPY if nbytes is None else nbytes)


def token_hex(nbytes=None):
    """Random bytes as hexadecimal digits."""
    return token_bytes(nbytes).hex()


def token_urlsafe(nbytes=None):
    """Random bytes as text that can stand in a URL."""
    return _urlsafe(token_bytes(nbytes)).rstrip(b'=').decode('ascii')
