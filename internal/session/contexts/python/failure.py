"""Says what an exception was: its class, its text, and its traceback, in which
the code of the user begins where it was written."""

from traceback import TracebackException

LONG = 1 << 16  # characters
CELL = "<cell "


def describe(exc):
    return {"name": type(exc).__name__, "value": cut(text(exc)), "traceback": cut(traceback(exc))}


def text(exc):
    try:
        return str(exc)
    except BaseException:
        return "<exception str() failed>"


def traceback(exc):
    try:
        found = TracebackException(type(exc), exc, exc.__traceback__)
        if not strip(found, set()):
            del found.stack[:]  # it has not come to run
        return "".join(found.format())
    except BaseException:  # such as no memory
        return type(exc).__name__ + "\n"


def strip(found, seen):
    """Removes what is below the code of the user: this driver and event loops.
    Returns whether any frame is of that code."""
    if found is None or id(found) in seen:
        return False
    seen.add(id(found))
    frames = found.stack
    first = [i for i, frame in enumerate(frames) if frame.filename.startswith(CELL)][:1]
    del frames[: first[0] if first else 0]
    frames[:] = [frame for frame in frames if not frame.filename.startswith("glovebox_context/")]
    for other in [found.__cause__, found.__context__] + (getattr(found, "exceptions", None) or []):
        strip(other, seen)
    return bool(first)


def cut(text):
    return text if len(text) <= LONG else text[: LONG // 4] + "\n...\n" + text[-LONG // 2 :]
