# Dicts and sets whose keys the program hashes and compares.

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

def dict_ior_of(v, d, other):
    dict_update(d, other, {})
    return v
