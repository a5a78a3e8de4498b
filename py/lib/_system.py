"""_system: paths, files and the environment, where a host answers for them.

Only sessions whose host grants a system have these names: see Host.Directory.
"""

import _calls
from os.path import normpath as _normpath, join as _join
from pathlib import PurePath as _PurePath, PurePosixPath as _PurePosixPath


def _where(path):
    """The full path of what the host is asked about."""
    text = path if isinstance(path, str) else _fspath(path)
    if isinstance(text, bytes):
        text = text.decode()
    if '\0' in text:
        raise ValueError('embedded null byte')
    return _normpath(_join(_calls.directory(), text)) if text else text


def _fspath(path):
    method = getattr(type(path), '__fspath__', None)
    if method is None and not isinstance(path, bytes):
        raise TypeError(f'expected str, bytes or os.PathLike object, not {type(path).__name__}')
    return path if method is None else method(path)


class PosixPath(_PurePosixPath):
    """A path that can be looked at."""

    def _ask(self, what, *args):
        return _calls.ask(what, _where(str(self)), *args)

    def exists(self):
        return self._ask('exists')

    def is_file(self):
        return self._ask('is_file')

    def is_dir(self):
        return self._ask('is_dir')

    def is_symlink(self):
        return self._ask('is_symlink')

    def read_text(self, encoding=None, errors=None):
        return self._ask('read_text')

    def read_bytes(self):
        return self._ask('read_bytes')

    def write_text(self, data, encoding=None, errors=None, newline=None):
        if not isinstance(data, str):
            raise TypeError(f'data must be str, not {type(data).__name__}')
        return self._ask('write_text', data)

    def write_bytes(self, data):
        if not isinstance(data, bytes):
            raise TypeError(f'memoryview: a bytes-like object is required, not {type(data).__name__!r}')
        return self._ask('write_bytes', data)

    def stat(self):
        return self._ask('stat')

    def iterdir(self):
        return iter([self / str(found).rsplit('/', 1)[-1] for found in self._ask('iterdir')])

    def walk(self, top_down=True, on_error=None, follow_symlinks=False):
        try:
            found = list(self.iterdir())
        except OSError as e:
            if on_error is not None:
                on_error(e)
            return
        inner = [path.name for path in found if path.is_dir() and (follow_symlinks or not path.is_symlink())]
        files = [path.name for path in found if path.name not in inner]
        if top_down:
            yield self, inner, files
        for name in inner:
            yield from (self / name).walk(top_down, on_error, follow_symlinks)
        if not top_down:
            yield self, inner, files

    def glob(self, pattern):
        parts = [part for part in str(pattern).split('/') if part not in ('', '.')]
        if not parts:
            raise ValueError(f'Unacceptable pattern: {str(pattern)!r}')
        if str(pattern).startswith('/'):
            raise NotImplementedError('Non-relative patterns are unsupported')
        return _matches(self, parts)

    def rglob(self, pattern):
        return self.glob(f'**/{pattern}')

    def resolve(self, strict=False):
        return PosixPath(self._ask('resolve'))

    def absolute(self):
        return PosixPath(self._ask('absolute'))

    def unlink(self, missing_ok=False):
        try:
            self._ask('unlink')
        except FileNotFoundError:
            if not missing_ok:
                raise

    def rmdir(self):
        self._ask('rmdir')

    def mkdir(self, mode=0o777, parents=False, exist_ok=False):
        self._ask('mkdir', bool(parents), bool(exist_ok))

    def rename(self, target):
        self._ask('rename', _where(target))
        return PosixPath(target)

    replace = rename

    def touch(self, mode=0o666, exist_ok=True):
        if self.exists():
            if not exist_ok:
                raise FileExistsError(f"[Errno 17] File exists: '{self}'")
            return
        self.write_bytes(b'')

    def open(self, mode='r', buffering=-1, encoding=None, errors=None, newline=None):
        return open(self, mode)

    def samefile(self, other):
        return _where(str(self)) == _where(other)

    @classmethod
    def cwd(cls):
        return cls(_calls.directory())


Path = PosixPath


def _matches(path, parts):
    """What is below path and fits the parts of a pattern."""
    from fnmatch import fnmatchcase
    part, *rest = parts
    if part == '**':
        while rest and rest[0] == '**':
            del rest[0]
        for directory, _, _ in path.walk():
            if not rest:
                yield directory
            else:
                yield from _matches(directory, rest)
        return
    try:
        found = list(path.iterdir())
    except OSError:
        return
    for inner in found:
        if not fnmatchcase(inner.name, part):
            continue
        if not rest:
            yield inner
        elif inner.is_dir():
            yield from _matches(inner, rest)


class DirEntry:
    """An entry that scandir found."""

    def __init__(self, path):
        self.name = path.name
        self.path = str(path)

    def is_dir(self, *, follow_symlinks=True):
        path = PosixPath(self.path)
        return path.is_dir() and (follow_symlinks or not path.is_symlink())

    def is_file(self, *, follow_symlinks=True):
        path = PosixPath(self.path)
        return path.is_file() and (follow_symlinks or not path.is_symlink())

    def is_symlink(self):
        return PosixPath(self.path).is_symlink()

    def stat(self, *, follow_symlinks=True):
        return PosixPath(self.path).stat()

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f'<DirEntry {self.name!r}>'


