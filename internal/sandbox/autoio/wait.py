"""What happens before the code runs: modules are imported, the job is read, and
the process gets the surroundings of the run."""

import sys
from os import O_RDONLY, chdir, close, dup2, environb, getcwd, read, set_blocking, set_inheritable, write
from os import open as os_open
from time import sleep

from _json import make_scanner

from host import CONTROL, JOB, get_digits, set_digits, spare

CHUNK = 1 << 20  # bytes
SOON, STEP = 40, 0.00025  # how often, and every how many seconds, it is looked whether there is a job already

class Grammar:
    """What the JSON scanner of the interpreter wants to know."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, None


scan = make_scanner(Grammar())


class Guard:
    """Looks at what a script raises, if that is of interest."""

    ended = None

    def __enter__(self):
        return self

    def __exit__(self, kind, exc, trace):
        if self.ended is not None and exc is not None:
            self.ended(kind)
        return False


def prepare(modules, scripts_come_first, namespace, original):
    """Gets ready, and returns what start.py does with the code: a guard around
    it, and the function that waits for it."""
    for fd in (JOB, CONTROL):
        set_inheritable(fd, False)
    for name in modules:
        preload(name)
    if modules:
        from leave import reach_library

        reach_library()
    guard = Guard()
    here = getcwd()

    def take():
        job, text = receive()
        surround(job, here, scripts_come_first)
        if job["verbatim"]:
            from verbatim import take_place

            for fd in [CONTROL] + spare:
                close(fd)
            return take_place(job, text, namespace, original, guard)
        from run import main

        status = main(job, text)
        if status:
            raise SystemExit(status)
        return "pass"

    write(CONTROL, b"\n")
    return guard, take


def preload(name):
    try:
        __import__(name)
    except BaseException as e:
        from errors import preload_failure

        preload_failure(name, e)


def receive():
    """Returns the job and the text of its source. The job says how long that is,
    so that nobody waits for the end of the stream."""
    head, chunk = [], b"".join(first())
    while True:
        part, end, text = (chunk if head else chunk.lstrip(b"\n")).partition(b"\n")
        if part:
            head.append(part)
        if end:
            break
        chunk = read_some(CHUNK)
    job = parse(b"".join(head))
    chunks, missing = [text], job["source_bytes"] - len(text)
    while missing > 0:
        chunks.append(read_some(min(missing, CHUNK)))
        missing -= len(chunks[-1])
    close(JOB)
    return job, b"".join(chunks)


def first():
    """Returns the beginning of a job that comes at once. Otherwise this process
    is kept for later, and has time to get to know what a run does."""
    set_blocking(JOB, False)
    found = []
    for _ in range(SOON):
        try:
            found.append(read_some(CHUNK))
            break
        except BlockingIOError:
            sleep(STEP)
    else:
        from rehearse import rehearse

        rehearse(parse, set_environment)
    set_blocking(JOB, True)
    return found


def read_some(n):
    chunk = read(JOB, n)
    if not chunk:
        raise SystemExit("the job ended early")
    return chunk


def parse(head):
    digits = get_digits()
    set_digits(0)
    job, _ = scan(head.decode("utf-8"), 0)
    set_digits(digits)
    return job


def surround(job, here, scripts_come_first):
    """Gives the process what it would have if it had been started for the job."""
    set_environment([v.encode("utf-8").split(b"=", 1) for v in job["env"]])
    if job["dir"] != here:
        chdir(job["dir"])
    if job["stdin"]:
        where = os_open(job["stdin"], O_RDONLY)
        dup2(where, 0)
        close(where)
    sys.argv[:] = job["argv"]
    if hasattr(sys, "orig_argv"):
        sys.orig_argv[:] = [sys.orig_argv[0]] + job["orig_argv"]
    if scripts_come_first:
        sys.path.insert(0, job["dir"])


def set_environment(variables):
    if [list(v) for v in environb.items()] != variables:
        environb.clear()
        environb.update(variables)
