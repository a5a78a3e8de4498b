#!/usr/bin/env python3
"""Writes what CPython's json does: golden.py [SEED COUNT] > golden.jsonl

A line has the text (UTF-8 with surrogates, written as Latin-1), and either the
error or the value, dumped in four ways.
"""
import json, random, sys


def wire(s):
    return s.encode("utf-8", "surrogatepass").decode("latin-1")


HAND = ['', '[', '[1', '[1,', '{', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{a}', '{"a" 1}', 'nul', '[1 2]', '1 2', '"abc', '"a\nb"', '"\\x"',
        '"\\u12"', '"\\u12G4"', '"\\u1234', '"\\u123', '"\\u', '"\\', '"\\ud83d\\ude00"', '"\\ud83dx"', '-', '01', '1.', '1e', '1e5', '-0', '.5', 'NaN',
        '-Infinity', 'Infinity', '[,]', '[1,]', '[1, ]', '[ ]', '{ }', '{,}', '{"a":1,}', '{"a":1, }', '{"a":}', '\ufeff1', ' ', "'a'", '1' * 4300, '1' * 4301,
        '{"a":1 "b"', '{1:2}', '[1,\n2 3', '"\ud800"', '-I', '-x', '--1', '{"a","b"}', 'tru', '\x00', '[]]', '1.5.5', '1E+5', '1e+', '\u00a01',
        '"\\ud800\\ud800"', '"\\ud800\\u0041"', '"\\ud800\\u12"', '"\\u 123"', '"\\u+123"', '1e400', '-1e400', '"\x7f"', '["a",\n\n"é" x]', '{"a":1,"a":2}',
        '9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809', '123456789012345678', '1234567890123456789',
        '0.1', '1e-7', '1e22', '123456789.123', '-0.0', '5e-324', '"\\/\\b\\f\\n\\r\\t\\"\\\\"', '"\u2028\U0001F600\x1f"', '{"a":{"b":[{"c":[]},{}]}}', ' [ 1 , "a" , null , true , false ] ',
        '[' * 50 + ']' * 50, '{"k": [1, 2.5, "x", null, true, {"n": -3}]}', '"é\\u00e9"', '\n\n  x', '"a\tb"', '{"a":1]', '[1}', '[1:2]', '\x0c1', '-01', '1_0', '+1', '0x1', 'nan', 'None', '"\\U0001F600"', '"\\a"']


def value(r, depth=0):
    k = r.randrange(10 if depth < 3 else 7)
    if k == 0:
        return r.choice((None, True, False))
    if k < 3:
        return r.choice((r.randrange(-5, 100), r.getrandbits(r.randrange(1, 90))))
    if k < 4:
        return r.choice((r.random(), r.random() * 10 ** r.randrange(-20, 25), float("inf")))
    if k < 7:
        return "".join(r.choice("ab \"\\/\n\té\u20ac\U0001F600\ud800\udc00\x01\x7f") for _ in range(r.randrange(6)))
    if k < 9:
        return [value(r, depth + 1) for _ in range(r.randrange(4))]
    return {"k%d" % i: value(r, depth + 1) for i in range(r.randrange(4))}


def mutate(r, s):
    s = list(s)
    for _ in range(r.choice((0, 0, 1, 1, 2, 3))):
        i = r.randrange(len(s) + 1)
        k = r.randrange(3)
        if k == 0:
            s.insert(i, r.choice('[]{},:"\\0123.eE+- \nutnfaIN\x00\x1fé'))
        elif s and i < len(s):
            if k == 1:
                del s[i]
            else:
                s[i] = r.choice('[]{},:"\\019.e- \nunt')
    return "".join(s)


def case(text):
    row = {"t": wire(text)}
    try:
        v = json.loads(text)
    except Exception as e:
        row["err"] = ("" if isinstance(e, json.JSONDecodeError) else type(e).__name__ + ": ") + str(e)
        return row
    row["dumps"] = wire(json.dumps(v))
    row["raw"] = wire(json.dumps(v, ensure_ascii=False, separators=(",", ":")))
    row["indent"] = wire(json.dumps(v, indent=2))
    row["tab"] = wire(json.dumps(v, indent="\t", ensure_ascii=False))
    return row


def main():
    r = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    texts = HAND if len(sys.argv) < 2 else []
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 800):
        v = value(r)
        texts = texts + [mutate(r, json.dumps(v, ensure_ascii=r.random() < 0.7, indent=r.choice((None, None, 1))))]
    for t in texts:
        print(json.dumps(case(t)))


main()
