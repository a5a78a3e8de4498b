# The parts of built-in operations that call code of the program. Each is an
# ordinary function of the machine, so that it can pause and be saved anywhere.
# Names that begin with an underscore are natives of intrinsic.go.

def collect(it):
    return [x for x in it]

# collect_few takes one item more than n at most: enough to know that there are
# too many.
def collect_few(it, n):
    items = []
    for x in it:
        items.append(x)
        if len(items) > n:
            break
    return items

def with_list(fn, index, args, names):
    args[index] = [x for x in args[index]]
    return _apply(fn, args, names)

def call_attr(obj, name, args, names):
    return _apply(_getattr(obj, name), args, names)

def call_apart(fn, args, names):
    return _apply(fn, args, names)

def construct(cls, /, *args, **kwargs):
    obj = cls.__new__(cls, *args, **kwargs)
    if isinstance(obj, cls):
        init = _special(obj, "__init__")
        result = init(*args, **kwargs)
        if result is not None:
            raise TypeError(f"__init__() should return None, not '{type(result).__name__}'")
    return obj

def raise_new(cls, args, *cause):
    e = cls(*args)
    if not _is_exception(e):
        raise TypeError(f"calling {_safe_repr(cls)} should have returned an instance of BaseException, not {_safe_repr(type(e))}")
    if len(cause) == 1:
        raise e from cause[0]
    raise e

def throw_new(throw, cls, args):
    try:
        raise_new(cls, args)
    except BaseException as e:
        exc = e
    return throw(exc)

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

def truth(fn, v):
    b = fn(v)
    if b is not True and b is not False:
        raise TypeError(f"__bool__ should return bool, returned {type(b).__name__}")
    return b

def truth_len(fn, v):
    n = fn(v)
    if not isinstance(n, int):
        raise TypeError(f"'{type(n).__name__}' object cannot be interpreted as an integer")
    if n < 0:
        raise ValueError("__len__() should return >= 0")
    if n > 0x7fffffffffffffff:
        raise OverflowError("cannot fit 'int' into an index-sized integer")
    return n != 0

def len_of(v):
    n = _special(v, "__len__")()
    if not isinstance(n, int):
        raise TypeError(f"'{type(n).__name__}' object cannot be interpreted as an integer")
    if n < 0:
        raise ValueError("__len__() should return >= 0")
    if n > 0x7fffffffffffffff:
        raise OverflowError("cannot fit 'int' into an index-sized integer")
    return n

def binary(left, right, x, y, first, op):
    if first:
        v = right(y, x)
        if v is not NotImplemented:
            return v
    v = left(x, y)
    if v is not NotImplemented:
        return v
    if not first:
        v = right(y, x)
        if v is not NotImplemented:
            return v
    _unsupported(op, x, y)

def inplace(fn, x, y, op):
    v = fn(x, y)
    if v is NotImplemented:
        return op(x, y)
    return v

# compare_rest is a comparison for which the left operand has no answer.
def compare_rest(x, y, op, right):
    v = NotImplemented
    if right is not None:
        v = right(y, x)
    if v is NotImplemented:
        return _compare_default(x, y, op)
    return v

def compare(left, right, x, y, op, first):
    if left is None and right is None and op == "!=":
        return not x == y
    if first and right is not None:
        v = right(y, x)
        if v is not NotImplemented:
            return v
    if left is not None:
        v = left(x, y)
        if v is not NotImplemented:
            return v
    if not first and right is not None:
        v = right(y, x)
        if v is not NotImplemented:
            return v
    if op == "!=" and _own_eq(x, y):
        return not x == y
    return _compare_default(x, y, op)

def compare_deep(x, y, op):
    if op == "==":
        return _equal_deep(x, y)
    if op == "!=":
        return not _equal_deep(x, y)
    if _is_set(x):
        return compare_sets(x, y, op)
    i = 0
    n = min(len(x), len(y))
    while i < n:
        a = x[i]
        b = y[i]
        if a is not b and not a == b:
            if op == "<":
                return a < b
            if op == "<=":
                return a <= b
            if op == ">":
                return a > b
            return a >= b
        i = i + 1
    if op == "<":
        return len(x) < len(y)
    if op == "<=":
        return len(x) <= len(y)
    if op == ">":
        return len(x) > len(y)
    return len(x) >= len(y)

def compare_sets(x, y, op):
    if op == "<":
        return len(x) < len(y) and is_subset(x, y)
    if op == "<=":
        return is_subset(x, y)
    if op == ">":
        return len(x) > len(y) and is_subset(y, x)
    return is_subset(y, x)

def _equal_deep(x, y):
    if len(x) != len(y):
        return False
    if _is_dict(x):
        for k in x:
            if k not in y:
                return False
            a = x[k]
            b = y[k]
            if a is not b and not a == b:
                return False
        return True
    if _is_set(x):
        for k in x:
            if k not in y:
                return False
        return True
    i = 0
    for a in x:
        b = y[i]
        if a is not b and not a == b:
            return False
        i = i + 1
    return True

def contains(seq, v):
    for x in seq:
        if x is v or x == v:
            return True
    return False

def hash_of(v):
    if _is_tuple(v):
        return _combine_hashes([hash_of(x) for x in v])
    h = _own_hash(v)
    if h is not None:
        n = h(v)
        if not isinstance(n, int):
            raise TypeError("__hash__ method should return an integer")
        return _hash_given(v, n)
    return _table_hash(v)

# resolve asks the keys of equal hash whether one is key. What they answer may
# change the table; then the search begins anew.
def resolve(table, key):
    n = hash_of(key)
    found = -1
    again = True
    while again:
        again = False
        for i in _candidates(table, n):
            k = _key_at(table, i)
            same = k is key or k == key
            if _key_at(table, i) is not k:
                again = True
                break
            if same:
                found = i
                break
    return _resolved(key, n, found)

def contains_key(table, key):
    return _has_key(table, resolve(table, key))

def get_key(d, key):
    return _get_key(d, resolve(_plain(d), key))

def set_key(d, key, value):
    _set_key(d, resolve(d, key), value)

def add_key(s, key):
    _set_key(s, resolve(s, key), None)

def add_keys(s, keys):
    for k in keys:
        s.add(k)

def delete_key(d, key):
    _delete_key(d, resolve(d, key))

def with_key(fn, d, key, rest):
    return fn(d, resolve(_plain(d), key), *rest)

