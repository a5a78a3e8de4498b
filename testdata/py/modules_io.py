# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
import io
s = io.StringIO()
print(s.write("hello "), s.write("world\n"), s.tell(), s.getvalue())
s.write("second\nthird")
s.seek(0)
print(repr(s.read(3)), repr(s.readline()), s.readlines(), repr(s.read()), repr(s.readline()))
s.seek(2)
s.write("LONG")
print(repr(s.getvalue()), s.tell())
s.seek(0, 2)
s.write("!")
print(repr(s.getvalue()), s.seek(0), [line for line in s])
print(s.truncate(5), repr(s.getvalue()), s.tell())
s.seek(8)
s.write("x")
print(repr(s.getvalue()))
s.writelines(["a\n", "b\n"])
print(repr(s.getvalue()), s.readable(), s.writable(), s.seekable(), s.isatty(), s.closed)
s.close()
s.close()
print(s.closed)
for f in (s.read, s.getvalue, s.readline, s.tell, lambda: s.write("x"), lambda: s.seek(0), lambda: list(s), s.truncate, lambda: next(s), s.readlines, s.flush):
    t(f)
# ---
import io
with io.StringIO("a\nb\r\nc\rd") as s:
    print(s.readlines(), s.tell())
for newline in (None, "", "\n", "\r", "\r\n"):
    s = io.StringIO("a\nb\r\nc\rd", newline=newline)
    print(repr(newline), s.readlines(), repr(s.getvalue()))
    s = io.StringIO(newline=newline)
    s.write("x\ny\r\nz\r")
    print(repr(s.getvalue()))
    s.seek(0)
    print(list(s))
for line in io.StringIO("1\n2\n\n3"):
    print(repr(line))
s = io.StringIO("abc")
print(s.read(None), repr(s.read(5)), s.seek(1), s.read(-1))
print(io.StringIO("é€😀\nß").readline(), io.StringIO("é€😀\nß").read(2))
print(io.StringIO("one two").readline(3), io.StringIO(None).read() == "", io.StringIO(initial_value="q").getvalue())
s = io.StringIO("start")
s.write("XY")
print(s.getvalue())
s = io.StringIO("a\nb\nc\n")
print(s.readlines(1), s.readlines(), next(io.StringIO("z"), None), next(io.StringIO(), "end"))
s = io.StringIO("abcdef")
s.seek(3)
print(s.seek(0, 1), s.seek(0, 2), s.tell())
# ---
import io
t(lambda: io.StringIO(5))
t(lambda: io.StringIO(b"x"))
t(lambda: io.StringIO("", 5))
t(lambda: io.StringIO("", "x"))
s = io.StringIO("abc")
t(lambda: s.write(5))
t(lambda: s.write(b"x"))
t(lambda: s.write(None))
t(lambda: s.seek(-1))
t(lambda: s.seek(1, 1))
t(lambda: s.seek(-1, 2))
t(lambda: s.seek(0, 3))
t(lambda: s.truncate(-1))
t(lambda: s.fileno())
t(lambda: s.read("x"))
t(lambda: s.writelines([1]))
print(issubclass(io.UnsupportedOperation, OSError), issubclass(io.UnsupportedOperation, ValueError), isinstance(s, io.TextIOBase), isinstance(s, io.IOBase), io.SEEK_SET, io.SEEK_CUR, io.SEEK_END)
# ---
import io
b = io.BytesIO()
print(b.write(b"hello\n"), b.write(b"world"), b.getvalue(), b.tell())
b.seek(0)
print(b.read(2), b.readline(), b.readlines(), b.read())
b.seek(3)
b.write(b"XY")
print(b.getvalue(), b.seek(-2, 2), b.read(), b.seek(-100, 1), b.seek(20), b.read(), b.write(b"z"), b.getvalue())
print(b.truncate(4), b.getvalue(), b.seek(0), list(b))
b = io.BytesIO(b"a\nb\r\nc")
print(list(b), b.read1(), b.seek(1), b.read1(1))
with io.BytesIO(b"abc") as b:
    print(b.read(), b.closed)
