"""_system: paths, files and the environment, where a host answers for them.

Only sessions whose host grants a system have these names: see Host.Directory.
"""

import _calls
import _files
import _scans
from os.path import normpath as _normpath, join as _join
from pathlib import PurePath as _PurePath, PurePosixPath as _PurePosixPath


def _where(path, caller=None, argument='path'):
    """The full path of what the host is asked about, as it was written: the host may judge its parts."""
    text = _fspath(path)
    if isinstance(text, bytes):
        text = text.decode()
    if '\0' in text:
        raise ValueError('embedded null byte' if caller is None else f'{caller}: embedded null character in {argument}')
    return _join(_calls.directory(), text) if text else text


def _fspath(path):
    if isinstance(path, (str, bytes)):
        return path
    method = getattr(type(path), '__fspath__', None)
    if method is None:
        raise TypeError(f'expected str, bytes or os.PathLike object, not {type(path).__name__}')
    return method(path)


def _is(what, path):
    """Whether the host says so; a path that cannot be is nothing."""
    try:
        where = _where(path)
    except ValueError:
        return False
    return _calls.ask(what, where)


class PosixPath(_PurePosixPath):
    """A path that can be looked at."""

    def _ask(self, what, *args):
        return _calls.ask(what, _where(self), *args)

    def exists(self):
        return _is('exists', self)

    def is_file(self):
        return _is('is_file', self)

    def is_dir(self):
        return _is('is_dir', self)

    def is_symlink(self):
        return _is('is_symlink', self)

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
        return stat(self)

    def iterdir(self):
        return iter([self / str(found).rsplit('/', 1)[-1] for found in self._ask('iterdir')])

    def walk(self, top_down=True, on_error=None, follow_symlinks=False):
        return _scans.walk(_where(self), self, _below, top_down, on_error, follow_symlinks, True)

    def glob(self, pattern, *, case_sensitive=None, recurse_symlinks=False):
        return _scans.glob(self, _where, str(pattern), case_sensitive, bool(recurse_symlinks))

    def rglob(self, pattern, *, case_sensitive=None, recurse_symlinks=False):
        return self.glob(f'**/{pattern}', case_sensitive=case_sensitive, recurse_symlinks=recurse_symlinks)

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
        rename(self, target)
        return PosixPath(target)

    replace = rename

    def touch(self, mode=0o666, exist_ok=True):
        if self.exists():
            if not exist_ok:
                raise FileExistsError(f"[Errno 17] File exists: '{self}'")
            return
        self.write_bytes(b'')

    def open(self, mode='r', buffering=-1, encoding=None, errors=None, newline=None):
        return open(str(self), mode)

    def samefile(self, other):
        return _normpath(_where(self)) == _normpath(_where(other))

    @classmethod
    def cwd(cls):
        return cls(_calls.directory())


Path = PosixPath


PosixPath.__module__ = 'pathlib'


def _below(path, name):
    return path / name


def scandir(path=None):
    shown = '.' if path is None else _fspath(path)
    where = _where(shown, 'scandir')
    if not where:
        raise FileNotFoundError(2, 'No such file or directory', where)
    tree = _scans.Tree(where, 1, False)
    tree.list_root(where)
    return _scans.Scan([_scans.DirEntry(name, _join(shown, name), kinds, stat) for name, kinds in tree.names('')])


def walk(top, topdown=True, onerror=None, followlinks=False):
    shown = _fspath(top)
    return _scans.walk(_where(shown, 'scandir'), shown, _join, topdown, onerror, followlinks, False)


def open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    return _files.opened(file, _where(file), mode)


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


def getcwdb():
    return getcwd().encode()


def chdir(path):
    where = _where(path, 'chdir')
    if _calls.ask('stat', where).st_mode & 0o170000 != 0o040000:
        raise NotADirectoryError(20, 'Not a directory', path)
    _calls.change_directory(_normpath(where))


def urandom(size, /):
    from _asked import entropy
    return entropy(size)


def listdir(path='.'):
    return [str(found).rsplit('/', 1)[-1] for found in _calls.ask('iterdir', _where(path, 'listdir'))]


def mkdir(path, mode=0o777):
    _calls.ask('mkdir', _where(path, 'mkdir'), False, False)


def makedirs(name, mode=0o777, exist_ok=False):
    _calls.ask('mkdir', _where(name, 'mkdir'), True, bool(exist_ok))


def remove(path):
    _calls.ask('unlink', _where(path, 'remove'))


def unlink(path):
    _calls.ask('unlink', _where(path, 'unlink'))


def rmdir(path):
    _calls.ask('rmdir', _where(path, 'rmdir'))


def rename(src, dst):
    _calls.ask('rename', _where(src, 'rename', 'src'), _where(dst, 'rename', 'dst'))


def replace(src, dst):
    _calls.ask('rename', _where(src, 'replace', 'src'), _where(dst, 'replace', 'dst'))


def stat(path):
    return _calls.ask('stat', _where(path, 'stat'))


def exists(path):
    return _is('exists', path)


def isfile(path):
    return _is('is_file', path)


def isdir(path):
    return _is('is_dir', path)


def islink(path):
    return _is('is_symlink', path)


def getsize(filename):
    return stat(filename).st_size


def _named(parts):
    """A named tuple of its type's name, the names of its fields and their values."""
    from collections import namedtuple
    typename, names, values = parts
    return namedtuple(typename, names)._make(values)