def dict_display(items):
    d = {}
    i = 0
    while i < len(items):
        d[items[i]] = items[i + 1]
        i = i + 2
    return d

def set_display(items):
    s = set()
    for x in items:
        s.add(x)
    return s

def set_combine(op, a, b):
    out = set()
    if op == "|":
        for x in a:
            out.add(x)
        for x in b:
            out.add(x)
    elif op == "&":
        for x in a:
            if x in b:
                out.add(x)
    elif op == "-":
        for x in a:
            if x not in b:
                out.add(x)
    else:
        for x in a:
            if x not in b:
                out.add(x)
        for x in b:
            if x not in a:
                out.add(x)
    return out

def set_operate(op, x, y):
    if _is_dict(x):
        out = dict(x)
        out.update(y)
        return out
    out = set_combine(op, x, set(y))
    return _freeze(out) if _is_frozen(x) else out

def set_operate_in(op, x, y):
    _give_items(x, set_combine(op, x, set(y)))
    return x

def merge(d, x):
    if _is_dict(x):
        for k, v in x.items():
            d[k] = v
        return
    for k in x.keys():
        d[k] = x[k]

def merge_args(d, x, fn):
    for k in x.keys():
        if not isinstance(k, str):
            raise TypeError("keywords must be strings")
        if k in d:
            raise TypeError(f"{_call_name(fn)} got multiple values for keyword argument '{k}'")
        d[k] = x[k]

def dict_update(d, other, kwargs):
    if other is not None:
        if _has_attr(other, "keys"):
            for k in other.keys():
                d[k] = other[k]
        else:
            i = 0
            for pair in other:
                if not _put_pair(d, pair, i):
                    items = _pair_items(pair, i)
                    d[items[0]] = items[1]
                i = i + 1
    for k, v in kwargs.items():
        d[k] = v

def _pair_items(pair, i):
    try:
        items = [x for x in pair]
    except TypeError:
        raise TypeError(f"cannot convert dictionary update sequence element #{i} to a sequence") from None
    if len(items) != 2:
        raise ValueError(f"dictionary update sequence element #{i} has length {len(items)}; 2 is required")
    return items

def dict_filled(d, other, kwargs):
    dict_update(d, other, kwargs)
    return d

def dict_fromkeys(cls, keys, value):
    d = cls()
    for k in keys:
        d[k] = value
    return d

def dict_ior(d, other):
    dict_update(d, other, {})
    return d

def item_index(x, key):
    return x[_index(key)]

def set_item_index(x, key, v):
    x[_index(key)] = v

def delete_item_index(x, key):
    del x[_index(key)]

def set_slice(x, key, v):
    x[key] = [e for e in v]

def _index(v):
    if _is_slice(v):
        return slice(_index(v.start), _index(v.stop), _index(v.step))
    if v is None or isinstance(v, int):
        return v
    n = _special(v, "__index__")()
    if not isinstance(n, int):
        raise TypeError(f"__index__ returned non-int (type {type(n).__name__})")
    return n

def with_index(fn, args, i):
    args[i] = _index(args[i])
    return fn(*args)

def repr_of(v):
    return _repr(v, [])

def _repr(v, open):
    kind = _kind(v)
    if kind == "instance":
        s = _special(v, "__repr__")()
        if not isinstance(s, str):
            raise TypeError(f"__repr__ returned non-string (type {type(s).__name__})")
        return s
    if kind == "other":
        return _plain_repr(v)
    for o in open:
        if o is v:
            return _repr_again(kind)
    inner = open + [v]
    if kind == "list":
        return "[" + ", ".join([_repr(x, inner) for x in v]) + "]"
    if kind == "tuple":
        if len(v) == 1:
            return "(" + _repr(v[0], inner) + ",)"
        return "(" + ", ".join([_repr(x, inner) for x in v]) + ")"
    if kind == "dict":
        return "{" + ", ".join([_repr(k, inner) + ": " + _repr(x, inner) for k, x in v.items()]) + "}"
    if kind == "set":
        return "{" + ", ".join([_repr(x, inner) for x in v]) + "}"
    if kind == "frozenset":
        return "frozenset({" + ", ".join([_repr(x, inner) for x in v]) + "})"
    if kind == "exception":
        return type(v).__name__ + "(" + ", ".join([_repr(x, inner) for x in v.args]) + ")"
    if kind == "method":
        return _method_repr(v, _repr(_method_self(v), inner))
    return _view_name(v) + "([" + ", ".join([_repr(x, inner) for x in v]) + "])"

def str_of(v):
    fn = _special_or_none(v, "__str__")
    if fn is None:
        if _is_exception(v):
            if len(v.args) == 1 and not isinstance(v, KeyError):
                return _str(v.args[0])
            return _repr(v.args[0] if len(v.args) == 1 else v.args, [])
        shown = _unproxied(v)
        return _repr(v, []) if shown is v else _str(shown)
    s = fn()
    if not isinstance(s, str):
        raise TypeError(f"__str__ returned non-string (type {type(s).__name__})")
    return s

def ascii_of(v):
    return _escape(_repr(v, []))

def format_of(v, spec):
    fn = _special_or_none(v, "__format__")
    if fn is None:
        if spec != "":
            raise TypeError(f"unsupported format string passed to {type(v).__name__}.__format__")
        return _str(v)
    s = fn(spec)
    if not isinstance(s, str):
        raise TypeError(f"__format__ must return a str, not {type(s).__name__}")
    return s

def print_each(args, sep, end):
    texts = [_str(a) for a in args]
    _print(sep.join(texts) + end)

# print_to is print to an object that has write, such as a StringIO.
def print_to(file, args, sep, end, flush):
    if file is None:
        return
    write = file.write
    first = True
    for a in args:
        if not first:
            write(sep)
        first = False
        write(_str(a))
    write(end)
    if flush:
        file.flush()

def getattr_default(obj, name, default):
    try:
        return _getattr(obj, name)
    except AttributeError:
        return default

def has_attr(obj, name):
    try:
        _getattr(obj, name)
    except AttributeError:
        return False
    return True

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

def sorted_list(items, key, reverse):
    if key is None:
        return _sort(items, None, reverse)
    keys = [key(x) for x in items]
    return _sort(items, keys, reverse)

def sort_in_place(target, key, reverse):
    items = _take(target)
    try:
        items = sorted_list(items, key, reverse)
    finally:
        changed = _give_back(target, items)
    if changed:
        raise ValueError("list modified during sort")

