"""_scans: walks, globs and scandir, each of which looks at a whole tree first.

A host that can is asked once for the tree, and others for each directory and
each entry.
"""

import _calls
from fnmatch import fnmatchcase as _fnmatchcase

_deepest = 64  # levels, where links are followed without another bound: they may lead round


class Tree:
    """What a host says is below a directory: names and kinds, by the relative path of their directory.

    Kinds are those of a DirEntry: is_dir, is_file and is_symlink.
    """

    def __init__(self, path, depth, follow, pattern=(), case_sensitive=None, recurse=False):
        self.path = path
        self.root = None
        self._below = {'': {}}
        if _calls.scans():
            found = _calls.ask('scan', path, depth, follow, list(pattern), case_sensitive, recurse)
        else:
            found = _look(path, depth, follow)
        if not isinstance(found, list):
            _malformed()
        for entry in found:
            self._add(entry)
        if self.root is None:
            _malformed()

    def _add(self, entry):
        if not isinstance(entry, tuple) or len(entry) != 4 or not isinstance(entry[0], str):
            _malformed()
        relative, *kinds = entry
        kinds = tuple([bool(kind) for kind in kinds])
        if not relative:
            self.root = kinds
            return
        directory, _, name = relative.rpartition('/')
        if any([part in ('', '.', '..') for part in relative.split('/')]):
            _malformed()
        self._below.setdefault(directory, {})[name] = kinds

    def names(self, directory):
        """The names in a directory with their kinds, in order."""
        return sorted(self._below.get(directory, {}).items())

    def kinds(self, directory, name):
        return self._below.get(directory, {}).get(name)

    def list_root(self, shown):
        """Raises what listing the root would, if it is no directory."""
        is_dir, is_file, _ = self.root
        if is_dir:
            return
        if is_file:
            raise NotADirectoryError(20, 'Not a directory', shown)
        raise FileNotFoundError(2, 'No such file or directory', shown)


def _malformed():
    raise RuntimeError("'Path.scan' must return a list of (path, is_dir, is_file, is_symlink) that begins with the root")


def _kinds(path):
    return tuple([bool(_calls.ask(what, path)) for what in ('is_dir', 'is_file', 'is_symlink')])


def _look(path, depth, follow):
    """The tree below path, of a host that has no call for it."""
    if depth == 0:
        kinds = _kinds(path)
        if not any(kinds) and not _calls.ask('exists', path):
            raise FileNotFoundError(2, 'No such file or directory', path)
        return [('', *kinds)]
    found = [('', True, False, False)]
    todo = [('', path, 0)]
    while todo:
        relative, at, level = todo.pop()
        if level == (_deepest if depth is None and follow else depth):
            continue
        try:
            inner = _calls.ask('iterdir', at)
        except OSError:
            if level == 0:
                raise
            continue
        for each in inner:
            name = str(each).rsplit('/', 1)[-1]
            below = f'{relative}/{name}' if relative else name
            kinds = _kinds(f'{at}/{name}')
            found.append((below, *kinds))
            if kinds[0] and (follow or not kinds[2]):
                todo.append((below, f'{at}/{name}', level + 1))
    return found


class DirEntry:
    """An entry that scandir found."""

    def __init__(self, name, path, kinds, stat):
        self.name, self.path = name, path
        self._kinds, self._stat = kinds, stat

    def is_dir(self, *, follow_symlinks=True):
        return self._kinds[0] and (follow_symlinks or not self._kinds[2])

    def is_file(self, *, follow_symlinks=True):
        return self._kinds[1] and (follow_symlinks or not self._kinds[2])

    def is_symlink(self):
        return self._kinds[2]

    def stat(self, *, follow_symlinks=True):
        return self._stat(self.path)

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f'<DirEntry {self.name!r}>'


class Scan:
    """The entries of a directory, which may be closed."""

    def __init__(self, entries):
        self._entries = iter(entries)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._entries)

    def close(self):
        self._entries = iter(())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def walk(where, shown, join, top_down, on_error, follow, links_are_files):
    """What os.walk and Path.walk give. The tree is read at once."""
    try:
        tree = Tree(where, None, bool(follow))
        tree.list_root(where)
    except OSError as error:
        return _failed(error, on_error)
    return _walk(tree, '', shown, join, top_down, follow, links_are_files and not follow)


def _failed(error, on_error):
    if on_error is not None:
        on_error(error)
    return
    yield


def _walk(tree, relative, shown, join, top_down, follow, links_are_files):
    inner, files = [], []
    for name, kinds in tree.names(relative):
        is_inner = kinds[0] and not (links_are_files and kinds[2])
        (inner if is_inner else files).append(name)
    if top_down:
        yield shown, inner, files
    for name in list(inner):  # a program may have left some out
        kinds = tree.kinds(relative, name)
        if kinds is None or not kinds[0] or kinds[2] and not follow:
            continue
        below = f'{relative}/{name}' if relative else name
        yield from _walk(tree, below, join(shown, name), join, top_down, follow, links_are_files)
    if not top_down:
        yield shown, inner, files


def _is_literal(part):
    return not any(c in part for c in '*?[')


def glob(path, where, pattern, case_sensitive, recurse_symlinks):
    """The paths below path that fit a pattern. The tree is read at once."""
    parts = [part for part in pattern.split('/') if part not in ('', '.')]
    if pattern.startswith('/'):
        raise NotImplementedError('Non-relative patterns are unsupported')
    if not parts:
        raise ValueError(f'Unacceptable pattern: {pattern!r}')
    while parts and case_sensitive is None and _is_literal(parts[0]):
        path /= parts.pop(0)
    try:
        tree = _tree_of(where(str(path)), parts, case_sensitive, recurse_symlinks)
    except OSError:
        return iter(())
    if not parts:
        return iter([path])
    return _matches(tree, '', path, parts, case_sensitive, recurse_symlinks)


def _tree_of(where, parts, case_sensitive, recurse_symlinks):
    if not parts:
        return Tree(where, 0, False)
    depth = None if '**' in parts else len(parts)
    follow = recurse_symlinks or any([part != '**' for part in parts[:-1]])
    return Tree(where, depth, follow, parts, case_sensitive, recurse_symlinks)


def _matches(tree, relative, path, parts, case_sensitive, recurse_symlinks):
    part, *rest = parts
    if part == '**':
        while rest and rest[0] == '**':
            del rest[0]
        for below, directory in _directories(tree, relative, path, recurse_symlinks):
            if not rest:
                yield directory
            else:
                yield from _matches(tree, below, directory, rest, case_sensitive, recurse_symlinks)
        return
    for name, kinds in tree.names(relative):
        if not _fits(name, part, case_sensitive):
            continue
        if not rest:
            yield path / name
        elif kinds[0]:
            below = f'{relative}/{name}' if relative else name
            yield from _matches(tree, below, path / name, rest, case_sensitive, recurse_symlinks)


def _fits(name, part, case_sensitive):
    if case_sensitive is False:
        return _fnmatchcase(name.lower(), part.lower())
    return _fnmatchcase(name, part)


def _directories(tree, relative, path, follow):
    """A directory and all below it, as relative and as whole paths."""
    if not relative and not tree.root[0]:
        return
    yield relative, path
    for name, kinds in tree.names(relative):
        if kinds[0] and (follow or not kinds[2]):
            yield from _directories(tree, f'{relative}/{name}' if relative else name, path / name, follow)
