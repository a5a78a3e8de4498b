import string, textwrap, operator, heapq, bisect, copy, contextlib, uuid, random
from collections import namedtuple, deque, OrderedDict, defaultdict, Counter
from dataclasses import dataclass, field


def show(f, *args, **kw):
    try:
        print(repr(f(*args, **kw)))
    except Exception as e:
        print(type(e).__name__, e)


# string
for name in ('ascii_letters', 'ascii_lowercase', 'ascii_uppercase', 'digits', 'hexdigits', 'octdigits', 'punctuation', 'printable', 'whitespace'):
    print(repr(getattr(string, name)))
print(string.capwords('hello  big world'), string.capwords('a-b-c', '-'))
T = string.Template
for text in ('$a and ${b}', '$$5 $a', '$', 'x $1', '${a', '${}', '$a$b', '${a b}', '$aé', '$_x', 'line\n  $ bad', '', '$a.$b', '$$$$', '${a}x$'):
    show(T(text).substitute, a=1, b='two', _x=3)
    show(T(text).safe_substitute, a=1)
    show(T(text).is_valid)
    show(T(text).get_identifiers)
show(T('$a $b').substitute, {'a': 1}, b=2)
show(T('$a $b').substitute, {'a': 1})

# textwrap
rng = random.Random(1)
words = ['a', 'word', 'hyphen-ated', 'em--dash', 'very-long-compound-word', 'x' * 25, 'end.', 'What?', '--opt', '-x', "it's", 'a-b-c', 'tab\there', 'new\nline', '...', 'e-mail', '1-2', 'pre-2000', '(paren-thesis)', 'foo--', '--bar--baz', 'Ünï-cödé', 'a--b', 'well-', '-', '--', 'two  ', '"Quote."']
for n in range(400):
    text = rng.choice(['', ' ', '  ']) + rng.choice([' ', '  ', '\n']).join(rng.choice(words) for _ in range(rng.randrange(12)))
    kw = {'width': rng.randrange(1, 40)}
    for name in ('expand_tabs', 'replace_whitespace', 'fix_sentence_endings', 'break_long_words', 'drop_whitespace', 'break_on_hyphens'):
        if rng.random() < .3:
            kw[name] = rng.random() < .5
    if rng.random() < .3:
        kw['max_lines'] = rng.randrange(1, 4)
    if rng.random() < .2:
        kw['width'] += 4  # CPython never ends where an indent is wider
        kw['initial_indent'] = '* '
        kw['subsequent_indent'] = '    '
    show(textwrap.wrap, text, **kw)
show(textwrap.fill, 'The quick brown fox jumped over the lazy dog', 20)
show(textwrap.shorten, 'Hello  world!  and more', 12)
show(textwrap.shorten, 'Hello  world!', 11)
show(textwrap.shorten, 'Hello world', width=10, placeholder='...')
show(textwrap.wrap, 'abc', 0)
show(textwrap.wrap, 'abc', 3, max_lines=1, placeholder='......')
for text in ('  a\n  b', '  a\n    b\n  c\n', '\ta\n\t b', '  a\n\tb', '\n  x\n   \n  y\n', '', '   ', 'a\n b', '  \n  a\n \t \n  b', '    a\n  b\n      c', '  a\r\n  b'):
    show(textwrap.dedent, text)
    show(textwrap.indent, text, '> ')
    show(textwrap.indent, text, '+', lambda line: True)

# operator
for name in ('add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'pow', 'lt', 'le', 'eq', 'ne', 'ge', 'gt', 'and_', 'or_', 'xor', 'lshift', 'rshift', 'is_', 'is_not',
             'iadd', 'isub', 'imul', 'itruediv', 'ifloordiv', 'imod', 'ipow', 'iand', 'ior', 'ixor', 'ilshift', 'irshift'):
    show(getattr(operator, name), 7, 2)
    show(getattr(operator, name), 7, 'x')
for name in ('neg', 'pos', 'invert', 'inv', 'abs', 'not_', 'truth', 'index'):
    show(getattr(operator, name), -5)
    show(getattr(operator, name), 'x')
