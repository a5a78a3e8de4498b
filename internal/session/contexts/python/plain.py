"""Runs code by Python alone."""

import __future__
import builtins
import sys
from _ast import PyCF_ONLY_AST, Expr, Expression

from glovebox_context import present

MAY_AWAIT = 0x2000  # ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
AWAITS = 0x80  # inspect.CO_COROUTINE
FEATURES = 0
for feature in __future__.all_feature_names:
    FEATURES |= getattr(__future__, feature).compiler_flag


class Interpreter:
    def __init__(self):
        module = type(sys)("__main__")
        module.__builtins__ = builtins
        sys.modules["__main__"] = module
        self.names = module.__dict__
        self.names["display"] = present.display
        self.features = 0  # that the code has imported from __future__

    def rehearse(self):
        """Imports what the first execution needs, while nobody waits."""
        import linecache

    def run(self, text, count):
        text = dedent(text)
        name = remember(text, count)
        tree = self.parse(text, name)
        last = None
        if tree.body and isinstance(tree.body[-1], Expr) and not silenced(text):
            last = Expression(tree.body.pop().value)
        self.evaluate(compile(tree, name, "exec", MAY_AWAIT | self.features, True))
        if last is None:
            return
        value = self.evaluate(compile(last, name, "eval", MAY_AWAIT | self.features, True))
        if value is not None:
            builtins._ = value
            present.show(value, main=True)

    def parse(self, text, name):
        flags = PyCF_ONLY_AST | self.features
        try:
            return compile(text, name, "exec", flags, True)
        except SyntaxError:
            if "%pip" not in text:
                raise
        from glovebox_context.installing import replaced

        return compile(replaced(text), name, "exec", flags, True)

    def evaluate(self, code):
        self.features |= code.co_flags & FEATURES
        value = eval(code, self.names)
        if code.co_flags & AWAITS:
            from glovebox_context.awaiting import run

            return run(value)
        return value


def dedent(text):
    """Removes the indentation of the first line from all lines."""
    for line in text.split("\n"):
        if line.strip():
            margin = line[: len(line) - len(line.lstrip(" \t"))]
            break
    else:
        return text
    if not margin:
        return text
    return "\n".join([line[len(margin) :] if line.startswith(margin) else line for line in text.split("\n")])


def silenced(text):
    """Reports whether the last line ends with a semicolon, as in a notebook."""
    return text.rstrip().endswith(";")


def remember(text, count):
    """Returns the name of a text, by which tracebacks and inspect find its lines."""
    import linecache

    name = "<cell %d>" % count
    linecache.cache[name] = len(text), None, [line + "\n" for line in text.split("\n")], name
    return name
