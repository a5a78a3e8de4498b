# Texts of objects: repr, str, print, % and format.

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
