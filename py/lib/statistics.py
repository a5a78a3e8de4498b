"""statistics: averages and spreads, exact until the last step."""

from math import erf as _erf, exp as _exp, fabs as _fabs, fsum as _fsum, hypot as _hypot, inf as _inf
from math import isqrt as _isqrt, log as _log, sqrt as _sqrt, tau as _tau

_missing = object()


class StatisticsError(ValueError):
    pass


def _exact(data):
    """The kind of result, the exact sum as (numerator, denominator) and the number of values.

    A sum that is not finite is (the float, None)."""
    kinds = set()
    sums = {}
    count = 0
    special = None
    for value in data:
        count += 1
        kinds.add(type(value))
        try:
            numerator, denominator = value.as_integer_ratio()
        except (OverflowError, ValueError):
            special = value if special is None else special + value
            continue
        except AttributeError:
            raise TypeError(f"can't convert type '{type(value).__name__}' to numerator/denominator") from None
        sums[denominator] = sums.get(denominator, 0) + numerator
    kind = _common(kinds)
    if special is not None:
        return kind, (special, None), count
    total, scale = 0, 1
    for denominator, numerator in sums.items():
        total, scale = total * denominator + numerator * scale, scale * denominator
        total, scale = _lowest(total, scale)
    return kind, (total, scale), count


def _lowest(numerator, denominator):
    from math import gcd
    factor = gcd(numerator, denominator)
    return numerator // factor, denominator // factor


def _common(kinds):
    """The kind of number for a result of these kinds of values."""
    kinds.discard(bool)
    if not kinds:
        return int
    for kind in kinds:
        if kind is not int:
            break
    else:
        return int
    others = [kind for kind in kinds if kind is not int]
    if len(others) == 1:
        return others[0]
    if float in others and all([kind is float or kind.__name__ == 'Fraction' for kind in others]):
        return float
    a, b = others[:2]
    raise TypeError(f"don't know how to coerce {a.__name__} and {b.__name__}")


