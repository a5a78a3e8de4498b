# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
# Arithmetic of every operator over values at the borders of 64 bits.
values = [0, 1, -1, 2, -2, 3, 7, -7, 10, 255, 2**31 - 1, -2**31, 2**53, 2**62, 2**63 - 1, -2**63, -2**63 + 1, 2**63, 2**64, -2**64 + 1]
for a in values:
    for b in values:
        print(a, b, a + b, a - b, a * b, a & b, a | b, a ^ b, a == b, a < b, a <= b)
        t(lambda: (a // b, a % b, divmod(a, b)))
        t(lambda: a / b)
# ---
# Shifts and powers.
for a in [0, 1, -1, 3, -5, 2**31, 2**62, -2**63, 2**63, 2**70 + 1]:
    for n in [0, 1, 2, 31, 32, 62, 63, 64, 65, 100]:
        print(a, n, a << n, a >> n)
    for e in [0, 1, 2, 3, 5, 10, 20, -1, -2]:
        t(lambda: a ** e)
# ---
t(lambda: 1 << -1)
t(lambda: 1 >> -1)
t(lambda: (2**80) >> -3)
t(lambda: 0 << -1)
t(lambda: 1 // 0)
t(lambda: 1 % 0)
t(lambda: 1 / 0)
t(lambda: divmod(1, 0))
t(lambda: 2**100 // 0)
t(lambda: 2**100 % 0)
t(lambda: 2**100 / 0)
t(lambda: 0 ** -1)
t(lambda: pow(2, -1, 7))
t(lambda: pow(3, -2, 11))
t(lambda: pow(2, -1, 4))
t(lambda: pow(2, 10, 0))
t(lambda: pow(2, 10, 1000))
t(lambda: pow(2, 10, -7))
t(lambda: pow(-3, 5, 7))
t(lambda: pow(2.0, 3, 5))
t(lambda: pow(7, 2**80, 13))
t(lambda: pow(2**90, 3, 2**61 - 1))
t(lambda: pow(0, 0))
t(lambda: pow(0, 0, 1))
t(lambda: True ** 2)
t(lambda: pow(base=2, exp=5))
# ---
# int() of strings.
for s in ["0", "7", "-7", "+7", " 12 ", "\t5\n", "1_000", "1__0", "_1", "1_", "", " ", "abc", "1.5", "0x10", "0b1", "1e5", "- 1", "--1", "\u0663", "9" * 30, "-" + "9" * 25, "1\x00", "é", "'", "\u00a05\u2003"]:
    t(lambda: int(s))
# ---
for s, base in [("ff", 16), ("0xff", 16), ("0xff", 0), ("0o17", 0), ("0b101", 0), ("017", 0), ("0", 0), ("00", 0), ("z", 36), ("Zz", 36), ("12", 2), ("12", 3), ("12", 1), ("12", 37), ("12", -1), ("0b", 2), ("0b1", 16), ("0x", 16), ("1_0", 10), ("-0x_f", 0), ("", 16), ("7", 8), ("8", 8), ("  -0b11 ", 0), ("9", 0)]:
    t(lambda: int(s, base))
# ---
t(lambda: int())
t(lambda: int(3.99))
t(lambda: int(-3.99))
t(lambda: int(1e20))
t(lambda: int(1e300))
t(lambda: int(float("inf")))
t(lambda: int(float("-inf")))
t(lambda: int(float("nan")))
t(lambda: int(True))
t(lambda: int(None))
t(lambda: int([]))
t(lambda: int({}))
t(lambda: int(b"12"))
t(lambda: int(b"x"))
t(lambda: int("12", base=5))
t(lambda: int(12, 5))
t(lambda: int(1.5, 10))
t(lambda: int(base=5))
t(lambda: int("1", 2, 3))
t(lambda: int("1", "2"))
t(lambda: int("1" * 5000))
t(lambda: len(str(10**4299)))
t(lambda: len(str(10**4300)))
t(lambda: hex(10**20))
t(lambda: oct(-64))
t(lambda: bin(-10))
t(lambda: hex(-255))
t(lambda: hex(1.5))
t(lambda: bin("1"))
t(lambda: chr(65) + chr(0x1F600) + chr(233))
t(lambda: chr(-1))
t(lambda: chr(0x110000))
t(lambda: chr(2**70))
t(lambda: chr("a"))
t(lambda: ord("a"))
t(lambda: ord("é"))
t(lambda: ord(""))
t(lambda: ord("ab"))
t(lambda: ord(5))
t(lambda: ord(b"a"))
t(lambda: ord(b"ab"))
# ---
# Methods.
for n in [0, 1, -1, 5, 255, 256, -256, 2**63, 2**64 - 1, -2**70]:
    print(n.bit_length(), n.bit_count(), n.as_integer_ratio(), n.conjugate(), n.real, n.imag, n.numerator, n.denominator)
t(lambda: (1024).to_bytes(2, "big"))
t(lambda: (1024).to_bytes(4, "little"))
t(lambda: (1024).to_bytes(1, "big"))
t(lambda: (-1).to_bytes(2, "big"))
t(lambda: (-1).to_bytes(2, "big", signed=True))
t(lambda: (-129).to_bytes(1, "big", signed=True))
t(lambda: (5).to_bytes())
t(lambda: (5).to_bytes(2, "middle"))
t(lambda: (5).to_bytes(-1, "big"))
t(lambda: (2**100).to_bytes(13, "big"))
t(lambda: int.from_bytes(b"\x01\x00", "big"))
t(lambda: int.from_bytes(b"\x01\x00", "little"))
t(lambda: int.from_bytes(b"\xff\xfe", "big", signed=True))
t(lambda: int.from_bytes([1, 2, 3], byteorder="big"))
t(lambda: int.from_bytes(b"", "big"))
t(lambda: int.from_bytes(b"\xff" * 12, "big"))
t(lambda: (5).foo)
t(lambda: (5).__add__(3))
t(lambda: (5).__add__("x"))
t(lambda: (7).__floordiv__(2))
t(lambda: (-5).__abs__())
# ---
# Unary, bool, round, abs, sum, min, max.
for n in [0, 5, -5, 2**63 - 1, -2**63, 2**63, True, False]:
    print(-n, +n, ~n, not n, abs(n), bool(n), round(n), round(n, 2), round(n, -1), round(n, -20))
for n in [15, 25, 35, -15, -25, 149, 150, 151, 12345678901234567890123]:
    print(round(n, -1), round(n, -2), round(n, -3))
print(sum([]), sum([1, 2, 3]), sum(range(101)), sum([2**62, 2**62, 2**62]), sum([True, True]), sum([1, 2], 10))
print(min(3, 1, 2), max(3, 1, 2), min([5]), max([2**70, 1]), min(1, 1.0), max(1, 1.0, True))
print(True + True, True * 5, -True, ~True, True / 2, True // 2, True << 3, True & False, True | 2, True ^ True, True & True)
print(1 < 2 < 3, 1 < 3 < 2, 1 == 1.0 == True, 0 == False == 0.0, 3 > 2 >= 2 != 1)
print(1_000_000, 0xFF, 0o17, 0b1010, 0xdead_beef, 00, 123456789012345678901234567890)
# ---
t(lambda: 1 + "a")
t(lambda: "a" + 1)
t(lambda: 1 - None)
t(lambda: [] - 1)
t(lambda: 1 & 1.0)
t(lambda: 1 << 1.0)
t(lambda: ~1.5)
t(lambda: -"a")
t(lambda: +[])
t(lambda: ~None)
t(lambda: 1 < "a")
t(lambda: "a" >= 1)
t(lambda: None < None)
t(lambda: [] < ())
t(lambda: {} > {})
t(lambda: 5())
t(lambda: 5[0])
t(lambda: 5 in 5)
t(lambda: len(5))
t(lambda: iter(5))
t(lambda: next(5))
t(lambda: abs("x"))
t(lambda: round("x"))
t(lambda: round(1, "x"))
t(lambda: sum(5))
t(lambda: sum(["a"]))
t(lambda: sum(["a"], ""))
t(lambda: sum([b"a"], b""))
t(lambda: min())
t(lambda: min([]))
t(lambda: max([], default=3))
t(lambda: max(1, 2, default=3))
t(lambda: min(5))
t(lambda: min(1, "a"))
t(lambda: max("a", 1))
t(lambda: range(1, 2, 0))
t(lambda: range("a"))
t(lambda: range(1.0))
t(lambda: range())
t(lambda: range(1, 2, 3, 4))
t(lambda: divmod("a", 1))
t(lambda: divmod(1))
t(lambda: pow("a", 2))
t(lambda: pow(1))
t(lambda: bool(1, 2))
# ---
# Floor division and modulo of mixed signs, the way Python rounds.
for a in [7, -7, 7.5, -7.5, 0.0, -0.0, 1e20]:
    for b in [3, -3, 0.5, -0.5, 2.5, 1e10]:
        print(a, b, a // b, a % b, divmod(a, b))
# ---
# Integers as floats: exactness.
print(2**53 == float(2**53), 2**53 + 1 == float(2**53 + 1), 2**53 + 1 > float(2**53), 10**30 == 1e30, 10**22 == 1e22)
print(hash(2**61 - 1), hash(2**61), hash(-1), hash(-2), hash(True), hash(1.0), hash(0.5), hash(10**30) == hash(float(10**30)), hash(2**200))
print({1: "a", 1.0: "b", True: "c"}, {0: 1, False: 2, -0.0: 3}, len({2**70, float(2**70)}))
t(lambda: float(2**1024))
t(lambda: 2**1024 * 1.0)
t(lambda: 2**1024 / 3)
t(lambda: 2**1100 / 2**1099)
t(lambda: (2**1024) / (2**1000 + 1))
t(lambda: 1e308 * 10)
t(lambda: 10**400 > float("inf"))
t(lambda: 10**400 < float("inf"))
t(lambda: -10**400 > float("-inf"))
t(lambda: 10**400 == float("nan"))
t(lambda: 5 // 0.0)
t(lambda: 5 % 0.0)
t(lambda: 5 / 0.0)
t(lambda: divmod(5, 0.0))
t(lambda: 0.0 ** -1)
t(lambda: (-8) ** 2.0)
t(lambda: 10.0 ** 400)
t(lambda: 2 ** 0.5)
# ---
# Big arithmetic that carries.
a = 123456789 ** 12
b = 987654321 ** 9
print(a, b, a * b, a // b, a % b, a - b, -a // b, -a % b, a & b, a | b, a ^ b, ~a, a >> 77, b << 33)
print(a > b, a == a + 1 - 1, hash(a) == hash(a + 0), int(str(a)) == a, str(-a)[:10], f"{a:,}", f"{a:x}", f"{b:e}", f"{a:_}")
f = 1
for i in range(1, 60):
    f *= i
f
# ---
# Fibonacci until it is bigger than 10**40.
a, b, n = 0, 1, 0
while a < 10**40:
    a, b = b, a + b
    n += 1
(n, a)
# ---
import math
print(math.isqrt(10**40), math.gcd(12, 18), math.gcd(2**70, 6**30), math.lcm(4, 6, 10), math.factorial(25), math.comb(50, 20), math.perm(10, 3))
t(lambda: math.factorial(-1))
t(lambda: math.isqrt(-1))
t(lambda: math.factorial(1.5))
t(lambda: math.comb(5, -1))
t(lambda: math.gcd(1.5, 2))