class _Scan:
    """The entries of a directory, which may be closed."""

    def __init__(self, path):
        self._found = iter([DirEntry(inner) for inner in PosixPath(path).iterdir()])

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._found)

    def close(self):
        self._found = iter(())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def scandir(path='.'):
    return _Scan(path)


def walk(top, topdown=True, onerror=None, followlinks=False):
    for path, inner, files in PosixPath(top).walk(topdown, onerror, followlinks):
        yield str(path), inner, files

_modes = {'r', 'rb', 'r+', 'rb+', 'w', 'wb', 'w+', 'wb+', 'a', 'ab', 'a+', 'ab+'}


def _mode_of(mode):
    """The mode as hosts write it."""
    if not isinstance(mode, str):
        raise TypeError(f"open() argument 'mode' must be str, not {type(mode).__name__}")
    kind = mode.replace('t', '')
    if '+' in kind:
        kind = kind.replace('+', '') + '+'
    if kind not in _modes or ('t' in mode and 'b' in mode):
        raise ValueError(f"invalid mode: '{mode}'")
    return kind


def open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    """A file, which is read as a whole at first, and to which text is appended."""
    kind = _mode_of(mode)
    path = _where(file)
    _calls.ask('open', path, kind)
    return _File(file, path, kind)


class _File:
    """An open file."""

    def __init__(self, file, path, mode):
        self.name = file
        self.mode = mode
        self.closed = False
        self._path = path
        self._binary = 'b' in mode
        self._data = None
        self._at = 0

    def _content(self):
        if self.closed:
            raise ValueError('I/O operation on closed file.')
        if not self.readable():
            _unsupported('not readable')
        if self._data is None:
            self._data = _calls.ask('read_bytes' if self._binary else 'read_text', self._path)
        return self._data

    def readable(self):
        return 'r' in self.mode or '+' in self.mode

    def writable(self):
        return 'r' not in self.mode or '+' in self.mode

    def seekable(self):
        return True

    def read(self, size=-1):
        data = self._content()
        end = len(data) if size is None or size < 0 else self._at + size
        part = data[self._at:end]
        self._at += len(part)
        return part

    def readline(self, size=-1):
        data = self._content()
        end = data.find(b'\n' if self._binary else '\n', self._at) + 1
        if end == 0:
            end = len(data)
        if size is not None and size >= 0:
            end = min(end, self._at + size)
        part = data[self._at:end]
        self._at = end
        return part

    def readlines(self, hint=-1):
        return list(self)

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def write(self, data):
        if self.closed:
            raise ValueError('I/O operation on closed file.')
        if not self.writable():
            _unsupported('not writable')
        wanted = bytes if self._binary else str
        if not isinstance(data, wanted):
            if self._binary:
                raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'")
            raise TypeError(f'write() argument must be str, not {type(data).__name__}')
        _calls.ask('append_bytes' if self._binary else 'append_text', self._path, data)
        self._data = None
        return len(data)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def seek(self, offset, whence=0):
        if whence == 1:
            offset += self._at
        elif whence == 2:
            offset += len(self._content())
        self._at = max(offset, 0)
        return self._at

    def tell(self):
        return self._at

    def flush(self):
        pass

    def close(self):
        self.closed = True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _unsupported(message):
    from io import UnsupportedOperation
    raise UnsupportedOperation(message)


def getenv(key, default=None):
    return _calls.ask('getenv', key, default)


class _Environ:
    """The environment, which the host is asked for each time."""

    def _all(self):
        return _calls.ask('environ')

    def __getitem__(self, key):
        return self._all()[key]

    def get(self, key, default=None):
        return self._all().get(key, default)

    def __contains__(self, key):
        return key in self._all()

    def __iter__(self):
        return iter(self._all())

    def __len__(self):
        return len(self._all())

    def keys(self):
        return self._all().keys()

    def values(self):
        return self._all().values()

    def items(self):
        return self._all().items()

    def copy(self):
        return dict(self._all())


environ = _Environ()


def getcwd():
    return _calls.directory()


def urandom(size, /):
    from _asked import entropy
    return entropy(size)


def listdir(path='.'):
    return [found.name for found in PosixPath(path).iterdir()]


def mkdir(path, mode=0o777):
    PosixPath(path).mkdir()


def makedirs(name, mode=0o777, exist_ok=False):
    PosixPath(name).mkdir(parents=True, exist_ok=exist_ok)


def remove(path):
    PosixPath(path).unlink()


unlink = remove


def rmdir(path):
    PosixPath(path).rmdir()


def rename(src, dst):
    PosixPath(src).rename(dst)


replace = rename


def stat(path):
    return PosixPath(path).stat()


def exists(path):
    return PosixPath(path).exists()


def isfile(path):
    return PosixPath(path).is_file()


def isdir(path):
    return PosixPath(path).is_dir()


def islink(path):
    return PosixPath(path).is_symlink()


def getsize(filename):
    return stat(filename).st_size


def _named(parts):
    """A named tuple of its type's name, the names of its fields and their values."""
    from collections import namedtuple
    typename, names, values = parts
    return namedtuple(typename, names)._make(values)
