"""Writes ucd.txt.gz: what CPython 3.11's unicodedata knows of each code point.

Run from the package's folder with the Python whose behaviour is wanted:
    python3 testdata/ucd.py

A line is start, end, category, bidirectional class, combining class, width,
mirrored, decomposition, number and name, with semicolons between. Lines of
many code points have the code point in hexadecimal at the end of the name
where it ends in "-". A decomposition that composes again begins with "=".
A number begins with e for a decimal digit, i for a digit and n otherwise.
"""
import gzip
import sys
import unicodedata as u

FIELDS = u.category, u.bidirectional, u.combining, u.east_asian_width, u.mirrored


def decomposition(c):
    text = u.decomposition(c)
    if 0xAC00 <= ord(c) < 0xD7A4:
        return ""
    if text and text[0] != "<" and " " in text:
        pair = "".join(chr(int(code, 16)) for code in text.split())
        if u.normalize("NFC", pair) == c:
            return "=" + text
    return text


def number(c):
    if u.decimal(c, None) is not None:
        return "e%d" % u.decimal(c)
    if u.digit(c, None) is not None:
        return "i%d" % u.digit(c)
    value = u.numeric(c, None)
    return "" if value is None else "n%r" % value


def name(n):
    text = u.name(chr(n), "")
    if 0xAC00 <= n < 0xD7A4:
        return "HANGUL"
    code = "%X" % n
    return text[:-len(code)] if text.endswith("-" + code) and text[0] == "C" else text


def record(n):
    c = chr(n)
    return ";".join(str(field(c)) for field in FIELDS) + ";" + decomposition(c) + ";" + number(c) + ";" + name(n)


lines = []
start, before = 0, record(0)
for n in range(1, sys.maxunicode + 2):
    now = record(n) if n <= sys.maxunicode else None
    if now != before:
        lines.append("%X;%X;%s\n" % (start, n - 1, before))
        start, before = n, now
with open("ucd.txt.gz", "wb") as f, gzip.GzipFile("", "wb", 9, f, 0) as packed:
    packed.write("".join(lines).encode())
