"""Executes what the host asks for, one request after the other, and says what
comes of it."""

import json
import os
import sys

from glovebox_context import interrupts, reseed
from glovebox_context.outlet import outlet

CHUNK = 1 << 16


def serve(opening):
    requests = os.dup(0)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    interrupts.attend()
    outlet.open(opening["line"], opening["between"])
    reseed.begin(opening["generation"])
    interpreter = choose(opening["plain"])
    sys.path.insert(0, "")
    sys.argv[:] = [""]
    outlet.ready(opening["id"])
    interpreter.rehearse()
    for line in lines(requests):
        request = json.loads(line)
        if "greeting" in request:
            outlet.ready(request["id"])
        else:
            execute(interpreter, request)
    os._exit(0)


def choose(plain):
    """Returns what runs code: IPython where there is one that works."""
    if not plain:
        try:
            from glovebox_context.ipython import Interpreter

            return Interpreter()
        except Exception:  # whatever is wrong with it, there is still Python
            pass
    from glovebox_context.plain import Interpreter

    return Interpreter()


def lines(fd):
    rest = b""
    while True:
        try:
            chunk = os.read(fd, CHUNK)
        except KeyboardInterrupt:  # the code has replaced the handler
            continue
        if not chunk:
            return
        rest += chunk
        while b"\n" in rest:
            line, _, rest = rest.partition(b"\n")
            yield line


def execute(interpreter, request):
    interrupts.attend()
    reseed.check()
    outlet.begin(request["id"])
    before = {name: os.environ.get(name) for name in request["env"]}
    os.environ.update(request["env"])
    failed = attempt(interpreter.run, request["code"], request["count"])
    failed = attempt(show_figures) or failed
    set_variables(before)
    if failed:
        from glovebox_context.failure import describe

        outlet.emit("error", error=describe(failed))
    outlet.end()


def attempt(function, *args):
    """Calls a function that the user may interrupt, and returns what it raises."""
    try:
        try:
            interrupts.run(function, *args)
        finally:
            outlet.leave_fork()
    except BaseException as e:
        return e


def show_figures():
    if "matplotlib.pyplot" in sys.modules:
        from glovebox_context.figures import show

        show()


def set_variables(values):
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
