"""Reads a list of sources from standard input, and writes what CPython's symbol
table says of each: a list of scopes, or the message of a syntax error."""

import json
import symtable
import sys


def meaning(table, symbol):
    if symbol.is_free():
        return "free"
    if symbol.is_local() and table.get_type() != "module":
        return "local"
    return "global"


def scopes(table, out):
    out.append({
        "name": table.get_name(),
        "line": table.get_lineno(),
        "symbols": {s.get_name(): meaning(table, s) for s in table.get_symbols()},
    })
    for child in table.get_children():
        scopes(child, out)
    return out


def answer(source):
    try:
        compile(source, "x.py", "exec", dont_inherit=True)
    except SyntaxError as e:
        return {"error": e.msg}
    return {"scopes": scopes(symtable.symtable(source, "x.py", "exec"), [])}


json.dump([answer(source) for source in json.load(sys.stdin)], sys.stdout)
