"""Runs compiled modules with CPython's objects, to compare what they print with
what CPython prints for their source. Reads a list of [source, module] in JSON and
writes a list of [expected, got]."""
import base64
import contextlib
import inspect
import io
import json
import operator
import sys
import threading
import types
import warnings

UNBOUND = object()
INTRINSICS = {}
BINARY = [operator.add, operator.sub, operator.mul, operator.matmul, operator.truediv, operator.floordiv, operator.mod,
          operator.pow, operator.lshift, operator.rshift, operator.and_, operator.or_, operator.xor]
AUGMENTED = [operator.iadd, operator.isub, operator.imul, operator.imatmul, operator.itruediv, operator.ifloordiv,
             operator.imod, operator.ipow, operator.ilshift, operator.irshift, operator.iand, operator.ior, operator.ixor]
COMPARE = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.is_, operator.is_not,
           lambda x, y: x in y, lambda x, y: x not in y]
BINARY_NAMES = "Add Sub Mul MatMul Div FloorDiv Mod Pow LShift RShift BitAnd BitOr BitXor".split()
COMPARE_NAMES = "Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn".split()
BIN = {n: f for n, f in zip(BINARY_NAMES, BINARY)} | {"I" + n: f for n, f in zip(BINARY_NAMES, AUGMENTED)}
BIN |= {n: f for n, f in zip(COMPARE_NAMES, COMPARE)}
TESTS = {"Test" + n: f for n, f in zip(COMPARE_NAMES, COMPARE)}
for n in list(BIN):
    BIN[n + "#I"] = BIN[n + "#K"] = BIN[n]


class Cell:
    def __init__(self, value=UNBOUND):
        self.value = value


class Unpacked(Exception):
    pass


def const(c, module):
    kind, v = c
    if kind == "none":
        return None
    if kind == "bool":
        return v
    if kind == "int":
        return int(v)
    if kind == "float":
        return float.fromhex(v) if v not in ("nan", "inf") else float(v)
    if kind == "str":
        return base64.b64decode(v).decode("utf-8", "surrogatepass")
    if kind == "bytes":
        return base64.b64decode(v)
    if kind == "ellipsis":
        return ...
    if kind == "tuple":
        return tuple(const(x, module) for x in v)
    if kind == "code":
        return module.codes[v]
    if kind == "builtin":
        return getattr(module.builtins, v)
    return INTRINSICS[v]


class Code:
    pass


class Module:
    def __init__(self, d, builtins):
        self.builtins = builtins
        self.names = d["Globals"]
        self.globals = [UNBOUND] * len(self.names)
        self.codes = []
        for c in d["Codes"]:
            k = Code()
            k.__dict__.update(c)
            k.Params = k.Params or []
            self.codes.append(k)
        for k in self.codes:
            k.consts = [const(c, self) for c in k.Consts]


def bind(k, defaults, kwdefaults, args, kw):
    """Puts arguments into the registers of a frame."""
    r = [UNBOUND] * k.Regs
    name = k.QualName
    args = list(args)
    extra = args[k.Pos:]
    for i, v in enumerate(args[:k.Pos]):
        r[i] = v
    if extra and not k.Flags & 1:
        raise TypeError(f"{name}() takes {k.Pos} positional arguments but {len(args)} were given")
    rest = {}
    named = k.Params[k.PosOnly:k.Pos + k.KwOnly]
    for key, v in kw.items():
        if key in named:
            i = k.PosOnly + named.index(key)
            if r[i] is not UNBOUND:
                raise TypeError(f"{name}() got multiple values for argument '{key}'")
            r[i] = v
        elif k.Flags & 2:
            rest[key] = v
        else:
            raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
    for i in range(k.Pos):
        if r[i] is UNBOUND:
            j = i - (k.Pos - len(defaults))
            if j < 0:
                raise TypeError(f"{name}() missing 1 required positional argument: '{k.Params[i]}'")
            r[i] = defaults[j]
    for i in range(k.Pos, k.Pos + k.KwOnly):
        if r[i] is UNBOUND:
            if k.Params[i] not in kwdefaults:
                raise TypeError(f"{name}() missing 1 required keyword-only argument: '{k.Params[i]}'")
            r[i] = kwdefaults[k.Params[i]]
    n = k.Pos + k.KwOnly
    if k.Flags & 1:
        r[n] = tuple(extra)
        n += 1
    if k.Flags & 2:
        r[n] = rest
    return r


