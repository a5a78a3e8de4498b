"""os.path: paths as text, by the rules of POSIX. Nothing looks at a file."""

curdir = '.'
pardir = '..'
sep = '/'
altsep = None
extsep = '.'
pathsep = ':'
defpath = '/bin:/usr/bin'
devnull = '/dev/null'
supports_unicode_filenames = False


def _text(path):
    if isinstance(path, (str, bytes)):
        return path
    method = getattr(type(path), '__fspath__', None)
    if method is None:
        raise TypeError(f'expected str, bytes or os.PathLike object, not {type(path).__name__}')
    return method(path)


def _like(path, text):
    """text as the class of path."""
    return text.encode() if isinstance(path, bytes) else text


def normcase(s):
    return _text(s)


def isabs(s):
    s = _text(s)
    return s.startswith(_like(s, '/'))


def join(a, *p):
    """The paths one in the other; an absolute one begins anew."""
    a = _text(a)
    slash = _like(a, '/')
    path = a
    for part in p:
        if not isinstance(part, (str, bytes)) and not hasattr(type(part), '__fspath__'):
            raise TypeError(f"join() argument must be str, bytes, or os.PathLike object, not '{type(part).__name__}'")
        part = _text(part)
        if isinstance(part, str) != isinstance(path, str):
            raise TypeError("Can't mix strings and bytes in path components")
        if part.startswith(slash):
            path = part
        elif not path or path.endswith(slash):
            path += part
        else:
            path += slash + part
    return path


def split(p):
    """The part before the last slash, and the part after it."""
    p = _text(p)
    slash = _like(p, '/')
    end = p.rfind(slash) + 1
    head, tail = p[:end], p[end:]
    if head.strip(slash):
        head = head.rstrip(slash)
    return head, tail


def splitext(p):
    """The path without its extension, and the extension."""
    p = _text(p)
    start = p.rfind(_like(p, '/')) + 1
    dot = p.rfind(_like(p, '.'))
    if dot < start or not p[start:dot].strip(_like(p, '.')):
        return p, p[:0]
    return p[:dot], p[dot:]


def splitdrive(p):
    p = _text(p)
    return p[:0], p


def basename(p):
    return split(p)[1]


def dirname(p):
    return split(p)[0]


def normpath(path):
    """The path without parts that mean nothing."""
    path = _text(path)
    if isinstance(path, bytes):
        return normpath(path.decode('latin-1')).encode('latin-1')
    if not path:
        return '.'
    start = '/' if path.startswith('/') else ''
    if path.startswith('//') and not path.startswith('///'):
        start = '//'
    parts = []
    for part in path.split('/'):
        if part in ('', '.'):
            continue
        if part != '..' or not start and not parts or parts and parts[-1] == '..':
            parts.append(part)
        elif parts:
            parts.pop()
    return start + '/'.join(parts) or '.'


def abspath(path):
    """normpath of the path; relative ones are seen from the root."""
    path = _text(path)
    return normpath(path if isabs(path) else join(_like(path, '/'), path))


def relpath(path, start=None):
    """The path as seen from start."""
    path = _text(path)
    if not path:
        raise ValueError('no path specified')
    start = [part for part in abspath(start if start is not None else '/').split('/') if part]
    parts = [part for part in abspath(path).split('/') if part]
    shared = len(commonprefix([start, parts]))
    return '/'.join(['..'] * (len(start) - shared) + parts[shared:]) or '.'


def commonprefix(m):
    """The beginning that all have, character by character."""
    if not m:
        return ''
    if not isinstance(m[0], (list, tuple)):
        m = [_text(path) for path in m]
    first, last = min(m), max(m)
    for index, item in enumerate(first):
        if item != last[index]:
            return first[:index]
    return first


def commonpath(paths):
    """The path within which all are."""
    paths = [_text(path) for path in paths]
    if not paths:
        raise ValueError('commonpath() arg is an empty sequence')
    if len({path.startswith('/') for path in paths}) > 1:
        raise ValueError("Can't mix absolute and relative paths")
    split_paths = [[part for part in path.split('/') if part and part != '.'] for path in paths]
    return ('/' if paths[0].startswith('/') else '') + '/'.join(commonprefix(split_paths))
