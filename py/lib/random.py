"""random: seeded sequences are those of CPython; unseeded ones need the host's grant."""

import _glovebox
import _random
from math import acos as _acos, ceil as _ceil, cos as _cos, e as _e, exp as _exp, floor as _floor
from math import isfinite as _isfinite, log as _log, pi as _pi, sin as _sin, sqrt as _sqrt

_two_pi = 2.0 * _pi
_normal_magic = 4 * _exp(-0.5) / _sqrt(2.0)
_log4 = _log(4.0)
_gamma_magic = 1.0 + _log(4.5)


def _whole(value, what):
    """value as an int, if it is one in value."""
    if isinstance(value, int):
        return value
    number = int(value)
    if number != value:
        raise ValueError(f'non-integer {what} for randrange()')
    return number


def _cumulated(weights):
    total = 0
    sums = []
    for weight in weights:
        total = total + weight if sums else weight
        sums.append(total)
    return sums


def _place(sums, x, hi):
    """The place after all sums that are not greater than x."""
    lo = 0
    while lo < hi:
        middle = (lo + hi) // 2
        if x < sums[middle]:
            hi = middle
        else:
            lo = middle + 1
    return lo


def _entropy(size):
    drawn = _glovebox.entropy(size)
    if drawn is not None:
        return drawn
    from _asked import entropy
    return entropy(size)


_given = []  # as many as there were generators that the seed of the host began


def _next_seed():
    """A seed that follows from that of the host, another one each time; None without one."""
    seed = _glovebox.seed()
    if seed is None:
        return None
    _given.append(None)
    return f'{seed!r} {len(_given)}'


