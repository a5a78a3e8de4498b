"""Runs one piece of Python with typed inputs and collects its typed outputs.

Usage: python3 start.py JOB

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
little as it can, because every import delays every run. For the same reason it
is in parts, of which most runs need two: run (what happens, in order) and
values (the codec). The parts are no modules that the code could import, hide or
replace: they import each other past sys.modules and sys.path. They are read
at the start, because the code may leave no descriptor to open them with, and
compiled when they are needed.
"""

import builtins
import sys

HERE = __file__[: __file__.rindex("/") + 1]
Module = type(sys)
python_import = builtins.__import__
__builtins__ = private = dict(builtins.__dict__)


def read(name):
    with open(HERE + name + ".py", "rb") as f:
        return f.read()


texts = {name: read(name) for name in ("run", "values", "times", "files", "errors")}
parts = {}


def find(name, *context):
    """What import does in a part."""
    if name not in texts:
        return python_import(name, *context)
    if name not in parts:
        part = Module(name)
        part.__dict__.update(__builtins__=private, HERE=HERE)
        exec(compile(texts[name], HERE + name + ".py", "exec", dont_inherit=True), part.__dict__)
        parts[name] = part
    return parts[name]


private["__import__"] = find
sys.exit(find("run").main(sys.argv[1]))
