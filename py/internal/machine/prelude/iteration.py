# Iterators, and the built-in functions that take their items.

def iter_of(v):
    it = _special(v, "__iter__")()
    if not _is_iterator(it):
        raise TypeError(f"iter() returned non-iterator of type '{type(it).__name__}'")
    return it

def iter_items(v):
    i = 0
    while True:
        try:
            item = v[i]
        except IndexError:
            return
        yield item
        i = i + 1

def fill(add, x, items):
    for item in items:
        add(x, item)

def iter_until(fn, end):
    while True:
        try:
            v = fn()
        except StopIteration:
            return
        if v == end:
            return
        yield v

def next_of(it, *default):
    if len(default) == 1:
        try:
            return _special(it, "__next__")()
        except StopIteration:
            return default[0]
    return _special(it, "__next__")()

def all_of(it):
    for x in it:
        if not x:
            return False
    return True

def any_of(it):
    for x in it:
        if x:
            return True
    return False

def sum_of(it, start):
    total = start
    for x in it:
        total = total + x
    return total

def map_one(fn, it):
    for x in it:
        yield fn(x)

def map_many(fn, its):
    its = [_iter(it) for it in its]
    while True:
        args = []
        for it in its:
            try:
                args.append(next(it))
            except StopIteration:
                return
        yield fn(*args)

def filter_items(fn, it):
    if fn is None:
        for x in it:
            if x:
                yield x
    else:
        for x in it:
            if fn(x):
                yield x

def zip_items(its, strict):
    its = [_iter(it) for it in its]
    while len(its) > 0:
        items = []
        i = 0
        for it in its:
            try:
                items.append(next(it))
            except StopIteration:
                if strict:
                    _zip_strict(its, i)
                return
            i = i + 1
        yield tuple(items)

def _zip_strict(its, ended):
    if ended > 0:
        before = "argument 1" if ended == 1 else f"arguments 1-{ended}"
        raise ValueError(f"zip() argument {ended + 1} is shorter than {before}")
    i = 1
    while i < len(its):
        try:
            next(its[i])
        except StopIteration:
            i = i + 1
            continue
        before = "argument 1" if i == 1 else f"arguments 1-{i}"
        raise ValueError(f"zip() argument {i + 1} is longer than {before}")

def enumerate_items(it, start):
    for x in it:
        yield (start, x)
        start = start + 1

def reversed_items(seq):
    i = len(seq) - 1
    while i >= 0:
        yield seq[i]
        i = i - 1

def sum_rest(total, first, it):
    total = total + first
    for x in it:
        total = total + x
    return total

def any_rest(first, it):
    if first:
        return True
    for x in it:
        if x:
            return True
    return False

def all_rest(first, it):
    if not first:
        return False
    for x in it:
        if not x:
            return False
    return True

def enumerate_new(it, start):
    return enumerate_items(_iter(it), _index(start))

def zip_new(its, strict):
    return zip_items([_iter(it) for it in its], True if strict else False)

def map_new(its, fn):
    its = [_iter(it) for it in its]
    if len(its) == 1:
        return map_one(fn, its[0])
    return map_many(fn, its)

def filter_new(fn, it):
    return filter_items(fn, _iter(it))

def reversed_new(seq):
    return reversed_items(seq)
