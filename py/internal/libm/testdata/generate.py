"""Writes golden.txt: what CPython 3.11 with the GNU C library computes, one call a line.

    python3 generate.py > golden.txt

Floats are written as float.hex() does.
"""
import math
import random
import struct

random.seed(1)
U = random.uniform
COUNT = 150


def anything():
    return struct.unpack("<d", random.randbytes(8))[0]


def emit(name, args):
    try:
        result = float(getattr(math, name)(*args)).hex()
    except (ValueError, OverflowError) as e:
        result = f"{type(e).__name__}: {e}"
    print(name, " ".join(float(a).hex() for a in args), "=", result)


SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, .5, -.5, math.inf, -math.inf, math.nan, 5e-324, -5e-324,
           2.2250738585072014e-308, 1.7976931348623157e308, -1.7976931348623157e308, 3.0, -3.0, 0.1, 1e22,
           709.782712893384, 709.7827128933841, -745.1332191019411, -745.1332191019412, 170.0, 171.0, 171.7,
           -171.5, -184.5, math.pi, 1e16, -30.0, 1e300]
near_one = lambda: U(.9, 1.1)
whole = lambda: random.randint(1, 10000)
turn = [lambda: U(-10, 10), lambda: U(-1e5, 1e5), anything]
unary = {
    "exp": [lambda: U(-745, 709), lambda: U(-1, 1), lambda: U(-10, 10), anything],
    "exp2": [lambda: U(-1080, 1024), lambda: U(-4, 4), anything],
    "expm1": [lambda: U(-40, 709), lambda: U(-1, 1), anything],
    "log": [lambda: U(0, 10), near_one, anything, whole],
    "log2": [lambda: U(0, 10), near_one, anything, whole],
    "log10": [lambda: U(0, 10), near_one, anything, whole],
    "log1p": [lambda: U(-1, 10), lambda: U(-.1, .1), anything],
    "sin": turn, "cos": turn, "tan": turn,
    "asin": [lambda: U(-1, 1)], "acos": [lambda: U(-1, 1)], "atan": [lambda: U(-10, 10), lambda: U(-1, 1), anything],
    "sinh": [lambda: U(-10, 10), lambda: U(-1, 1), lambda: U(-710, 710)],
    "cosh": [lambda: U(-10, 10), lambda: U(-1, 1), lambda: U(-710, 710)],
    "tanh": [lambda: U(-10, 10), lambda: U(-1, 1)],
    "asinh": [lambda: U(-10, 10), lambda: U(-1, 1), anything],
    "acosh": [lambda: U(1, 10), lambda: U(1, 1.1), lambda: abs(anything())],
    "atanh": [lambda: U(-1, 1)],
    "erf": [lambda: U(-6, 6), lambda: U(-1, 1)],
    "erfc": [lambda: U(-6, 27), lambda: U(-1, 1)],
    "gamma": [lambda: U(-20, 171), lambda: U(0, 5), lambda: random.randint(1, 170)],
    "lgamma": [lambda: U(-20, 171), lambda: U(0, 5), anything],
    "cbrt": [lambda: U(-100, 100), anything, lambda: random.randint(1, 100) ** 3],
    "sqrt": [lambda: U(0, 100)], "degrees": [lambda: U(-10, 10)], "radians": [lambda: U(-500, 500)], "ulp": [anything],
}
binary = {
    "pow": [lambda: (U(0, 10), U(-10, 10)), lambda: (U(0, 1000), random.randint(-70, 70)),
            lambda: (abs(anything()), U(-2, 2)), lambda: (1 + U(-.1, .1), U(-400, 400)),
            lambda: (random.randint(1, 1000), random.choice([.5, 1 / 3, 1.5, 2.5, -.5, .25]))],
    "atan2": [lambda: (U(-10, 10), U(-10, 10)), lambda: (anything(), anything())],
    "fmod": [lambda: (U(-10, 10), U(-3, 3)), lambda: (anything(), anything())],
    "remainder": [lambda: (U(-10, 10), U(-3, 3)), lambda: (anything(), anything())],
    "hypot": [lambda: (U(-10, 10), U(-3, 3)), lambda: (anything(), anything())],
    "nextafter": [lambda: (anything(), anything())],
    "ldexp": [lambda: (anything(), random.randint(-2100, 2100))],
}
for name, sources in unary.items():
    for x in SPECIAL:
        emit(name, [x])
    for source in sources:
        for _ in range(COUNT):
            emit(name, [source()])
for name, sources in binary.items():
    second = [0, 1, -1, 10, 1023, 1024, -1074, -1075, 10**9] if name == "ldexp" else SPECIAL
    for x in SPECIAL:
        for y in random.sample(second, 9):
            emit(name, [x, y])
    for source in sources:
        for _ in range(COUNT):
            emit(name, source())
for n in range(400):
    size = random.randint(0, 12)
    exponent = random.choice([0, 5, 300])
    items = [random.choice([-1, 1]) * random.random() * 10.0 ** random.randint(-exponent, exponent) for _ in range(size)]
    items += [-x for x in items if random.random() < .3]
    random.shuffle(items)
    emit("hypot", items)
    print("fsum", " ".join(float(a).hex() for a in items), "=", math.fsum(items).hex())
for items in [math.inf, 1], [math.inf, -math.inf], [math.nan, math.inf], [1e308, 1e308], [1e308, 1e308, -1e308], [1e16, 1, 1e-16], [-0.0]:
    try:
        result = math.fsum(items).hex()
    except (ValueError, OverflowError) as e:
        result = f"{type(e).__name__}: {e}"
    print("fsum", " ".join(float(a).hex() for a in items), "=", result)
for n in 1, 2, 10, 2**53, 2**60 + 1, 10**22, 10**308, 2**1024 - 1, 2**1024, 10**309, 3**1000, 10**1000, 7**3000, 0, -1, -(10**400):
    for name in "log", "log2", "log10":
        try:
            result = getattr(math, name)(n).hex()
        except ValueError as e:
            result = f"ValueError: {e}"
        print(name + "int", hex(n), "=", result)