# merge_sort sorts by comparisons of the program: stable, n log n.
def merge_sort(items, keys, reverse):
    n = len(items)
    order = list(range(n))
    if reverse:
        order.reverse()
    width = 1
    while width < n:
        out = []
        lo = 0
        while lo < n:
            mid = min(lo + width, n)
            hi = min(lo + 2 * width, n)
            i = lo
            j = mid
            while i < mid and j < hi:
                if keys[order[j]] < keys[order[i]]:
                    out.append(order[j])
                    j = j + 1
                else:
                    out.append(order[i])
                    i = i + 1
            while i < mid:
                out.append(order[i])
                i = i + 1
            while j < hi:
                out.append(order[j])
                j = j + 1
            lo = hi
        order = out
        width = 2 * width
    if reverse:
        order.reverse()
    return [items[i] for i in order]

def extreme(items, key, largest, default, name):
    found = False
    best = None
    best_key = None
    for x in items:
        k = x if key is None else key(x)
        if not found:
            found = True
            best = x
            best_key = k
        elif largest:
            if k > best_key:
                best = x
                best_key = k
        elif k < best_key:
            best = x
            best_key = k
    if not found:
        if len(default) == 1:
            return default[0]
        raise ValueError(f"{name}() arg is an empty sequence")
    return best

def extreme_rest(best, x, it, largest):
    while True:
        if x > best if largest else x < best:
            best = x
        for x in it:
            break
        else:
            return best

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

def index_of(seq, v, start, stop):
    i = start
    while i < stop and i < len(seq):
        x = seq[i]
        if x is v or x == v:
            return i
        i = i + 1
    return -1

def list_index(seq, v, start, stop):
    i = index_of(seq, v, start, stop)
    if i < 0:
        if _is_tuple(seq):
            raise ValueError("tuple.index(x): x not in tuple")
        raise ValueError(f"{repr(v)} is not in list")
    return i

def list_remove(seq, v):
    i = index_of(seq, v, 0, len(seq))
    if i < 0:
        raise ValueError("list.remove(x): x not in list")
    del seq[i]

def count_of(seq, v):
    n = 0
    for x in seq:
        if x is v or x == v:
            n = n + 1
    return n

def isinstance_of(obj, cls):
    if _is_union(cls):
        cls = cls.__args__
    if _is_tuple(cls):
        for c in cls:
            if isinstance(obj, c):
                return True
        return False
    return True if _special(cls, "__instancecheck__")(obj) else False

def issubclass_of(cls, want):
    if _is_union(want):
        want = want.__args__
    if _is_tuple(want):
        for c in want:
            if issubclass(cls, c):
                return True
        return False
    return True if _special(want, "__subclasscheck__")(cls) else False

def set_names(cls, kwargs):
    for name, v in _named(cls):
        v.__set_name__(cls, name)
    init = _init_subclass(cls)
    if init is not None:
        init(**kwargs)
    return cls

# The event loop. loop.ready holds the calls to make next, from loop.at on: each
# a function, a future and something more. _more gives the object where a future
# keeps who waits for it, and a task all that it needs. The clock of the loop
# stands still while anything can run. Where the host keeps time, the host moves
# it whenever the program waited; else it jumps to the next timer then.

# run is await outside of any function. All that is awaited there is one task, so
# that a block that began in one await can end another.
def run(main):
    loop = _loop()
    if _is_future(main):
        main = await_it(main)
    task = loop.main
    if task is None:
        task = loop.main = create_task(main)
    else:
        begin_again(loop, task, main)
    while not _is_done(task):
        step(loop)
    return _outcome(task)

def begin_again(loop, task, main):
    more = _more(task)
    more.coro = main if _is_coroutine(main) else await_it(main)
    more.awaits = None
    more.must_cancel = False
    _renew(task)
    loop.tasks[more.number] = task
    loop.ready.append((advance, task, None))

# run_main is asyncio.run: what still runs at the end is cancelled.
def run_main(main):
    loop = _loop()
    if loop.current is not None:
        raise RuntimeError("asyncio.run() cannot be called from a running event loop")
    if not _is_coroutine(main) and not _is_call(main):
        raise ValueError(f"a coroutine was expected, got {_safe_repr(main)}")
    task = create_task(main)
    try:
        while not _is_done(task):
            step(loop)
    finally:
        cancel_all()
    return _outcome(task)

# run_until is run_main without an end: what still runs goes on with the next.
def run_until(main):
    loop = _loop()
    task = create_task(main)
    while not _is_done(task):
        step(loop)
    return _outcome(task)

def cancel_all():
    loop = _loop()
    left = list(loop.tasks.values())
    for t in left:
        future_cancel(t)
    for t in left:
        while not _is_done(t):
            step(loop)

# create_task makes a task of what can be awaited. The call of a tool is taken as
# a coroutine would be; other futures are what they are.
def create_task(coro):
    if _is_future(coro) and not _is_call(coro):
        return coro
    if not _is_coroutine(coro):
        if not _is_call(coro) and not _has_await(coro):
            raise TypeError(f"a coroutine was expected, got {_safe_repr(coro)}")
        coro = await_it(coro)
    loop = _loop()
    task = _new_task()
    more = _more(task)
    more.coro = coro
    more.name = f"Task-{loop.serial}"
    more.number = loop.serial
    more.awaits = None
    more.must_cancel = False
    more.message = ()
    more.cancels = 0
    outer = loop if loop.current is None else _more(loop.current)
    more.vars = outer.vars  # of contextvars: a dict that is never changed, or None
    loop.tasks[loop.serial] = task
    loop.serial += 1
    loop.ready.append((advance, task, None))
    return task

async def await_it(v):
    return await v

# pass_turn is what asyncio.sleep(0) awaits.
def pass_turn():
    yield None

def step(loop):
    ready = loop.ready
    if loop.at < len(ready):
        fn, future, extra = ready[loop.at]
        ready[loop.at] = None
        loop.at += 1
        if loop.at == len(ready):
            ready.clear()
            loop.at = 0
        elif loop.at >= 1000 and 2 * loop.at >= len(ready):
            del ready[:loop.at]
            loop.at = 0
        fn(future, extra)
    elif _keeps_time():
        step_timers(loop, loop.timers)
    elif len(loop.timers) > 0 and not _pending():
        wake(loop)
    else:
        wait(loop, None)