class Random:
    """A generator of random numbers with a state of its own."""

    def __init__(self, x=None):
        self._state = None  # seeded from the host when it is first used
        self.gauss_next = None
        if x is not None:
            self.seed(x)

    def seed(self, a=None, version=2):
        if a is None:
            a = _next_seed()
        if a is None:
            a = _glovebox.entropy(32)
            if a is None:
                a = int.from_bytes(_entropy(2496), 'little')
        elif not isinstance(a, (int, float, str, bytes)):
            raise TypeError('The only supported seed types are: None,\nint, float, str, bytes, and bytearray.')
        self._state = _random.mt_new(a)
        self.gauss_next = None

    def _seeded(self):
        self.seed(_glovebox.seed() if self is _shared else None)
        return self._state

    def getstate(self):
        return 3, _random.mt_get(self._state or self._seeded()), self.gauss_next

    def setstate(self, state):
        version, words, self.gauss_next = state
        if version != 3:
            raise ValueError(f'state with version {version} passed to Random.setstate() of version 3')
        self._state = _random.mt_set(words)

    def random(self):
        return _random.mt_random(self._state or self._seeded())

    def getrandbits(self, k, /):
        if k < 0:
            raise ValueError('number of bits must be non-negative')
        return _random.mt_getrandbits(self._state or self._seeded(), k)

    def randbytes(self, n):
        return self.getrandbits(n * 8).to_bytes(n, 'little')

    def _below(self, n):
        """A random int from 0 to n - 1; 0 if n is 0."""
        return _random.mt_below(self._state or self._seeded(), n)

    def randrange(self, start, stop=None, step=1):
        start = _whole(start, 'arg 1')
        if stop is None:
            if step != 1:
                raise TypeError('Missing a non-None stop argument')
            if start > 0:
                return self._below(start)
            raise ValueError('empty range for randrange()')
        stop = _whole(stop, 'stop')
        width = stop - start
        step = _whole(step, 'step')
        if step == 1:
            if width > 0:
                return start + self._below(width)
            raise ValueError(f'empty range for randrange() ({start}, {stop}, {width})')
        if not step:
            raise ValueError('zero step for randrange()')
        size = (width + step + (-1 if step > 0 else 1)) // step
        if size <= 0:
            raise ValueError('empty range for randrange()')
        return start + step * self._below(size)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        if not len(seq):
            raise IndexError('Cannot choose from an empty sequence')
        return seq[self._below(len(seq))]

    def shuffle(self, x):
        for last in range(len(x) - 1, 0, -1):
            other = self._below(last + 1)
            x[last], x[other] = x[other], x[last]

    def sample(self, population, k, *, counts=None):
        if isinstance(population, (set, frozenset, dict)) or not hasattr(population, '__getitem__'):
            raise TypeError('Population must be a sequence.  For dicts or sets, use sorted(d).')
        size = len(population)
        if counts is not None:
            return self._sample_counted(population, k, counts)
        if not 0 <= k <= size:
            raise ValueError('Sample larger than population or is negative')
        small = 21
        if k > 5:
            small += 4 ** _ceil(_log(k * 3, 4))
        return self._sample_pool(population, size, k) if size <= small else self._sample_sparse(population, size, k)

    def _sample_pool(self, population, size, k):
        pool = list(population)
        result = []
        for taken in range(k):
            place = self._below(size - taken)
            result.append(pool[place])
            pool[place] = pool[size - taken - 1]
        return result

    def _sample_sparse(self, population, size, k):
        seen = set()
        result = []
        for _ in range(k):
            place = self._below(size)
            while place in seen:
                place = self._below(size)
            seen.add(place)
            result.append(population[place])
        return result

    def _sample_counted(self, population, k, counts):
        sums = _cumulated(counts)
        if len(sums) != len(population):
            raise ValueError('The number of counts does not match the population')
        total = sums.pop()
        if not isinstance(total, int):
            raise TypeError('Counts must be integers')
        if total <= 0:
            raise ValueError('Total of counts must be greater than zero')
        return [population[_place(sums, place, len(sums))] for place in self.sample(range(total), k)]

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        random = self.random
        size = len(population)
        if cum_weights is None:
            if weights is None:
                size += 0.0
                return [population[_floor(random() * size)] for _ in range(k)]
            try:
                cum_weights = _cumulated(weights)
            except TypeError:
                if not isinstance(weights, int):
                    raise
                raise TypeError(f'The number of choices must be a keyword argument: k={weights!r}') from None
        elif weights is not None:
            raise TypeError('Cannot specify both weights and cumulative weights')
        if len(cum_weights) != size:
            raise ValueError('The number of weights does not match the population')
        total = cum_weights[-1] + 0.0
        if total <= 0.0:
            raise ValueError('Total of weights must be greater than zero')
        if not _isfinite(total):
            raise ValueError('Total of weights must be finite')
        return [population[_place(cum_weights, random() * total, size - 1)] for _ in range(k)]

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def triangular(self, low=0.0, high=1.0, mode=None):
        u = self.random()
        try:
            c = 0.5 if mode is None else (mode - low) / (high - low)
        except ZeroDivisionError:
            return low
        if u > c:
            u = 1.0 - u
            c = 1.0 - c
            low, high = high, low
        return low + (high - low) * _sqrt(u * c)

    def normalvariate(self, mu=0.0, sigma=1.0):
        while True:
            u1 = self.random()
            u2 = 1.0 - self.random()
            z = _normal_magic * (u1 - 0.5) / u2
            if z * z / 4.0 <= -_log(u2):
                return mu + z * sigma

    def gauss(self, mu=0.0, sigma=1.0):
        z = self.gauss_next
        self.gauss_next = None
        if z is None:
            angle = self.random() * _two_pi
            radius = _sqrt(-2.0 * _log(1.0 - self.random()))
            z = _cos(angle) * radius
            self.gauss_next = _sin(angle) * radius
        return mu + z * sigma

    def lognormvariate(self, mu, sigma):
        return _exp(self.normalvariate(mu, sigma))

    def expovariate(self, lambd):
        return -_log(1.0 - self.random()) / lambd

    def vonmisesvariate(self, mu, kappa):
        if kappa <= 1e-6:
            return _two_pi * self.random()
        s = 0.5 / kappa
        r = s + _sqrt(1.0 + s * s)
        while True:
            z = _cos(_pi * self.random())
            d = z / (r + z)
            u = self.random()
            if u < 1.0 - d * d or u <= (1.0 - d) * _exp(d):
                break
        q = 1.0 / r
        f = (q + z) / (1.0 + q * z)
        if self.random() > 0.5:
            return (mu + _acos(f)) % _two_pi
        return (mu - _acos(f)) % _two_pi

    def gammavariate(self, alpha, beta):
        if alpha <= 0.0 or beta <= 0.0:
            raise ValueError('gammavariate: alpha and beta must be > 0.0')
        if alpha == 1.0:
            return -_log(1.0 - self.random()) * beta
        return (self._gamma_above_one(alpha) if alpha > 1.0 else self._gamma_below_one(alpha)) * beta

    def _gamma_above_one(self, alpha):
        ainv = _sqrt(2.0 * alpha - 1.0)
        bbb = alpha - _log4
        ccc = alpha + ainv
        while True:
            u1 = self.random()
            if not 1e-7 < u1 < 0.9999999:
                continue
            u2 = 1.0 - self.random()
            v = _log(u1 / (1.0 - u1)) / ainv
            x = alpha * _exp(v)
            z = u1 * u1 * u2
            r = bbb + ccc * v - x
            if r + _gamma_magic - 4.5 * z >= 0.0 or r >= _log(z):
                return x

    def _gamma_below_one(self, alpha):
        while True:
            b = (_e + alpha) / _e
            p = b * self.random()
            x = p ** (1.0 / alpha) if p <= 1.0 else -_log((b - p) / alpha)
            u = self.random()
            if p > 1.0:
                if u <= x ** (alpha - 1.0):
                    return x
            elif u <= _exp(-x):
                return x

    def betavariate(self, alpha, beta):
        y = self.gammavariate(alpha, 1.0)
        return y / (y + self.gammavariate(beta, 1.0)) if y else 0.0

    def paretovariate(self, alpha):
        return (1.0 - self.random()) ** (-1.0 / alpha)

    def weibullvariate(self, alpha, beta):
        return alpha * (-_log(1.0 - self.random())) ** (1.0 / beta)