def function(m, k, cells, defaults=(), kwdefaults={}):
    def start(args, kw):
        return run(m, k, bind(k, defaults, kwdefaults, args, kw), cells)

    if k.Flags & 4 and k.Flags & 8:
        async def f(*args, **kw):
            g = start(args, kw)
            sent = None
            while True:
                try:
                    kind, value = g.send(sent)
                except StopIteration:
                    return
                if kind == "yield":
                    sent = yield value
                else:
                    @types.coroutine
                    def pause():
                        return (yield value)
                    sent = await pause()
    elif k.Flags & 8:
        @types.coroutine
        def inner(args, kw):
            return (yield from plain(start(args, kw)))

        async def f(*args, **kw):
            return await inner(args, kw)
    elif k.Flags & 4:
        def f(*args, **kw):
            return plain(start(args, kw))
    else:
        def f(*args, **kw):
            try:
                next(start(args, kw))
            except StopIteration as e:
                return e.value
    f.__name__, f.__qualname__, f.__doc__ = k.Name, k.QualName, k.Doc if k.HasDoc else None
    return f


def plain(g):
    """Drops the kinds of what a frame yields."""
    sent, method = None, g.send
    while True:
        try:
            _, value = method(sent)
        except StopIteration as e:
            return e.value
        try:
            sent, method = (yield value), g.send
        except GeneratorExit:
            g.close()
            raise
        except BaseException as e:
            sent, method = e, g.throw


def build_class(body, name, *bases, **kw):
    cell = None

    def execute(ns):
        nonlocal cell
        cell = body(ns)

    cls = types.new_class(name, bases, kw, execute)
    if cell is not None:
        cell.value = cls
    return cls


def match_keys(x, keys):
    out = []
    for k in keys:
        if k not in x:
            return None
        out.append(x[k])
    return tuple(out)


def match_class(x, cls, n, names):
    if not isinstance(x, cls):
        return None
    args = getattr(cls, "__match_args__", ())
    if n == 1 and cls in (int, str, float, bool, bytes, list, tuple, dict, set, frozenset, bytearray):
        out = [x]
    else:
        if n > len(args):
            raise TypeError(f"{cls.__name__}() accepts {len(args)} positional sub-patterns ({n} given)")
        out = []
        for a in args[:n]:
            if not hasattr(x, a):
                return None
            out.append(getattr(x, a))
    for a in names:
        if not hasattr(x, a):
            return None
        out.append(getattr(x, a))
    return tuple(out)


def active_exception():
    raise RuntimeError("No active exception to reraise")


import collections.abc as abc
INTRINSICS.update(
    active_exception=active_exception,
    build_class=build_class,
    is_sequence=lambda x: isinstance(x, abc.Sequence) and not isinstance(x, (str, bytes, bytearray)),
    is_mapping=lambda x: isinstance(x, abc.Mapping),
    match_keys=match_keys,
    match_rest=lambda x, keys: {k: v for k, v in x.items() if k not in keys},
    match_class=match_class,
)
CONVERT = {0: lambda x: x, ord("s"): str, ord("r"): repr, ord("a"): ascii}
DELEGATING = object()


