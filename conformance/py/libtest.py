"""Writes CPython's own test methods as programs that stand alone, one a line of JSON.

A program is the statements of the test's module that the method needs, the
class with everything but its other tests, and a small stand-in for unittest.
Only those are written that CPython itself carries out so without a failure.
"""

import ast
import json
import os
import pathlib
import signal
import sys

LANGUAGE = """
augassign baseexception bool builtin call class compare contains copy decorators defaultdict descr dict dict_version dictcomps dictviews
dynamicclassattribute ellipsis enumerate except_star exception_group exceptions exception_hierarchy exception_variations extcall float
format frozen fstring functools generator_stop generators genericalias genexps global grammar hash heapq int int_literal iter isinstance
keyword keywordonlyarg lambda list listcomps long long_future memoryview metaclass monotonic named_expressions named_tuple numeric_tower
opcodes operator ordered_dict patma positional_only_arg pow print property raise range richcmp scope set setcomps slice sort string
string_literals strftime subclassinit super syntax tuple type_annotations type_comments typechecks types unary unpack unpack_ex userdict
userlist userstring with yield_from coroutines asyncgen contextlib contextlib_async unicode bytes bigaddrspace complex fractions decimal
""".split()
LIBRARY = """
abc abstract_numbers base64 binascii binop bisect calendar charmapcodec codecs collections colorsys configparser context contextvars cmath
concurrent_futures csv dataclasses datetime difflib enum fnmatch glob graphlib hashlib hmac html htmlparser inspect io ipaddress itertools
json keyword logging math mimetypes numbers pathlib posixpath pprint pyclbr queue random re reprlib secrets shlex statistics string struct
strtod textwrap time tomllib traceback typing unicodedata urllib urlparse uuid weakref zlib zoneinfo ast graphlib
""".split()

