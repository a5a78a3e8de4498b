# prelude
import traceback, sys
def shape(text):
    return [line for line in text.splitlines() if not line.startswith(" ")]
# ---
def f(n):
    return 1 // n
def g():
    return f(0)
try:
    g()
except ZeroDivisionError as e:
    text = traceback.format_exc()
    print(shape(text), text.endswith("\n"))
    print(shape("".join(traceback.format_exception(e))), shape("".join(traceback.format_exception(type(e), e, sys.exc_info()[2]))))
    print(traceback.format_exception_only(e), traceback.format_exception_only(type(e), e))
    frames = traceback.extract_tb(sys.exc_info()[2])
    print([(x.name, x.lineno) for x in frames], len(frames), frames[-1].name, sys.exc_info()[2].tb_lineno)
    print(len(traceback.format_tb(sys.exc_info()[2])), traceback.format_tb(sys.exc_info()[2])[0].split(",")[1:2])
    kind, value, tb = sys.exc_info()
    print(kind is ZeroDivisionError, value is e, tb is not None, sys.exception() is e)
print(sys.exc_info(), traceback.format_exc(), sys.exception())
# ---
class AppError(Exception):
    pass
def show():
    return shape(traceback.format_exc())
try:
    try:
        {}["missing"]
    except KeyError as e:
        raise AppError("wrapped") from e
except AppError:
    print(show())
try:
    raise ValueError
except ValueError:
    print(show())
try:
    raise ValueError("two\nlines")
except ValueError as e:
    e.add_note("a note")
    print(show(), traceback.format_exception_only(e))
try:
    raise AppError("hidden cause") from None
except AppError:
    print(show())
try:
    try:
        raise ValueError("inner")
    except ValueError:
        print(show())
        try:
            raise TypeError("deeper")
        except TypeError:
            print(show()[-1])
        print(show()[-1])
    print(show())
    raise KeyError("k")
except KeyError:
    print(show())
def generator():
    try:
        yield 1
    except RuntimeError:
        yield show()[-1]
g = generator()
next(g)
print(g.throw(RuntimeError("thrown")), show())
for n in range(3):
    try:
        if n == 1:
            continue
        raise IndexError(n)
    except IndexError:
        if n == 2:
            break
    finally:
        print(n, show())
print(show())
def inside():
    try:
        raise OSError("from inside")
    except OSError:
        return show()
print(inside(), show())
# ---
import io
out = io.StringIO()
try:
    int("x")
except ValueError as e:
    traceback.print_exc(file=out)
    traceback.print_exception(e, file=out)
    traceback.print_exception(type(e), e, sys.exc_info()[2], file=out)
    saved, place = e, sys.exc_info()[2].tb_lineno
    te = traceback.TracebackException.from_exception(saved)
print(shape(out.getvalue()))
print(str(te), shape("".join(te.format())), list(te.format_exception_only()), te.exc_type is ValueError, [x.name for x in te.stack])
print(traceback.format_exception(ValueError("never raised")), traceback.format_exception(None))
class Odd(Exception):
    def __str__(self):
        raise RuntimeError
print(traceback.format_exception_only(Odd()))
print(traceback.format_list([("file.py", 3, "f", "x = 1"), ("file.py", 4, "g", None)]))
def deep(n):
    return deep(n - 1) if n else [][1]
try:
    deep(10)
except IndexError as e:
    text = traceback.format_exc()
    print("Previous line repeated" in text, shape(text), place)
def errors(items):
    for item in items:
        try:
            yield int(item)
        except ValueError as e:
            yield traceback.format_exception_only(type(e), e)[-1].strip()
list(errors(["1", "x"]))
