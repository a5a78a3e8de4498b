"""struct: values as bytes in the layout of C and of binary formats."""

from _struct import calcsize, error, pack, unpack, unpack_from


def iter_unpack(format, buffer, /):
    """Unpack one part of the buffer after the other."""
    size = calcsize(format)
    if size == 0:
        raise error('cannot iteratively unpack with a struct of length 0')
    if len(buffer) % size:
        raise error(f'iterative unpacking requires a buffer of a multiple of {size} bytes')
    return (unpack_from(format, buffer, start) for start in range(0, len(buffer), size))


class Struct:
    """A format, with the functions of this module as methods."""

    def __init__(self, format):
        self.size = calcsize(format)
        self.format = format if isinstance(format, str) else format.decode('ascii')

    def pack(self, *values):
        return pack(self.format, *values)

    def unpack(self, buffer, /):
        return unpack(self.format, buffer)

    def unpack_from(self, buffer, offset=0):
        return unpack_from(self.format, buffer, offset)

    def iter_unpack(self, buffer, /):
        return iter_unpack(self.format, buffer)
