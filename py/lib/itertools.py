"""itertools: iterators that build on iterators.

Each class keeps a generator that does the work, and hands it out when it is
iterated, so that a loop runs the generator without a method between. Those that
go through arrangements of items have a native iterator instead."""

import _itertools
from operator import index as _index

_missing = object()


class _Adaptor:
    def __iter__(self):
        return self._items

    def __next__(self):
        return next(self._items)


class count(_Adaptor):
    def __init__(self, start=0, step=1):
        if not hasattr(start, '__add__') or isinstance(start, (str, list, tuple)):
            raise TypeError('a number is required')
        self._value = start
        self._step = step
        self._items = self._run()

    def _run(self):
        step = self._step
        while True:
            value = self._value
            self._value = value + step
            yield value

    def __repr__(self):
        if isinstance(self._step, int) and self._step == 1:
            return f'count({self._value!r})'
        return f'count({self._value!r}, {self._step!r})'


class repeat(_Adaptor):
    def __init__(self, object, times=None):
        if times is not None:
            times = _index(times)
        self._object = object
        self._times = times if times is None else max(times, 0)
        self._items = self._run()

    def _run(self):
        value = self._object
        if self._times is None:
            while True:
                yield value
        while self._times:
            self._times -= 1
            yield value

    def __length_hint__(self):
        if self._times is None:
            raise TypeError('len() of unsized object')
        return self._times

    def __repr__(self):
        if self._times is None:
            return f'repeat({self._object!r})'
        return f'repeat({self._object!r}, {self._times})'


class cycle(_Adaptor):
    def __init__(self, iterable, /):
        self._items = self._run(iter(iterable))

    def _run(self, items):
        saved = []
        for item in items:
            saved.append(item)
            yield item
        while saved:
            yield from saved


class accumulate(_Adaptor):
    def __init__(self, iterable, func=None, *, initial=None):
        self._items = self._run(iter(iterable), func, initial)

    def _run(self, items, func, total):
        if total is None:
            for total in items:
                break
            else:
                return
        yield total
        if func is None:
            for item in items:
                total = total + item
                yield total
        else:
            for item in items:
                total = func(total, item)
                yield total


class chain(_Adaptor):
    def __init__(self, *iterables):
        self._items = self._run(iterables)

    def _run(self, iterables):
        for iterable in iterables:
            yield from iterable

    @classmethod
    def from_iterable(cls, iterable, /):
        self = cls()
        self._items = self._run(iter(iterable))
        return self


class compress(_Adaptor):
    def __init__(self, data, selectors):
        self._items = self._run(iter(data), iter(selectors))

    def _run(self, data, selectors):
        for item, selected in zip(data, selectors):
            if selected:
                yield item


class dropwhile(_Adaptor):
    def __init__(self, predicate, iterable, /):
        self._items = self._run(predicate, iter(iterable))

    def _run(self, predicate, items):
        for item in items:
            if not predicate(item):
                yield item
                break
        yield from items


class takewhile(_Adaptor):
    def __init__(self, predicate, iterable, /):
        self._items = self._run(predicate, iter(iterable))

    def _run(self, predicate, items):
        for item in items:
            if not predicate(item):
                return
            yield item


class filterfalse(_Adaptor):
    def __init__(self, function, iterable, /):
        self._items = self._run(bool if function is None else function, iter(iterable))

    def _run(self, predicate, items):
        for item in items:
            if not predicate(item):
                yield item


class starmap(_Adaptor):
    def __init__(self, function, iterable, /):
        self._items = self._run(function, iter(iterable))

    def _run(self, function, items):
        for args in items:
            yield function(*args)


class pairwise(_Adaptor):
    def __init__(self, iterable, /):
        self._items = self._run(iter(iterable))

    def _run(self, items):
        for before in items:
            break
        else:
            return
        for item in items:
            yield before, item
            before = item


def _bound(value, what):
    """value as an index of islice, or its complaint."""
    if value is None:
        return None
    if hasattr(value, '__index__'):
        value = value.__index__()
        if value >= 0:
            return value
    if what == 'step':
        raise ValueError('Step for islice() must be a positive integer or None.')
    if what == 'stop':
        raise ValueError('Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.')
    raise ValueError('Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.')


