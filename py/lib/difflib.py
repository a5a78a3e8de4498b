"""difflib: what two sequences have in common, and in what they differ."""

from collections import namedtuple as _namedtuple

Match = _namedtuple('Match', 'a b size')


def _ratio(matches, length):
    return 2.0 * matches / length if length else 1.0


class SequenceMatcher:
    """Compares two sequences of hashable items by their longest common blocks."""

    def __init__(self, isjunk=None, a='', b='', autojunk=True):
        self.isjunk = isjunk
        self.autojunk = autojunk
        self.a = self.b = None
        self.set_seqs(a, b)

    def set_seqs(self, a, b):
        self.set_seq1(a)
        self.set_seq2(b)

    def set_seq1(self, a):
        if a is self.a:
            return
        self.a = a
        self.matching_blocks = self.opcodes = None

    def set_seq2(self, b):
        if b is self.b:
            return
        self.b = b
        self.matching_blocks = self.opcodes = self.fullbcount = None
        self._index()

    def _index(self):
        """Notes where each item of b stands, but for junk and what is everywhere."""
        places = {}
        for index, item in enumerate(self.b):
            places.setdefault(item, []).append(index)
        self.bjunk = {item for item in places if self.isjunk(item)} if self.isjunk else set()
        for item in self.bjunk:
            del places[item]
        size = len(self.b)
        self.bpopular = set()
        if self.autojunk and size >= 200:
            self.bpopular = {item for item, found in places.items() if len(found) > size // 100 + 1}
            for item in self.bpopular:
                del places[item]
        self.b2j = places

    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        """The longest block without junk, the first of several, with the junk around it."""
        a, b, places, junk = self.a, self.b, self.b2j, self.bjunk
        ahi = len(a) if ahi is None else ahi
        bhi = len(b) if bhi is None else bhi
        start_a, start_b, size = alo, blo, 0
        ends = {}
        for i in range(alo, ahi):
            now = {}
            for j in places.get(a[i], ()):
                if j < blo:
                    continue
                if j >= bhi:
                    break
                length = now[j] = ends.get(j - 1, 0) + 1
                if length > size:
                    start_a, start_b, size = i - length + 1, j - length + 1, length
            ends = now
        for is_junk in (False, True):
            while (start_a > alo and start_b > blo and (b[start_b - 1] in junk) is is_junk
                   and a[start_a - 1] == b[start_b - 1]):
                start_a, start_b, size = start_a - 1, start_b - 1, size + 1
            while (start_a + size < ahi and start_b + size < bhi and (b[start_b + size] in junk) is is_junk
                   and a[start_a + size] == b[start_b + size]):
                size += 1
        return Match(start_a, start_b, size)

    def get_matching_blocks(self):
        """The common blocks in order; the last one is empty and stands at the ends."""
        if self.matching_blocks is not None:
            return self.matching_blocks
        size_a, size_b = len(self.a), len(self.b)
        todo = [(0, size_a, 0, size_b)]
        found = []
        while todo:
            alo, ahi, blo, bhi = todo.pop()
            i, j, size = match = self.find_longest_match(alo, ahi, blo, bhi)
            if not size:
                continue
            found.append(match)
            if alo < i and blo < j:
                todo.append((alo, i, blo, j))
            if i + size < ahi and j + size < bhi:
                todo.append((i + size, ahi, j + size, bhi))
        found.sort()
        joined = []
        for i, j, size in found:
            if joined and joined[-1][0] + joined[-1][2] == i and joined[-1][1] + joined[-1][2] == j:
                size += joined[-1][2]
                i, j, _ = joined.pop()
            joined.append(Match(i, j, size))
        joined.append(Match(size_a, size_b, 0))
        self.matching_blocks = joined
        return joined

    def get_opcodes(self):
        """How a becomes b, as tuples of what to do and the places in both."""
        if self.opcodes is not None:
            return self.opcodes
        codes = []
        i = j = 0
        for next_i, next_j, size in self.get_matching_blocks():
            if i < next_i or j < next_j:
                tag = 'replace' if i < next_i and j < next_j else 'delete' if i < next_i else 'insert'
                codes.append((tag, i, next_i, j, next_j))
            i, j = next_i + size, next_j + size
            if size:
                codes.append(('equal', next_i, i, next_j, j))
        self.opcodes = codes
        return codes

    def get_grouped_opcodes(self, n=3):
        """The opcodes in groups, with at most n equal items around what differs."""
        codes = self.get_opcodes()[:] or [('equal', 0, 1, 0, 1)]
        tag, i1, i2, j1, j2 = codes[0]
        if tag == 'equal':
            codes[0] = tag, max(i1, i2 - n), i2, max(j1, j2 - n), j2
        tag, i1, i2, j1, j2 = codes[-1]
        if tag == 'equal':
            codes[-1] = tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)
        group = []
        for tag, i1, i2, j1, j2 in codes:
            if tag == 'equal' and i2 - i1 > 2 * n:
                group.append((tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)))
                yield group
                group = []
                i1, j1 = max(i1, i2 - n), max(j1, j2 - n)
            group.append((tag, i1, i2, j1, j2))
        if group and not (len(group) == 1 and group[0][0] == 'equal'):
            yield group

    def ratio(self):
        """How alike the sequences are, from 0 to 1."""
        return _ratio(sum([block[2] for block in self.get_matching_blocks()]), len(self.a) + len(self.b))

    def quick_ratio(self):
        """At least ratio(): how many items they share wherever they stand."""
        if self.fullbcount is None:
            counts = self.fullbcount = {}
            for item in self.b:
                counts[item] = counts.get(item, 0) + 1
        left = {}
        matches = 0
        for item in self.a:
            count = left.get(item)
            if count is None:
                count = self.fullbcount.get(item, 0)
            left[item] = count - 1
            matches += count > 0
        return _ratio(matches, len(self.a) + len(self.b))

    def real_quick_ratio(self):
        """At least quick_ratio(): what the lengths allow."""
        return _ratio(min(len(self.a), len(self.b)), len(self.a) + len(self.b))


