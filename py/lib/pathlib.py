"""pathlib: paths as values. Nothing looks at a file, so there is no Path."""


class PurePath:
    """A path that knows its parts."""

    _slash = '/'
    _other_slash = ''

    def __new__(cls, *args):
        if cls is PurePath:
            cls = PurePosixPath
        self = object.__new__(cls)
        parts = []
        root = drive = ''
        for arg in args:
            drive, root, parts = self._add(drive, root, parts, self._text_of(arg))
        self.drive = drive
        self.root = root
        self._names = parts
        return self

    def __init__(self, *args):
        pass

    def _text_of(self, arg):
        if isinstance(arg, PurePath):
            return str(arg)
        if hasattr(arg, '__fspath__'):
            arg = arg.__fspath__()
        if not isinstance(arg, str):
            raise TypeError(f'expected str, bytes or os.PathLike object, not {type(arg).__name__}')
        return arg.replace(self._other_slash, self._slash) if self._other_slash else arg

    def _add(self, drive, root, parts, text):
        """The path that text means within drive, root and parts."""
        more_drive, more_root, rest = self._anchor_of(text)
        names = [name for name in rest.split(self._slash) if name and name != '.']
        if more_root and not more_drive:
            return drive, more_root, names
        if more_drive and (more_root or self._fold(more_drive) != self._fold(drive)):
            return more_drive, more_root, names
        return more_drive or drive, root, parts + names

    def _anchor_of(self, text):
        """The drive, the root, and what follows them."""
        if text.startswith('//') and not text.startswith('///'):
            return '', '//', text[2:]
        return '', '/' if text.startswith('/') else '', text.lstrip('/')

    def _fold(self, text):
        return text

    def _made(self, drive, root, names):
        path = object.__new__(type(self))
        path.drive = drive
        path.root = root
        path._names = names
        return path

    @property
    def anchor(self):
        return self.drive + self.root

    @property
    def parts(self):
        return ((self.anchor,) if self.anchor else ()) + tuple(self._names)

    def __str__(self):
        return self.anchor + self._slash.join(self._names) or '.'

    def __fspath__(self):
        return str(self)

    def as_posix(self):
        return str(self).replace(self._slash, '/')

    def as_uri(self):
        if not self.is_absolute():
            raise ValueError("relative path can't be expressed as a file URI")
        from urllib.parse import quote
        return self._uri_start(quote) + quote(self.as_posix()[len(self.drive):])

    def _uri_start(self, quote):
        return 'file://'

    def __bytes__(self):
        return str(self).encode()

    def __repr__(self):
        return f'{type(self).__name__}({self.as_posix()!r})'

    def _key(self):
        return self._fold(str(self)), [self._fold(part) for part in self.parts]

    def __eq__(self, other):
        if not isinstance(other, PurePath):
            return NotImplemented
        return self._slash == other._slash and self._key()[0] == other._key()[0]

    def __hash__(self):
        return hash(self._key()[0])

    def _ordered(self, other):
        return isinstance(other, PurePath) and self._slash == other._slash

    def __lt__(self, other):
        return self._key()[1] < other._key()[1] if self._ordered(other) else NotImplemented

    def __le__(self, other):
        return self._key()[1] <= other._key()[1] if self._ordered(other) else NotImplemented

    def __gt__(self, other):
        return self._key()[1] > other._key()[1] if self._ordered(other) else NotImplemented

    def __ge__(self, other):
        return self._key()[1] >= other._key()[1] if self._ordered(other) else NotImplemented

    def __truediv__(self, key):
        try:
            return self.joinpath(key)
        except TypeError:
            return NotImplemented

    def __rtruediv__(self, key):
        try:
            return type(self)(key, self)
        except TypeError:
            return NotImplemented

    def joinpath(self, *args):
        drive, root, names = self.drive, self.root, self._names
        for arg in args:
            drive, root, names = self._add(drive, root, names, self._text_of(arg))
        return self._made(drive, root, names)

    @property
    def name(self):
        return self._names[-1] if self._names else ''

    @property
    def suffix(self):
        place = self.name.rfind('.')
        return self.name[place:] if 0 < place < len(self.name) - 1 else ''

    @property
    def suffixes(self):
        if self.name.endswith('.'):
            return []
        return ['.' + suffix for suffix in self.name.lstrip('.').split('.')[1:]]

    @property
    def stem(self):
        return self.name.removesuffix(self.suffix) if self.suffix else self.name

    @property
    def parent(self):
        return self._made(self.drive, self.root, self._names[:-1]) if self._names else self

    @property
    def parents(self):
        return _Parents(self)

    def is_absolute(self):
        return bool(self.root)

    def is_reserved(self):
        return False

    def with_name(self, name):
        if not self.name:
            raise ValueError(f'{self!r} has an empty name')
        if not name or self._slash in name or self._other_slash and self._other_slash in name or name == '.':
            raise ValueError(f'Invalid name {name!r}')
        return self._made(self.drive, self.root, self._names[:-1] + [name])

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def with_suffix(self, suffix):
        if self._slash in suffix or suffix and not suffix.startswith('.') or suffix == '.':
            raise ValueError(f'Invalid suffix {suffix!r}')
        if not self.name:
            raise ValueError(f'{self!r} has an empty name')
        return self.with_name(self.stem + suffix)

    def relative_to(self, *other):
        if not other:
            raise TypeError('need at least one argument')
        base = type(self)(*other)
        count = len(base.parts)
        if self._key()[1][:count] != base._key()[1]:
            raise ValueError(f'{str(self)!r} is not in the subpath of {str(base)!r} '
                             'OR one path is relative and the other is absolute.')
        return self._made('', '', list(self.parts[count:]))

    def is_relative_to(self, *other):
        try:
            self.relative_to(*other)
        except ValueError:
            return False
        return True

    def match(self, path_pattern):
        from fnmatch import fnmatchcase
        pattern = type(self)(path_pattern)
        wanted = [self._fold(part) for part in pattern.parts]
        if not wanted:
            raise ValueError('empty pattern')
        parts = [self._fold(part) for part in self.parts]
        if pattern.anchor and len(wanted) != len(parts) or len(wanted) > len(parts):
            return False
        return all([fnmatchcase(part, glob) for part, glob in zip(reversed(parts), reversed(wanted))])