P = namedtuple('P', 'x y')
print(operator.itemgetter(1)([1, 2]), operator.itemgetter(0, 'k')({0: 1, 'k': 2}), operator.attrgetter('x')(P(1, 2)), operator.attrgetter('x', 'y')(P(1, 2)), operator.attrgetter('x.real')(P(1, 2)), operator.methodcaller('split', ',')('a,b'), operator.methodcaller('split', sep='-')('a-b'))
print(operator.itemgetter(1), operator.itemgetter(1, 'a'), operator.attrgetter('a.b'), operator.methodcaller('m', 1, k=2))
print(operator.contains([1], 1), operator.countOf([1, 2, 1], 1), operator.indexOf([1, 2], 2), operator.getitem([5], 0), operator.concat([1], [2]), operator.length_hint([1, 2]), operator.length_hint(3, 9), operator.call(max, 1, 2), sorted([(1, 'b'), (0, 'z')], key=operator.itemgetter(1)))
l = [1, 2]
operator.setitem(l, 0, 9)
operator.delitem(l, 1)
print(l, operator.iadd(l, [3]), l, operator.iconcat(l, [4]))
show(operator.indexOf, [1], 2)
show(operator.itemgetter(5), [1])
show(operator.attrgetter('nope'), 1)
show(operator.attrgetter, 1)
show(operator.methodcaller, 1)
show(operator.concat, 1, 2)

# heapq
for n in range(60):
    data = [rng.randrange(20) for _ in range(rng.randrange(30))]
    h = data[:]
    heapq.heapify(h)
    print(h, end=' ')
    for x in (3, 15, 7):
        heapq.heappush(h, x)
    print(h, heapq.heappop(h), heapq.heappushpop(h, 4), heapq.heapreplace(h, 9), h)
    print([heapq.heappop(h) for _ in range(len(h))], heapq.nsmallest(3, data), heapq.nlargest(3, data), heapq.nlargest(2, data, key=lambda v: v % 7), heapq.nsmallest(4, data, key=lambda v: -v))
print(list(heapq.merge([1, 4, 7], [2, 4], [], [0, 9])), list(heapq.merge([7, 1], [5, 2], reverse=True)), list(heapq.merge(['a', 'ccc'], ['bb'], key=len)), list(heapq.merge()), heapq.nsmallest(0, [1]), heapq.nlargest(-1, [1]))
print(list(heapq.merge([(1, 'a'), (2, 'a')], [(1, 'b'), (2, 'b')], key=lambda p: p[0])))
show(heapq.heappop, [])
show(heapq.heapreplace, [], 1)
show(heapq.heappush, (), 1)
show(heapq.heappush, [(1, {})], (1, {}))

# bisect
data = sorted(rng.randrange(30) for _ in range(25))
for x in range(-1, 31):
    print(bisect.bisect(data, x), bisect.bisect_left(data, x), bisect.bisect_right(data, x, 5, 20), bisect.bisect_left(data, x, lo=3), end=' ')
print(bisect.bisect_left(['a', 'bb', 'ccc'], 2, key=len))
bisect.insort(data, 11)
bisect.insort_left(data, 11)
pairs = [('a', 1), ('b', 3)]
bisect.insort(pairs, ('c', 2), key=lambda p: p[1])
print(data, pairs)
show(bisect.bisect, [1], 1, -1)
show(bisect.bisect, [1], 'a')


# copy
@dataclass
class Node:
    v: int
    next: object = None
    tags: list = field(default_factory=list)


class Plain:
    def __init__(self, a):
        self.a = a

    def __eq__(self, other):
        return self.a == other.a


class Hook:
    def __init__(self, n):
        self.n = n

    def __copy__(self):
        return Hook(self.n + 1)

    def __deepcopy__(self, memo):
        return Hook(self.n + 10)


class MyList(list):
    pass


class MyDict(dict):
    pass


class MyErr(Exception):
    pass


n = Node(1, Node(2), ['x'])
c, d = copy.copy(n), copy.deepcopy(n)
n.tags.append('y')
n.next.v = 99
print(n, c, d)
loop = [1]
loop.append(loop)
l2 = copy.deepcopy(loop)
print(l2 is not loop, l2[1] is l2, len(l2))
shared = [1]
s = copy.deepcopy({'a': shared, 'b': shared, 't': (shared, 1)})
print(s, s['a'] is s['b'], s['a'] is s['t'][0], s['a'] is shared)
t = (1, 'a', (2, 3))
print(copy.deepcopy(t) is t, copy.copy(t) is t, copy.deepcopy([(1, [2])]), copy.copy(Hook(1)).n, copy.deepcopy(Hook(1)).n, copy.deepcopy([Hook(1)])[0].n)
ml = MyList([1, [2]])
ml.extra = [5]
m2 = copy.deepcopy(ml)
m3 = copy.copy(ml)
ml[1].append(3)
ml.extra.append(6)
print(m2, m2.extra, type(m2).__name__, m3, m3.extra)
md = MyDict(a=[1])
print(copy.copy(md), copy.deepcopy(md), type(copy.deepcopy(md)).__name__, copy.deepcopy(md)['a'] is md['a'])
for value in (None, 1, 'a', 1.5, True, b'x', range(3), len, int, {1, 2}, frozenset([1]), deque([1, [2]], 5), OrderedDict(a=1), defaultdict(list, a=[1]), Counter('aab'), P(1, [2]), MyErr('boom', 2), ValueError('v')):
    print(repr(copy.copy(value)), repr(copy.deepcopy(value)), type(copy.deepcopy(value)).__name__)