def step_timers(loop, timers):
    while len(timers) > 0 and timers[0][2] is None:
        heap_pop(timers)
    if len(timers) == 0:
        wait(loop, None)
    elif timers[0][0] <= loop.now:
        wake(loop)
    else:
        wait(loop, timers[0][0])

# wait pauses until a call has ended or, if until is given, the clock is there.
def wait(loop, until):
    loop.until = until
    done = _wait()
    loop.until = None
    for future in done:
        release(loop, future)

# sleep_alone is time.sleep: nothing else of the program runs meanwhile.
def sleep_alone(seconds):
    loop = _loop()
    until = loop.now + seconds
    if not _keeps_time():
        loop.now = until
    while loop.now < until:
        wait(loop, until)

# wake lets the clock jump to the next timer that was not cancelled.
def wake(loop):
    timers = loop.timers
    woken = False
    while len(timers) > 0 and (not woken or timers[0][0] <= loop.now):
        when, serial, fn, future, extra = heap_pop(timers)
        if fn is not None:
            if when > loop.now:
                loop.now = when
            loop.ready.append((fn, future, extra))
            woken = True

def call_soon(fn, future, extra):
    _loop().ready.append((fn, future, extra))

def call_at(when, fn, future, extra):
    loop = _loop()
    timer = [when, loop.serial, fn, future, extra]
    loop.serial += 1
    heap_push(loop.timers, timer)
    return timer

def cancel_timer(timer):
    timer[2] = None

def heap_push(heap, item):
    heap.append(item)
    i = len(heap) - 1
    while i > 0:
        parent = (i - 1) // 2
        if not item < heap[parent]:
            break
        heap[i] = heap[parent]
        i = parent
    heap[i] = item

def heap_pop(heap):
    last = heap.pop()
    n = len(heap)
    if n == 0:
        return last
    first = heap[0]
    i = 0
    while 2 * i + 1 < n:
        child = 2 * i + 1
        if child + 1 < n and heap[child + 1] < heap[child]:
            child = child + 1
        if not heap[child] < last:
            break
        heap[i] = heap[child]
        i = child
    heap[i] = last
    return first

# advance runs a task up to where it waits again. failure is raised in it.
def advance(task, failure):
    if _is_done(task):
        return
    loop = _loop()
    more = _more(task)
    if more.must_cancel:
        more.must_cancel = False
        if not isinstance(failure, CancelledError):
            failure = CancelledError(*more.message)
    more.awaits = None
    outer = loop.current
    loop.current = task
    try:
        if failure is None:
            wanted = more.coro.send(None)
        else:
            wanted = more.coro.throw(failure)
    except StopIteration as e:
        loop.current = outer
        if more.must_cancel:
            settle(task, True, CancelledError(*more.message))
        else:
            settle(task, False, e.value)
    except (KeyboardInterrupt, SystemExit) as e:
        loop.current = outer
        settle(task, True, e)
        raise
    except BaseException as e:
        loop.current = outer
        settle(task, True, e)
    else:
        loop.current = outer
        if wanted is None:
            loop.ready.append((advance, task, None))
        elif wanted is task:
            loop.ready.append((advance, task, RuntimeError(f"Task cannot await on itself: {_safe_repr(task)}")))
        elif _is_future(wanted):
            more.awaits = wanted
            add_waiter(wanted, wakeup, task)
            if more.must_cancel and future_cancel(wanted):
                more.must_cancel = False
        else:
            loop.ready.append((advance, task, RuntimeError(f"Task got bad yield: {_safe_repr(wanted)}")))

# wakeup goes on with a task after the future that it awaits, if it still does.
def wakeup(future, task):
    if _more(task).awaits is future:
        advance(task, None)

def add_waiter(future, fn, extra):
    if _is_done(future):
        call_soon(fn, future, extra)
    else:
        _more(future).waiters.append((fn, extra))

def settle(future, failed, value):
    if failed:
        _reject(future, value)
    else:
        _resolve(future, value)
    loop = _loop()
    more = _more(future)
    if more.coro is not None:
        del loop.tasks[more.number]
    release(loop, future)

def release(loop, future):
    more = _more(future)
    waiters = more.waiters
    more.waiters = []
    for fn, extra in waiters:
        loop.ready.append((fn, future, extra))

def call_back(future, fn):
    try:
        fn(future)
    except Exception:
        pass

def future_done(self):
    return _is_done(self)

def future_cancelled(self):
    return _is_done(self) and isinstance(_failure(self), CancelledError)

def future_result(self):
    if not _is_done(self):
        raise InvalidStateError("Result is not set." if _more(self).coro is not None else "Result is not ready.")
    return _outcome(self)

def future_exception(self):
    if not _is_done(self):
        raise InvalidStateError("Exception is not set.")
    e = _failure(self)
    if isinstance(e, CancelledError):
        raise e
    return e

# future_cancel asks a task to end. A call of a tool ends at once: nobody will see
# its answer, and the host is told.
def future_cancel(self, msg=None):
    if _is_done(self):
        return False
    message = () if msg is None else (msg,)
    if _is_call(self):
        _give_up(self)
        settle(self, True, CancelledError(*message))
        return True
    more = _more(self)
    if more.children is not None:
        some = False
        for c in more.children:
            if future_cancel(c, msg):
                some = True
        more.cancelled = some
        return some
    if more.coro is None:
        settle(self, True, CancelledError(*message))
        return True
    more.cancels += 1
    awaits = more.awaits
    if awaits is not None:
        if future_cancel(awaits, msg):
            return True
    more.must_cancel = True
    more.message = message
    return True

def future_uncancel(self):
    more = _more(self)
    if more.cancels > 0:
        more.cancels -= 1
    return more.cancels

def future_cancelling(self):
    return _more(self).cancels

def future_add_done_callback(self, fn, *, context=None):
    add_waiter(self, call_back, fn)

def future_remove_done_callback(self, fn):
    more = _more(self)
    before = len(more.waiters)
    more.waiters = [w for w in more.waiters if not (w[0] is call_back and w[1] == fn)]
    return before - len(more.waiters)

def future_set_result(self, result):
    check_settable(self)
    settle(self, False, result)

def future_set_exception(self, exception):
    check_settable(self)
    if isinstance(exception, type):
        exception = exception()
    settle(self, True, exception)

def check_settable(future):
    if _is_done(future) or _is_call(future):
        raise InvalidStateError("invalid state")
    if _more(future).coro is not None:
        raise RuntimeError("Task does not support set_result operation")

