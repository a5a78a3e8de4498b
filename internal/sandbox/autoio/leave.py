"""How the program ends when the code of an auto-IO run has.

Python takes apart everything there is when it ends, which takes longer than
most code. What of that a run can notice is done here: threads are waited for,
functions that were registered for the end run, and streams are flushed. Where
more could be noticed, such as a file that is still open or an object with a
finalizer, Python ends as it does.

A host that wants nothing but the report ends the cell as soon as the control
stream is closed. The end of a process would only be in its way, so this one
then lingers, if nothing is left to be done. That is found out before the host has
the report, so that it need not wait.
"""

import sys
from _thread import _count as count_threads
from atexit import _ncallbacks as count_registered, _run_exitfuncs as run_registered
from os import _exit, close, listdir, register_at_fork
from time import sleep

from host import CONTROL

Module = type(sys)
flush_library = None  # writes what the C library holds back
SUSPENDED = ("generator", "coroutine", "async_generator")  # what may have something left to do
USUAL = ("0", "1", "2", "4")  # descriptors that have nothing of the code behind them
LINGERING = 1  # seconds
streams = sys.stdout, sys.stderr
children = []  # something, once the code has forked: a child holds the control stream open
register_at_fork(before=lambda: children.append(None))


def leave(status, namespace, where, lingering):
    """Ends the program, or returns if Python has to. Where is the directory of
    the code, and lingering whether the host wants nothing more."""
    try:
        threading = sys.modules.get("threading")
        if threading is not None:
            threading._shutdown()
        run_registered()
        if not finished(namespace, where):
            return
        flush(sys.stdout)
        flush(sys.stderr)
        if lingering and not children:
            linger()
    except BaseException:  # what the code has left is in the way
        return
    _exit(status)


def settled(namespace, where):
    """Whether nothing is left to do for code that has ended, so that nothing of it
    could run any more."""
    try:
        if children or count_registered() or sys.stdout is not streams[0] or sys.stderr is not streams[1]:
            return False
        if getattr(sys.modules.get("threading"), "_threading_atexits", None):
            return False
        if not finished(namespace, where):
            return False
        flush(sys.stdout)
        flush(sys.stderr)
    except BaseException:
        return False
    return True


def linger():
    """Tells the host that this is all, and waits for it to end the cell."""
    try:
        close(CONTROL)
        sleep(LINGERING)
    except BaseException:  # such as a signal
        pass


def finished(namespace, where):
    """Whether Python would do nothing at its end but write what the C library
    holds back, which is done."""
    if sys.flags.dev_mode or sys.flags.inspect or sys.flags.verbose:
        return False
    if count_threads() or has_finalizers(namespace) or not only_usual():
        return False
    own, compiled = kinds_of_modules(where + "/")
    if own or compiled and flush_library is None:
        return False
    if flush_library is not None:
        flush_library()
    return True


def has_finalizers(namespace):
    """Whether a variable is, or makes, an object that does something at its end."""
    for v in list(namespace.values()):
        if hasattr(v if isinstance(v, type) else type(v), "__del__") or type(v).__name__ in SUSPENDED:
            return True
    return False


def kinds_of_modules(where):
    """Whether there are modules of the code, which may hold anything, and
    compiled ones that are not Python's, for which the C library may hold back
    output."""
    own, compiled = False, "_ctypes" in sys.modules
    for module in list(sys.modules.values()):
        if isinstance(module, Module):
            file = module.__dict__.get("__file__")
            if isinstance(file, str):
                own = own or file.startswith(where) and "__main__" != module.__dict__.get("__name__")
                compiled = compiled or file.endswith(".so") and "/lib-dynload/" not in file
    return own, compiled


def reach_library():
    """Gets hold of the C library, for processes with compiled code in them."""
    global flush_library
    try:
        from _ctypes import call_function, dlopen, dlsym

        flush = dlsym(dlopen(None, 0), "fflush")
    except Exception:  # a Python without it
        return
    flush_library = lambda: call_function(flush, (0,))


def only_usual():
    """Whether no descriptor is open that may have something to write."""
    # The directory itself is open while it is listed.
    return len([fd for fd in listdir("/proc/self/fd") if fd not in USUAL]) <= 1


def flush(stream):
    if stream is not None:
        stream.flush()
