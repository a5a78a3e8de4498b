"""os: names and signs alone. There are no files, processes or environment."""

from os.path import curdir, pardir, sep, altsep, extsep, pathsep, defpath, devnull
import os.path as path

name = 'posix'
linesep = '\n'
environ = {}


def getenv(key, default=None):
    """The default: the environment is empty."""
    return environ.get(key, default)


def fspath(path):
    """A path as str or bytes."""
    if isinstance(path, (str, bytes)):
        return path
    method = getattr(type(path), '__fspath__', None)
    if method is None:
        raise TypeError(f'expected str, bytes or os.PathLike object, not {type(path).__name__}')
    return method(path)


class PathLike:
    """What has __fspath__."""

    def __fspath__(self):
        raise NotImplementedError
