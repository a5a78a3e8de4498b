"""Writes golden.txt: what CPython 3.11 computes, one operation a line.

    python3 generate.py > golden.txt

An int is written in hex, a float as float.hex() does, bytes as b:hex. A long
int that is a result is written as its number of bits and its rest by a prime.
"""
import math
import operator
import random
import struct

random.seed(20)


def show(v, result=False):
    if isinstance(v, bool):
        return str(int(v))
    if isinstance(v, int):
        return hex(v) if result and v.bit_length() <= 256 or not result else f"{v.bit_length()}~{abs(v) % (2**127 - 1):#x}"
    if isinstance(v, float):
        return v.hex()
    if isinstance(v, bytes):
        return "b:" + v.hex()
    if isinstance(v, tuple):
        return " ".join(show(x, result) for x in v)
    return str(v)


def emit(name, f, *args):
    try:
        result = f(*args)
        if isinstance(result, complex):
            return
        result = show(result, True)
    except (ArithmeticError, ValueError) as e:
        if "complex" in str(e):
            return
        result = f"{type(e).__name__}: {e}"
    print(name, " ".join(map(show, args)), "=", result)


EDGES = [0, 1, -1, 2, -2, 3, 7, -7, 10, 2**31, -(2**31), 2**32 - 1, 2**53, 2**53 + 1, -(2**53) - 1,
         2**62, 2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 2**64 - 1, 2**64, 2**61 - 1, 2**61, 10**18, 10**30, -(10**30),
         2**1023, 2**1024 - 2**970, 2**1024 - 2**970 - 1, 2**1024, 10**400, -(10**400)]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -2.5, 3.0, -7.0, 1e16, 2.0**53, 2.0**63, -2.0**63, 2.0**64, 1e22, 1e300,
          -1e300, 5e-324, 1.7976931348623157e308, math.inf, -math.inf, math.nan, 0.1, 0.3, -0.1, 314159.0]


def integer():
    return random.choice([-1, 1]) * random.getrandbits(random.choice([3, 8, 31, 33, 62, 63, 64, 65, 127, 200, 1100]))


def real():
    return random.choice([
        lambda: struct.unpack("<d", random.randbytes(8))[0], lambda: random.uniform(-100, 100),
        lambda: float(random.randint(-50, 50)), lambda: random.randint(-50, 50) / 8])()


ints = [(a, b) for a in EDGES for b in EDGES] + [(integer(), integer()) for _ in range(150)]
for a, b in ints:
    if random.random() < (0.9 if max(abs(a), abs(b)) > 10**300 else 0.4):
        continue
    for name in "add", "sub", "mul", "floordiv", "mod", "and_", "or_", "xor", "truediv":
        emit(name, getattr(operator, name), a, b)
    emit("divmod", divmod, a, b)
    emit("gcd", math.gcd, a, b)
    emit("lcm", math.lcm, a, b)
for a in EDGES + [integer() for _ in range(40)]:
    for n in -1, 0, 1, 5, 62, 63, 64, 200:
        emit("lshift", operator.lshift, a, n)
        emit("rshift", operator.rshift, a, n)
        emit("round", round, a, -n // 4)
    for n in 0, 1, 2, 3, 13, 40, 63, 64:
        emit("pow", pow, a, n)
    emit("hash", hash, a)
    emit("float", float, a)
    emit("isqrt", math.isqrt, a)
    emit("bit_length", int.bit_length, a)
    emit("bit_count", int.bit_count, a)
    for f in random.sample(FLOATS, 8) + [real()]:
        if f == f:
            emit("compare", lambda a, f: (a > f) - (a < f), a, f)
    if abs(a) > 10**300:
        continue
    for order in "big", "little":
        for length in 0, 1, 8, 16, 30:
            for signed in 0, 1:
                emit("to_bytes", lambda a, n, s: a.to_bytes(n, order, signed=s), a, length, signed) if order == "big" else \
                    emit("to_bytes_little", lambda a, n, s: a.to_bytes(n, order, signed=s), a, length, signed)
for n in range(40):
    data = random.randbytes(n)
    emit("from_bytes", lambda d: int.from_bytes(d, "big"), data)
    emit("from_bytes_signed", lambda d: int.from_bytes(d, "big", signed=True), data)
    emit("from_bytes_little", lambda d: int.from_bytes(d, "little"), data)
for _ in range(200):
    emit("powmod", pow, integer(), integer() if random.random() < .7 else random.randint(-5, 5), random.choice([integer(), random.randint(-9, 9)]))
    emit("decimal", lambda n, e: hash(__import__("decimal").Decimal(n).scaleb(e, __import__("decimal").Context(prec=999))), random.randint(-10**20, 10**20), random.randint(-300, 300))
for n in list(range(-1, 100)) + [1000, 2**70]:
    emit("factorial", math.factorial, n)
for n in list(range(-1, 70, 3)) + [200, 1000, 10**20, 10**30]:
    for k in -1, 0, 1, 2, 3, 15, 33, 66, 150, 999, 10**30 - 2, 10**29:
        if n == 10**20 and k > 10**19:
            continue
        emit("comb", math.comb, n, k)
        emit("perm", math.perm, n, k)
floats = [(a, b) for a in FLOATS for b in FLOATS] + [(real(), real()) for _ in range(500)]
for a, b in floats:
    emit("ftruediv", operator.truediv, a, b)
    emit("ffloordiv", operator.floordiv, a, b)
    emit("fmod", operator.mod, a, b)
    emit("fdivmod", divmod, a, b)
    emit("fpow", pow, a, b)
for f in FLOATS + [real() for _ in range(300)]:
    emit("int", int, f)
    if f == f:
        emit("fhash", hash, f)
for n in range(8):
    t = tuple(random.getrandbits(60) for _ in range(n))
    emit("tuple", lambda *t: hash(t), *t)
emit("tuple", lambda *t: hash(t), -1, -1)