def future_get_name(self):
    more = _more(self)
    if more.coro is None:
        raise AttributeError("'Future' object has no attribute 'get_name'")
    return more.name

def future_set_name(self, name):
    _more(self).name = _str(name)

def future_get_coro(self):
    return _more(self).coro

def gather(*awaitables, return_exceptions=False):
    outer = _new_future()
    more = _more(outer)
    if len(awaitables) == 0:
        _resolve(outer, [])
        return outer
    children = []
    for a in awaitables:
        if _is_future(a):
            children.append(a)
        else:
            children.append(create_task(a) if _is_coroutine(a) or _has_await(a) else _done_with(a))
    more.children = children
    more.left = len(children)
    more.keep = return_exceptions
    more.cancelled = False
    for c in children:
        add_waiter(c, gathered, outer)
    return outer

# gathered notes that one of the futures of a gather is done.
def gathered(child, outer):
    if _is_done(outer):
        return
    more = _more(outer)
    if not more.keep:
        e = _failure(child)
        if e is not None:
            settle(outer, True, e)
            return
    more.left -= 1
    if more.left > 0:
        return
    if more.cancelled:
        settle(outer, True, CancelledError())
        return
    results = []
    for c in more.children:
        e = _failure(c)
        if isinstance(e, CancelledError) and len(e.args) == 0:
            e = CancelledError("")
        results.append(_outcome(c) if e is None else e)
    settle(outer, False, results)

# An asynchronous generator is run by these: each is what one await of it does.
# It yields items in tuples of one; everything else it passes on from what it
# awaits itself.
def agen_step(agen, value, failed):
    if failed:
        v = _agen_throw(agen, value)
    else:
        v = _agen_send(agen, value)
    while True:
        if _is_tuple(v):
            return v[0]
        try:
            value = yield v
        except BaseException as e:
            value = e
            failed = True
        else:
            failed = False
        if failed:
            v = _agen_throw(agen, value)
        else:
            v = _agen_send(agen, value)

def agen_close(agen):
    if _is_idle(agen):
        _close(agen)
        return
    try:
        yield from agen_step(agen, GeneratorExit(), True)
    except (StopAsyncIteration, GeneratorExit):
        return
    raise RuntimeError("async generator ignored GeneratorExit")

def agen_next(self):
    return agen_step(self, None, False)

def agen_send(self, value):
    return agen_step(self, value, False)

def agen_throw(self, exc):
    if isinstance(exc, type):
        exc = exc()
    return agen_step(self, exc, True)

def glovebox_map(tool, *iterables, concurrency=0, group_name=None, return_exceptions=True):
    if len(iterables) == 0:
        raise TypeError("glovebox_map() needs a tool and at least one iterable")
    call = _tool_named(tool)
    todo = list(zip(*iterables))
    if not isinstance(concurrency, int) or concurrency < 0:
        raise ValueError("glovebox_map: concurrency must be 0 (no bound) or a positive int")
    if concurrency == 0:
        concurrency = max(1, len(todo))
    futures = []
    running = []
    for args in todo:
        while len(running) >= concurrency:
            wait_calls()
            running = [f for f in running if not _is_done(f)]
        try:
            f = _start_tool(call, args)
        except Exception as e:
            if not return_exceptions:
                raise
            f = _failed_with(e)
        futures.append(f)
        if not _is_done(f):
            running.append(f)
        elif not return_exceptions:
            _outcome(f)
    results = []
    for f in futures:
        while not _is_done(f):
            wait_calls()
        try:
            results.append(_outcome(f))
        except Exception as e:
            if not return_exceptions:
                raise
            results.append(e)
    return results

def wait_calls():
    wait(_loop(), None)

def build_class(body, name, /, *bases, metaclass=None, **kwargs):
    namespace = _namespace(body)
    cell = body(namespace)
    resolved = _bases(bases)
    if resolved is not bases:
        namespace["__orig_bases__"] = bases
    metaclass = _metaclass(resolved, metaclass)
    if metaclass is type:
        cls = new_type(type, name, resolved, namespace, kwargs)
    else:
        cls = metaclass(name, resolved, namespace, **kwargs)
    if cell is not None:
        _fill(cell, cls)
    return cls

def dir_by(fn, v):
    return sorted(fn(v))

def resolve_bases(bases):
    resolved = []
    origins = []
    for base in bases:
        if _is_alias(base):
            origins.append(base.__origin__)
            resolved.append(base.__origin__)
            continue
        entries = None if isinstance(base, type) else _special_or_none(base, "__mro_entries__")
        if entries is None:
            resolved.append(base)
        else:
            resolved.extend(entries(bases))
    # Generic[T] beside a class that derives from Generic adds nothing.
    for c in origins:
        for other in resolved:
            if other is not c and c in resolved and _derives(other, c):
                resolved.remove(c)
    return tuple(resolved)

def new_type(meta, name, bases, namespace, kwargs):
    return set_names(_new_class(meta, name, bases, namespace), kwargs)

def match_class(subject, cls, n, names):
    if not isinstance(subject, cls):
        return None
    values = []
    missing = []
    if n > 0:
        args = getattr_default(cls, "__match_args__", missing)
        if args is missing and _matches_itself(cls):
            if n > 1:
                raise TypeError(f"{cls.__name__}() accepts 1 positional sub-pattern ({n} given)")
            values.append(subject)
        else:
            if args is missing:
                args = ()
            if not isinstance(args, tuple):
                raise TypeError(f"{cls.__name__}.__match_args__ must be a tuple (got {type(args).__name__})")
            if n > len(args):
                raise TypeError(f"{cls.__name__}() accepts {len(args)} positional sub-pattern{'' if len(args) == 1 else 's'} ({n} given)")
            i = 0
            while i < n:
                if not isinstance(args[i], str):
                    raise TypeError(f"__match_args__ elements must be strings (got {type(args[i]).__name__})")
                if args[i] in args[:i] or args[i] in names:
                    raise TypeError(f"{cls.__name__}() got multiple sub-patterns for attribute {args[i]!r}")
                v = getattr_default(subject, args[i], missing)
                if v is missing:
                    return None
                values.append(v)
                i = i + 1
    for name in names:
        v = getattr_default(subject, name, missing)
        if v is missing:
            return None
        values.append(v)
    return tuple(values)

