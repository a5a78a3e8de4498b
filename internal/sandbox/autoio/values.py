"""The codec of values: between Python and JSON, by declared types.

Outputs are what hostile code made, so their own methods are not trusted: types
are asked with type(), and contents with the methods of the builtin types.
"""

from binascii import a2b_base64
from os import fspath
from sys import modules

from host import is_a
from wire import FILES, INEXACT, KEYS, MAX_DEPTH, MAX_INT_BITS, TAGS, bytes_text, float_text, str_text

times = None  # the codec of dates, where types can hold them


class Bad(Exception):
    """A value that does not fit its type."""

    def __init__(self, expected, got):
        self.path, self.expected, self.got = "", expected, got


# Types: a pair of a kind and its arguments, from the canonical spelling.


def parse_type(text):
    parsed, rest = cut_type(text)
    if rest:
        raise ValueError("not a type: " + text)
    return parsed


def cut_type(text):
    end = 0
    while end < len(text) and text[end] not in "[,]":
        end += 1
    kind, rest = text[:end], text[end:]
    args = []
    if rest.startswith("[()]"):
        rest = rest[4:]
    elif rest.startswith("["):
        while not rest.startswith("]"):
            arg, rest = cut_type(rest[1:].lstrip(" "))
            args.append(arg)
        rest = rest[1:]
    return (kind, args), rest


def spell(t):
    kind, args = t
    if args:
        return "%s[%s]" % (kind, ", ".join([spell(a) for a in args]))
    return "tuple[()]" if kind == "tuple" else kind


def prepare(t):
    """Loads what values of this type need."""
    global times
    if times is None and holds(t, ("datetime", "timedelta", "date", "time", "Any", "Union")):
        import times


def holds(t, kinds):
    return t[0] in kinds or any([holds(a, kinds) for a in t[1]])


def required(t):
    """Takes Optional off a type."""
    return t[1][0] if t[0] == "Optional" else t


def lists_files(t):
    """Whether t is a list, a dict or a tuple of files."""
    return t[0] in ("list", "dict", "tuple") and any([a[0] in FILES for a in t[1]])


def item_type(t, i):
    args = t[1]
    if len(args) == 2 and args[1][0] == "...":
        return args[0]
    return args[i]


# Inputs: from parsed JSON to Python values.


def decode(t, v):
    kind, args = t
    if kind == "Optional":
        return None if v is None else decode(args[0], v)
    if kind in ("Any", "Union"):
        return decode_any(v)
    if kind == "list":
        return [decode(args[0], x) for x in v]
    if kind == "set":
        return {frozen(decode(args[0], x)) for x in v}
    if kind == "dict":
        return {decode_key(args[0][0], k): decode(args[1], x) for k, x in v.items()}
    if kind == "tuple":
        return tuple([decode(item_type(t, i), x) for i, x in enumerate(v)])
    return decode_scalar(kind, v)


def frozen(v):
    """Sets within a set have a hash."""
    if type(v) is set:
        return frozenset(v)
    return tuple([frozen(x) for x in v]) if type(v) is tuple else v


def decode_key(kind, k):
    if kind == "int":
        return int(k)
    if kind == "bool":
        return k == "true"
    return times.date_of(k) if kind == "date" else k


def decode_scalar(kind, v):
    if kind == "float":
        return float(v)
    if kind == "bytes":
        return a2b_base64(v)
    if kind == "datetime":
        return times.datetime_of(v)
    if kind == "timedelta":
        return times.timedelta_of(v)
    if kind == "date":
        return times.date_of(v)
    if kind == "time":
        return times.time_of(v)
    if kind == "Decimal":
        from decimal import Decimal

        return Decimal(v)
    if kind == "UUID":
        from uuid import UUID

        return UUID(v)
    if kind == "str" and type(v) is dict:
        return a2b_base64(v["$str"]).decode("utf-8", "surrogatepass")
    if kind in FILES and type(v) is dict:
        return v["path"]
    return v


