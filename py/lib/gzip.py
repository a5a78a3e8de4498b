"""gzip: compressed bytes. There are no files, so there is no open."""

from _gzip import compress as _compress, decompress as _decompress
import zlib as _zlib


class BadGzipFile(OSError):
    """What should be decompressed is none of gzip's."""


def compress(data, compresslevel=9, *, mtime=None):
    """The bytes compressed. The time in them is 0 unless one is given."""
    return _compress(data, compresslevel, 0 if mtime is None else int(mtime))


def decompress(data):
    """The bytes that compress was given."""
    if not data:
        return b''
    if data[:2] != b'\x1f\x8b':
        raise BadGzipFile(f'Not a gzipped file ({data[:2]!r})')
    try:
        return _decompress(data)
    except _zlib.error as exc:
        message = str(exc)
        if 'truncated' in message:
            raise EOFError('Compressed file ended before the end-of-stream marker was reached') from None
        if 'data check' in message:
            raise BadGzipFile('CRC check failed') from None
        raise