# match_keys_of is match_keys of a mapping that is no dict.
def match_keys_of(subject, keys):
    if len(subject) < len(keys):
        return None
    get = subject.get
    missing = []
    values = []
    for k in keys:
        v = get(k, missing)
        if v is missing:
            return None
        values.append(v)
    return tuple(values)

def match_rest_of(subject, keys):
    rest = {}
    for k in subject.keys():
        rest[k] = subject[k]
    for k in keys:
        del rest[k]
    return rest

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

def hash_visible(v):
    if _is_tuple(v):
        return _hash_items([hash_visible(x) for x in v])
    h = _hash_method(v)
    if h is None:
        return hash(v)
    n = h(v)
    if not isinstance(n, int):
        raise TypeError("__hash__ method should return an integer")
    return hash(n)

def not_equal(fn, x, y):
    v = fn(x, y)
    if v is NotImplemented:
        return v
    return not v

def exception_str(e):
    if len(e.args) == 1:
        return _str(e.args[0])
    return _repr(e.args, [])

def not_in_list(v):
    raise ValueError(f"{repr(v)} is not in list")

def range_index(seq, v):
    i = index_of(seq, v, 0, len(seq))
    if i < 0:
        raise ValueError("sequence.index(x): x not in sequence")
    return i

def slice_indices(s, n):
    return _index(s).indices(n)

def set_of(items):
    s = set()
    for x in items:
        s.add(x)
    return s

def frozen_of(items):
    return _freeze(set_of(items))

def set_method(op, s, others, inplace):
    out = set(s)
    for other in others:
        if op == "|":
            for x in other:
                out.add(x)
        elif op == "-":
            for x in other:
                out.discard(x)
        else:
            out = set_combine(op, out, set(other))
    if inplace:
        _give_items(s, out)
        return None
    if _is_frozen(s):
        return _freeze(out)
    return out

def is_subset(s, other):
    other = set(other)
    for x in s:
        if x not in other:
            return False
    return True

def is_superset(s, other):
    for x in other:
        if x not in s:
            return False
    return True

def is_disjoint(s, other):
    for x in other:
        if x in s:
            return False
    return True

# wrap makes an instance of a subclass of a built-in type.
def wrap(cls, fn, args, names):
    return _wrap(cls, _apply(fn, args, names))

def apply_index(fn, index, args, names):
    args[index] = _index(args[index])
    return _apply(fn, args, names)

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

def bool_of(v):
    return True if v else False

def divmod_of(x, y):
    fx = _type_method(x, "__divmod__")
    fy = _type_method(y, "__rdivmod__")
    if fy is not None and type(y) is not type(x) and issubclass(type(y), type(x)):
        v = fy(y, x)
        if v is not NotImplemented:
            return v
        fy = None
    if fx is not None:
        v = fx(x, y)
        if v is not NotImplemented:
            return v
    if fy is not None and type(y) is not type(x):
        v = fy(y, x)
        if v is not NotImplemented:
            return v
    raise TypeError(f"unsupported operand type(s) for divmod(): '{type(x).__name__}' and '{type(y).__name__}'")

def pow_of(x, y):
    return x ** y

def pow_mod(x, y, mod):
    v = _special(x, "__pow__")(y, mod)
    if v is NotImplemented:
        raise TypeError(f"unsupported operand type(s) for ** or pow(): '{type(x).__name__}', '{type(y).__name__}', '{type(mod).__name__}'")
    return v

def round_to(v, digits):
    return round(v, _index(digits))

def int_in_base(x, base):
    return int(x, _index(base))

def int_of(v):
    for name in ("__int__", "__index__", "__trunc__"):
        fn = _special_or_none(v, name)
        if fn is not None:
            n = fn()
            if isinstance(n, int):
                return int(_plain(n))
            if name == "__trunc__":
                if _special_or_none(n, "__index__") is None:
                    raise TypeError(f"__trunc__ returned non-Integral (type {type(n).__name__})")
                return _index(n)
            raise TypeError(f"{name} returned non-int (type {type(n).__name__})")

def float_of(v):
    fn = _special_or_none(v, "__float__")
    if fn is None:
        return float(_index(v))
    f = fn()
    if not isinstance(f, float):
        raise TypeError(f"{type(v).__name__}.__float__ returned non-float (type {type(f).__name__})")
    return _plain(f)

def int_to_bytes(n, length, byteorder, signed):
    return n.to_bytes(_index(length), byteorder, signed=signed)

def int_from_bytes(cls, v, byteorder, signed):
    return cls.from_bytes(bytes(v), byteorder, signed=signed)

# re_matches is finditer: scan is a native object that goes from match to match.
def re_matches(scan):
    while True:
        found = _re_next(scan)
        if found is None:
            return
        yield found

# re_sub is sub and subn with a function that makes the replacement.
def re_sub(scan, fn, limit, counted):
    parts = []
    n = 0
    while limit == 0 or n < limit:
        found = _re_next(scan)
        if found is None:
            break
        gap = _re_gap(scan, found)
        if len(gap) > 0:
            parts.append(gap)
        made = fn(found)
        if made is not None:
            parts.append(made)
        n = n + 1
    if n == 0:
        text = _re_text(scan)
    else:
        parts.append(_re_rest(scan))
        text = _re_join(scan, parts)
    if counted:
        return (text, n)
    return text

def dict_ior_of(v, d, other):
    dict_update(d, other, {})
    return v

# percent_of goes on with format % values where it stopped for a value that code
# of the program has to work out.
def percent_of(fmt, values, stop):
    while _is_tuple(stop):
        at, used, item, done, how, value, key = stop
        if how == "getitem":
            stop = _percent(fmt, values, at, used, (value[key],), done)
        else:
            stop = _percent(fmt, values, at, used, item, done, _worked_out(how, value))
    return stop

def _worked_out(how, value):
    if how == "str":
        return _str(value)
    if how == "repr":
        return _repr(value, [])
    if how == "ascii":
        return ascii_of(value)
    if how == "index":
        return _index(value)
    if how == "int":
        return int(value)
    return float(value)

# format_string is str.format; args is None for str.format_map.
def format_string(fmt, args, names):
    return _format_string(fmt, args, names, 0, 0)[0]

