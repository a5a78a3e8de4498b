# prelude
import struct
def t(f, *a):
    try:
        print(repr(f(*a)))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
for prefix in ("", "<", ">"):
    for c in "xcbBhHiIlLqQnN?efdspPz":
        for v in (5, -1, 200, -200, 40000, -40000, 1 << 31, (1 << 63) - 1, -(1 << 63), 1 << 63, (1 << 64) - 1, 1 << 64, -(1 << 70), 1.5, 1e40, float("inf"), True, None, b"", b"a", b"abc", "a", [], [1]):
            if prefix == ">" and c in "bBhHiIlLqQ" and isinstance(v, int) and abs(v) >= 40000:
                continue
            try:
                r = struct.pack(prefix + c, v)
                print(prefix + c, v, r, struct.unpack(prefix + c, r))
            except Exception as e:
                print(prefix + c, v, type(e).__name__, e)
# ---
t(struct.pack, "2i", 1)
t(struct.pack, "i", 1, 2)
t(struct.unpack, "i", b"")
t(struct.unpack, "i", 5)
t(struct.unpack, "i", "abcd")
for f in ("z", "3", "<n", " 2h  i", "i 3", "99999999999999999999999i", 5, b"i", "@bi", "bq", "=bq", "b0q", "<b<i", "", "<", "3x", "hb3s5p?", "<hb3s5p?", "bhilq", "3s2x4f", "10c", "c0i", "dcdc", "<P"):
    t(struct.calcsize, f)
t(struct.pack, "5s", b"abcdefg")
t(struct.pack, "5s", b"ab")
t(struct.pack, "5p", b"abcdefg")
t(struct.pack, "0s", b"")
t(struct.pack, "0p", b"")
t(struct.pack, "1p", b"abc")
t(struct.unpack, "5p", b"\x02abcd")
t(struct.unpack, "5p", b"\xffabcd")
t(struct.unpack_from, "2h", b"abcdef", 4)
t(struct.unpack_from, "h", b"abcdef", -2)
t(struct.unpack_from, "h", b"abcdef", -9)
t(struct.unpack_from, "h", b"abcdef", -1)
t(struct.unpack_from, "h", b"abcdef", 9)
t(lambda: struct.unpack_from("h", buffer=b"abcd", offset=1))
t(lambda: struct.unpack_from("h", b"abcd"))
t(lambda: list(struct.iter_unpack("h", b"abcdef")))
t(lambda: list(struct.iter_unpack("h", b"abc")))
t(lambda: list(struct.iter_unpack("", b"abc")))
s = struct.Struct("<hIs")
print(s.format, s.size, s.pack(-1, 2, b"x"), s.unpack(s.pack(-1, 2, b"x")), list(s.iter_unpack(s.pack(1, 2, b"a") * 2)), s.unpack_from(b"...." + s.pack(3, 4, b"b"), 4), s.unpack_from(b"." + s.pack(3, 4, b"b"), offset=1))
t(s.pack, 1)
t(struct.Struct, "z")
print(struct.error, struct.error.__name__, issubclass(struct.error, Exception), struct.error("x"))
print([struct.unpack("<e", struct.pack("<e", v))[0] for v in (0.0, -0.0, 1 / 3, 65504, 65519.99, 6e-8, 2.9e-8, 2.98e-8, 6.1e-5, 6.09e-5, 1e-9, float("-inf"), 2049, 2051)])
t(struct.pack, "e", 65520)
t(struct.pack, "e", 1e10)
t(struct.pack, "<f", 1e40)
t(struct.pack, "d", "a")
t(struct.pack)
t(struct.pack, 5)
print(struct.unpack("<3s?2xH", b"abc\x02\0\0\x01\x02"), struct.unpack(">4B", bytes([1, 2, 3, 255])))
header = struct.pack(">4sHHI", b"GLVB", 1, 2, 3_000_000_000)
magic, major, minor, size = struct.unpack(">4sHHI", header)
print(magic, major, minor, size, len(header), header.hex())