class _Parents:
    """The paths around a path, the nearest first."""

    def __init__(self, path):
        self._kind = type(path)
        self._paths = [path._made(path.drive, path.root, path._names[:end]) for end in range(len(path._names) - 1, -1, -1)]

    def __len__(self):
        return len(self._paths)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return tuple(self._paths[index])
        if not -len(self._paths) <= index < len(self._paths):
            raise IndexError(index)
        return self._paths[index]

    def __iter__(self):
        return iter(self._paths)

    def __repr__(self):
        return f'<{self._kind.__name__}.parents>'


class PurePosixPath(PurePath):
    """A path by the rules of POSIX."""


class PureWindowsPath(PurePath):
    """A path by the rules of Windows."""

    _slash = '\\'
    _other_slash = '/'

    def _fold(self, text):
        return text.lower()

    def _anchor_of(self, text):
        if text.startswith('\\\\') and text[2:3] not in ('', '\\'):
            host, slash, rest = text[2:].partition('\\')
            share, slash, rest = rest.partition('\\')
            if host and share:
                return f'\\\\{host}\\{share}', '\\', rest
        drive = ''
        if text[1:2] == ':' and text[0].isascii() and text[0].isalpha():
            drive, text = text[:2], text[2:]
        return drive, '\\' if text.startswith('\\') else '', text.lstrip('\\')

    def is_absolute(self):
        return bool(self.drive and self.root)

    def _uri_start(self, quote):
        if self.drive[1:2] == ':':
            return 'file:///' + self.drive
        return 'file:' + quote(self.as_posix()[:len(self.drive)])
