"""fnmatch: names that match patterns with *, ? and [...]."""

import re as _re

_known = {}
_most_known = 256


def fnmatch(name, pat):
    return fnmatchcase(name, pat)


def fnmatchcase(name, pat):
    return _matcher(pat)(name) is not None


def filter(names, pat):
    """Those of the names that match."""
    match = _matcher(pat)
    return [name for name in names if match(name)]


def _matcher(pat):
    match = _known.get(pat)
    if match is None:
        if len(_known) >= _most_known:
            _known.clear()
        text = pat.decode('latin-1') if isinstance(pat, bytes) else pat
        source = '(?s:' + ''.join(['.*' if part is None else part for part in _parts(text)]) + ')'
        match = _known[pat] = _re.compile(source.encode('latin-1') if isinstance(pat, bytes) else source).fullmatch
    return match


def translate(pat):
    """The pattern as a regular expression of Python."""
    groups = [[]]
    for part in _parts(pat):
        if part is None:
            groups.append([])
        else:
            groups[-1].append(part)
    texts = [''.join(group) for group in groups]
    source = texts[0]
    if len(texts) > 1:
        for text in texts[1:-1]:
            source += f'(?>.*?{text})'
        source += '.*' + texts[-1]
    return f'(?s:{source})\\Z'


def _parts(pat):
    """The parts of a pattern as regular expressions; None is for stars."""
    parts = []
    place = 0
    while place < len(pat):
        char = pat[place]
        place += 1
        if char == '*':
            if not parts or parts[-1] is not None:
                parts.append(None)
        elif char == '?':
            parts.append('.')
        elif char == '[':
            start = place
            end = start + (pat[start:start + 1] == '!')
            end = pat.find(']', end + (pat[end:end + 1] == ']'))
            if end < 0:
                parts.append('\\[')
            else:
                parts.append(_set(pat[start:end]))
                place = end + 1
        else:
            parts.append(_re.escape(char))
    return parts


def _set(inner):
    """The regular expression of what stands in brackets."""
    negated = inner[:1] == '!'
    if negated:
        inner = inner[1:]
    text = _ranges(inner)
    if not text:
        return '.' if negated else '(?!)'
    for char in '&~|':
        text = text.replace(char, '\\' + char)
    if negated:
        return f'[^{text}]'
    return f'[\\{text}]' if text[0] in '^[' else f'[{text}]'


def _ranges(inner):
    """The characters in brackets, without the ranges that hold nothing."""
    if '-' not in inner:
        return inner.replace('\\', '\\\\')
    pieces = []
    start = 0
    place = inner.find('-', 1)
    while 0 <= place:
        pieces.append(inner[start:place])
        start = place + 1
        place = inner.find('-', place + 3)
    rest = inner[start:]
    if rest:
        pieces.append(rest)
    else:
        pieces[-1] += '-'
    for index in range(len(pieces) - 1, 0, -1):
        if pieces[index - 1][-1] > pieces[index][0]:
            pieces[index - 1] = pieces[index - 1][:-1] + pieces[index][1:]
            del pieces[index]
    return '-'.join([piece.replace('\\', '\\\\').replace('-', '\\-') for piece in pieces])
