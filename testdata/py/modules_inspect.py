import inspect, math
def f():
    """Says hello.

        Indented more.
      And less.
    """
async def c(): pass
def g(): yield
class K:
    """A class."""
    def m(self): pass
    @property
    def p(self): return 1
from abc import ABC, abstractmethod
class A(ABC):
    @abstractmethod
    def go(self): pass
co, ge = c(), g()
things = [f, c, g, K, K().m, K.m, len, math, co, ge, 5, "x", None, A, lambda: 0]
for test in (inspect.isfunction, inspect.isclass, inspect.ismethod, inspect.isbuiltin, inspect.isroutine, inspect.ismodule, inspect.isgenerator, inspect.iscoroutine, inspect.iscoroutinefunction, inspect.isawaitable, inspect.isabstract, inspect.isasyncgen):
    print(test.__name__, [test(x) for x in things])
co.close()
print(repr(inspect.getdoc(f)), repr(inspect.getdoc(K)), inspect.getdoc(K.m), repr(inspect.cleandoc("  a\n    b\n      c\n\n")), repr(inspect.cleandoc("")), repr(inspect.cleandoc("\n\n  x\n")))
# ---
import warnings
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    warnings.warn("careful")
    warnings.warn("old", DeprecationWarning)
    warnings.warn(RuntimeWarning("x"))
    warnings.warn("careful")
print([(str(w.message), w.category.__name__, type(w.message).__name__) for w in seen])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        warnings.warn("now an error", UserWarning)
    except UserWarning as e:
        print("raised", e)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    warnings.warn("silent")
with warnings.catch_warnings():
    warnings.filterwarnings("ignore", message="spam")
    warnings.filterwarnings("error", category=FutureWarning)
    warnings.warn("spam and eggs")
    try:
        warnings.warn("soon", FutureWarning)
    except FutureWarning as e:
        print("future", e)
for bad in (5, int):
    try:
        warnings.warn("x", bad)
    except TypeError as e:
        print(e)
