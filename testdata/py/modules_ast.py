# prelude
import ast
from ast import literal_eval
def t(s):
    try:
        print(repr(s), "->", repr(literal_eval(s)))
    except Exception as e:
        print(repr(s), type(e).__name__ + ":", str(e).split(" object at")[0].replace(" object>", ""))
# ---
for s in ["1+2", "-1", "+1", "--1", "~1", "f()", "a", "[a]", "{1:a}", "{1,2}", "set()", "{**a}", "'a' 'b'", "f'a'", "(1,)", "()", "[]", "{}", "...", "None", "b'a'", "  1", "\t 1", "-'a'", "True", "-True", "1*2", "[*a]", "1 if 1 else 2", "lambda:0", "{}[0]", "not 1", "a.b", "1 < 2", "1 and 2", "[x for x in y]", "{x for x in y}", "{x: 1 for x in y}", "(x for x in y)", "x\ny", "1;2", " 1\n+2", "", "1 +", "[1,,2]", "{'a':1", "import os", "x = 1", "set([1])", "{[]: 1}", "{{}}",
          "{'name': 'Ann', \"age\": 30, 'tags': ['a', 'b'], 'nested': {'k': (1, 2.5, None, True)}}", "[1, 2.5e3, -7, 0x1f, 1_000, 'x\\ty', '''a\nb''']", "123456789012345678901234567890", "-123456789012345678901234567890", "-9223372036854775808", "'\\u00e9\\x41'", "[-1, +2.5, -0.0]", "((1, 2), [3, {4: {5}}])", b"[1]", 5, None, "# only a comment", "1 # comment"]:
    t(s)
t("[" * 50 + "]" * 50)
print(ast.literal_eval("[1, 2]") == [1, 2])
rows = ["{'id': 1, 'v': [1, 2]}", "{'id': 2, 'v': []}", "oops("]
good = []
for r in rows:
    try:
        good.append(ast.literal_eval(r))
    except (ValueError, SyntaxError):
        good.append(None)
print(good)
