"""A program that runs files one after the other, as the cells of a notebook: with one namespace, and with await.

It is given {"files": [{"path": ..., "ask": [expressions]}, ...], "names": {...}}
on standard input, and prints the values of the expressions after each file as
one line of JSON. The value of a run is its first output.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import sys
import types
from pathlib import Path
from typing import Any

import glovebox


def run(path: str, names: dict[str, Any], loop: asyncio.AbstractEventLoop) -> None:
    code = compile(Path(path).read_text(), path, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    result = eval(code, names)
    if code.co_flags & inspect.CO_COROUTINE:
        loop.run_until_complete(result)


def value(expression: str, names: dict[str, Any]) -> str:
    found = eval(expression, names)
    return repr(found.outputs()[0] if isinstance(found, glovebox.Run) else found)


def main() -> None:
    given = json.load(sys.stdin)
    page = types.ModuleType("page")
    page.__file__ = given["files"][0]["path"]
    sys.modules["page"] = page
    names = page.__dict__
    names.update(given["names"])
    loop = asyncio.new_event_loop()
    try:
        for file in given["files"]:
            run(file["path"], names, loop)
            print(json.dumps([value(expression, names) for expression in file["ask"]]))
    finally:
        loop.close()


if __name__ == "__main__":
    main()