def get_close_matches(word, possibilities, n=3, cutoff=0.6):
    """The best n of the possibilities that are like word, the best one first."""
    if not n > 0:
        raise ValueError(f'n must be > 0: {n!r}')
    if not 0.0 <= cutoff <= 1.0:
        raise ValueError(f'cutoff must be in [0.0, 1.0]: {cutoff!r}')
    matcher = SequenceMatcher()
    matcher.set_seq2(word)
    found = []
    for other in possibilities:
        matcher.set_seq1(other)
        if matcher.real_quick_ratio() >= cutoff and matcher.quick_ratio() >= cutoff and matcher.ratio() >= cutoff:
            found.append((matcher.ratio(), other))
    found.sort(reverse=True)
    return [other for _, other in found[:n]]


def IS_LINE_JUNK(line, pat=None):
    return line.strip() in ('', '#') if pat is None else pat(line) is not None


def IS_CHARACTER_JUNK(ch, ws=' \t'):
    return ch in ws


class Differ:
    """Compares texts line by line, and lines that are alike by their characters."""

    def __init__(self, linejunk=None, charjunk=None):
        self.linejunk = linejunk
        self.charjunk = charjunk

    def compare(self, a, b):
        for tag, alo, ahi, blo, bhi in SequenceMatcher(self.linejunk, a, b).get_opcodes():
            if tag == 'replace':
                yield from self._replaced(a, alo, ahi, b, blo, bhi)
            elif tag == 'equal':
                yield from _marked(' ', a, alo, ahi)
            else:
                yield from _marked('-', a, alo, ahi)
                yield from _marked('+', b, blo, bhi)

    def _replaced(self, a, alo, ahi, b, blo, bhi):
        """Finds the two lines that are most alike, and goes on before and after them."""
        best, cutoff = 0.74, 0.75
        same = None
        matcher = SequenceMatcher(self.charjunk)
        for j in range(blo, bhi):
            matcher.set_seq2(b[j])
            for i in range(alo, ahi):
                if a[i] == b[j]:
                    same = same or (i, j)
                    continue
                matcher.set_seq1(a[i])
                if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best and matcher.ratio() > best:
                    best, best_i, best_j = matcher.ratio(), i, j
        if best < cutoff:
            if same is None:
                yield from _plainly_replaced(a, alo, ahi, b, blo, bhi)
                return
            best_i, best_j = same
        else:
            same = None
        yield from self._around(a, alo, best_i, b, blo, best_j)
        if same is None:
            matcher.set_seqs(a[best_i], b[best_j])
            yield from _alike(a[best_i], b[best_j], matcher.get_opcodes())
        else:
            yield '  ' + a[best_i]
        yield from self._around(a, best_i + 1, ahi, b, best_j + 1, bhi)

    def _around(self, a, alo, ahi, b, blo, bhi):
        if alo < ahi and blo < bhi:
            yield from self._replaced(a, alo, ahi, b, blo, bhi)
        else:
            yield from _marked('-', a, alo, ahi)
            yield from _marked('+', b, blo, bhi)


def _marked(mark, lines, start, end):
    for index in range(start, end):
        yield f'{mark} {lines[index]}'


