# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
# The classes, their arguments, text and repr.
for cls in [BaseException, Exception, ValueError, TypeError, KeyError, IndexError, LookupError, ArithmeticError, ZeroDivisionError, OverflowError, AttributeError, NameError, RuntimeError, RecursionError, NotImplementedError, StopIteration, AssertionError, OSError, UnicodeError, ImportError, EOFError, TimeoutError, PermissionError, FileNotFoundError, FloatingPointError, BufferError, MemoryError, ModuleNotFoundError, UnboundLocalError, StopAsyncIteration, GeneratorExit, KeyboardInterrupt, SystemExit, Warning, UserWarning, DeprecationWarning, ConnectionError]:
    for args in [(), ("m",), ("it's",), (5,), (None,), ([1],), ("a", 1)]:
        e = cls(*args)
        print([str(e), repr(e), e.args, isinstance(e, Exception)])
    print(cls, cls.__name__, [c.__name__ for c in cls.mro()])
# ---
# What common mistakes say.
d, l, s, n = {"k": 1}, [1, 2], "text", None
t(lambda: d["missing"])
t(lambda: d[5])
t(lambda: d[("a", 1)])
t(lambda: d["it's"])
t(lambda: l[10])
t(lambda: l["a"])
t(lambda: s[10])
t(lambda: n[0])
t(lambda: n())
t(lambda: n.x)
t(lambda: n + 1)
t(lambda: len(n))
t(lambda: [x for x in n])
t(lambda: n < 1)
t(lambda: -n)
t(lambda: n > n)
t(lambda: int("12a"))
t(lambda: int(""))
t(lambda: int(None))
t(lambda: float("x"))
t(lambda: s + 5)
t(lambda: 5 + s)
t(lambda: s * s)
t(lambda: s - "t")
t(lambda: s.missing)
t(lambda: l.missing)
t(lambda: d.missing)
t(lambda: (1).missing)
t(lambda: (1.5).missing)
t(lambda: True.missing)
t(lambda: ().missing)
t(lambda: {1}.missing)
t(lambda: b"".missing)
t(lambda: range(1).missing)
t(lambda: (lambda: 0).missing)
t(lambda: (x for x in []).missing)
t(lambda: int.missing)
t(lambda: Exception().missing)
t(lambda: len.missing)
t(lambda: l.append.missing)
t(lambda: missing)
t(lambda: missing())
t(lambda: missing.x)
t(lambda: pritn("x"))
t(lambda: 1 / 0)
t(lambda: 1 // 0)
t(lambda: 1 % 0)
t(lambda: 1.0 / 0)
t(lambda: 1.0 // 0)
t(lambda: 1.0 % 0)
t(lambda: 0 ** -1)
t(lambda: divmod(1, 0))
t(lambda: divmod(1.0, 0))
t(lambda: [].pop())
t(lambda: {}.popitem())
t(lambda: set().pop())
t(lambda: {}.pop("x"))
t(lambda: [].remove(1))
t(lambda: [].index(1))
t(lambda: "".index("x"))
t(lambda: ().index(1))
t(lambda: set().remove(1))
t(lambda: max([]))
t(lambda: min(()))
t(lambda: next(iter([])))
t(lambda: chr(-1))
t(lambda: ord("ab"))
t(lambda: "abc"())
t(lambda: [1]())
t(lambda: (1)(2))
t(lambda: d())
t(lambda: sorted([1, "a", None]))
t(lambda: sum([1, "a"]))
t(lambda: "".join([1]))
t(lambda: {[1]: 2})
t(lambda: {{}})
t(lambda: hash([1]))
t(lambda: hash({}))
t(lambda: [1] + (1,))
t(lambda: (1,) + [1])
t(lambda: {} + {})
t(lambda: [1, 2] * [3])
t(lambda: "%d" % "x")
t(lambda: "{}".format())
t(lambda: "{x}".format())
t(lambda: range(0, 1, 0))
t(lambda: round("1.5"))
t(lambda: abs("x"))
t(lambda: pow("x", 2))
t(lambda: isinstance(1, 1))
t(lambda: iter(1))
t(lambda: reversed(1))
t(lambda: enumerate(1))
t(lambda: zip(1))
t(lambda: list(1))
t(lambda: dict(1))
t(lambda: set(1))
t(lambda: tuple(1))
t(lambda: 1 in 1)
t(lambda: 1 in "a")
t(lambda: "a" < 1)
t(lambda: [] < {})
t(lambda: 1 < None)
t(lambda: (1, 2) < (1, "a"))
t(lambda: not_defined_anywhere + 1)
t(lambda: "abc".encode("nope"))
t(lambda: b"\xff".decode())
t(lambda: "\ud800".encode())
t(lambda: 10 ** 400 * 1.0)
t(lambda: int("1" * 4301))
t(lambda: 1 if undefined_flag else 2)
t(lambda: [][0])
t(lambda: ()[0])
t(lambda: ""[0])
t(lambda: b""[0])
t(lambda: range(0)[0])
t(lambda: {}[0])
# ---
# try, except, else, finally: the paths.
def path(kind):
    log = []
    try:
        log.append("try")
        if kind == "value": raise ValueError("v")
        if kind == "key": raise KeyError("k")
        if kind == "type": raise TypeError("t")
        if kind == "return": return log
    except ValueError:
        log.append("value")
    except (KeyError, IndexError) as e:
        log.append("lookup " + repr(e))
    else:
        log.append("else")
    finally:
        log.append("finally")
    log.append("after")
    return log
for kind in ["none", "value", "key", "return"]:
    print(path(kind))
t(lambda: path("type"))
def returns(k):
    try:
        if k == 1: return "try"
        if k == 2: raise ValueError
        return "end"
    except ValueError:
        return "except"
    finally:
        if k == 3: return "finally wins"
        print("cleanup", k)
print([returns(k) for k in range(4)])
def loops():
    out = []
    for i in range(5):
        try:
            if i == 1: continue
            if i == 3: break
            out.append(i)
        finally:
            out.append(f"f{i}")
    else:
        out.append("else")
    return out
print(loops())
def override():
    try:
        raise ValueError("lost")
    finally:
        return "swallowed"
print(override())
def loop_finally():
    for i in range(3):
        try:
            raise ValueError
        finally:
            continue
    return "continued"
print(loop_finally())
def nested():
    log = []
    try:
        try:
            raise ValueError("inner")
        except KeyError:
            log.append("no")
        finally:
            log.append("inner finally")
    except ValueError as e:
        log.append("outer " + str(e))
        try:
            raise TypeError("second")
        except TypeError as e2:
            log.append(str(e2))
        finally:
            log.append("f2")
    finally:
        log.append("outer finally")
    return log
print(nested())
def reraise():
    try:
        try:
            1 / 0
        except ZeroDivisionError:
            raise
    except ArithmeticError as e:
        return type(e).__name__
print(reraise())
def while_try():
    n = 0
    while True:
        try:
            n += 1
            if n < 3: raise ValueError
        except ValueError:
            continue
        else:
            return n
        finally:
            n += 10
print(while_try())
def gen_finally():
    try:
        for i in range(3):
            try:
                yield i
            finally:
                print("f", i)
    finally:
        print("outer")
print(list(gen_finally()))
x = 5
def finally_sees():
    try:
        return x
    finally:
        globals_changed()
def globals_changed():
    global x
    x = 6
print(finally_sees(), x)
# ---
# raise in all its forms.
def r1(): raise ValueError
def r2(): raise ValueError()
def r3(): raise ValueError("text")
def r4(): raise 5
def r5(): raise "text"
def r6(): raise None
def r7(): raise
def r8(): raise ValueError("a") from KeyError("b")
def r9(): raise ValueError("a") from None
def r10(): raise ValueError("a") from 5
def r11(): raise int
def r12(): raise ValueError("a", "b")
def r13(): raise KeyError("it's")
def r14(): raise KeyError(("t", 1))
def r15(): raise NotImplementedError
def r16(): raise NotImplemented
def r17(): raise Exception(ValueError("inner"))
def r18(): raise StopIteration(5)
def r19(): raise AssertionError
def r20(): raise type("Made", (Exception,), {})("up")
for f in [r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r18, r19, r20]:
    t(f)
# ---
# Own classes.
class AppError(Exception):
    pass
class NotFound(AppError):
    def __init__(self, key, where="here"):
        super().__init__(f"{key} not found in {where}")
        self.key, self.where = key, where
class Code(AppError):
    code = 500
    def __str__(self): return f"[{self.code}] " + super().__str__()
class Silent(AppError):
    def __init__(self, a, b): self.a = a
for e in [AppError(), AppError("m"), NotFound("k"), Code("boom"), Silent(1, 2)]:
    try:
        raise e
    except AppError as got:
        print(type(got).__name__, got, repr(got), got.args, got is e)
try:
    raise NotFound("x", where="there")
except Code:
    print("never")
except NotFound as e:
    print(e.key, e.where)
t(lambda: NotFound())
def f(kind):
    try:
        raise kind
    except AppError: return "app"
    except Exception: return "exception"
print([f(k) for k in [AppError, NotFound("a"), ValueError]])
t(lambda: f(NotFound))
class E(ValueError, KeyError): pass
try: raise E("multi")
except KeyError as e: print(type(e).__name__, e)
# ---
# The name of an except clause is unbound after it; the last one wins.
try:
    raise ValueError("a")
except ValueError as e:
    kept = e
print(kept)
t(lambda: e)
def catch(kinds, err):
    try:
        raise err
    except kinds as e:
        return "caught " + type(e).__name__
t(lambda: catch(ValueError, ValueError()))
t(lambda: catch((ValueError, KeyError), KeyError()))
t(lambda: catch((), KeyError("k")))
t(lambda: catch(5, KeyError("k")))
t(lambda: catch("x", KeyError("k")))
t(lambda: catch((ValueError, 5), KeyError("k")))
t(lambda: catch(int, KeyError("k")))
t(lambda: catch(LookupError, IndexError()))
t(lambda: catch(ArithmeticError, OverflowError()))
t(lambda: catch(OSError, TimeoutError()))
t(lambda: catch(ValueError, UnicodeError()))
t(lambda: catch(RuntimeError, RecursionError()))
t(lambda: catch(RuntimeError, NotImplementedError()))
t(lambda: catch(NameError, UnboundLocalError()))
t(lambda: catch(Exception, StopIteration()))
t(lambda: catch(ImportError, ModuleNotFoundError()))
try:
    raise ValueError
except:
    print("bare")
# ---
# Causes and notes can be read.
try:
    try:
        1 / 0
    except ZeroDivisionError as e:
        raise ValueError("bad") from e
except ValueError as e:
    print(repr(e.__cause__), e.__cause__ is not None)
e = ValueError("x")
e.add_note("a note")
print(e.__notes__)
e.extra = 5
print(e.extra, e.args, ValueError("a") == ValueError("a"), e == e)
e.args = ("new", 1)
print(e, e.args)
k = KeyError("k")
print(str(k), k.args[0], f"{k}", f"{k!r}", "%s" % k, StopIteration(3).value, repr(KeyError()), str(KeyError()), str(KeyError(1, 2)))
o = OSError(2, "No such file")
print(o, o.errno, o.strerror)
try: [].x
except AttributeError as a: print(a.name, a.obj)
try: undefined_q
except NameError as a: print(a.name)
try: from math import nothing
except ImportError as a: print(type(a).__name__)
try: "é".encode("ascii")
except UnicodeEncodeError as u: print(u)
# ---
# Retries, fallbacks, validation: errors as they are used.
def attempt(fails):
    tries = 0
    while True:
        tries += 1
        try:
            if tries <= fails: raise ConnectionError(f"try {tries}")
            return f"ok after {tries}"
        except ConnectionError as e:
            print(e)
            if tries >= 3: raise RuntimeError("gave up") from e
print(attempt(1))
t(lambda: attempt(9))
def to_int(v, default=None):
    try: return int(v)
    except (TypeError, ValueError): return default
print([to_int(v) for v in ["1", "x", None, 2.9, [], "0x1"]], to_int("q", -1))
def validate(d):
    errors = []
    for field, kind in [("name", str), ("age", int)]:
        try:
            if not isinstance(d[field], kind): raise TypeError(f"{field} must be {kind.__name__}, not {type(d[field]).__name__}")
        except KeyError as e: errors.append(f"missing {e}")
        except TypeError as e: errors.append(str(e))
    return errors
print(validate({"name": "a", "age": 1}), validate({"age": "x"}), validate({}))
# ---
def inner():
    raise ValueError("deep")
def middle():
    inner()
middle()
# ---
x = {"a": [1, 2, {"b": None}]}
x["a"][2]["b"]["c"]
# ---
class Bad(Exception):
    pass
raise Bad("own error at the end")
# ---
def f():
    try:
        g()
    finally:
        print("cleaned")
def g():
    [1, 2, 3].index(4)
f()
# ---
assert 1 + 1 == 3, f"math is {'broken'}"
# ---
assert []
# ---
for i in range(3):
    print(i)
    10 / (1 - i)
# ---
raise SystemError("odd")
# ---
try:
    raise KeyError("a")
except KeyError:
    raise TypeError("while handling")
# ---
with open_nothing() as f:
    pass
# ---
(lambda: [x.y for x in [1]])()
# ---
from json import loads
loads("{bad json}")
# ---
# differs: modules that are not bundled are refused before the program runs
import nothing_like_this
# ---
# differs: errors of Unicode have no attributes
try: "é".encode("ascii")
except UnicodeEncodeError as u: print(u.encoding, u.start, u.end, u.reason, u.object)
# ---
# differs: OSError makes no instances of its subclasses
o = OSError(2, "No such file")
print(type(o).__name__)