e = MyErr(1)
e.code = [5]
print(copy.deepcopy(e).code, copy.copy(e).code is e.code, copy.copy(Plain([1])) == Plain([1]))
f = lambda: 0
print(copy.copy(f) is f, copy.deepcopy([f])[0] is f)


# contextlib
@contextlib.contextmanager
def cm(name, swallow=False):
    print('enter', name)
    try:
        yield name.upper()
    except ValueError as exc:
        print('caught', exc)
        if not swallow:
            raise
    finally:
        print('exit', name)


def use():
    with cm('a') as x, cm('b', True) as y:
        print(x, y)
        raise ValueError('inner')


show(use)


def use2():
    with cm('c'):
        raise ValueError('out')


show(use2)


@cm('deco')
def decorated(x):
    return x + 1


show(decorated, 1)
show(decorated, 2)


@contextlib.contextmanager
def never():
    if False:
        yield


@contextlib.contextmanager
def twice():
    yield
    yield


@contextlib.contextmanager
def stubborn():
    try:
        yield
    except KeyError:
        yield


def run(maker, error=None):
    with maker():
        if error:
            raise error
    return 'done'


show(run, never)
show(run, twice)
show(run, stubborn, KeyError('k'))
show(run, twice, StopIteration('s'))
with contextlib.suppress(KeyError, IndexError):
    {}['x']
print('after')
show(lambda: run(lambda: contextlib.suppress(KeyError), ValueError('through')))
with contextlib.nullcontext(5) as five:
    print(five)


class Closer:
    def close(self):
        print('closed')


with contextlib.closing(Closer()) as cl:
    print(type(cl).__name__)


def stack(fail):
    with contextlib.ExitStack() as st:
        print(st.enter_context(cm('s1')), st.enter_context(cm('s2', fail == 1)))
        st.callback(print, 'callback', 1, sep='-')
        st.push(lambda *details: print('pushed', details[0].__name__ if details[0] else None))
        if fail:
            raise ValueError('stack')
    return 'ok'


for fail in (0, 1, 2):
    show(stack, fail)
st = contextlib.ExitStack()
st.callback(print, 'late')
moved = st.pop_all()
st.close()
moved.close()
show(lambda: contextlib.ExitStack().enter_context(3))

# uuid
u = uuid.UUID('12345678-1234-5678-1234-567812345678')
print(u, repr(u), u.hex, u.int, u.bytes, u.bytes_le, u.fields, u.urn, u.version, u.variant, hash(u) == hash(uuid.UUID(int=u.int)), u.time, u.clock_seq, u.node)
print(uuid.uuid5(uuid.NAMESPACE_DNS, 'python.org'), uuid.uuid3(uuid.NAMESPACE_URL, 'x'), uuid.uuid5(uuid.NAMESPACE_OID, 'é').version)
print(uuid.UUID('{12345678123456781234567812345678}') == u, uuid.UUID(bytes=u.bytes) == u, uuid.UUID(bytes_le=u.bytes_le) == u, uuid.UUID(fields=u.fields) == u, uuid.UUID('urn:uuid:' + str(u)) == u, u < uuid.UUID(int=5), sorted([u, uuid.UUID(int=1)])[0], uuid.UUID(int=1, version=4), u == 3, int(u) == u.int)
for kw in ({}, {'hex': 'abc'}, {'hex': 'z' * 32}, {'int': -1}, {'int': 1 << 128}, {'bytes': b'1'}, {'bytes_le': b'1'}, {'int': 1, 'version': 9}, {'hex': '1', 'int': 1}, {'fields': (1, 2)}, {'fields': (1 << 33, 0, 0, 0, 0, 0)}):
    show(uuid.UUID, **kw)
show(lambda: setattr(u, 'int', 3))
