"""heapq: lists whose first item is the smallest, kept so as items come and go."""


def _rise(heap, first, place):
    """Move the item at place towards first, past all larger ones."""
    item = heap[place]
    while place > first:
        parent = (place - 1) >> 1
        above = heap[parent]
        if not item < above:
            break
        heap[place] = above
        place = parent
    heap[place] = item


def _sink(heap, place):
    """Move the item at place to a leaf, its smaller children up, and from there to where it belongs."""
    first = place
    size = len(heap)
    item = heap[place]
    child = 2 * place + 1
    while child < size:
        other = child + 1
        if other < size and not heap[child] < heap[other]:
            child = other
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    _rise(heap, first, place)


def _check(heap, what):
    if not isinstance(heap, list):
        raise TypeError(f'{what} must be list, not {type(heap).__name__}')


def heappush(heap, item, /):
    _check(heap, 'heappush() argument 1')
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def heappop(heap, /):
    _check(heap, 'heappop() argument')
    if not heap:
        raise IndexError('index out of range')
    last = heap.pop()
    if not heap:
        return last
    smallest = heap[0]
    heap[0] = last
    _sink(heap, 0)
    return smallest


def heapreplace(heap, item, /):
    """Pop the smallest item, then push item."""
    _check(heap, 'heapreplace() argument 1')
    if not heap:
        raise IndexError('index out of range')
    smallest = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return smallest


def heappushpop(heap, item, /):
    """Push item, then pop the smallest."""
    _check(heap, 'heappushpop() argument 1')
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        _sink(heap, 0)
    return item


def heapify(heap, /):
    _check(heap, 'heapify() argument')
    for place in range(len(heap) // 2 - 1, -1, -1):
        _sink(heap, place)


class _Head:
    """The next item of one of the merged iterators; earlier iterators win ties."""

    def __init__(self, value, order, rest, key, reverse):
        self.value = value
        self.order = order
        self.rest = rest
        self.reverse = reverse
        self.key = key
        self.rank = value if key is None else key(value)

    def advance(self):
        self.value = next(self.rest)
        self.rank = self.value if self.key is None else self.key(self.value)

    def __lt__(self, other):
        mine, its = (other.rank, self.rank) if self.reverse else (self.rank, other.rank)
        if mine < its:
            return True
        if its < mine:
            return False
        return self.order < other.order


def merge(*iterables, key=None, reverse=False):
    """Iterate over the sorted iterables together, in order."""
    heads = []
    for order, iterable in enumerate(iterables):
        rest = iter(iterable)
        for value in rest:
            heads.append(_Head(value, order, rest, key, reverse))
            break
    heapify(heads)
    while len(heads) > 1:
        head = heads[0]
        yield head.value
        try:
            head.advance()
        except StopIteration:
            heappop(heads)
        else:
            _sink(heads, 0)
    if heads:
        yield heads[0].value
        yield from heads[0].rest


class _Ranked:
    """An item among the best so far: the worst of them is the smallest, and of equal ones the latest."""

    __slots__ = ('item', 'rank', 'order', 'largest')

    def __init__(self, item, rank, order, largest):
        self.item = item
        self.rank = rank
        self.order = order
        self.largest = largest

    def __lt__(self, other):
        mine, its = (self.rank, other.rank) if self.largest else (other.rank, self.rank)
        if mine < its:
            return True
        return not its < mine and self.order > other.order


def nlargest(n, iterable, key=None):
    """The n largest items, largest first."""
    return _best(n, iterable, key, True)


def nsmallest(n, iterable, key=None):
    """The n smallest items, smallest first."""
    return _best(n, iterable, key, False)


def _best(n, iterable, key, largest):
    """As sorted(iterable, key=key)[:n] does, but only n items are kept of an iterator."""
    sized = isinstance(iterable, (list, tuple, dict, set, frozenset, str))
    if isinstance(n, int):
        if n <= 0:
            return []
    elif not (sized and n >= len(iterable)):
        n = len(range(-(-n) if largest else n))  # which says what is wrong with n, as CPython does
    if sized:
        return sorted(iterable, key=key, reverse=largest)[:n]
    items = iter(iterable)
    heap = [_Ranked(item, item if key is None else key(item), order, largest) for order, item in zip(range(n), items)]
    heapify(heap)
    if heap:
        order = n
        for item in items:
            rank = item if key is None else key(item)
            worst = heap[0].rank
            if worst < rank if largest else rank < worst:
                heapreplace(heap, _Ranked(item, rank, order, largest))
            order += 1
    heap.sort(key=lambda one: one.order)
    heap.sort(key=lambda one: one.rank, reverse=largest)
    return [one.item for one in heap]
