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