SHIM = '''
class _Skipped(Exception): pass
class _Raises:
    def __init__(self, case, kinds, pattern=None):
        self.case = case
        self.kinds = kinds
        self.pattern = pattern
    def __enter__(self): return self
    def __exit__(self, kind, value, tb):
        if kind is None: raise AssertionError(f"{self.kinds} not raised")
        if not issubclass(kind, self.kinds): return False
        self.exception = value
        if self.pattern is not None:
            import re
            if not re.search(self.pattern, str(value)): raise AssertionError(f"{str(value)!r} does not match {self.pattern!r}")
        return True
class _Nothing:
    def __enter__(self): return self
    def __exit__(self, *args): return False
class _TestCase:
    maxDiff = None
    failureException = AssertionError
    longMessage = True
    def setUp(self): pass
    def tearDown(self): pass
    def fail(self, msg=None): raise AssertionError(msg)
    def id(self): return "test"
    def skipTest(self, reason): raise _Skipped(reason)
    def subTest(self, *args, **kwargs): return _Nothing()
    def addCleanup(self, fn, *args, **kwargs): pass
    def assertEqual(self, first, second, msg=None):
        if not first == second: raise AssertionError(f"{first!r} != {second!r} : {msg}")
    assertListEqual = assertTupleEqual = assertDictEqual = assertSetEqual = assertMultiLineEqual = assertEqual
    def assertSequenceEqual(self, first, second, msg=None, seq_type=None): self.assertEqual(list(first), list(second), msg)
    def assertNotEqual(self, first, second, msg=None):
        if not first != second: raise AssertionError(f"{first!r} == {second!r} : {msg}")
    def assertTrue(self, expr, msg=None):
        if not expr: raise AssertionError(f"{expr!r} is not true : {msg}")
    def assertFalse(self, expr, msg=None):
        if expr: raise AssertionError(f"{expr!r} is not false : {msg}")
    def assertIs(self, first, second, msg=None):
        if first is not second: raise AssertionError(f"{first!r} is not {second!r} : {msg}")
    def assertIsNot(self, first, second, msg=None):
        if first is second: raise AssertionError(f"both are {first!r} : {msg}")
    def assertIsNone(self, obj, msg=None): self.assertIs(obj, None, msg)
    def assertIsNotNone(self, obj, msg=None): self.assertIsNot(obj, None, msg)
    def assertIn(self, member, container, msg=None):
        if member not in container: raise AssertionError(f"{member!r} not found : {msg}")
    def assertNotIn(self, member, container, msg=None):
        if member in container: raise AssertionError(f"{member!r} found : {msg}")
    def assertIsInstance(self, obj, cls, msg=None):
        if not isinstance(obj, cls): raise AssertionError(f"{obj!r} is not an instance of {cls!r} : {msg}")
    def assertNotIsInstance(self, obj, cls, msg=None):
        if isinstance(obj, cls): raise AssertionError(f"{obj!r} is an instance of {cls!r} : {msg}")
    def assertLess(self, a, b, msg=None):
        if not a < b: raise AssertionError(f"{a!r} not less than {b!r} : {msg}")
    def assertLessEqual(self, a, b, msg=None):
        if not a <= b: raise AssertionError(f"{a!r} not less than or equal to {b!r} : {msg}")
    def assertGreater(self, a, b, msg=None):
        if not a > b: raise AssertionError(f"{a!r} not greater than {b!r} : {msg}")
    def assertGreaterEqual(self, a, b, msg=None):
        if not a >= b: raise AssertionError(f"{a!r} not greater than or equal to {b!r} : {msg}")
    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if first == second: return
        if delta is not None:
            if abs(first - second) <= delta: return
        elif round(abs(first - second), 7 if places is None else places) == 0: return
        raise AssertionError(f"{first!r} != {second!r} within bounds : {msg}")
    def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if delta is not None:
            if not first == second and abs(first - second) > delta: return
        elif not first == second and round(abs(first - second), 7 if places is None else places) != 0: return
        raise AssertionError(f"{first!r} == {second!r} within bounds : {msg}")
    def assertCountEqual(self, first, second, msg=None):
        rest = list(second)
        for item in first:
            if item not in rest: raise AssertionError(f"{item!r} is missing : {msg}")
            rest.remove(item)
        if rest: raise AssertionError(f"{rest!r} too many : {msg}")
    def assertRegex(self, text, pattern, msg=None):
        import re
        if not re.search(pattern, text): raise AssertionError(f"{text!r} does not match : {msg}")
    def assertNotRegex(self, text, pattern, msg=None):
        import re
        if re.search(pattern, text): raise AssertionError(f"{text!r} matches : {msg}")
    def assertRaises(self, kinds, fn=None, *args, **kwargs):
        context = _Raises(self, kinds)
        if fn is None: return context
        with context: fn(*args, **kwargs)
    def assertRaisesRegex(self, kinds, pattern, fn=None, *args, **kwargs):
        context = _Raises(self, kinds, pattern)
        if fn is None: return context
        with context: fn(*args, **kwargs)
    def assertWarns(self, kinds, fn=None, *args, **kwargs):
        raise _Skipped("warnings")
    assertWarnsRegex = assertLogs = assertNoLogs = assertWarns
class unittest:
    TestCase = _TestCase
    SkipTest = _Skipped
'''
# What no program here can have, or what the stand-in has not.
FOREIGN = {"support", "test_support", "import_helper", "os_helper", "threading_helper", "warnings_helper", "script_helper", "threading", "gc",
           "subprocess", "ctypes", "_testcapi", "pickle", "_pickle", "weakref_helper", "mock", "doctest", "tempfile", "multiprocessing"}