def free_error(name):
    return NameError(f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope")


def local_error(name):
    return UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value")


def run(m, k, r, cells):
    pc = 0
    handling = []
    while True:
        at = pc
        try:
            op, a, b, c, kw, size = k.Code[pc]
            word = k.Words[pc + 1] if pc + 1 < len(k.Words) else 0
            pc += size
            K = k.consts
            if op in TESTS:
                if TESTS[op](r[a], r[b]) == bool(c):
                    pc += word
            elif op.endswith("#I") and op.startswith("Test"):
                if TESTS[op[:-2]](r[a], b) == bool(c):
                    pc += word
            elif op.endswith("#K") and op.startswith("Test"):
                if TESTS[op[:-2]](r[a], K[b]) == bool(c):
                    pc += word
            elif op.endswith("#I"):
                r[a] = BIN[op](r[b], c)
            elif op.endswith("#K"):
                r[a] = BIN[op](r[b], K[c])
            elif op in BIN:
                r[a] = BIN[op](r[b], r[c])
            elif op == "Move":
                r[a] = r[b]
            elif op == "Const":
                r[a] = K[kw]
            elif op == "ConstX":
                r[a] = K[word]
            elif op == "Small":
                r[a] = kw
            elif op == "Global":
                v = m.globals[kw]
                if v is UNBOUND:
                    name = m.names[kw]
                    if not hasattr(m.builtins, name):
                        raise NameError(f"name '{name}' is not defined")
                    v = getattr(m.builtins, name)
                r[a] = v
            elif op == "SetGlobal":
                m.globals[kw] = r[a]
            elif op == "DeleteGlobal":
                if m.globals[kw] is UNBOUND:
                    raise NameError(f"name '{m.names[kw]}' is not defined")
                m.globals[kw] = UNBOUND
            elif op == "NewCell":
                r[a] = Cell(r[a])
            elif op == "EmptyCell":
                r[a] = Cell()
            elif op == "Cell":
                if r[b].value is UNBOUND:
                    raise local_error(k.LocalNames[b])
                r[a] = r[b].value
            elif op == "SetCell":
                r[a].value = r[b]
            elif op == "DeleteCell":
                if r[a].value is UNBOUND:
                    raise local_error(k.LocalNames[a])
                r[a].value = UNBOUND
            elif op == "Free":
                if cells[kw].value is UNBOUND:
                    raise free_error(k.Captures[kw]["Name"])
                r[a] = cells[kw].value
            elif op == "SetFree":
                cells[kw].value = r[a]
            elif op == "DeleteFree":
                if cells[kw].value is UNBOUND:
                    raise free_error(k.Captures[kw]["Name"])
                cells[kw].value = UNBOUND
            elif op == "CheckLocal":
                if r[a] is UNBOUND:
                    if k.Flags & 32:
                        raise NameError(f"name '{k.LocalNames[a]}' is not defined")
                    raise local_error(k.LocalNames[a])
            elif op == "Unbind":
                r[a] = UNBOUND
            elif op == "ClassName":
                if K[kw] in r[0]:
                    r[a] = r[0][K[kw]]
                    pc += k.Code[pc][5]
            elif op == "SetClassName":
                r[0][K[kw]] = r[a]
            elif op == "DeleteClassName":
                if K[kw] not in r[0]:
                    raise NameError(f"name '{K[kw]}' is not defined")
                del r[0][K[kw]]
            elif op == "Neg":
                r[a] = -r[b]
            elif op == "Plus":
                r[a] = +r[b]
            elif op == "Invert":
                r[a] = ~r[b]
            elif op == "Not":
                r[a] = not r[b]
            elif op == "Test":
                if bool(r[a]) == bool(c):
                    pc += word
            elif op == "TestNone":
                if (r[a] is None) == bool(c):
                    pc += word
            elif op == "TestBound":
                if (r[a] is not UNBOUND) == bool(c):
                    pc += word
            elif op in ("Jump", "LoopRange"):
                pc += k.Words[at]
            elif op == "Iter":
                r[a] = iter(r[b])
            elif op == "ForIter":
                try:
                    r[b] = next(r[a])
                except StopIteration:
                    pc += word
            elif op == "ForPair":
                try:
                    pair = next(r[a])
                except StopIteration:
                    pc += word
                else:
                    r[b], r[b + 1] = pair
            elif op == "RangeIter":
                r[a] = iter(range(*r[a:a + 3]))
                r[a + 1] = r[a + 2] = "range state"
            elif op == "ForRange":
                try:
                    r[b] = next(r[a])
                except StopIteration:
                    pc += word
            elif op == "AsyncIter":
                r[a] = r[b].__aiter__()
            elif op == "AsyncNext":
                r[a] = r[b].__anext__()
            elif op == "List":
                r[a] = r[b:b + c]
            elif op == "Tuple":
                r[a] = tuple(r[b:b + c])
            elif op == "Set":
                r[a] = set(r[b:b + c])
            elif op == "Dict":
                r[a] = {r[b + 2 * i]: r[b + 2 * i + 1] for i in range(c)}
            elif op == "Append":
                r[a].append(r[b])
            elif op == "AddToSet":
                r[a].add(r[b])
            elif op == "Put":
                r[a][r[b]] = r[c]
            elif op == "Extend":
                r[a].extend(r[b])
            elif op == "UpdateSet":
                r[a].update(r[b])
            elif op == "Merge":
                r[a].update(r[b])
            elif op == "MergeArgs":
                for key, v in r[b].items():
                    if key in r[a]:
                        raise TypeError(f"{r[c].__qualname__}() got multiple values for keyword argument '{key}'")
                    r[a][key] = v
            elif op == "ListToTuple":
                r[a] = tuple(r[b])
            elif op == "Format":
                r[a] = format(CONVERT[c](r[b]), "")
            elif op == "FormatSpec":
                r[a] = format(r[b], r[c])
            elif op == "Convert":
                r[a] = CONVERT[c](r[b])
            elif op == "Join":
                r[a] = "".join(r[b:b + c])
            elif op == "Item":
                r[a] = r[b][r[c]]
            elif op == "ItemI":
                r[a] = r[b][c]
            elif op == "ItemK":
                r[a] = r[b][K[c]]
            elif op == "SetItem":
                r[a][r[b]] = r[c]
            elif op == "SetItemK":
                r[a][K[b]] = r[c]
            elif op == "DeleteItem":
                del r[a][r[b]]
            elif op == "Slice":
                r[a] = slice(r[b], r[b + 1], r[b + 2])
            elif op == "ItemSlice":
                r[a] = r[b][r[c]:r[c + 1]:r[c + 2]]
            elif op == "Unpack":
                unpack(r, a, r[b], c)
            elif op == "UnpackStar":
                v = list(r[b])
                if len(v) < c + word:
                    raise ValueError(f"not enough values to unpack (expected at least {c + word}, got {len(v)})")
                r[a:a + c + 1 + word] = v[:c] + [v[c:len(v) - word]] + v[len(v) - word:]
            elif op == "Attr":
                r[a] = getattr(r[b], K[word])
            elif op == "SetAttr":
                setattr(r[a], K[word], r[b])
            elif op == "DeleteAttr":
                delattr(r[a], K[word])
            elif op == "CheckAttr":
                getattr(r[a], K[word])
            elif op == "Special":
                try:
                    r[a] = getattr(type(r[b]), K[word]).__get__(r[b])
                except AttributeError:
                    raise TypeError(f"'{type(r[b]).__name__}' object does not support the context manager protocol") from None
            elif op == "AsFuture":
                pass
            elif op in ("Call", "CallKw", "CallMethod", "CallMethodKw", "CallEx"):
                named = {}
                if op == "CallEx":
                    fn, args, named = r[a], r[a + 1], r[a + 2] or {}
                else:
                    fn, args = r[a], r[a + 1:a + 1 + b]
                    if "Method" in op:
                        fn = getattr(fn, K[word])
                    if "Kw" in op:
                        names = K[k.Words[at + 2] if "Method" in op else word]
                        n = len(args) - len(names)
                        named = dict(zip(names, args[n:]))
                        args = args[:n]
                for i in range(a, k.Regs):
                    r[i] = UNBOUND
                r[c] = fn(*args, **named)
            elif op == "CallSuper":
                r[c] = super(r[a].value if isinstance(r[a], Cell) else r[a], r[b])
            elif op == "Function":
                f = K[word]
                held = [r[p["Index"]] if p["Local"] else cells[p["Index"]] for p in f.Captures]
                assert all(isinstance(x, Cell) for x in held), (k.QualName, f.QualName, f.Captures)
                r[a] = function(m, f, held, r[a + 1] if c & 1 else (), r[a + 2] if c & 2 else {})
            elif op == "Return":
                return r[a]
            elif op == "ReturnNone":
                return None
            elif op == "Yield":
                r[a] = yield "yield", r[b]
            elif op == "Delegate":
                r[c] = yield from delegate(r[a], r[b])
            elif op == "Awaitable":
                r[a] = awaitable(r[b])
            elif op == "AwaitTop":
                r[a] = top(r[b])
            elif op == "Raise":
                if c:
                    raise r[a] from r[b]
                raise r[a]
            elif op == "Reraise":
                raise r[a]
            elif op == "MatchExcept":
                r[a] = matches(r[b], r[c])
            elif op == "EndExcept":
                r[a] = UNBOUND
            elif op == "Import":
                __import__(K[word])
                r[a] = sys.modules[K[word]]
            elif op == "ImportName":
                if not hasattr(r[b], K[word]):
                    raise ImportError(f"cannot import name '{K[word]}' from '{r[b].__name__}'")
                r[a] = getattr(r[b], K[word])
            else:
                raise SystemExit("unknown op " + op)
        except SystemExit:
            raise
        except BaseException as e:
            for h in k.Handlers or ():
                if h["Start"] <= at < h["End"]:
                    r[h["Reg"]] = e
                    pc = h["Target"]
                    break
            else:
                if isinstance(e, StopIteration):
                    raise Wrapped(e)
                raise


class Wrapped(RuntimeError):
    """StopIteration may not leave a Python generator."""


def matches(e, classes):
    try:
        raise e
    except classes:
        return True
    except BaseException:
        return False


def unpack(r, a, v, n):
    v = list(v)
    if len(v) > n:
        raise ValueError(f"too many values to unpack (expected {n})")
    if len(v) < n:
        raise ValueError(f"not enough values to unpack (expected {n}, got {len(v)})")
    r[a:a + n] = v


def delegate(it, sent):
    def inner():
        return (yield from it)
    g, method = inner(), None
    method = g.send
    while True:
        try:
            value = method(sent)
        except StopIteration as e:
            return e.value
        try:
            sent, method = (yield "await", value), g.send
        except GeneratorExit:
            g.close()
            raise
        except BaseException as e:
            sent, method = e, g.throw


def awaitable(x):
    if inspect.iscoroutine(x):
        return x.__await__()
    return type(x).__await__(x)


def top(x):
    it = awaitable(x)
    while True:
        try:
            next(it)
        except StopIteration as e:
            return e.value


def outcome(f):
    out = io.StringIO()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20000)
    with contextlib.redirect_stdout(out):
        try:
            f()
        except BaseException as e:
            while isinstance(e, Wrapped):
                e = e.args[0]
            print(f"{type(e).__name__}: {e}")
    sys.setrecursionlimit(limit)
    return out.getvalue()


def main():
    import builtins
    import ast
    answers = []
    for source, d in json.load(sys.stdin):
        def expected():
            ns = {"__name__": "x"}
            k = compile(source, "x.py", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            result = eval(k, ns)
            if inspect.iscoroutine(result):
                top(result)

        def got():
            m = Module(d, builtins)
            if "__name__" in m.names:
                m.globals[m.names.index("__name__")] = "x"
            function(m, m.codes[0], [])()
        answers.append([outcome(expected), outcome(got)])
    json.dump(answers, sys.stdout)


threading.stack_size(1 << 29)
warnings.simplefilter("ignore")
thread = threading.Thread(target=main)
thread.start()
thread.join()
