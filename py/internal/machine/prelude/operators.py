# Operators and comparisons whose operands are instances of classes of the program.

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
