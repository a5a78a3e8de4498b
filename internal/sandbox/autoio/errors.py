"""What went wrong, as JSON for the host and as text for stderr.

This part is loaded after the code has run, so it imports nothing but parts.
"""

from describe import describe
from host import Failure, is_a, plain, sys
from values import Bad, spell

MAX_TEXT = 64 << 10  # characters of a message or a traceback in the result
MAX_STDERR = 1 << 20  # characters of the traceback on stderr
MAX_FRAMES = 100


def bound(text, limit):
    if len(text) <= limit:
        return text
    return "%s\n[... %d characters left out ...]\n%s" % (text[: limit // 2], len(text) - limit, text[-limit // 2 :])


def text_of(exc):
    try:
        return bound(str(exc), MAX_TEXT)
    except BaseException:
        return "<exception str() failed>"


def type_of(exc):
    cls = type(exc)
    name = type.__getattribute__(cls, "__qualname__")
    module = type.__getattribute__(cls, "__module__")
    if type(module) is not str or module in ("builtins", "__main__"):
        return name
    return module + "." + name


def python_failure(kind, exc, source):
    """Turns an exception of the code into a Failure."""
    status = 130 if is_a(exc, KeyboardInterrupt) else 1
    try:
        own, full, frames = render(exc, source, kind == "syntax_error")
    except BaseException:  # such as no memory, or an exception that defeats the traceback module
        own = full = "Traceback (most recent call last):\n%s: %s\n" % (type_of(exc), text_of(exc))
        frames = frames_of(exc, source)
    message = text_of(exc)
    if kind == "syntax_error" and is_a(exc, SyntaxError):
        message = str(exc.msg)
    return Failure(
        status, bound(full, MAX_STDERR), kind=kind, type=type_of(exc), message=message,
        frames=frames, traceback=bound(own, MAX_TEXT),
    )


def is_own(filename, source):
    """Whether a file is the user's."""
    return filename == source.name or filename.startswith(source.dir + "/") and "/site-packages/" not in filename


def render(exc, source, syntax):
    """Returns the traceback with the user's frames alone, with all but ours,
    and the frames."""
    linecache, traceback = load_traceback(source)
    if syntax and source.indent:  # the interpreter has read the line from the file
        exc.text = source.raw_line(exc.lineno) + "\n"
    lines = [line + "\n" for line in source.text.split("\n")]
    linecache.cache[source.name] = (len(source.text), None, lines, source.name)
    tree = traceback.TracebackException(type(exc), exc, None if syntax else exc.__traceback__)
    filter_frames(tree, lambda f: not f.filename.startswith(HERE))
    full = "".join(tree.format())
    filter_frames(tree, lambda f: is_own(f.filename, source))
    frames = syntax_frame(exc, source) if syntax else frames_of(exc, source)
    return "".join(tree.format()), full, frames


def load_traceback(source):
    # The code's own folder must not shadow what these modules import.
    shown, sys.path = sys.path, source.library
    try:
        import linecache
        import traceback
    finally:
        sys.path = shown
    return linecache, traceback


def filter_frames(tree, keep):
    """Drops frames from an exception, its causes, contexts and groups."""
    todo, seen = [tree], set()
    while todo:
        t = todo.pop()
        if t is None or id(t) in seen:
            continue
        seen.add(id(t))
        t.stack[:] = [f for f in t.stack if keep(f)]
        todo += [t.__cause__, t.__context__] + (getattr(t, "exceptions", None) or [])


def syntax_frame(exc, source):
    line = getattr(exc, "lineno", None) or 0
    column = getattr(exc, "offset", None) or 0
    if column > 0:
        column += source.indent
    return [{"file": source.name, "line": line, "column": max(column, 0), "source": source.line(source.name, line)}]


def frames_of(exc, source):
    frames = []
    tb = exc.__traceback__
    while tb is not None:
        code = tb.tb_frame.f_code
        if is_own(code.co_filename, source) and tb.tb_lineno:
            frames.append(frame(code, tb.tb_lineno, tb.tb_lasti, source))
            if len(frames) > MAX_FRAMES:
                del frames[MAX_FRAMES // 2]
        tb = tb.tb_next
    return frames


def frame(code, line, lasti, source):
    return {
        "file": code.co_filename, "line": line, "column": column_of(code, line, lasti, source),
        "function": getattr(code, "co_qualname", code.co_name), "source": source.line(code.co_filename, line),
    }


def column_of(code, line, lasti, source):
    """Counts characters from 1; 0 before Python 3.11, which does not say."""
    if not hasattr(code, "co_positions") or code.co_filename != source.name:
        return 0
    for i, (start, _, col, _) in enumerate(code.co_positions()):
        if i == lasti // 2:
            if start != line or col is None:
                return 0
            before = source.raw_line(line).encode("utf-8", "replace")[:col]
            return len(before.decode("utf-8", "replace")) + 1 + source.indent
    return 0


def unfit(p, v, e):
    """The failure of a value that encode() has refused with e."""
    if is_a(e, Bad):
        return bad_output(p, e.path, e.expected, e.got)
    got = "%s, which cannot be read: %s" % (describe(v), reason(e))
    return bad_output(p, "", spell(p["type"]), got)


def reason(e):
    return "%s: %s" % (type_of(e), text_of(e)[:500])


def bad_output(p, where, expected, got):
    name = p["name"]
    message = "output %s%s: expected %s, got %s" % (name, where, expected, got)
    if where:
        got += " at " + name + where
    return Failure(1, "", kind="bad_output", name=name, expected=expected, got=got, message=message)


def preload_failure(name, exc):
    """Ends the program, which could not be made ready. Its last line is for the
    host."""
    report = plain({"module": name, "type": type_of(exc), "message": text_of(exc)})
    sys.stderr.write("glovebox preload " + report + "\n")
    sys.exit(1)
