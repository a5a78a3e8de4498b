"""Waits for one piece of Python, and runs it.

Usage: python3 start.py PARTS [MODULE ...]

PARTS are the names of parts to load at once, joined by commas. The modules are
imported, one byte on descriptor 4 says that this program is ready, and the job
is read from descriptor 3 until its end: a line of JSON, and behind it the text
of the source. What a job says is in part wait. There are two modes: auto-IO
(part run) makes inputs variables of a fresh module __main__ and collects
outputs from it; verbatim (part verbatim) does what python3 SOURCE ARGUMENT...
would have done.

The code that runs is hostile or broken. It can give wrong outputs, because
they are its own, but it must not be able to make this program crash, hang or
blame the wrong thing. So everything used after the code has run is bound
before: builtins are a private copy, and functions are imported by name.

Runs on CPython 3.8 and later with the standard library, of which it imports as
little as it can, because every import delays every run. For the same reason it
is in parts, of which most runs need few. The parts are no modules that the code
could import, hide or replace: they import each other past sys.modules and
sys.path. Their texts are in this file, put there by the host, and are compiled
when they are needed, unless a file called compiled has what this very Python
once made of them: one file is read faster than seven, and what is compiled is
loaded in no time.

The directory of this file is called importlib_bootstrap, and so is every file
name of a part: Python leaves frames of such files out when it looks for the
code that a warning is about.
"""

original = tuple(globals())

import builtins
import sys
from marshal import loads

TEXTS = {}  # by name, of every part


def compiled(here):
    """Returns the code of the parts by name, as far as it is there."""
    try:
        with open(here + "compiled", "rb", 0) as file:
            version, codes = loads(file.read())
    except Exception:
        return {}
    return codes if version == sys.version else {}


def loader(here, texts, codes, builtins, run, compile, loads):
    """Returns what import does in a part. It uses nothing of this module, whose
    names a script takes over."""
    private, parts, module = dict(builtins.__dict__), {}, type(builtins)

    def find(name, *context):
        if name not in texts:
            return private["import of Python"](name, *context)
        if name not in parts:
            part = module(name)
            part.__dict__.update(__builtins__=private, HERE=here)
            code = loads(codes[name]) if name in codes else compile(texts[name], here + name + ".py", "exec", 0, True)
            run(code, part.__dict__)
            parts[name] = part
        return parts[name]

    private["import of Python"] = private["__import__"]
    private["__import__"] = find
    return find


# Only the library is to be searched until there is a script.
scripts_come_first = sys.path[:1] == [__file__[: __file__.rindex("/")]]  # not with -P or -I
del sys.path[: scripts_come_first]
here = __file__[: __file__.rindex("/") + 1]
find = loader(here, TEXTS, compiled(here), builtins, exec, compile, loads)
for name in sys.argv[1].split(","):
    find(name)
guard, take = find("wait").prepare(sys.argv[2:], scripts_come_first, globals(), original)

# The code of a script runs with this frame alone below it, and take() has
# emptied this namespace by then: nothing can be looked up in it any more.
with guard:
    exec(take())
