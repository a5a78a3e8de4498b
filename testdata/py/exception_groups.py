try:
    try: 1 / 0
    except ZeroDivisionError: raise ValueError("v")
except ValueError as e:
    print(repr(e.__context__), e.__cause__, e.__suppress_context__)
try:
    try: 1 / 0
    except ZeroDivisionError as z: raise ValueError("v") from z
except ValueError as e:
    print(repr(e.__context__), repr(e.__cause__), e.__suppress_context__)
try:
    try: 1 / 0
    except ZeroDivisionError: raise ValueError("v") from None
except ValueError as e:
    print(repr(e.__context__), e.__cause__, e.__suppress_context__)
def boom(): raise KeyError("inner")
try:
    try: 1 / 0
    except ZeroDivisionError: boom()
except KeyError as e: print(repr(e.__context__))
try:
    try: 1 / 0
    finally: boom()
except KeyError as e: print(repr(e.__context__))
def g():
    try: boom()
    finally: pass
try:
    try: 1 / 0
    except ZeroDivisionError: g()
except KeyError as e: print(repr(e.__context__))
try:
    try: boom()
    except KeyError: raise
except KeyError as e: print(e.__context__)
class CM:
    def __enter__(self): return self
    def __exit__(self, *a): raise RuntimeError("exit")
try:
    with CM(): boom()
except RuntimeError as e: print(repr(e.__context__))
e = ValueError("x"); e.__cause__ = KeyError("c")
print(repr(e.__cause__), e.__suppress_context__)
e.__suppress_context__ = False; e.__context__ = TypeError("t")
print(repr(e.__context__), e.__suppress_context__)
for bad in (lambda: setattr(e, "__cause__", 3),):
    try: bad()
    except TypeError as x: print(x)
def chain(e):
    while e is not None:
        yield type(e).__name__
        e = e.__cause__ or (None if e.__suppress_context__ else e.__context__)
try:
    try:
        try: [][1]
        except IndexError: {}["k"]
    except KeyError as k: raise RuntimeError("r") from k
except RuntimeError as r: print(list(chain(r)))
a = AttributeError("m", name="n", obj=3)
print(a.name, a.obj, a.args, NameError("x", name="y").name, ImportError("i", name="mod", path="p").name, ImportError("i").msg)
try: ValueError("x", name=3)
except TypeError as x: print(x)
try: undefined_name
except NameError as x: print(x.name)
try: (5).nope
except AttributeError as x: print(x.name, x.obj)
# groups
eg = ExceptionGroup("eg", [ValueError(1), ExceptionGroup("in", [TypeError("t"), ValueError(2)]), OSError(3)])
print(eg, repr(eg), eg.message, eg.exceptions, eg.args)
m, r = eg.split(ValueError)
print(repr(m), repr(r))
print(repr(eg.subgroup((TypeError, OSError))), repr(eg.subgroup(lambda e: isinstance(e, TypeError))), eg.subgroup(KeyError))
print(isinstance(eg, Exception), isinstance(eg, BaseExceptionGroup), type(BaseExceptionGroup("x", [ValueError()])).__name__, type(BaseExceptionGroup("x", [KeyboardInterrupt()])).__name__, ExceptionGroup.__mro__[1].__name__)
for f in (lambda: ExceptionGroup("x"), lambda: ExceptionGroup(1, [ValueError()]), lambda: ExceptionGroup("x", []), lambda: ExceptionGroup("x", [1]), lambda: ExceptionGroup("x", 5), lambda: ExceptionGroup("x", [KeyboardInterrupt()]), lambda: eg.split(3)):
    try: f()
    except (TypeError, ValueError) as x: print(type(x).__name__, x)
class MyEG(ExceptionGroup):
    def derive(self, excs): return MyEG(self.message, excs)
print(repr(MyEG("my", [ValueError(1), TypeError(2)]).split(TypeError)))
log = []
try:
    raise eg
except* ValueError as g1:
    log.append(("value", repr(g1)))
except* TypeError as g2:
    log.append(("type", repr(g2)))
except* OSError: log.append("os")
else: log.append("else")
finally: log.append("finally")
print(log)
try:
    try: raise eg
    except* ValueError: print("got values")
except ExceptionGroup as rest: print(repr(rest))
try: raise KeyError("naked")
except* KeyError as k: print(repr(k))
def star(body, *kinds):
    try:
        try: body()
        except* ValueError as e: raise
        except* TypeError as e: raise KeyError(3)
    except BaseException as e: return repr(e), repr(e.__context__)
def r1(): raise ExceptionGroup("eg", [ValueError("a"), TypeError(1), OSError(2)])
def r2(): raise ExceptionGroup("eg", [TypeError(1)])
def r3(): raise ExceptionGroup("eg", [ValueError("a"), TypeError(1)])
def r4(): raise TypeError("a")
def r5(): raise ValueError("a")
def r6(): pass
for b in (r1, r2, r3, r4, r5, r6): print(star(b))
def f():
    for i in range(3):
        try:
            if i == 1: raise ExceptionGroup("g", [ValueError(i)])
        except* ValueError as e:
            print("caught", e.exceptions)
        else: print("fine", i)
    return "end"
print(f())
try:
    try: raise ValueError
    except* ExceptionGroup: pass
except TypeError as x: print(x)
eg2 = ExceptionGroup("n", [ValueError(1)]); eg2.add_note("note")
print(eg2.__notes__, eg2.subgroup(ValueError) is eg2)
import asyncio
async def bad(n): raise ValueError(n)
async def main():
    try:
        async with asyncio.TaskGroup() as tg:
            tg.create_task(bad(1)); tg.create_task(bad(2))
    except* ValueError as e:
        out = e.exceptions
    return out
print(asyncio.run(main()))
