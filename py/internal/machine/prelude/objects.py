# What every object is asked: whether it is true, its length, its attributes.

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

def bool_of(v):
    return True if v else False

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

def dir_by(fn, v):
    return sorted(fn(v))