def bound(node):
    """The names that a statement at the top of a module binds."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(a.asname or a.name).split(".")[0] for a in node.names}
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.With, ast.If, ast.Try)):
        return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | {
            name for n in ast.walk(node) if n is not node and isinstance(n, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom))
            for name in bound(n)}
    return set()


def used(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def origins(node):
    """The packages that an import is from."""
    if isinstance(node, ast.ImportFrom):
        return {(node.module or "").split(".")[0]}
    return {a.name.split(".")[0] for a in node.names} if isinstance(node, ast.Import) else set()


class Module:
    def __init__(self, path):
        self.name = path.stem
        self.tree = ast.parse(path.read_text())
        self.where = {}
        for i, node in enumerate(self.tree.body):
            for name in bound(node):
                self.where.setdefault(name, []).append(i)
        self.classes = {n.name: n for n in self.tree.body if isinstance(n, ast.ClassDef)}

    def line(self, cls):
        """The class and those of the module that it is built on."""
        found, todo = [], [cls]
        while todo:
            c = todo.pop()
            if c in found:
                continue
            found.append(c)
            todo += [self.classes[b.id] for b in c.bases if isinstance(b, ast.Name) and b.id in self.classes]
        return found

    def is_case(self, cls):
        return any(isinstance(b, ast.Attribute) and b.attr in ("TestCase", "IsolatedAsyncioTestCase") or isinstance(b, ast.Name) and b.id == "TestCase"
                   for c in self.line(cls) for b in c.bases)

    def programs(self):
        for cls in self.classes.values():
            if not self.is_case(cls) or cls.decorator_list:
                continue
            tests = {}
            for c in self.line(cls):
                for n in c.body:
                    if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.name.startswith("test"):
                        tests.setdefault(n.name, n)
            for name, test in tests.items():
                if isinstance(test, ast.FunctionDef) and not test.decorator_list:
                    source = self.program(cls, test)
                    if source is not None:
                        yield f"{self.name}.{cls.name}.{name}", source

    def program(self, cls, test):
        line = self.line(cls)

        def trimmed(c):
            body = [n for n in c.body if n is test or not (isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.name.startswith("test"))]
            return ast.ClassDef(c.name, c.bases, c.keywords, body or [ast.Pass()], c.decorator_list)

        wanted, names, todo = set(), set(), []
        kept = {self.tree.body.index(c): trimmed(c) for c in line}
        for c in kept.values():
            todo += used(c)
        while todo:
            name = todo.pop()
            names.add(name)
            for i in self.where.get(name, ()):
                if i not in wanted:
                    wanted.add(i)
                    todo += used(kept.get(i, self.tree.body[i]))
        parts = []
        for i, node in enumerate(self.tree.body):
            if i not in wanted and i not in kept:
                continue
            node = kept.get(i, node)
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                node = self.imported(node, names)
                if node is None:
                    continue
            if (used(node) | bound(node)) & FOREIGN or origins(node) & (FOREIGN | {"test", "unittest"}):
                return None
            parts.append(ast.unparse(ast.fix_missing_locations(node)))
        parts.append(f"_case = {cls.name}()\n_case.setUp()\n_case.{test.name}()\n_case.tearDown()\nprint('passed')")
        return SHIM + "\n".join(parts) + "\n"


    def imported(self, node, names):
        """An import of what is used alone; unittest is there already."""
        aliases = [a for a in node.names if (a.asname or a.name).split(".")[0] in names | {"*"}]
        if isinstance(node, ast.ImportFrom):
            if node.module == "unittest" and {a.name for a in aliases} == {"TestCase"}:
                return ast.parse("TestCase = _TestCase").body[0]
            return ast.ImportFrom(node.module, aliases, node.level) if aliases else None
        aliases = [a for a in aliases if a.name != "unittest"]
        return ast.Import(aliases) if aliases else None


def passes(source):
    """Whether the program passes here, in a process of its own."""
    pid = os.fork()
    if pid == 0:
        signal.alarm(10)
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        try:
            exec(compile(source, "main.py", "exec"), {"__name__": "__main__"})
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1] == 0


def main():
    import test
    here = pathlib.Path(test.__path__[0])
    left = 0
    for name in dict.fromkeys(LANGUAGE + LIBRARY):
        for path in [here / f"test_{name}.py", here / f"{name}tester.py", *sorted((here / f"test_{name}").glob("test_*.py"))]:
            if not path.is_file():
                continue
            module = Module(path)
            for title, source in module.programs():
                if passes(source):
                    print(json.dumps({"name": title, "group": module.name, "source": source}))
                else:
                    left += 1
    print(json.dumps({"left": left}))


main()