def decode_any(v):
    if type(v) is list:
        return [decode_any(x) for x in v]
    if type(v) is not dict:
        return v
    tag = next(iter(v), None)
    if tag not in TAGS:
        return {k: decode_any(x) for k, x in v.items()}
    if tag == "$tuple":
        return tuple([decode_any(x) for x in v[tag]])
    if tag == "$dict":
        return {k: decode_any(x) for k, x in v[tag].items()}
    if tag == "$set":
        return {frozen(decode_any(x)) for x in v[tag]}
    if tag.startswith("$dict["):
        return {decode_key(TAGS[tag], k): decode_any(x) for k, x in v[tag].items()}
    return decode_scalar(TAGS[tag], v if tag == "$str" else v[tag])


# Outputs: from Python values to JSON.


def encode(out, t, v, depth=0):
    """Appends the JSON of v to out, or raises Bad."""
    kind, args = t
    if kind == "Optional":
        if v is None:
            out.append("null")
        else:
            encode(out, args[0], v, depth)
    elif kind in ("Any", "Union"):
        encode_any(out, t, v, depth)
    elif kind == "list" and is_a(v, list):
        encode_items(out, list.__iter__(v), lambda i: args[0], depth)
    elif kind == "tuple" and is_a(v, (tuple, list)) and tuple_fits(t, v):
        items = (tuple if is_a(v, tuple) else list).__iter__(v)
        encode_items(out, items, lambda i: item_type(t, i), depth)
    elif kind == "set" and is_a(v, (set, frozenset)):
        encode_set(out, args[0], v, depth)
    elif kind == "dict" and is_a(v, dict):
        encode_dict(out, args[0][0], args[1], v, depth)
    else:
        text = encode_scalar(kind, v)
        if text is None:
            text = encode_scalar(kind, unwrap(v))
        if text is None:
            raise Bad(spell(t), describe(v))
        out.append(text)


def tuple_fits(t, v):
    args = t[1]
    return len(args) == 2 and args[1][0] == "..." or (tuple if is_a(v, tuple) else list).__len__(v) == len(args)


def encode_items(out, items, elem, depth):
    check_depth(depth)
    out.append("[")
    i = 0
    try:
        for i, x in enumerate(items):
            if i:
                out.append(",")
            encode(out, elem(i), x, depth + 1)
    except Bad as e:
        e.path = "[%d]%s" % (i, e.path)
        raise
    out.append("]")


def encode_set(out, elem, v, depth):
    """Writes the items in the order of their JSON, so that equal sets have equal texts."""
    check_depth(depth)
    texts = []
    for x in list((set if is_a(v, set) else frozenset).__iter__(v)):
        item = []
        encode(item, elem, x, depth + 1)
        texts.append("".join(item))
    out.append("[" + ",".join(sorted(texts)) + "]")


def encode_key(kind, k):
    """Returns the text of a key as JSON."""
    text = encode_scalar(kind, k) if kind in KEYS else None
    if text is None:
        raise Bad("dict with %s keys" % kind, "key " + describe(k))
    return text if text[0] in '"{' else '"' + text + '"'


def kind_of_keys(v):
    """Returns the kind that all keys of a dict have; str if they have none in common."""
    for kind in KEYS:
        if all([encode_scalar(kind, k) is not None for k in dict.keys(v)]):
            return kind
    return "str"


def encode_dict(out, keys, elem, v, depth):
    check_depth(depth)
    out.append("{")
    separator = ""
    for k, x in list(v.items()):
        quoted = encode_key(keys, k)
        if quoted.startswith("{"):
            raise Bad("dict key that is valid text", "surrogates in a row")
        out.append(separator + quoted + ":")
        separator = ","
        try:
            encode(out, elem, x, depth + 1)
        except Bad as e:
            e.path = step(k if is_a(k, str) else quoted.strip('"')) + e.path
            raise
    out.append("}")


def check_depth(depth):
    if depth >= MAX_DEPTH:
        raise Bad("at most %d nested containers" % MAX_DEPTH, "a deeper one")


ANY = ("Any", [])