class islice(_Adaptor):
    def __init__(self, iterable, /, *args):
        if not 1 <= len(args) <= 3:
            bound, given = ('at least 2', len(args) + 1) if not args else ('at most 4', len(args) + 1)
            raise TypeError(f'islice expected {bound} arguments, got {given}')
        if len(args) == 1:
            start, stop, step = 0, _bound(args[0], 'stop'), 1
        else:
            start, stop = _bound(args[0], 'index') or 0, _bound(args[1], 'stop')
            step = _bound(args[2], 'step') if len(args) == 3 else 1
            if step == 0:
                _bound(-1, 'step')
            step = step or 1
        self._items = self._run(iter(iterable), start, stop, step)

    def _run(self, items, start, stop, step):
        if stop is None:
            index = 0
            for item in items:
                if index >= start and (index - start) % step == 0:
                    yield item
                index += 1
            return
        wanted = start
        for index in range(max(start, stop)):
            try:
                item = next(items)
            except StopIteration:
                return
            if index == wanted and index < stop:
                yield item
                wanted += step


class zip_longest(_Adaptor):
    def __init__(self, *iterables, fillvalue=None):
        self._items = self._run([iter(iterable) for iterable in iterables], fillvalue)

    def _run(self, iterators, fillvalue):
        active = len(iterators)
        while active:
            row = []
            for index, iterator in enumerate(iterators):
                item = fillvalue if iterator is None else next(iterator, _missing)
                if item is _missing:
                    iterators[index] = None
                    active -= 1
                    if not active:
                        return
                    item = fillvalue
                row.append(item)
            yield tuple(row)


class groupby(_Adaptor):
    def __init__(self, iterable, key=None):
        self._items = self._run(iter(iterable), key)

    def _run(self, items, key):
        group = None  # the generator of the latest group
        item = key_of_item = _missing

        def advance():
            nonlocal item, key_of_item
            item = next(items, _missing)
            if item is not _missing:
                key_of_item = item if key is None else key(item)

        def members(target, mine):
            while item is not _missing and mine[0] and key_of_item == target:
                yield item
                if mine[0]:
                    advance()

        advance()
        while item is not _missing:
            target = key_of_item
            mine = [True]
            yield target, _grouper(members(target, mine))
            mine[0] = False
            while item is not _missing and key_of_item == target:
                advance()


class _grouper(_Adaptor):
    def __init__(self, items):
        self._items = items


class _tee:
    """One reader of a shared chain of [item, rest] cells; rest is None where it ends so far."""

    def __init__(self, iterator, cell):
        self._iterator = iterator
        self._cell = cell

    def __iter__(self):
        return self

    def __next__(self):
        cell = self._cell
        if not cell:
            cell.append(next(self._iterator))
            cell.append([])
        self._cell = cell[1]
        return cell[0]

    def __copy__(self):
        return _tee(self._iterator, self._cell)


def tee(iterable, n=2, /):
    if n < 0:
        raise ValueError('n must be >= 0')
    iterator = iter(iterable)
    if isinstance(iterator, _tee):
        return (iterator, *[iterator.__copy__() for _ in range(n - 1)])[:n]
    cell = []
    return tuple([_tee(iterator, cell) for _ in range(n)])


class product(_Adaptor):
    def __init__(self, *iterables, repeat=1):
        if repeat < 0:
            raise ValueError('repeat argument cannot be negative')
        self._items = _itertools.product([tuple(iterable) for iterable in iterables] * repeat)


def _length(r):
    if not hasattr(r, '__index__'):
        raise TypeError(f"'{type(r).__name__}' object cannot be interpreted as an integer")
    r = r.__index__()
    if r < 0:
        raise ValueError('r must be non-negative')
    return r


class permutations(_Adaptor):
    def __init__(self, iterable, r=None):
        pool = tuple(iterable)
        if r is not None and not isinstance(r, int):
            raise TypeError('Expected int as r')
        self._items = _itertools.permutations(pool, len(pool) if r is None else _length(r))


class combinations(_Adaptor):
    def __init__(self, iterable, r):
        self._items = _itertools.combinations(tuple(iterable), _length(r))


class combinations_with_replacement(_Adaptor):
    def __init__(self, iterable, r):
        self._items = _itertools.combinations_with_replacement(tuple(iterable), _length(r))
