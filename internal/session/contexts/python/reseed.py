"""Gives a context random numbers of its own after its session was forked. The
guest changes a file then, because a process cannot notice it."""

import os
import sys

path = ""
known = None


def begin(where):
    global path, known
    path = where
    known = mark()


def mark():
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def check():
    global known
    now = mark()
    if now == known:
        return
    known = now
    for name, act in ACTS.items():
        if name in sys.modules:
            try:
                act(sys.modules[name])
            except Exception:  # a module of another version, or of another origin
                pass


def uuid(module):
    module._last_timestamp = None


def tempfile(module):
    module._name_sequence = None


def ssl(module):
    module.RAND_add(os.urandom(32), 32.0)


def seed(module):
    module.seed()


ACTS = {"random": seed, "numpy.random": seed, "torch": seed, "uuid": uuid, "tempfile": tempfile, "ssl": ssl}
