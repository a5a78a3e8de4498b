"""bisect: search and insertion in sorted sequences."""


from operator import index as _index


def _bounds(a, lo, hi):
    lo = _index(lo)
    if lo < 0:
        raise ValueError('lo must be non-negative')
    return lo, len(a) if hi is None else _index(hi)


def bisect_right(a, x, lo=0, hi=None, *, key=None):
    """The place after all items that are not greater than x."""
    lo, hi = _bounds(a, lo, hi)
    while lo < hi:
        middle = (lo + hi) // 2
        item = a[middle] if key is None else key(a[middle])
        if x < item:
            hi = middle
        else:
            lo = middle + 1
    return lo


def bisect_left(a, x, lo=0, hi=None, *, key=None):
    """The place before all items that are not less than x."""
    lo, hi = _bounds(a, lo, hi)
    while lo < hi:
        middle = (lo + hi) // 2
        item = a[middle] if key is None else key(a[middle])
        if item < x:
            lo = middle + 1
        else:
            hi = middle
    return lo


def insort_right(a, x, lo=0, hi=None, *, key=None):
    """Insert x after all items that are not greater."""
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_left(a, x, lo=0, hi=None, *, key=None):
    """Insert x before all items that are not less."""
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


bisect = bisect_right
insort = insort_right
