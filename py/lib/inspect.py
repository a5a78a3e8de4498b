"""inspect: what kind of thing something is. Nothing here looks into code."""

import _loop
import types as _types


def ismodule(object):
    return isinstance(object, _types.ModuleType)


def isclass(object):
    return isinstance(object, type)


def ismethod(object):
    return isinstance(object, _types.MethodType)


def isfunction(object):
    return isinstance(object, _types.FunctionType)


def isbuiltin(object):
    return isinstance(object, _types.BuiltinFunctionType)


def isroutine(object):
    return isbuiltin(object) or isfunction(object) or ismethod(object)


def isgenerator(object):
    return isinstance(object, _types.GeneratorType)


def isasyncgen(object):
    return isinstance(object, _types.AsyncGeneratorType)


def iscoroutine(object):
    return isinstance(object, _types.CoroutineType)


def iscoroutinefunction(obj):
    return _loop.is_coroutine_function(obj)


def isawaitable(object):
    """Whether await takes it."""
    return iscoroutine(object) or _loop.is_future(object) or _loop.has_await(object)


def isabstract(object):
    """Whether it is a class with abstract methods."""
    return isinstance(object, type) and bool(getattr(object, '__abstractmethods__', ()))


def isdatadescriptor(object):
    """Whether it is an attribute of a class that is asked when the attribute is set."""
    if isclass(object) or ismethod(object) or isfunction(object):
        return False
    kind = type(object)
    return hasattr(kind, '__set__') or hasattr(kind, '__delete__')


def getdoc(object):
    """The documentation, without its indentation."""
    text = getattr(object, '__doc__', None)
    return cleandoc(text) if isinstance(text, str) else None


def cleandoc(doc):
    """A text without the indentation that its lines after the first have in common."""
    lines = doc.expandtabs().split('\n')
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(margins, default=0)
    lines = [lines[0].lstrip(), *[line[margin:] for line in lines[1:]]]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return '\n'.join(lines)
