# Numbers that objects of the program stand for.

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
