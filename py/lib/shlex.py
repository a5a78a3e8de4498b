"""shlex: words as a shell reads and writes them."""

_plain = frozenset('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-')
_blank = ' \t\r\n'


def quote(s):
    """s as one word of a shell."""
    if not s:
        return "''"
    if all([char in _plain for char in s]):
        return s
    return "'" + s.replace("'", "'\"'\"'") + "'"


def join(split_command):
    """The words as a line of a shell."""
    return ' '.join([quote(word) for word in split_command])


def split(s, comments=False, posix=True):
    """The words of a line of a shell."""
    if s is None:
        raise ValueError("s argument must not be None")
    words = []
    place = 0
    while True:
        while place < len(s) and s[place] in _blank:
            place += 1
        if place >= len(s):
            return words
        if comments and s[place] == '#':
            place = _line_end(s, place)
            continue
        word, place = (_word if posix else _raw_word)(s, place, comments)
        words.append(word)


def _line_end(s, place):
    end = s.find('\n', place)
    return len(s) if end < 0 else end + 1


def _word(s, place, comments):
    """The word at place, without its quotes, and where it ends."""
    parts = []
    while place < len(s):
        char = s[place]
        place += 1
        if char in _blank:
            break
        if comments and char == '#':
            place = _line_end(s, place)
            break
        if char == '\\':
            if place >= len(s):
                raise ValueError('No escaped character')
            char = s[place]
            place += 1
        elif char in '\'"':
            text, place = _quoted(s, place, char)
            parts.append(text)
            continue
        parts.append(char)
    return ''.join(parts), place


def _quoted(s, place, mark):
    """The text up to the closing mark, and where the rest begins."""
    parts = []
    while place < len(s):
        char = s[place]
        place += 1
        if char == mark:
            return ''.join(parts), place
        if char == '\\' and mark == '"':
            if place >= len(s):
                raise ValueError('No escaped character')
            if s[place] in '\\"':
                char = s[place]
            else:
                char += s[place]
            place += 1
        parts.append(char)
    raise ValueError('No closing quotation')


def _raw_word(s, place, comments):
    """The word at place with its quotes, and where it ends."""
    start = place
    if s[place] in '\'"':
        end = s.find(s[place], place + 1)
        if end < 0:
            raise ValueError('No closing quotation')
        return s[start:end + 1], end + 1
    while place < len(s) and s[place] not in _blank:
        if comments and s[place] == '#':
            return s[start:place], _line_end(s, place)
        place += 1
    return s[start:place], place
