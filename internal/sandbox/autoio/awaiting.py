"""Code that awaits outside of functions, as in a notebook: an event loop of its own runs it."""

from host import sys


def run_in_loop(code, namespace, source):
    asyncio = load_asyncio(source)
    try:
        asyncio.run(eval(code, namespace))
    except BaseException as e:
        raise without_loop(e, code)


def load_asyncio(source):
    # The code's own folder must not shadow what this module imports.
    shown, sys.path = sys.path, source.library
    try:
        import asyncio
    finally:
        sys.path = shown
    return asyncio


def without_loop(exc, code):
    """Takes the frames of the loop below those of the code from a traceback."""
    tb = exc.__traceback__
    while tb is not None and tb.tb_frame.f_code is not code:
        tb = tb.tb_next
    return exc if tb is None else BaseException.with_traceback(exc, tb)