print(b.closed)
t(b.read)
t(lambda: b.write(b"x"))
t(lambda: io.BytesIO("x"))
t(lambda: io.BytesIO(5))
b = io.BytesIO(b"abc")
t(lambda: b.write("x"))
t(lambda: b.seek(-1))
t(lambda: b.seek(0, 5))
t(lambda: b.truncate(-1))
t(lambda: b.fileno())
print(isinstance(b, io.BufferedIOBase), isinstance(b, io.TextIOBase))
# ---
import io
w = io.TextIOWrapper(io.BytesIO("é\r\nx\n".encode()), encoding="utf-8")
print(repr(w.read()), w.encoding)
w = io.TextIOWrapper(io.BytesIO(b"a\r\nb\n"), encoding="utf-8", newline="")
print(list(w))
# ---
import io, contextlib
s = io.StringIO()
print("to s", 1, None, file=s)
print("a", "b", sep="-", end="|", file=s, flush=True)
print(file=s)
print(repr(s.getvalue()))
class Log:
    def __init__(self):
        self.parts = []
    def write(self, text):
        self.parts.append(text)
        return 0
    def flush(self):
        self.parts.append("FLUSH")
log = Log()
print("x", 2, file=log)
print("y", file=log, flush=True)
print(log.parts)
print("plain", file=None)
class Shown:
    def __str__(self):
        return "shown"
print(Shown(), [Shown][0]() , file=s)
print(repr(s.getvalue()))
t(lambda: print("x", file=5))
t(lambda: print("x", file=s, sep=5))
t(lambda: print("x", file="text"))
# ---
import io, contextlib, sys
buf = io.StringIO()
with contextlib.redirect_stdout(buf) as target:
    print("inside", 1)
    sys.stdout.write("raw\n")
    inner = io.StringIO()
    with contextlib.redirect_stdout(inner):
        print("deep")
    print("after")
print("outside", target is buf)
print(repr(buf.getvalue()), repr(inner.getvalue()))
try:
    with contextlib.redirect_stdout(io.StringIO()) as buf:
        print("lost?")
        raise ValueError("x")
except ValueError as e:
    print("caught", e, repr(buf.getvalue()))
err = io.StringIO()
with contextlib.redirect_stderr(err):
    print("problem", file=sys.stderr)
print(repr(err.getvalue()))
old = sys.stdout
sys.stdout = mine = io.StringIO()
print("captured")
sys.stdout = old
print(repr(mine.getvalue()))
@contextlib.contextmanager
def captured():
    b = io.StringIO()
    with contextlib.redirect_stdout(b):
        yield b
with captured() as out:
    print("via generator")
print(out.getvalue())
# ---
import sys
print(sys.maxsize, sys.version_info[:2], sys.version_info >= (3, 8), sys.version_info.major, sys.version[:4], sys.byteorder, sys.maxunicode, sys.argv[1:], sys.getdefaultencoding(), sys.getrecursionlimit())
print(sys.float_info.max, sys.float_info.epsilon, sys.float_info.min, sys.float_info.dig, sys.float_info)
print(sys.stdout.write("text\n"), sys.stdout.isatty(), sys.intern("a"))
sys.stdout.flush()
sys.setrecursionlimit(5000)
print(sys.getrecursionlimit())
t(lambda: sys.setrecursionlimit(0))
t(lambda: sys.setrecursionlimit("x"))
print(sys.getsizeof(1), sys.getsizeof(2**40), sys.getsizeof(1.5), sys.getsizeof("abc"), sys.getsizeof(b"ab"), sys.getsizeof((1, 2)), sys.getsizeof(None), sys.getsizeof("é"), sys.getsizeof("€"), sys.getsizeof({}), sys.getsizeof(set()), sys.getsizeof([]))
print(sys.int_info.bits_per_digit, sys.hash_info.modulus, sys.float_repr_style)
try:
    sys.exit("bye")
except SystemExit as e:
    print("exit", e.code, e)
try:
    sys.exit()
except SystemExit as e:
    print("exit", e.code, repr(e))
try:
    sys.exit(3)
except Exception:
    print("no")
except BaseException as e:
    print(type(e).__name__, e.code, e.args)
sys.stdout.writelines(["a\n", "b\n"])
# ---
import sys
def main():
    try:
        sys.exit(2)
    finally:
        print("finally")
main()
# ---
import sys
print("before")
sys.exit(0)
print("never")
# ---
raise SystemExit
# ---
import sys
def main():
    print("main")
    return 0
if __name__ == "__main__":
    sys.exit(main())
# ---
import sys
sys.exit("usage: program")