def _format_string(fmt, args, names, numbering, depth):
    if depth == 2:
        raise ValueError("Max string recursion exceeded")
    done = ""
    at = 0
    while at is not None:
        literal, field, at = _segment(fmt, at)
        done = done + literal
        if field is not None:
            name, conversion, spec, nested = field
            index, key, steps, numbering = _field(name, args, numbering)
            value = args[index] if key is None else names[key]
            for is_attr, step in steps:
                value = _field_attr(value, step) if is_attr else value[step]
            value = _converted(value, conversion)
            if nested:
                spec, numbering = _format_string(spec, args, names, numbering, depth + 1)
            done = done + format(value, spec)
    return done, numbering

def _converted(value, conversion):
    if conversion == "":
        return value
    if conversion == "r":
        return _repr(value, [])
    if conversion == "s":
        return _str(value)
    if conversion == "a":
        return ascii_of(value)
    _refuse_conversion(conversion)

# The parts of the modules that are written in Go.

def _real(x):
    fn = _special_or_none(x, "__float__")
    if fn is not None:
        v = fn()
        if not isinstance(v, float):
            raise TypeError(f"{type(x).__name__}.__float__ returned non-float (type {type(v).__name__})")
        return _plain(v)
    if _special_or_none(x, "__index__") is not None:
        return _index(x)
    return x

def with_reals(fn, args, names):
    return _apply(fn, [_real(x) for x in args], names)

def with_real_lists(fn, args):
    return fn(*[[_real(x) for x in arg] for arg in args])

def with_indexes(fn, args):
    return fn(*[x if _special_or_none(x, "__index__") is None else _index(x) for x in args])

def prod_of(it, start):
    total = start
    for x in it:
        total = total * x
    return total

def prod_rest(total, first, it):
    total = total * first
    for x in it:
        total = total * x
    return total

def translate_by(s, table):
    done = ""
    for c in s:
        try:
            with_ = table[ord(c)]
        except LookupError:
            done = done + c
        else:
            done = done + _replacement(with_)
    return done

def bytes_from_items(it):
    return bytes([_own_index(x) for x in it])

def _own_index(x):
    return x if _special_or_none(x, "__index__") is None else _index(x)

def bytes_from_index(v):
    return bytes(_index(v))

def bytes_from_method(v):
    b = _special(v, "__bytes__")()
    if not isinstance(b, bytes):
        raise TypeError(f"__bytes__ returned non-bytes (type {type(b).__name__})")
    return b

def list_iadd(x, y):
    for item in y:
        x.append(item)
    return x

# json_load is json.loads with hooks: source is a native object that gives one
# part of the text after the other.
def json_load(source, *hooks):
    v = _json_value(source, *hooks)
    _json_end(source)
    return v

# json_scan is the same for a text that may go on after the value.
def json_scan(source, *hooks):
    v = _json_value(source, *hooks)
    return v, _json_pos(source)

def _json_value(source, hook, pairs_hook, parse_float, parse_int, parse_constant):
    open = []
    kinds = []
    keys = []
    raw = parse_int is not None
    while True:
        kind, v = _json_token(source, raw)
        if kind == "[" or kind == "{":
            open.append([])
            kinds.append(kind)
            continue
        if kind == "key":
            keys.append(v)
            continue
        if kind == "]":
            v = open.pop()
            kinds.pop()
        elif kind == "}":
            v = open.pop()
            kinds.pop()
            if pairs_hook is not None:
                v = pairs_hook(v)
            else:
                v = dict(v)
                if hook is not None:
                    v = hook(v)
        elif kind == "int":
            v = v[1] if parse_int is None else parse_int(v[0])
        elif kind == "float":
            v = v[1] if parse_float is None else parse_float(v[0])
        elif kind == "constant":
            v = v[1] if parse_constant is None else parse_constant(v[0])
        if len(open) == 0:
            return v
        if kinds[-1] == "{":
            v = (keys.pop(), v)
        open[-1].append(v)

# json_dump is the rest of json.dumps from the first value that only the
# program can replace.
def json_dump(writer, default):
    while _json_give(writer, default(_json_wanted(writer))):
        pass
    return _json_text(writer)

# json_dumps_by and json_loads_by are dumps and loads with a class of the
# program.
def json_dumps_by(obj, /, cls, **kw):
    options = {"skipkeys": False, "ensure_ascii": True, "check_circular": True, "allow_nan": True,
               "indent": None, "separators": None, "default": None, "sort_keys": False}
    return cls(**{**options, **kw}).encode(obj)

def json_loads_by(s, /, cls, **kw):
    if isinstance(s, bytes):
        s = _json_str(s)
    elif not isinstance(s, str):
        raise TypeError("the JSON object must be str, bytes or bytearray, not " + type(s).__name__)
    kw = {k: v for k, v in kw.items() if v is not None}
    return cls(**kw).decode(s)

def list_imul(x, n):
    x *= _index(n)
    return x

# What list[int] and int | None do with arguments that code of the program may
# show, compare or replace.
def alias_repr(origin, args):
    if origin is None:
        return " | ".join(["None" if a is type(None) else alias_part(a) for a in args])
    if len(args) == 0:
        return alias_part(origin) + "[()]"
    return alias_part(origin) + "[" + ", ".join([alias_part(a) for a in args]) + "]"

def alias_part(a):
    if a is ...:
        return "..."
    if _is_list(a):
        return "[" + ", ".join([alias_part(x) for x in a]) + "]"
    if _is_class(a):
        if a.__module__ == "builtins":
            return a.__qualname__
        return _str(a.__module__) + "." + _str(a.__qualname__)
    return _repr(a, [])

def alias_equal(union, xs, ys):
    if not union:
        return xs == ys
    for x in xs:
        if x not in ys:
            return False
    return len(xs) == len(ys)

def alias_parameters(args):
    found = []
    for a in args:
        if _is_class(a):
            continue
        if _special_or_none(a, "__typing_subst__") is not None:
            parts = (a,)
        else:
            parts = getattr_default(a, "__parameters__", ())
        for p in parts:
            if p not in found:
                found.append(p)
    return tuple(found)

def alias_item(alias, params):
    if not _is_tuple(params):
        params = (params,)
    variables = alias_parameters(alias.__args__)
    if len(variables) == 0:
        raise TypeError(f"{_repr(alias, [])} is not a generic class")
    if len(params) != len(variables):
        few = "few" if len(params) < len(variables) else "many"
        raise TypeError(f"Too {few} arguments for {_repr(alias, [])}; actual {len(params)}, expected {len(variables)}")
    args = []
    for a in alias.__args__:
        own = () if _is_class(a) else alias_parameters((a,))
        if len(own) == 0:
            args.append(a)
        elif own[0] is a:
            args.append(params[variables.index(a)])
        else:
            args.append(a[tuple([params[variables.index(v)] for v in own])])
    return _alias_like(alias, tuple(args))

