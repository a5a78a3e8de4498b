"""One run: the job, the code, its outputs, the result."""

import builtins
from os import (
    O_CLOEXEC, O_CREAT, O_EXCL, O_NOFOLLOW, O_TRUNC, O_WRONLY, close, closerange, dup, fstat, getpid, open as os_open, path, replace,
    unlink, write,
)
from sys import getrecursionlimit, setprofile, setrecursionlimit, settrace

from host import CONTROL, Failure, get_digits, is_a, plain, set_digits, spare, sys
from leave import leave, linger, settled
from values import FILES, decode, encode, holds, lists_files, parse_type, prepare, required

exit_code = SystemExit.code.__get__
MAY_AWAIT = 0x2000  # ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
AWAITS = 0x80  # inspect.CO_COROUTINE


class Source:
    """The code that runs: its text as it was written, and as it is compiled."""

    def __init__(self, name, where, written):
        self.name, self.where, self.written = name, where, written
        self.dir = path.dirname(where)
        self.indent, self.text = 0, ""
        self.library = sys.path[:]
        if self.library and self.library[0] == self.dir:
            del self.library[0]

    def read(self):
        self.text = self.written.decode("utf-8")
        if self.text.startswith("\ufeff"):
            self.text = self.text[1:]
        margin = common_margin(self.text)
        self.indent = len(margin)
        if margin:
            self.text = "\n".join([line[len(margin) :] for line in self.text.split("\n")])

    def keep(self):
        """Puts the text where the code is said to be, for whoever opens that file."""
        try:
            fd = os_open(self.where, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
            try:
                write_all(fd, self.written)
            finally:
                close(fd)
        except OSError:  # such as a full disk; the code runs without that file
            pass

    def get_source(self, name):
        """For module linecache, which asks the loader of a module."""
        return self.text

    def raw_line(self, line):
        lines = self.text.split("\n")
        return lines[line - 1] if 0 < line <= len(lines) else ""

    def line(self, filename, line):
        return self.raw_line(line).strip()[:500] if filename == self.name else ""


def common_margin(text):
    """The white space that every line begins with, but for blank lines."""
    margin = None
    for line in text.split("\n"):
        body = line.lstrip(" \t")
        if not body.strip():
            continue
        space = line[: len(line) - len(body)]
        if margin is None:
            margin = space
        while not space.startswith(margin):
            margin = margin[:-1]
        if not margin:
            return ""
    return margin or ""


def understand(job):
    """Loads what the values of the job need, while code cannot be in the way."""
    for p in job["inputs"] + job["outputs"]:
        p["type"] = parse_type(p["type"])
        prepare(p["type"])
    if any([holds(p["type"], FILES) for p in job["outputs"]]):
        import files


def failure(kind, exc, source):
    """Turns an exception of the code into a Failure."""
    try:
        from errors import python_failure

        return python_failure(kind, exc, source)
    except BaseException:  # such as no memory
        name = type.__getattribute__(type(exc), "__qualname__")
        return Failure(1, name + "\n", kind=kind, type=name, message="", frames=[], traceback=name + "\n")


def compile_source(source):
    try:
        source.read()
        return compile(source.text, source.name, "exec", MAY_AWAIT, True)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as e:
        raise failure("syntax_error", e, source)


def fresh_main(source, inputs):
    module = type(sys)("__main__")
    module.__file__, module.__loader__, module.__builtins__ = source.where, source, builtins
    for p in inputs:
        module.__dict__[p["name"]] = decode(p["type"], p["value"])
    sys.modules["__main__"] = module
    return module.__dict__


def run_code(code, namespace, source):
    try:
        try:
            if code.co_flags & AWAITS:
                from awaiting import run_in_loop

                run_in_loop(code, namespace, source)
            else:
                exec(code, namespace)
        finally:
            # A trace function that raises is off by that, so twice is enough.
            for off in (settrace, setprofile, settrace, setprofile):
                try:
                    off(None)
                except BaseException:
                    pass
            free_descriptors()
    except SystemExit as e:
        status = exit_code(e)
        if status is not None and not (is_a(status, int) and int.__eq__(status, 0)):
            raise
    except BaseException as e:
        raise failure("python_exception", e, source)


def free_descriptors():
    closerange(spare[0], spare[-1] + 1)  # whether the code has closed them or not


def restore_interpreter():
    """Takes back what the code may have set and what would be in our way, also
    when Python ends."""
    setrecursionlimit(max(getrecursionlimit(), 10000))
    for name in ("stdout", "stderr"):
        if not callable(getattr(getattr(sys, name, None), "flush", None)):
            setattr(sys, name, None)


def collect(outputs, namespace, outputs_dir):
    """Returns the JSON of the values and the names that are files."""
    values, names = [], []
    for p in outputs:
        name, t = p["name"], required(p["type"])
        if t[0] in FILES:
            from files import save_frame

            save_frame(namespace.get(name), path.join(outputs_dir, name), p)
        named = t[0] in FILES and names_file(namespace.get(name), path.join(outputs_dir, name))
        if t[0] in FILES and not named or name not in namespace and lists_files(t):
            names.append(name)
            continue
        if name not in namespace:
            raise Failure(1, "", kind="missing_output", name=name, message="the code assigns no variable " + name)
        values.append((name, encode_output(p, namespace[name])))
        if named or lists_files(t) and namespace[name] is not None:
            from files import stage

            stage(p, namespace[name], outputs_dir)
    return values, names


def names_file(v, where):
    """Whether a variable is the path of another file than the one where the
    output is looked for, below the same directory."""
    if not is_a(v, str) or path.lexists(where):
        return False
    v = path.normpath(v)
    return v != where and v.startswith(path.dirname(where) + "/") and path.lexists(v)


def encode_output(p, v):
    out = []
    try:
        encode(out, p["type"], v)
        return "".join(out)
    except BaseException as e:
        from errors import unfit

        raise unfit(p, v, e)


def pipe_of(fd):
    """Names the pipe that a descriptor is, or is nothing."""
    try:
        status = fstat(fd)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def tell(where, pipe, text):
    """Hands the result over: to the host itself, unless the code has taken the
    way to it, else in a file. The new line ends whatever the code has written.
    Returns whether the host has it."""
    if pipe is not None and pipe == pipe_of(CONTROL):
        try:
            write_all(CONTROL, ("\n" + text).encode("utf-8"))
            return True
        except OSError:  # nobody reads it
            pass
    write_result(where, text)
    return False


def write_all(fd, data):
    left = memoryview(data)
    while left:
        left = left[write(fd, left) :]


def write_result(where, text):
    """Puts the result in its place at once, or not at all."""
    partial = where + ".partial"
    try:
        unlink(partial)
    except OSError:
        pass
    fd = os_open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    write_all(fd, text.encode("utf-8"))
    close(fd)
    replace(partial, where)


def show(failure):
    """Prints what Python would print of an exception."""
    try:
        sys.stderr.write(failure.stderr)
        sys.stderr.flush()
    except BaseException:  # the code closed or replaced it
        pass


def run(job, source):
    """Returns the variables that the code leaves, or raises Failure."""
    digits = get_digits()
    set_digits(0)
    code = compile_source(source)
    namespace = fresh_main(source, job["inputs"])
    set_digits(digits)
    run_code(code, namespace, source)
    return namespace


def success(job, namespace):
    """Returns the result of code that ended well, or raises Failure."""
    digits = get_digits()
    set_digits(0)
    values, files = collect(job["outputs"], namespace, job.get("outputs_dir", "/var/outputs"))
    set_digits(digits)
    outputs = ",".join([plain(name) + ":" + text for name, text in values])
    return '{"ok":true,"outputs":{%s},"file_outputs":%s}' % (outputs, plain(files))


def main(job, written):
    """Runs one job, and returns the status to end with."""
    understand(job)
    source = Source(job["file"], job["source_path"], written)
    source.keep()
    namespace, status = {}, 0
    try:
        namespace = run(job, source)
        restore_interpreter()
        if getpid() != process:  # a child that the code forked and let run on
            return 0
        result = success(job, namespace)
    except Failure as e:
        restore_interpreter()
        show(e)
        status, result = e.status, '{"ok":false,"error":%s}' % plain(e.error)
    if getpid() == process:
        lingering = status == 0 and job.get("linger")
        over = lingering and settled(namespace, source.dir)
        lingering = tell(job["result_path"], pipe, result) and lingering
        if lingering and over:
            linger()
        if not job.get("python_ends"):
            leave(status, namespace, source.dir, lingering)
    return status


# What is known before there is a job need not be found out when there is one.
process, pipe = getpid(), pipe_of(CONTROL)
spare.extend([dup(CONTROL) for _ in range(3)])  # in a row: nothing is open above
