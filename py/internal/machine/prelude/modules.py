# The parts of re and json that call the program.

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
