# Calls that built-in operations make: with arguments of several kinds, of classes,
# and of what an exception is made by.

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
