# Lists, tuples and bytes, and the objects that stand for an index of them.

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

def apply_index(fn, index, args, names):
    args[index] = _index(args[index])
    return _apply(fn, args, names)

def with_indexes(fn, args):
    return fn(*[x if _special_or_none(x, "__index__") is None else _index(x) for x in args])

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

def not_in_list(v):
    raise ValueError(f"{repr(v)} is not in list")

def range_index(seq, v):
    i = index_of(seq, v, 0, len(seq))
    if i < 0:
        raise ValueError("sequence.index(x): x not in sequence")
    return i

def slice_indices(s, n):
    return _index(s).indices(n)

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

def list_imul(x, n):
    x *= _index(n)
    return x
