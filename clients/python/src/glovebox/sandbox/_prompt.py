"""The prompt that teaches a model to write orchestrators. Written by make generate."""

from __future__ import annotations

from typing import Final

# ruff: noqa: E501
ORCHESTRATOR_SYNTAX_PROMPT: Final = """\
The program runs in a sandbox without files, network or operating system.

The value of the last expression is the result. End with that expression, not with print, an assignment, return or a definition that nothing calls.

The language is a small part of Python 3.11. Available: variables and assignment, arithmetic and comparisons, string operations and f-strings, if/elif/else, for and while loops, def, lambda, async def and await, list, dict and tuple literals, list and dict comprehensions, generator expressions, .append() on lists and the other methods of built-in types, such as d.update({k: v}), subscript reading and slices, match, raise.

Not available; a program that uses any of this is refused before it runs:
- import (import os): all available functions are provided directly
- subscript assignment (d[k] = v): build dicts as literals; use .append() for lists
- augmented assignment (x += 1): use x = x + 1
- class (class C): use dicts or tuples
- with (with a as b): not needed: there are no resources to manage in the sandbox
- try/except (try: ... except: ...): errors propagate to the controller
- walrus operator (n := 1): use a separate assignment
- yield (yield x, yield from x): build a list with .append() and return it
- global/nonlocal (global x): pass values as arguments and return the new ones
- set literal or comprehension ({1, 2}): use lists
- del (del x): build a new list or dict without the element
- assert (assert x): use if + raise
- attribute assignment (a.b = 1): use a variable of its own, or a dict
- async for (async for x in y): use a plain for loop and await each call inside it
- type statement (type X = int): write the type where it is used
- complex number (1j): use two floats
- inside of the interpreter (f.__globals__): programs cannot look into the interpreter

The built-in functions and exceptions are Python's, without breakpoint, bytearray, compile, complex, dir, eval, exec, exit, globals, help, id, input, locals, memoryview, open, quit, vars.

Values that cross into and out of the sandbox are of these types: int, float, str, bool, bytes, None, datetime, timedelta, list[int], dict[str, float], tuple[int, str], Optional[int], Union[int, str], Any, File, Dir, DataFrame. Other classes cannot cross.
The tools are defined already; do not define or import them.
Calls run at the same time with gather: results = await gather(tool(...), tool(...))
To call a tool for each item, at most 8 at a time: results = glovebox_map(tool, items, concurrency=8, return_exceptions=False)
File, Dir and DataFrame are opaque handles: pass them from tool to tool. They cannot be read, made or taken apart.
"""
