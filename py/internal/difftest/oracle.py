"""Runs programs under CPython and says what each did.

Reads a JSON list of programs from stdin and writes one line of JSON each:
what was printed, the repr of the last expression's value, and the exception.
"""

import ast
import asyncio
import contextlib
import io
import json
import signal
import sys
import traceback
import warnings

FILE = "main.py"
SECONDS = 5  # for one program


def split(source):
    """The program without its last expression, and that expression."""
    tree = ast.parse(source, FILE)
    if not tree.body or not isinstance(tree.body[-1], ast.Expr):
        return tree, None
    return tree, ast.Expression(tree.body.pop().value)


def perform(tree, mode, names):
    code = compile(tree, FILE, mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    value = eval(code, names)
    if asyncio.iscoroutine(value) and code.co_flags & 0x80:  # it awaits at the top
        return asyncio.run(settle(value))
    return value


async def settle(awaitable):
    return await awaitable


def line_of(error):
    """The innermost line of the program that the error passed."""
    if isinstance(error, SyntaxError):
        return error.lineno or 0
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == FILE]
    return lines[-1] if lines else 0


def tool_add(x, y=1):
    return x + y


def tool_echo(value):
    return value


def tool_fail(message):
    raise ValueError(message)


async def tool_later(value):
    return value


TOOLS = {f.__name__: f for f in (tool_add, tool_echo, tool_fail, tool_later)}


def run(source):
    names = {"__name__": "__main__", "gather": asyncio.gather} | TOOLS
    printed, answer = io.StringIO(), {}
    try:
        with contextlib.redirect_stdout(printed):
            tree, last = split(source)
            perform(tree, "exec", names)
            if last is not None:
                answer["value"] = plain(repr(perform(last, "eval", names)))
    except Exception as error:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        answer = {"error": type(error).__name__, "message": plain(message), "line": line_of(error)}
    except SystemExit as error:
        answer = {}
        if error.code not in (None, 0):
            answer = {"error": "SystemExit", "message": plain(str(error)), "line": line_of(error)}
    except Expired:
        answer = {"error": "Expired"}
    return {"output": plain(printed.getvalue())} | answer


def plain(text):
    """JSON has no lone surrogates: they are written as \\udc80."""
    return text.encode("utf-8", "backslashreplace").decode()


class Expired(BaseException):
    """The program took too long."""


def expired(*_):
    raise Expired


def main():
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, expired)
    for source in json.load(sys.stdin):
        signal.alarm(SECONDS)
        answer = run(source)
        signal.alarm(0)
        print(json.dumps(answer, ensure_ascii=False), flush=True)


main()
