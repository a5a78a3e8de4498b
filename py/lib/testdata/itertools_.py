import itertools
import operator
from itertools import (
    accumulate, chain, combinations, combinations_with_replacement, compress, count, cycle, dropwhile,
    filterfalse, groupby, islice, pairwise, permutations, product, repeat, starmap, takewhile, tee,
    zip_longest)


def show(f, *args, **kw):
    try:
        result = f(*args, **kw)
        print(result if isinstance(result, (tuple, list, str)) else list(islice(result, 60)))
    except Exception as e:
        print(type(e).__name__, e)


def log(name, items):
    for item in items:
        print(name, item, end=' ')
        yield item


print(list(islice(count(10), 3)), list(islice(count(1, .5), 3)), count(5), count(5, 2), count(), repr(count(1.5)))
print(list(islice(cycle('ab'), 5)), list(cycle('')), list(repeat(7, 3)), repeat(7, 3), repeat('x'), list(repeat(1, -2)))
print(list(accumulate([1, 2, 3])), list(accumulate([])), list(accumulate([3, 1, 5], max)), list(accumulate([1, 2], initial=10)), list(accumulate([], initial=1)), list(accumulate('abc')))
print(list(chain('ab', [1], ())), list(chain()), list(chain.from_iterable(['ab', 'c'])))
print(list(compress('abcdef', [1, 0, 1, 0, 1])), list(dropwhile(lambda x: x < 3, [1, 2, 3, 1])), list(takewhile(lambda x: x < 3, [1, 2, 3, 1])))
print(list(filterfalse(None, [0, 1, '', 'a'])), list(filterfalse(lambda x: x % 2, range(6))), list(starmap(pow, [(2, 3), (3, 2)])))
print(list(pairwise('abcd')), list(pairwise('a')), list(pairwise('')))
for args in [(3,), (None,), (2, 5), (2, None), (0, 10, 3), (1, None, 4), (5, 2), (0,), (None, None, 2), (3, 3), (None, 4)]:
    show(islice, range(12), *args)
for args in [(), (-1,), (0, -1), (-1, 3), (1, 2, 0), (1, 2, -1), ('a',), (1.5,), (1, 2, 3, 4), ('a', 2), (0, 1, 'x')]:
    show(islice, range(12), *args)
source = iter(range(20))
print(list(islice(source, 3)), next(source), list(islice(source, 2, 8, 2)), next(source))
show(zip_longest, 'abc', 'x', fillvalue='-')
show(zip_longest, [1], [], [1, 2, 3])
show(zip_longest)
print([(k, list(g)) for k, g in groupby('aaabbca')], [(k, list(g)) for k, g in groupby([1, 3, 2, 4, 5], key=lambda x: x % 2)], [k for k, g in groupby('aabbc')])
groups = [(k, g) for k, g in groupby('aabb')]
print([(k, list(g)) for k, g in groups])
it = groupby('aaab')
k, g = next(it)
print(k, next(g), next(it)[0], list(g))
a, b = tee(log('t', 'abc'))
print(next(a), next(a), list(b), list(a))
print([list(t) for t in tee([1, 2], 3)], tee([1], 0))
show(tee, [1], -1)
for args, kw in [(('ab', 'cd'), {}), (([1, 2],), {'repeat': 3}), ((), {}), (('ab', ''), {}), ((), {'repeat': 2}), (('abc',), {'repeat': 0}), (([1],), {'repeat': -1})]:
    show(product, *args, **kw)
for n in range(5):
    for r in range(6):
        show(permutations, range(n), r)
        show(combinations, range(n), r)
        show(combinations_with_replacement, range(n), r)
show(permutations, 'abc')
show(permutations, 'abc', -1)
show(combinations, 'abc', -1)
show(permutations, 'abc', 'x')
show(combinations, 'abc', 'x')
show(chain, 5)
show(cycle, 5)
show(accumulate, 5)
show(count, 'a')
show(repeat, 1, 'x')
print(list(zip(*[iter('abcdef')] * 2)), list(map(operator.add, [1, 2], count())), list(zip('ab', count())), sum(islice(count(1), 100)))
g = chain('ab', 'cd')
print(next(g), list(g), next(g, 'end'), type(g).__name__, type(count()).__name__, type(product()).__name__)
it = takewhile(lambda x: x < 3, count())
print(next(it), list(it), max(accumulate(repeat(2, 10), operator.mul)), len(list(permutations(range(6)))), len(list(product('ab', repeat=8))))
