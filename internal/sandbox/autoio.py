"""Runs one piece of Python with typed inputs and collects its typed outputs.

Usage: python3 autoio.py JOB

JOB is a JSON file: the name and path of the source, inputs and outputs with
their types, and where the result goes. Inputs become variables of a fresh
module __main__, the source runs there under its own name, and the variables
that are declared as outputs are written to the result. Values are in the JSON
encoding of Glovebox's types.

The code that runs is hostile or broken. It can give wrong outputs, because
they are its own, but it must not be able to make this program crash, hang or
blame the wrong thing. So everything used after the code has run is bound
before: builtins are a private copy, and functions are imported by name.

Runs on CPython 3.8 and later with the standard library, of which it imports as
little as it can, because every import delays every run.
"""

import builtins

# Names are looked up here first, whatever happens to the real builtins. What
# the interpreter itself asks for, such as __import__, comes from the copy.
globals().update({k: v for k, v in builtins.__dict__.items() if not k.startswith("__")})
__builtins__ = dict(builtins.__dict__)

import sys
from os import (
    O_CLOEXEC, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY, close, fspath, getpid, link, listdir, lstat, mkdir, open as os_open,
    path, replace, unlink, write,
)
from binascii import a2b_base64, b2a_base64
from _stat import S_ISDIR as is_dir
from sys import getrecursionlimit, setprofile, setrecursionlimit, settrace

# Module json would bring module re with it, and both are slow to import.
from _codecs import utf_16_le_decode, utf_16_le_encode
from _json import encode_basestring, encode_basestring_ascii, make_scanner

get_digits = getattr(sys, "get_int_max_str_digits", lambda: 0)
set_digits = getattr(sys, "set_int_max_str_digits", lambda n: None)
exit_code = SystemExit.code.__get__

MAX_DEPTH = 200  # containers within containers
MAX_INT_BITS = 332192  # of an int, about 100000 digits
MAX_TEXT = 64 << 10  # characters of a message or a traceback in the result
MAX_STDERR = 1 << 20  # characters of the traceback on stderr
MAX_FRAMES = 100
SHORT = 60  # characters of a value in a message
FILES = ("File", "Dir", "DataFrame")
STAGE = ".glovebox."  # in front of the name of an output, the directory of its files
OWN_FILE = (lambda: None).__code__.co_filename