# The methods of a mapping that cannot be changed.
def proxy_len(d):
    return len(d)

def proxy_iter(d):
    return _iter(d)

def proxy_reversed(d):
    return reversed(d)

def proxy_getitem(d, key):
    return d[key]

def proxy_contains(d, key):
    return key in d

def proxy_eq(d, other):
    return d == _unproxied(other)

def proxy_or(d, other):
    return d | _unproxied(other)

def proxy_ror(d, other):
    return _unproxied(other) | d

def proxy_str(d):
    return str(d)

def proxy_repr(d):
    return "mappingproxy(" + _repr(d, []) + ")"

def proxy_get(d, *args):
    return d.get(*args)

def proxy_keys(d):
    return d.keys()

def proxy_values(d):
    return d.values()

def proxy_items(d):
    return d.items()

def proxy_copy(d):
    return d.copy()

# Groups of exceptions, and what except* does with them.
def group_derive(self, excs):
    return BaseExceptionGroup(self.message, excs)

def group_split(self, condition):
    return group_parts(self, condition, group_tells(condition))

def group_subgroup(self, condition):
    return group_parts(self, condition, group_tells(condition))[0]

# group_tells reports whether the condition is a function, not classes.
def group_tells(condition):
    if _is_class(condition) and issubclass(condition, BaseException):
        return False
    if _is_tuple(condition):
        for c in condition:
            if not _is_class(c) or not issubclass(c, BaseException):
                raise TypeError("expected a function, exception type or tuple of exception types")
        return False
    if _is_class(condition) or not callable(condition):
        raise TypeError("expected a function, exception type or tuple of exception types")
    return True

# group_parts splits an exception into what the condition is true of and the
# rest, each with the structure of the whole; None is nothing.
def group_parts(exc, condition, tells):
    if condition(exc) if tells else isinstance(exc, condition):
        return (exc, None)
    if not isinstance(exc, BaseExceptionGroup):
        return (None, exc)
    matched = []
    rest = []
    for e in exc.exceptions:
        a, b = group_parts(e, condition, tells)
        if a is not None:
            matched.append(a)
        if b is not None:
            rest.append(b)
    if len(matched) == 0:
        return (None, exc)
    return (group_like(exc, matched), group_like(exc, rest))

def group_like(group, excs):
    if len(excs) == 0:
        return None
    made = group.derive(excs)
    if not isinstance(made, BaseExceptionGroup):
        raise TypeError("derive must return an instance of BaseExceptionGroup")
    _follow(made, group)
    notes = getattr_default(group, "__notes__", None)
    if notes is not None:
        made.__notes__ = list(notes)
    return made

# star_begin makes the state of a try with except*: the exception, what is left
# of it, what the clauses took and what they raised.
def star_begin(exc):
    return [exc, exc, [], []]

def star_match(state, kinds):
    for kind in kinds if _is_tuple(kinds) else (kinds,):
        if not _is_class(kind) or not issubclass(kind, BaseException):
            raise TypeError("catching classes that do not inherit from BaseException is not allowed")
        if issubclass(kind, BaseExceptionGroup):
            raise TypeError("catching ExceptionGroup with except* is not allowed. Use except instead.")
    rest = state[1]
    if rest is None:
        return None
    if isinstance(rest, BaseExceptionGroup):
        part, state[1] = group_parts(rest, kinds, False)
    elif isinstance(rest, kinds):
        part = BaseExceptionGroup("", (rest,))
        state[1] = None
    else:
        part = None
    if part is not None:
        state[2].append(part)
    return part

def star_raised(state, exc):
    state[3].append(exc)

# star_end returns what goes on after the clauses, or None.
def star_end(state):
    exc, rest, taken, raised = state
    if len(raised) == 0:
        return rest
    if not isinstance(exc, BaseExceptionGroup):
        return raised[0]
    again = [] if rest is None else [rest]
    new = []
    for e in raised:
        if star_among(e, taken):
            again.append(e)
        else:
            new.append(e)
    if len(again) > 0:
        leaves = []
        for e in again:
            star_leaves(e, leaves)
        kept = star_keep(exc, leaves)
        if len(new) == 0:
            return kept
        new.append(kept)
    return new[0] if len(new) == 1 else BaseExceptionGroup("", new)

def star_among(exc, excs):
    for e in excs:
        if e is exc:
            return True
    return False

def star_leaves(exc, leaves):
    if isinstance(exc, BaseExceptionGroup):
        for e in exc.exceptions:
            star_leaves(e, leaves)
    else:
        leaves.append(exc)

# star_keep is the part of a group that has these leaves.
def star_keep(exc, leaves):
    if not isinstance(exc, BaseExceptionGroup):
        return exc if star_among(exc, leaves) else None
    kept = []
    for e in exc.exceptions:
        part = star_keep(e, leaves)
        if part is not None:
            kept.append(part)
    return exc if len(kept) == len(exc.exceptions) else group_like(exc, kept)

# annotations_of works out the annotations of a function.
def annotations_of(fn):
    wrapped = getattr_default(fn, "__wrapped__", None)
    if wrapped is not None:
        return getattr_default(wrapped, "__annotations__", {})
    found = {}
    for name, text, plain in _annotation_texts(fn):
        found[name] = text if plain else type_or_text(text)
    return found

def type_or_text(text):
    try:
        return type_of(text)
    except Exception:
        return text

# type_of is the type that a text says.
def type_of(text):
    return type_of_tree(_type_tree(text))

def type_of_tree(tree):
    word = tree[0]
    if word == "name":
        return _global_named(tree[1])
    if word == "value":
        return tree[1]
    if word == "attr":
        return _getattr(type_of_tree(tree[1]), tree[2])
    if word == "item":
        return type_of_tree(tree[1])[type_of_tree(tree[2])]
    if word == "or":
        return type_of_tree(tree[1]) | type_of_tree(tree[2])
    items = [type_of_tree(t) for t in tree[1:]]
    return tuple(items) if word == "tuple" else items

# active_exception is what a raise without an exception raises.
def active_exception():
    e = _active()
    if e is None:
        raise RuntimeError("No active exception to reraise")
    return e
