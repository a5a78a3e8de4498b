"""textwrap: filling and indenting of text."""

_space = '\t\n\x0b\x0c\r '
_to_blanks = {ord(char): ' ' for char in _space}


def _is_letter(char):
    return char == '_' or char.isalnum() and not char.isdecimal()


def _is_word(char):
    return char == '_' or char.isalnum()


def _is_punctuated(char):
    return _is_word(char) or char in '!"\'&.,?'


def _dashes(text, start, end):
    """The end of the two or more dashes at start that go before a word, or start."""
    place = start
    while place < end and text[place] == '-':
        place += 1
    if place - start >= 2 and place < end and _is_word(text[place]):
        return place
    return start


def _is_joint(text, place, end):
    """Whether a word may be divided after the hyphen at place."""
    if place < 2 or not _is_letter(text[place - 1]):
        return False
    if not _is_letter(text[place - 2]):
        if text[place - 2] != '-' or place < 3 or not _is_letter(text[place - 3]):
            return False
    after = place + 1
    if after + 1 >= end or not _is_letter(text[after]):
        return False
    after += 1
    if text[after] == '-':
        after += 1
    return after < end and _is_letter(text[after])


def _divide(text, start, end):
    """The parts of the word at start, which may be divided at hyphens and dashes."""
    if '-' not in text[start:end]:
        yield text[start:end]
        return
    while start < end:
        place = start
        if start and _is_punctuated(text[start - 1]):
            place = _dashes(text, start, end)
        if place == start:
            place += 1
            while place < end:
                if text[place] == '-':
                    if _is_joint(text, place, end):
                        place += 1
                        break
                    if _is_punctuated(text[place - 1]) and _dashes(text, place, end) > place:
                        break
                place += 1
        yield text[start:place]
        start = place


