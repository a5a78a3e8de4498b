"""A script that is run as it was written, as python3 SCRIPT ARGUMENT... does."""

import builtins
import sys

show_plainly = sys.__excepthook__
with_traceback = BaseException.with_traceback


def take_place(job, text, namespace, original, guard):
    """Makes this module __main__ the one that the script expects, and returns
    the code of the script."""
    guard.ended = ended
    where = job["source_path"]
    for name in list(namespace):
        if name not in original:
            del namespace[name]
    sys.path_importer_cache[where] = sys.path_importer_cache.pop(namespace["__file__"], None)
    namespace["__doc__"] = None
    namespace["__builtins__"] = builtins
    namespace["__loader__"] = type(namespace["__loader__"])("__main__", where)
    namespace["__file__"] = where
    return compile(text, where, "exec", dont_inherit=True)


def ended(kind):
    """Sees to it that Python, which is going to show what ended the script,
    shows nothing of this program."""
    if not issubclass(kind, SystemExit):
        sys.excepthook = LastHook()


class LastHook:
    """Stands in front of the hook that the script has left, for one call."""

    def __init__(self):
        self.hook = getattr(sys, "excepthook", None)

    def __call__(self, kind, exc, trace):
        if self.hook is None:
            del sys.excepthook
            complain("sys.excepthook is missing\n")
            self.hook = show_plainly
        else:
            sys.excepthook = self.hook
        trace = without_ours(trace)
        with_traceback(exc, trace)
        sys.last_traceback = trace
        try:
            self.hook(kind, exc, trace)
        except SystemExit:
            raise
        except BaseException as e:
            failure = with_traceback(e, without_ours(e.__traceback__))
        else:
            return
        complain("Error in sys.excepthook:\n")
        show_plainly(type(failure), failure, failure.__traceback__)
        complain("\nOriginal exception was:\n")
        show_plainly(kind, exc, trace)


def without_ours(trace):
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(HERE):
        trace = trace.tb_next
    return trace


def complain(text):
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except BaseException:  # the script closed or replaced it
        pass