def encode_any(out, t, v, depth):
    """Writes a value that describes itself."""
    if is_a(v, dict):
        keys = kind_of_keys(v)
        tag = "$dict" if keys == "str" else "$dict[%s]" % keys
        tagged = keys != "str" or next(iter(v), None) in TAGS
        out.append('{"%s":' % tag if tagged else "")
        encode_dict(out, keys, ANY, v, depth)
        out.append("}" if tagged else "")
    elif is_a(v, (set, frozenset)):
        out.append('{"$set":')
        encode_set(out, ANY, v, depth)
        out.append("}")
    elif is_a(v, list):
        encode_items(out, list.__iter__(v), lambda i: ANY, depth)
    elif is_a(v, tuple):
        out.append('{"$tuple":')
        encode_items(out, tuple.__iter__(v), lambda i: ANY, depth)
        out.append("}")
    else:
        out.append(encode_any_scalar(t, v) or encode_any_scalar(t, unwrap(v)) or refuse(t, v))


def refuse(t, v):
    raise Bad(spell(t), describe(v))


def encode_any_scalar(t, v):
    members = [a[0] for a in t[1]]
    if is_a(v, str) and "str" not in members:
        for kind in members:
            if kind in FILES:
                return '{"$%s":%s}' % (kind.lower(), encode_scalar(kind, v))
    for kind in ("None", "bool", "int", "float", "str"):
        text = encode_scalar(kind, v)
        if text is not None:
            return '{"$float":%s}' % text if kind == "float" and text.startswith('"') else text
    for kind in ("bytes", "datetime", "timedelta", "date", "time", "Decimal", "UUID"):
        text = encode_scalar(kind, v)
        if text is not None:
            return '{"$%s":%s}' % (kind.lower(), text)
    return None


def encode_scalar(kind, v):
    """Returns the JSON of v, or None if v is not of this kind."""
    if kind == "None":
        return "null" if v is None else None
    if kind == "bool":
        return ("true" if v else "false") if type(v) is bool else None
    if kind == "int":
        return encode_int(v) if is_a(v, int) and type(v) is not bool else None
    if kind == "float":
        return encode_float(v)
    if kind == "str":
        return str_text(v) if is_a(v, str) else None
    if kind == "bytes":
        return bytes_text(v) if is_a(v, (bytes, bytearray)) else None
    if kind in ("datetime", "timedelta", "date", "time"):
        return encode_time(kind, v) if times else None
    if kind in ("Decimal", "UUID"):
        return encode_rare(kind, v)
    if kind in FILES and (is_a(v, str) or hasattr(type(v), "__fspath__")):
        return '{"path":' + str_text(fspath(v)) + "}"
    return None


def encode_time(kind, v):
    """Writes a date or time; a datetime is no date here."""
    if not is_a(v, getattr(times, kind)) or kind == "date" and is_a(v, times.datetime):
        return None
    if kind == "datetime" and v != v:
        raise Bad("datetime", "NaT")
    return '"' + getattr(times, kind + "_text")(v) + '"'


def encode_rare(kind, v):
    """Writes a value of a module that is loaded, if there is one."""
    if kind == "Decimal" and is_a(v, int) and type(v) is not bool:
        return '"' + encode_int(v) + '"'
    cls = getattr(modules.get({"Decimal": "decimal", "UUID": "uuid"}[kind]), kind, None)
    return '"' + cls.__str__(v) + '"' if isinstance(cls, type) and is_a(v, cls) else None


def encode_int(v):
    if int.bit_length(v) > MAX_INT_BITS:
        raise Bad("int of at most %d bits" % MAX_INT_BITS, describe(v))
    return int.__repr__(v)


def encode_float(v):
    if is_a(v, int) and type(v) is not bool:
        try:
            f = int.__float__(v)
        except OverflowError:
            raise Bad("float", describe(v) + ", which is out of its range")
        if not float.__eq__(f, int.__int__(v)):
            raise Bad("float", describe(v) + ", " + INEXACT)
        v = f
    if not is_a(v, float):
        return None
    return float_text(v)


def unwrap(v):
    """Takes a number out of a scalar of numpy, pandas and the like."""
    item = getattr(v, "item", None)
    if callable(item) and getattr(v, "ndim", 0) == 0 and not is_a(v, (dict, list, tuple)):
        return item()
    return v


# The words of errors are in a part of their own, which few runs need.


def describe(v):
    from describe import describe

    return describe(v)


def step(k):
    from describe import step

    return step(k)