class TextWrapper:
    """Breaks text into lines of at most width characters."""

    def __init__(self, width=70, initial_indent='', subsequent_indent='', expand_tabs=True,
                 replace_whitespace=True, fix_sentence_endings=False, break_long_words=True,
                 drop_whitespace=True, break_on_hyphens=True, tabsize=8, *, max_lines=None,
                 placeholder=' [...]'):
        self.width = width
        self.initial_indent = initial_indent
        self.subsequent_indent = subsequent_indent
        self.expand_tabs = expand_tabs
        self.replace_whitespace = replace_whitespace
        self.fix_sentence_endings = fix_sentence_endings
        self.break_long_words = break_long_words
        self.drop_whitespace = drop_whitespace
        self.break_on_hyphens = break_on_hyphens
        self.tabsize = tabsize
        self.max_lines = max_lines
        self.placeholder = placeholder

    def wrap(self, text):
        """The lines of text, without line ends."""
        chunks = self._split(self._normal(text))
        if self.fix_sentence_endings:
            self._fix_endings(chunks)
        return self._fit(chunks)

    def fill(self, text):
        """The lines of text as one string."""
        return '\n'.join(self.wrap(text))

    def _normal(self, text):
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            text = text.translate(_to_blanks)
        return text

    def _split(self, text):
        """The words of text and the white space between them, in order."""
        chunks = []
        start = 0
        while start < len(text):
            blank = text[start] in _space
            end = start + 1
            while end < len(text) and (text[end] in _space) == blank:
                end += 1
            if blank or not self.break_on_hyphens:
                chunks.append(text[start:end])
            else:
                chunks.extend(_divide(text, start, end))
            start = end
        return chunks

    def _fix_endings(self, chunks):
        """Have two blanks after each end of a sentence."""
        for index in range(len(chunks) - 1):
            if chunks[index + 1] == ' ' and _ends_sentence(chunks[index]):
                chunks[index + 1] = '  '

    def _fit(self, chunks):
        if self.width <= 0:
            raise ValueError(f'invalid width {self.width!r} (must be > 0)')
        if self.max_lines is not None:
            indent = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
            if len(indent) + len(self.placeholder.lstrip()) > self.width:
                raise ValueError('placeholder too large for max width')
        lines = []
        chunks.reverse()
        while chunks:
            indent = self.subsequent_indent if lines else self.initial_indent
            width = self.width - len(indent)
            if self.drop_whitespace and chunks[-1].strip() == '' and lines:
                chunks.pop()
            line, size = self._take(chunks, width)
            if self.drop_whitespace and line and line[-1].strip() == '':
                size -= len(line.pop())
            if not line:
                continue
            if self._may_end(lines, chunks, size, width):
                lines.append(indent + ''.join(line))
            else:
                self._shorten(lines, line, size, indent, width)
                break
        return lines

    def _take(self, chunks, width):
        """The chunks that fit one line, taken from the end of chunks, and their size."""
        line = []
        size = 0
        while chunks and size + len(chunks[-1]) <= width:
            size += len(chunks[-1])
            line.append(chunks.pop())
        if chunks and len(chunks[-1]) > width:
            self._break(chunks, line, size, width)
            size = sum(map(len, line))
        return line, size

    def _break(self, chunks, line, size, width):
        """Deal with a word that is longer than a whole line."""
        room = 1 if width < 1 else width - size
        if self.break_long_words:
            chunk = chunks[-1]
            end = room
            if self.break_on_hyphens and len(chunk) > room:
                hyphen = chunk.rfind('-', 0, room)
                if hyphen > 0 and chunk[:hyphen].strip('-'):
                    end = hyphen + 1
            line.append(chunk[:end])
            chunks[-1] = chunk[end:]
            if not chunks[-1]:
                chunks.pop()
        elif not line:
            line.append(chunks.pop())

    def _may_end(self, lines, chunks, size, width):
        """Whether the line is one of those that max_lines allows."""
        if self.max_lines is None or len(lines) + 1 < self.max_lines:
            return True
        rest = not chunks or self.drop_whitespace and len(chunks) == 1 and not chunks[0].strip()
        return rest and size <= width

    def _shorten(self, lines, line, size, indent, width):
        """Add the last line, with the placeholder for what is left out."""
        while line:
            if line[-1].strip() and size + len(self.placeholder) <= width:
                lines.append(indent + ''.join(line) + self.placeholder)
                return
            size -= len(line.pop())
        if lines:
            last = lines[-1].rstrip()
            if len(last) + len(self.placeholder) <= self.width:
                lines[-1] = last + self.placeholder
                return
        lines.append(indent + self.placeholder.lstrip())


def _ends_sentence(chunk):
    if chunk[-1:] in ('"', "'"):
        chunk = chunk[:-1]
    return len(chunk) > 1 and chunk[-1] in '.!?' and chunk[-2] in 'abcdefghijklmnopqrstuvwxyz'


def wrap(text, width=70, **keywords):
    """The lines of a paragraph."""
    return TextWrapper(width=width, **keywords).wrap(text)


def fill(text, width=70, **keywords):
    """A paragraph as one string of lines."""
    return TextWrapper(width=width, **keywords).fill(text)


def shorten(text, width, **keywords):
    """text on one line, with a placeholder for what does not fit."""
    return TextWrapper(width=width, max_lines=1, **keywords).fill(' '.join(text.strip().split()))


def dedent(text):
    """text without the white space that all its lines begin with."""
    lines = text.split('\n')
    margin = None
    for index, line in enumerate(lines):
        content = line.lstrip(' \t')
        if not content:
            lines[index] = ''
            continue
        indent = line[:len(line) - len(content)]
        margin = indent if margin is None else _common(margin, indent)
    if margin:
        lines = [line[len(margin):] if line else line for line in lines]
    return '\n'.join(lines)


def _common(a, b):
    for index, (one, other) in enumerate(zip(a, b)):
        if one != other:
            return a[:index]
    return a if len(a) < len(b) else b


def indent(text, prefix, predicate=None):
    """text with prefix before the lines that predicate chooses, by default those with content."""
    if predicate is None:
        predicate = str.strip
    return ''.join([prefix + line if predicate(line) else line for line in text.splitlines(True)])