class SystemRandom(Random):
    """Random numbers from the host, without a seed."""

    def seed(self, *args, **keywords):
        return None

    def random(self):
        return (int.from_bytes(_entropy(7), 'big') >> 3) * 2.0 ** -53

    def getrandbits(self, k, /):
        if k < 0:
            raise ValueError('number of bits must be non-negative')
        size = (k + 7) // 8
        return int.from_bytes(_entropy(size), 'big') >> (size * 8 - k)

    def _below(self, n):
        number = self.getrandbits(n.bit_length())
        while number >= n > 0:
            number = self.getrandbits(n.bit_length())
        return number

    def getstate(self):
        raise NotImplementedError('System entropy source does not have state.')

    def setstate(self, state):
        raise NotImplementedError('System entropy source does not have state.')


_shared = Random()
seed = _shared.seed
random = _shared.random
uniform = _shared.uniform
triangular = _shared.triangular
randint = _shared.randint
choice = _shared.choice
randrange = _shared.randrange
sample = _shared.sample
shuffle = _shared.shuffle
choices = _shared.choices
normalvariate = _shared.normalvariate
lognormvariate = _shared.lognormvariate
expovariate = _shared.expovariate
vonmisesvariate = _shared.vonmisesvariate
gammavariate = _shared.gammavariate
gauss = _shared.gauss
betavariate = _shared.betavariate
paretovariate = _shared.paretovariate
weibullvariate = _shared.weibullvariate
getstate = _shared.getstate
setstate = _shared.setstate
getrandbits = _shared.getrandbits
randbytes = _shared.randbytes