def _plainly_replaced(a, alo, ahi, b, blo, bhi):
    """The shorter part comes first."""
    old, new = _marked('-', a, alo, ahi), _marked('+', b, blo, bhi)
    first, second = (new, old) if bhi - blo < ahi - alo else (old, new)
    yield from first
    yield from second


def _alike(old, new, codes):
    """Two lines with marks below them for the characters that differ."""
    below_old = below_new = ''
    for tag, i1, i2, j1, j2 in codes:
        mark = {'replace': '^^', 'delete': '- ', 'insert': ' +', 'equal': '  '}[tag]
        below_old += mark[0] * (i2 - i1)
        below_new += mark[1] * (j2 - j1)
    for sign, line, below in (('-', old, below_old), ('+', new, below_new)):
        yield f'{sign} {line}'
        below = _tabs_kept(line, below).rstrip()
        if below:
            yield f'? {below}\n'


def _tabs_kept(line, marks):
    """The marks, with the white space of the line where there are none."""
    return ''.join([char if mark == ' ' and char.isspace() else mark for char, mark in zip(line, marks)])


def ndiff(a, b, linejunk=None, charjunk=IS_CHARACTER_JUNK):
    return Differ(linejunk, charjunk).compare(a, b)


def restore(delta, which):
    """One of the two texts of which ndiff made the delta."""
    if which not in (1, 2):
        raise ValueError('unknown delta choice (must be 1 or 2): %r' % which)
    for line in delta:
        if line[:2] in ('  ', '- ' if which == 1 else '+ '):
            yield line[2:]


def _check_lines(a, b, *args):
    if a and not isinstance(a[0], str):
        raise TypeError(f'lines to compare must be str, not {type(a[0]).__name__} ({a[0]!r})')
    if b and not isinstance(b[0], str):
        raise TypeError(f'lines to compare must be str, not {type(b[0]).__name__} ({b[0]!r})')
    for arg in args:
        if not isinstance(arg, str):
            raise TypeError(f'all arguments must be str, not: {arg!r}')


def unified_diff(a, b, fromfile='', tofile='', fromfiledate='', tofiledate='', n=3, lineterm='\n'):
    """The differences with n lines around them, new lines below old ones."""
    _check_lines(a, b, fromfile, tofile, fromfiledate, tofiledate, lineterm)
    started = False
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if not started:
            started = True
            for mark, name, date in (('---', fromfile, fromfiledate), ('+++', tofile, tofiledate)):
                yield f'{mark} {name}{chr(9) + date if date else ""}{lineterm}'
        first, last = group[0], group[-1]
        yield f'@@ -{_unified_range(first[1], last[2])} +{_unified_range(first[3], last[4])} @@{lineterm}'
        for tag, i1, i2, j1, j2 in group:
            if tag == 'equal':
                for line in a[i1:i2]:
                    yield ' ' + line
                continue
            if tag != 'insert':
                for line in a[i1:i2]:
                    yield '-' + line
            if tag != 'delete':
                for line in b[j1:j2]:
                    yield '+' + line


def _unified_range(start, stop):
    size = stop - start
    if size == 1:
        return str(start + 1)
    return f'{start + 1 if size else start},{size}'


def _context_range(start, stop):
    size = stop - start
    first = start + 1 if size else start
    return str(first + max(size, 1) - 1) if size <= 1 else f'{first},{first + size - 1}'


def context_diff(a, b, fromfile='', tofile='', fromfiledate='', tofiledate='', n=3, lineterm='\n'):
    """The differences with n lines around them, first the old lines and then the new ones."""
    _check_lines(a, b, fromfile, tofile, fromfiledate, tofiledate, lineterm)
    marks = {'insert': '+ ', 'delete': '- ', 'replace': '! ', 'equal': '  '}
    started = False
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if not started:
            started = True
            for mark, name, date in (('***', fromfile, fromfiledate), ('---', tofile, tofiledate)):
                yield f'{mark} {name}{chr(9) + date if date else ""}{lineterm}'
        first, last = group[0], group[-1]
        yield '***************' + lineterm
        yield f'*** {_context_range(first[1], last[2])} ****{lineterm}'
        if any([code[0] in ('replace', 'delete') for code in group]):
            for tag, i1, i2, _, _ in group:
                if tag != 'insert':
                    for line in a[i1:i2]:
                        yield marks[tag] + line
        yield f'--- {_context_range(first[3], last[4])} ----{lineterm}'
        if any([code[0] in ('replace', 'insert') for code in group]):
            for tag, _, _, j1, j2 in group:
                if tag != 'delete':
                    for line in b[j1:j2]:
                        yield marks[tag] + line