def _converted(numerator, denominator, kind):
    """numerator / denominator as a number of that kind."""
    if denominator is None:
        return numerator
    if kind is int or kind is bool:
        return numerator // denominator if numerator % denominator == 0 else numerator / denominator
    if kind is float:
        return numerator / denominator
    if kind.__name__ == 'Fraction':
        return kind(numerator, denominator)
    if issubclass(kind, int):
        return kind(numerator // denominator) if numerator % denominator == 0 else numerator / denominator
    return kind(numerator) / kind(denominator)


def _quotient(total, scale, kind):
    """The result of a division by scale, also if total is not finite."""
    numerator, denominator = total
    if denominator is None:
        return numerator / scale
    return _converted(numerator, denominator * scale, kind)


def _rooted(numerator, denominator):
    """The square root of a fraction as a float, correctly rounded."""
    if numerator == 0:
        return 0.0
    shift = (numerator.bit_length() - denominator.bit_length() - 109) // 2
    if shift >= 0:
        root = _odd_root(numerator, denominator << 2 * shift) << shift
        return float(root)
    return _odd_root(numerator << -2 * shift, denominator) / (1 << -shift)


def _odd_root(numerator, denominator):
    """The square root rounded down, or up to an odd number if it is not exact."""
    root = _isqrt(numerator // denominator)
    return root | (root * root * denominator != numerator)


def mean(data):
    """The sum over the number."""
    kind, total, count = _exact(data)
    if count < 1:
        raise StatisticsError('mean requires at least one data point')
    return _quotient(total, count, kind)


def fmean(data, weights=None):
    """The mean as a float, fast."""
    data = list(data)
    if weights is None:
        if not data:
            raise StatisticsError('fmean requires at least one data point')
        return _fsum(data) / len(data)
    weights = list(weights)
    if len(data) != len(weights):
        raise StatisticsError('data and weights must be the same length')
    total = _fsum([value * weight for value, weight in zip(data, weights)])
    size = _fsum(weights)
    if not size:
        raise StatisticsError('sum of weights must be non-zero')
    return total / size


def geometric_mean(data):
    """The root of the product."""
    try:
        return _exp(fmean([_log(value) for value in data]))
    except ValueError:
        raise StatisticsError('geometric mean requires a non-empty dataset containing positive numbers') from None


def harmonic_mean(data, weights=None):
    """The number over the sum of the reciprocals."""
    data = list(data)
    message = 'harmonic mean does not support negative values'
    if not data:
        raise StatisticsError('harmonic_mean requires at least one data point')
    if len(data) == 1 and weights is None:
        if not isinstance(data[0], (int, float)) and not hasattr(data[0], 'as_integer_ratio'):
            raise TypeError('unsupported type')
        if data[0] < 0:
            raise StatisticsError(message)
        return data[0]
    if weights is None:
        weights = [1] * len(data)
    else:
        weights = list(weights)
        if len(weights) != len(data):
            raise StatisticsError('Number of weights does not match data size')
    if any([value < 0 for value in (*data, *weights)]):
        raise StatisticsError(message)
    size = sum(weights)
    if size <= 0:
        raise StatisticsError('Weighted sum must be positive')
    try:
        kind, (numerator, denominator), _ = _exact(
            [weight / value if weight else 0 for weight, value in zip(weights, data)])
    except ZeroDivisionError:
        return 0
    numerator, denominator = (size * denominator, numerator) if denominator else (0, 1)
    if isinstance(size, int):
        return _converted(numerator, denominator, kind)
    return size / _converted(denominator, 1, kind)


def median(data):
    """The middle value, or the mean of the two."""
    data = sorted(data)
    size = len(data)
    if not size:
        raise StatisticsError('no median for empty data')
    middle = size // 2
    return data[middle] if size % 2 else (data[middle - 1] + data[middle]) / 2


def median_low(data):
    """The middle value, or the lower of the two."""
    data = sorted(data)
    if not data:
        raise StatisticsError('no median for empty data')
    return data[(len(data) - 1) // 2]


def median_high(data):
    """The middle value, or the higher of the two."""
    data = sorted(data)
    if not data:
        raise StatisticsError('no median for empty data')
    return data[len(data) // 2]


def median_grouped(data, interval=1):
    """The median of values that stand for intervals around them."""
    from bisect import bisect_left, bisect_right
    data = sorted(data)
    size = len(data)
    if not size:
        raise StatisticsError('no median for empty data')
    x = data[size // 2]
    below = bisect_left(data, x)
    above = bisect_right(data, x, lo=below)
    for value in (interval, x):
        if not isinstance(value, (int, float)) and not hasattr(value, '__float__'):
            raise TypeError('Value cannot be converted to a float')
    interval, x = float(interval), float(x)
    return x - interval / 2.0 + interval * (size / 2 - below) / (above - below)


def mode(data):
    """The most frequent value, the first of several."""
    counts = _counts(data)
    if not counts:
        raise StatisticsError('no mode for empty data')
    return max(counts, key=counts.get)


def multimode(data):
    """The most frequent values, in the order in which they first come."""
    counts = _counts(data)
    most = max(counts.values(), default=0)
    return [value for value, count in counts.items() if count == most]


def _counts(data):
    counts = {}
    for value in data:
        counts[value] = counts.get(value, 0) + 1
    return counts


def quantiles(data, *, n=4, method='exclusive'):
    """The n - 1 values that divide the data into n parts."""
    if n < 1:
        raise StatisticsError('n must be at least 1')
    data = sorted(data)
    size = len(data)
    if size < 2:
        raise StatisticsError('must have at least two data points')
    if method == 'inclusive':
        span = size - 1
        result = []
        for i in range(1, n):
            j, delta = divmod(i * span, n)
            result.append((data[j] * (n - delta) + data[j + 1] * delta) / n)
        return result
    if method != 'exclusive':
        raise ValueError(f'Unknown method: {method!r}')
    span = size + 1
    result = []
    for i in range(1, n):
        j = min(max(i * span // n, 1), size - 1)
        delta = i * span - j * n
        result.append((data[j - 1] * (n - delta) + data[j] * delta) / n)
    return result


def _squares(data, center):
    """The kind, the exact sum of squared differences from the mean or center, and the number."""
    if center is not None:
        return _exact([(value - center) * (value - center) for value in data])
    data = list(data)
    kind, (total, scale), count = _exact(data)
    if scale is None or not count:
        return kind, (total - total if scale is None else 0, scale), count
    # the sum of squares less the square of the sum over the number
    squares = {}
    for value in data:
        numerator, denominator = value.as_integer_ratio()
        squares[denominator] = squares.get(denominator, 0) + numerator * numerator
    result, size = 0, 1
    for denominator, numerator in squares.items():
        denominator *= denominator
        result, size = _lowest(result * denominator + numerator * size, size * denominator)
    numerator = result * count * scale * scale - total * total * size
    return kind, _lowest(numerator, size * count * scale * scale), count


def variance(data, xbar=None):
    """The mean square distance from the mean of a sample."""
    kind, total, count = _squares(data, xbar)
    if count < 2:
        raise StatisticsError('variance requires at least two data points')
    return _quotient(total, count - 1, kind)


def pvariance(data, mu=None):
    """The mean square distance from the mean of a population."""
    kind, total, count = _squares(data, mu)
    if count < 1:
        raise StatisticsError('pvariance requires at least one data point')
    return _quotient(total, count, kind)


def _deviation(total, scale, kind):
    numerator, denominator = total
    if denominator is None:
        return _sqrt(numerator)
    if kind.__name__ == 'Decimal':
        return (kind(numerator) / kind(denominator * scale)).sqrt()
    return _rooted(numerator, denominator * scale)


def stdev(data, xbar=None):
    """The root of the variance."""
    kind, total, count = _squares(data, xbar)
    if count < 2:
        raise StatisticsError('stdev requires at least two data points')
    return _deviation(total, count - 1, kind)


def pstdev(data, mu=None):
    """The root of the pvariance."""
    kind, total, count = _squares(data, mu)
    if count < 1:
        raise StatisticsError('pstdev requires at least one data point')
    return _deviation(total, count, kind)


def covariance(x, y, /):
    """How much two samples vary together."""
    size = len(x)
    if len(y) != size:
        raise StatisticsError('covariance requires that both inputs have same number of data points')
    if size < 2:
        raise StatisticsError('covariance requires at least two data points')
    xbar, ybar = _fsum(x) / size, _fsum(y) / size
    return _fsum([(a - xbar) * (b - ybar) for a, b in zip(x, y)]) / (size - 1)


def correlation(x, y, /):
    """Pearson's correlation of two samples, from -1 to 1."""
    size = len(x)
    if len(y) != size:
        raise StatisticsError('correlation requires that both inputs have same number of data points')
    if size < 2:
        raise StatisticsError('correlation requires at least two data points')
    xbar, ybar = _fsum(x) / size, _fsum(y) / size
    sxy = _fsum([(a - xbar) * (b - ybar) for a, b in zip(x, y)])
    sxx = _fsum([(a - xbar) ** 2.0 for a in x])
    syy = _fsum([(b - ybar) ** 2.0 for b in y])
    try:
        return sxy / _sqrt(sxx * syy)
    except ZeroDivisionError:
        raise StatisticsError('at least one of the inputs is constant') from None


def linear_regression(x, y, /, *, proportional=False):
    """The slope and intercept of the line of least squares."""
    size = len(x)
    if len(y) != size:
        raise StatisticsError('linear regression requires that both inputs have same number of data points')
    if size < 2:
        raise StatisticsError('linear regression requires at least two data points')
    xbar = ybar = 0.0
    if proportional:
        sxy = _fsum([a * b for a, b in zip(x, y)])
        sxx = _fsum([a * a for a in x])
    else:
        xbar, ybar = _fsum(x) / size, _fsum(y) / size
        sxy = _fsum([(a - xbar) * (b - ybar) for a, b in zip(x, y)])
        sxx = _fsum([(a - xbar) ** 2.0 for a in x])
    try:
        slope = sxy / sxx
    except ZeroDivisionError:
        raise StatisticsError('x is constant') from None
    return _line(slope, 0.0 if proportional else ybar - slope * xbar)


def _line(slope, intercept):
    global _line
    from collections import namedtuple
    _line = namedtuple('LinearRegression', ('slope', 'intercept'), module='statistics')
    return _line(slope, intercept)


class NormalDist:
    """A normal distribution."""

    def __init__(self, mu=0.0, sigma=1.0):
        if sigma < 0.0:
            raise StatisticsError('sigma must be non-negative')
        self._mu = float(mu)
        self._sigma = float(sigma)

    @classmethod
    def from_samples(cls, data):
        data = list(data)
        return cls(fmean(data), stdev(data))

    def samples(self, n, *, seed=None):
        import random
        gauss = random.gauss if seed is None else random.Random(seed).gauss
        return [gauss(self._mu, self._sigma) for _ in range(n)]

    def pdf(self, x):
        spread = self._sigma * self._sigma
        if not spread:
            raise StatisticsError('pdf() not defined when sigma is zero')
        diff = x - self._mu
        return _exp(diff * diff / (-2.0 * spread)) / _sqrt(_tau * spread)

    def cdf(self, x):
        if not self._sigma:
            raise StatisticsError('cdf() not defined when sigma is zero')
        return 0.5 * (1.0 + _erf((x - self._mu) / (self._sigma * _sqrt(2.0))))

    def inv_cdf(self, p):
        if p <= 0.0 or p >= 1.0:
            raise StatisticsError('p must be in the range 0.0 < p < 1.0')
        if self._sigma <= 0.0:
            raise StatisticsError('cdf() not defined when sigma at or below zero')
        from _quantile import standard
        return self._mu + standard(p) * self._sigma

    def quantiles(self, n=4):
        return [self.inv_cdf(i / n) for i in range(1, n)]

    def overlap(self, other):
        """The area that lies below both curves."""
        if not isinstance(other, NormalDist):
            raise TypeError('Expected another NormalDist instance')
        near, far = sorted((self, other), key=lambda one: (one._sigma, one._mu))
        if not near.variance or not far.variance:
            raise StatisticsError('overlap() not defined when sigma is zero')
        more = far.variance - near.variance
        apart = _fabs(far._mu - near._mu)
        if not more:
            return 1.0 - _erf(apart / (2.0 * near._sigma * _sqrt(2.0)))
        middle = near._mu * far.variance - far._mu * near.variance
        reach = near._sigma * far._sigma * _sqrt(apart * apart + more * _log(far.variance / near.variance))
        ends = (middle + reach) / more, (middle - reach) / more
        return 1.0 - (_fabs(far.cdf(ends[0]) - near.cdf(ends[0])) + _fabs(far.cdf(ends[1]) - near.cdf(ends[1])))

    def zscore(self, x):
        if not self._sigma:
            raise StatisticsError('zscore() not defined when sigma is zero')
        return (x - self._mu) / self._sigma

    @property
    def mean(self):
        return self._mu

    @property
    def median(self):
        return self._mu

    @property
    def mode(self):
        return self._mu

    @property
    def stdev(self):
        return self._sigma

    @property
    def variance(self):
        return self._sigma * self._sigma

    def __add__(self, other):
        if isinstance(other, NormalDist):
            return NormalDist(self._mu + other._mu, _hypot(self._sigma, other._sigma))
        return NormalDist(self._mu + other, self._sigma)

    def __sub__(self, other):
        if isinstance(other, NormalDist):
            return NormalDist(self._mu - other._mu, _hypot(self._sigma, other._sigma))
        return NormalDist(self._mu - other, self._sigma)

    def __mul__(self, other):
        return NormalDist(self._mu * other, self._sigma * _fabs(other))

    def __truediv__(self, other):
        return NormalDist(self._mu / other, self._sigma / _fabs(other))

    def __pos__(self):
        return NormalDist(self._mu, self._sigma)

    def __neg__(self):
        return NormalDist(-self._mu, self._sigma)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        return -(self - other)

    def __eq__(self, other):
        if not isinstance(other, NormalDist):
            return NotImplemented
        return self._mu == other._mu and self._sigma == other._sigma

    def __hash__(self):
        return hash((self._mu, self._sigma))

    def __repr__(self):
        return f'{type(self).__name__}(mu={self._mu!r}, sigma={self._sigma!r})'
