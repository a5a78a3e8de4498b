import math, random, statistics
from fractions import Fraction
from statistics import (
    NormalDist, StatisticsError, correlation, covariance, fmean, geometric_mean, harmonic_mean,
    linear_regression, mean, median, median_grouped, median_high, median_low, mode, multimode, pstdev,
    pvariance, quantiles, stdev, variance)

F = Fraction
rng = random.Random(9)


def show(f, *args, **kw):
    try:
        print(repr(f(*args, **kw)))
    except Exception as e:
        print(type(e).__name__, e)


for args in [(), (3,), (1, 2), (6, -4), ('3/4',), (' -0.125 ',), ('1e3',), ('1.5e-3',), (0.5,), (F(1, 2), F(3, 4)), (1, 0), ('a',), ('1/0',), (1.5, 2), ('1/ 2',), ('.5',), ('5.',), ('',), ('-',), ('1_000/3',), (True,), (F(5, 3),), (None,), (float('nan'),), (float('inf'),), ('1.2.3',), ('+7',), ('1__0',), ([],)]:
    show(F, *args)
ops = [lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b, lambda a, b: a // b, lambda a, b: a % b, lambda a, b: divmod(a, b), lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a > b, lambda a, b: a >= b, lambda a, b: a == b, lambda a, b: a != b, lambda a, b: a ** b]
for _ in range(150):
    a = F(rng.randrange(-30, 30), rng.randrange(1, 12))
    b = rng.choice([F(rng.randrange(-30, 30), rng.randrange(1, 12)), rng.randrange(-5, 6), rng.randrange(-9, 9) / 4])
    for op in ops:
        if op is ops[-1] and not isinstance(b, int):
            continue
        show(op, a, b)
        if not isinstance(b, F) and op is not ops[-1]:
            show(op, b, a)
    print(hash(a), round(a), round(a, 1), round(a, -1), math.floor(a), math.ceil(a), int(a), float(a), abs(a), -a, bool(a), str(a), a.limit_denominator(5), a.as_integer_ratio(), math.trunc(a))
show(lambda: F(1, 2) + 'a')
show(lambda: F(1, 2) < 'a')
show(lambda: F(1, 2).limit_denominator(0))
print(F(4) ** F(1, 2), 2 ** F(3), 2 ** F(1, 2), F(math.pi).limit_denominator(100), sum([F(1, 3)] * 3), F(1, 3) == 1 / 3, hash(F(1, 2)) == hash(0.5), F.from_float(.25), sorted([F(1, 2), F(1, 3)]), max(F(1, 2), .75), f'{F(1, 2)}', F(7, 2).numerator)

for n in range(120):
    size = rng.randrange(0, 9)
    make = rng.choice([lambda: rng.randrange(-20, 20), lambda: rng.uniform(-5, 5), lambda: F(rng.randrange(-9, 9), 7), lambda: rng.choice([1, 2.5, 3]), lambda: rng.uniform(.1, 1e9), lambda: rng.randrange(1, 4), lambda: rng.uniform(0, 1e-300)])
    data = [make() for _ in range(size)]
    for f in (mean, median, median_low, median_high, median_grouped, mode, multimode, variance, pvariance, stdev, pstdev, fmean, geometric_mean, harmonic_mean, quantiles):
        show(f, data)
    show(quantiles, data, n=10, method='inclusive')
    other = [make() for _ in range(size)]
    show(covariance, data, other)
    show(correlation, data, other)
    show(linear_regression, data, other)
    show(linear_regression, data, other, proportional=True)
    show(variance, data, 2)
    show(pstdev, data, 1.5)
    show(fmean, data, [1 + i for i in range(size)])
    show(harmonic_mean, data, [1 + i for i in range(size)])
show(mean, ['a'])
show(mean, [float('inf'), 1])
show(mean, [float('nan'), 1])
show(mean, [True, False])
show(mode, 'aabbb')
show(mode, ['b', 'a'])
show(multimode, '')
show(quantiles, [1, 2, 3], n=0)
show(quantiles, [1, 2, 3], method='x')
show(covariance, [1], [1, 2])
show(correlation, [1, 1], [1, 2])
show(linear_regression, [1, 1], [1, 2])
show(stdev, [1e308, 1e308, -1e308])
print(stdev([1, 2, 3, 4]), pstdev([1, 1]), mean([1, 2, 3, 4]), mean([1, 3]), mean([1.5, 2]), mean([F(1, 2), 2]), variance([2.75, 1.75, 1.25, 0.25, 0.5, 1.25, 3.5]), median([1, 3, 5, 7]), mean(iter([1, 2])), issubclass(StatisticsError, ValueError))
nd = NormalDist(100, 15)
print(nd, nd.pdf(110), nd.cdf(120), nd.zscore(130), nd.mean, nd.stdev, nd.variance, nd.median, nd + 5, nd * 2, nd - nd, -nd, nd / 4, nd == NormalDist(100, 15), NormalDist.from_samples([1, 2, 3, 4]), 5 - nd, NormalDist(0, 1).samples(2, seed=3))
show(NormalDist, 0, -1)