class Grammar:
    """What the JSON scanner of the interpreter wants to know."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, None


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


def needs_datetime(t):
    kind, args = t
    if kind in ("datetime", "timedelta", "Any", "Union"):
        return True
    return any([needs_datetime(a) for a in args])


def item_type(t, i):
    args = t[1]
    if len(args) == 2 and args[1][0] == "...":
        return args[0]
    return args[i]


class Clock:
    """The types of module datetime, which is imported only where it can matter."""

    datetime = timedelta = timezone = None

    def load(self):
        import datetime

        self.datetime, self.timedelta, self.timezone = datetime.datetime, datetime.timedelta, datetime.timezone


clock = Clock()


# Inputs: from parsed JSON to Python values.


def decode(t, v):
    kind, args = t
    if kind == "Optional":
        return None if v is None else decode(args[0], v)
    if kind in ("Any", "Union"):
        return decode_any(v)
    if kind == "list":
        return [decode(args[0], x) for x in v]
    if kind == "dict":
        return {k: decode(args[1], x) for k, x in v.items()}
    if kind == "tuple":
        return tuple([decode(item_type(t, i), x) for i, x in enumerate(v)])
    return decode_scalar(kind, v)


def decode_scalar(kind, v):
    if kind == "float":
        return float(v)
    if kind == "bytes":
        return a2b_base64(v)
    if kind == "datetime":
        return decode_datetime(v)
    if kind == "timedelta":
        return decode_timedelta(v)
    if kind == "str" and type(v) is dict:
        return a2b_base64(v["$str"]).decode("utf-8", "surrogatepass")
    if kind in FILES and type(v) is dict:
        return v["path"]
    return v


TAGS = {
    "$float": "float", "$str": "str", "$bytes": "bytes", "$datetime": "datetime", "$timedelta": "timedelta",
    "$file": "File", "$dir": "Dir", "$dataframe": "DataFrame", "$tuple": "tuple", "$dict": "dict",
}


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
    return decode_scalar(TAGS[tag], v if tag == "$str" else v[tag])


def decode_datetime(text):
    """Reads isoformat(). Offsets are read here, because fromisoformat() loses
    those of less than a second."""
    at = max(text.find("+", 19), text.find("-", 19))
    if at < 0:
        return clock.datetime.fromisoformat(text)
    hours, minutes, seconds = (text[at + 1 :] + ":0").split(":")[:3]
    whole, _, micros = seconds.partition(".")
    offset = clock.timedelta(0, int(whole), int(micros or 0), 0, int(minutes), int(hours))
    zone = clock.timezone(-offset if text[at] == "-" else offset)
    return clock.datetime.fromisoformat(text[:at]).replace(tzinfo=zone)


def decode_timedelta(text):
    """Reads [-]P[nD][Tn[.f]S]."""
    negative = text.startswith("-")
    days, _, seconds = text.lstrip("-")[1:].partition("T")
    whole, _, fraction = (seconds[:-1] or "0").partition(".")
    micros = int((fraction + "000000")[:6])
    value = clock.timedelta(int(days[:-1] or 0), int(whole), micros)
    return -value if negative else value


# Outputs: from Python values to JSON. Values are what hostile code made, so
# their own methods are not trusted: types are asked with type(), and contents
# with the methods of the builtin types.


def is_a(v, cls):
    return cls is not None and issubclass(type(v), cls)


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
    elif kind == "tuple" and is_a(v, tuple) and tuple_fits(t, v):
        encode_items(out, tuple.__iter__(v), lambda i: item_type(t, i), depth)
    elif kind == "dict" and is_a(v, dict):
        encode_dict(out, args[1], v, depth)
    else:
        text = encode_scalar(kind, v)
        if text is None:
            text = encode_scalar(kind, unwrap(v))
        if text is None:
            raise Bad(spell(t), describe(v))
        out.append(text)


def tuple_fits(t, v):
    args = t[1]
    return len(args) == 2 and args[1][0] == "..." or tuple.__len__(v) == len(args)


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


def encode_dict(out, elem, v, depth):
    check_depth(depth)
    out.append("{")
    separator = ""
    for k, x in list(v.items()):
        if not is_a(k, str):
            raise Bad("dict with str keys", "key " + describe(k))
        quoted = encode_str(k)
        if quoted.startswith("{"):
            raise Bad("dict key that is valid text", "surrogates in a row")
        out.append(separator + quoted + ":")
        separator = ","
        try:
            encode(out, elem, x, depth + 1)
        except Bad as e:
            e.path = step(k) + e.path
            raise
    out.append("}")


def step(k):
    if str.isidentifier(k) and str.isascii(k) and len(k) <= 40:
        return "." + k
    return "[" + short(k) + "]"


def check_depth(depth):
    if depth >= MAX_DEPTH:
        raise Bad("at most %d nested containers" % MAX_DEPTH, "a deeper one")


ANY = ("Any", [])


def encode_any(out, t, v, depth):
    """Writes a value that describes itself."""
    if is_a(v, dict):
        tagged = next(iter(v), None) in TAGS
        out.append('{"$dict":' if tagged else "")
        encode_dict(out, ANY, v, depth)
        out.append("}" if tagged else "")
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
    for kind in ("bytes", "datetime", "timedelta"):
        text = encode_scalar(kind, v)
        if text is not None:
            return '{"$%s":%s}' % (kind, text)
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
        return encode_str(v) if is_a(v, str) else None
    if kind == "bytes":
        return '"' + b2a_base64(v, newline=False).decode() + '"' if is_a(v, (bytes, bytearray)) else None
    if kind == "datetime":
        return encode_datetime(v) if is_a(v, clock.datetime) else None
    if kind == "timedelta":
        return encode_timedelta(v) if is_a(v, clock.timedelta) else None
    if kind in FILES and (is_a(v, str) or hasattr(type(v), "__fspath__")):
        return '{"path":' + encode_str(fspath(v)) + "}"
    return None


def encode_int(v):
    if int.bit_length(v) > MAX_INT_BITS:
        raise Bad("int of at most %d bits" % MAX_INT_BITS, describe(v))
    return int.__repr__(v)


def encode_float(v):
    if is_a(v, int) and type(v) is not bool:
        try:
            v = int.__float__(v)
        except OverflowError:
            raise Bad("float", describe(v) + ", which is out of its range")
    if not is_a(v, float):
        return None
    text = float.__repr__(v)
    return {"nan": '"NaN"', "inf": '"Infinity"', "-inf": '"-Infinity"'}.get(text, text)


def encode_str(v):
    try:
        str.encode(v)
        return encode_basestring(v)
    except UnicodeEncodeError:
        pass
    halves, _ = utf_16_le_encode(v, "surrogatepass")
    merged, _ = utf_16_le_decode(halves, "surrogatepass", True)
    if len(merged) == str.__len__(v):
        return encode_basestring_ascii(v)
    # JSON would read a high surrogate and a low one as one character.
    return '{"$str":"' + b2a_base64(str.encode(v, "utf-8", "surrogatepass"), newline=False).decode() + '"}'


def encode_datetime(v):
    if v != v:
        raise Bad("datetime", "NaT")
    return '"' + clock.datetime.isoformat(v) + '"'


def encode_timedelta(v):
    days, seconds, micros = v.days, v.seconds, v.microseconds
    sign = ""
    if days < 0:
        sign = "-"
        total = -((days * 86400 + seconds) * 1000000 + micros)
        rest, micros = divmod(total, 1000000)
        days, seconds = divmod(rest, 86400)
    return '"%sP%dDT%d.%06dS"' % (sign, days, seconds, micros)


def unwrap(v):
    """Takes a number out of a scalar of numpy, pandas and the like."""
    item = getattr(v, "item", None)
    if callable(item) and getattr(v, "ndim", 0) == 0 and not is_a(v, (dict, list, tuple)):
        return item()
    return v


def describe(v):
    """Names the type of v and shows a little of it, without calling its code."""
    cls = type(v)
    if v is None:
        return "None"
    if cls is bool:
        return "bool " + repr(v)
    if cls is int:
        return "int of %d bits" % v.bit_length() if v.bit_length() > 200 else "int %d" % v
    if cls is float:
        return "float " + repr(v)
    if cls is str:
        return "str " + short(v)
    name = type.__getattribute__(cls, "__name__")[:SHORT]
    for known in (list, tuple, dict, set, frozenset, bytes, bytearray):
        if issubclass(cls, known):
            return "%s of length %d" % (name, known.__len__(v))
    module = type.__getattribute__(cls, "__module__")
    if type(module) is str and module not in ("builtins", "__main__"):
        name = module[:SHORT] + "." + name
    return name


def short(text):
    return encode_basestring_ascii(text[:SHORT]) + ("..." if len(text) > SHORT else "")


# Errors: what went wrong, as JSON for the host and as text for stderr.


class Failure(Exception):
    """Ends the run with an error in the result."""

    def __init__(self, status, stderr, **error):
        self.status, self.stderr, self.error = status, stderr, error


def bound(text, limit):
    if len(text) <= limit:
        return text
    return "%s\n[... %d characters left out ...]\n%s" % (text[: limit // 2], len(text) - limit, text[-limit // 2 :])


def text_of(exc):
    try:
        return bound(str(exc), MAX_TEXT)
    except BaseException:
        return "<exception str() failed>"


def type_of(exc):
    cls = type(exc)
    name = type.__getattribute__(cls, "__qualname__")
    module = type.__getattribute__(cls, "__module__")
    if type(module) is not str or module in ("builtins", "__main__"):
        return name
    return module + "." + name


def python_failure(kind, exc, source):
    """Turns an exception of the code into a Failure."""
    status = 130 if is_a(exc, KeyboardInterrupt) else 1
    try:
        own, full, frames = source.render(exc, kind == "syntax_error")
    except BaseException:  # such as no memory, or an exception that defeats the traceback module
        own = full = "Traceback (most recent call last):\n%s: %s\n" % (type_of(exc), text_of(exc))
        frames = source.frames(exc)
    message = text_of(exc)
    if kind == "syntax_error" and is_a(exc, SyntaxError):
        message = str(exc.msg)
    return Failure(
        status, bound(full, MAX_STDERR), kind=kind, type=type_of(exc), message=message,
        frames=frames, traceback=bound(own, MAX_TEXT),
    )


class Source:
    """The code that runs: its text as it was written, and as it is compiled."""

    def __init__(self, name, where):
        self.name, self.where = name, where
        self.dir = path.dirname(where)
        self.indent, self.text = 0, ""
        self.library = sys.path[:]
        if self.library and self.library[0] == path.dirname(path.abspath(OWN_FILE)):
            del self.library[0]

    def read(self):
        with open(self.where, "rb") as f:
            self.text = f.read().decode("utf-8")
        if self.text.startswith("\ufeff"):
            self.text = self.text[1:]
        margin = common_margin(self.text)
        self.indent = len(margin)
        if margin:
            self.text = "\n".join([line[len(margin) :] for line in self.text.split("\n")])

    def get_source(self, name):
        """For module linecache, which asks the loader of a module."""
        return self.text

    def own(self, filename):
        return filename == self.name or filename.startswith(self.dir + "/") and "/site-packages/" not in filename

    def render(self, exc, syntax):
        """Returns the traceback with the user's frames alone, with all but
        ours, and the frames."""
        linecache, traceback = self.load_traceback()
        if syntax and self.indent:  # the interpreter has read the line from the file
            exc.text = self.raw_line(exc.lineno) + "\n"
        lines = [line + "\n" for line in self.text.split("\n")]
        linecache.cache[self.name] = (len(self.text), None, lines, self.name)
        tree = traceback.TracebackException(type(exc), exc, None if syntax else exc.__traceback__)
        filter_frames(tree, lambda f: f.filename != OWN_FILE)
        full = "".join(tree.format())
        filter_frames(tree, lambda f: self.own(f.filename))
        frames = self.syntax_frame(exc) if syntax else self.frames(exc)
        return "".join(tree.format()), full, frames

    def load_traceback(self):
        # The code's own folder must not shadow what these modules import.
        shown, sys.path = sys.path, self.library
        try:
            import linecache
            import traceback
        finally:
            sys.path = shown
        return linecache, traceback

    def syntax_frame(self, exc):
        line = getattr(exc, "lineno", None) or 0
        column = getattr(exc, "offset", None) or 0
        if column > 0:
            column += self.indent
        return [{"file": self.name, "line": line, "column": max(column, 0), "source": self.line(self.name, line)}]

    def frames(self, exc):
        frames = []
        tb = exc.__traceback__
        while tb is not None:
            code = tb.tb_frame.f_code
            if self.own(code.co_filename) and tb.tb_lineno:
                frames.append(self.frame(code, tb.tb_lineno, tb.tb_lasti))
                if len(frames) > MAX_FRAMES:
                    del frames[MAX_FRAMES // 2]
            tb = tb.tb_next
        return frames

    def frame(self, code, line, lasti):
        return {
            "file": code.co_filename, "line": line, "column": self.column(code, line, lasti),
            "function": getattr(code, "co_qualname", code.co_name), "source": self.line(code.co_filename, line),
        }

    def column(self, code, line, lasti):
        """Counts characters from 1; 0 before Python 3.11, which does not say."""
        if not hasattr(code, "co_positions") or code.co_filename != self.name:
            return 0
        for i, (start, _, col, _) in enumerate(code.co_positions()):
            if i == lasti // 2:
                if start != line or col is None:
                    return 0
                return len(self.raw_line(line).encode("utf-8", "replace")[:col].decode("utf-8", "replace")) + 1 + self.indent
        return 0

    def raw_line(self, line):
        lines = self.text.split("\n")
        return lines[line - 1] if 0 < line <= len(lines) else ""

    def line(self, filename, line):
        return self.raw_line(line).strip()[:500] if filename == self.name else ""


def common_margin(text):
    """The white space that every line begins with, but for blank lines."""
    margin = None
    for line in text.split("\n"):
        body = line.lstrip(" \t")
        if not body.strip():
            continue
        space = line[: len(line) - len(body)]
        if margin is None:
            margin = space
        while not space.startswith(margin):
            margin = margin[:-1]
        if not margin:
            return ""
    return margin or ""


def filter_frames(tree, keep):
    """Drops frames from an exception, its causes, contexts and groups."""
    todo, seen = [tree], set()
    while todo:
        t = todo.pop()
        if t is None or id(t) in seen:
            continue
        seen.add(id(t))
        t.stack[:] = [f for f in t.stack if keep(f)]
        todo += [t.__cause__, t.__context__] + (getattr(t, "exceptions", None) or [])


# The run.


def read_job(where):
    digits = get_digits()
    set_digits(0)
    with open(where, "rb") as f:
        text = f.read().decode("utf-8").strip()
    job, _ = make_scanner(Grammar())(text, 0)
    for p in job["inputs"] + job["outputs"]:
        p["type"] = parse_type(p["type"])
        if needs_datetime(p["type"]) and clock.datetime is None:
            clock.load()
    set_digits(digits)
    return job


def compile_source(source):
    try:
        source.read()
        return compile(source.text, source.name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as e:
        raise python_failure("syntax_error", e, source)


def fresh_main(source, inputs):
    module = type(sys)("__main__")
    module.__file__, module.__loader__, module.__builtins__ = source.where, source, builtins
    for p in inputs:
        module.__dict__[p["name"]] = decode(p["type"], p["value"])
    sys.modules["__main__"] = module
    sys.argv = [source.name]
    if len(sys.path) > len(source.library):  # not with -P or -I
        sys.path[0] = source.dir
    return module.__dict__


def run_code(code, namespace, source):
    try:
        try:
            exec(code, namespace)
        finally:
            # A trace function that raises is off by that, so twice is enough.
            for off in (settrace, setprofile, settrace, setprofile):
                try:
                    off(None)
                except BaseException:
                    pass
    except SystemExit as e:
        status = exit_code(e)
        if status is not None and not (is_a(status, int) and int.__eq__(status, 0)):
            raise
    except BaseException as e:
        raise python_failure("python_exception", e, source)


def restore_interpreter():
    """Takes back what the code may have set and what would be in our way, also
    when Python ends."""
    setrecursionlimit(max(getrecursionlimit(), 10000))
    for name in ("stdout", "stderr"):
        if not callable(getattr(getattr(sys, name, None), "flush", None)):
            setattr(sys, name, None)


def collect(outputs, namespace, outputs_dir):
    """Returns the JSON of the values and the names that are files."""
    values, files = [], []
    for p in outputs:
        name, t = p["name"], required(p["type"])
        if t[0] in FILES:
            save_frame(namespace.get(name), path.join(outputs_dir, name), p)
        if t[0] in FILES or name not in namespace and lists_files(t):
            files.append(name)
            continue
        if name not in namespace:
            raise Failure(1, "", kind="missing_output", name=name, message="the code assigns no variable " + name)
        values.append((name, encode_output(p, namespace[name])))
        if lists_files(t) and namespace[name] is not None:
            stage(p, namespace[name], outputs_dir)
    return values, files


def required(t):
    return t[1][0] if t[0] == "Optional" else t


def lists_files(t):
    """Whether t is a list, a dict or a tuple of files."""
    return t[0] in ("list", "dict", "tuple") and any([a[0] in FILES for a in t[1]])


def stage(p, v, outputs_dir):
    """Puts the files that a variable lists where the host takes them, as 0, 1
    and so on, by links: the code may list a file twice, and want it elsewhere."""
    at = where = source = ""
    try:
        where = path.join(outputs_dir, STAGE + p["name"])
        mkdir(where, 0o700)
        for i, (at, item) in enumerate(steps(v)):
            source = path.normpath(fspath(item))
            if not source.startswith(outputs_dir + "/"):
                raise Bad("a path below %s/" % outputs_dir, short(source))
            link_tree(source, path.join(where, "%d" % i))
    except Bad as e:
        raise bad_output(p, at, e.expected, e.got)
    except FileNotFoundError:
        raise bad_output(p, at, "a file that exists", short(source) + ", which is not there")
    except BaseException as e:
        raise bad_output(p, at, "a file", "one that cannot be taken: %s: %s" % (type_of(e), text_of(e)[:500]))


def steps(v):
    """The items of a collection, each with how one gets there."""
    if is_a(v, dict):
        return [(step(k), x) for k, x in list(v.items())]
    return [("[%d]" % i, x) for i, x in enumerate(list.__iter__(v) if is_a(v, list) else tuple.__iter__(v))]


def link_tree(source, target):
    if not is_dir(lstat(source).st_mode):
        link(source, target, follow_symlinks=False)
        return
    mkdir(target, 0o700)
    for name in listdir(source):
        link_tree(source + "/" + name, target + "/" + name)


def encode_output(p, v):
    out = []
    try:
        encode(out, p["type"], v)
        return "".join(out)
    except Bad as e:
        raise bad_output(p, e.path, e.expected, e.got)
    except BaseException as e:
        got = "%s, which cannot be read: %s: %s" % (describe(v), type_of(e), text_of(e)[:500])
        raise bad_output(p, "", spell(p["type"]), got)


def save_frame(v, where, p):
    """Writes a table that the code left in a variable and not in its file."""
    if required(p["type"])[0] != "DataFrame" or v is None or path.lexists(where):
        return
    try:
        save = getattr(v, "to_parquet", None) or getattr(v, "write_parquet", None)
        if callable(save):
            save(where)
    except BaseException as e:
        got = "%s, which cannot be written: %s: %s" % (describe(v), type_of(e), text_of(e)[:500])
        raise bad_output(p, "", "DataFrame", got)


def bad_output(p, where, expected, got):
    name = p["name"]
    message = "output %s%s: expected %s, got %s" % (name, where, expected, got)
    if where:
        got += " at " + name + where
    return Failure(1, "", kind="bad_output", name=name, expected=expected, got=got, message=message)


def plain(v):
    """Writes the JSON of what this program itself has to say."""
    if is_a(v, dict):
        return "{%s}" % ",".join([encode_basestring_ascii(k) + ":" + plain(x) for k, x in v.items()])
    if is_a(v, list):
        return "[%s]" % ",".join([plain(x) for x in v])
    return "%d" % v if is_a(v, int) else encode_basestring_ascii(v)


def write_result(where, text):
    """Puts the result in its place at once, or not at all."""
    partial = where + ".partial"
    try:
        unlink(partial)
    except OSError:
        pass
    fd = os_open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    left = memoryview(text.encode("utf-8"))
    while left:
        left = left[write(fd, left) :]
    close(fd)
    replace(partial, where)


def show(failure):
    """Prints what Python would print of an exception."""
    try:
        sys.stderr.write(failure.stderr)
        sys.stderr.flush()
    except BaseException:  # the code closed or replaced it
        pass


def run(job, source):
    """Returns the variables that the code leaves, or raises Failure."""
    digits = get_digits()
    set_digits(0)
    code = compile_source(source)
    namespace = fresh_main(source, job["inputs"])
    set_digits(digits)
    run_code(code, namespace, source)
    return namespace


def success(job, namespace):
    """Returns the result of code that ended well, or raises Failure."""
    digits = get_digits()
    set_digits(0)
    values, files = collect(job["outputs"], namespace, job.get("outputs_dir", "/var/outputs"))
    set_digits(digits)
    outputs = ",".join([plain(name) + ":" + text for name, text in values])
    return '{"ok":true,"outputs":{%s},"file_outputs":%s}' % (outputs, plain(files))


def main(job_file):
    parent = getpid()
    job = read_job(job_file)
    source = Source(job["file"], job["source_path"])
    status = 0
    try:
        namespace = run(job, source)
        restore_interpreter()
        if getpid() != parent:  # a child that the code forked and let run on
            return 0
        result = success(job, namespace)
    except Failure as e:
        restore_interpreter()
        show(e)
        status, result = e.status, '{"ok":false,"error":%s}' % plain(e.error)
    if getpid() == parent:
        write_result(job["result_path"], result)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
