"""Carries out what comes of an execution, as one line of JSON an event, in
order: what Python prints, what child processes and libraries write to the
descriptors 1 and 2, results and errors."""

import codecs
import json
import os
import sys
import threading
import warnings
from io import BufferedIOBase, TextIOWrapper
from select import POLLIN, poll
from signal import SIG_BLOCK, SIGINT, pthread_sigmask

from glovebox_context import interrupts

CHUNK = 1 << 16  # bytes; also what a pipe holds


class Pipe:
    """What is written to a descriptor, by whomever."""

    def __init__(self, name, fd):
        self.name, self.fd = name, fd
        self.end, write = os.pipe()
        os.set_blocking(self.end, False)
        os.dup2(write, fd)  # write stays open, so that the pipe never ends
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def read(self):
        try:
            return self.decode(os.read(self.end, CHUNK))
        except BlockingIOError:
            return ""


class Channel(BufferedIOBase):
    """sys.stdout or sys.stderr. A print becomes one event: text goes out when
    it ends with a line, when it is much, or when it is flushed."""

    def __init__(self, outlet, name, fd):
        self.outlet, self.name, self.fd = outlet, name, fd
        self.waiting = []
        self.size = 0
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def writable(self):
        return True

    def fileno(self):
        return self.fd

    def close(self):
        pass  # there is no other one

    def write(self, data):
        data = bytes(data)
        with self.outlet.lock:
            self.waiting.append(data)
            self.size += len(data)
        if data.endswith(b"\n") or self.size >= CHUNK:
            self.flush()
        return len(data)

    def flush(self):
        with self.outlet.lock:
            data, self.waiting, self.size = b"".join(self.waiting), [], 0
        if self.outlet.forked:
            write_all(self.fd, data)
            return
        for start in range(0, len(data), CHUNK):
            text = self.decode(data[start : start + CHUNK])
            if text:
                self.outlet.write(self.name, text)


def write_all(fd, data):
    while data:
        data = data[os.write(fd, data) :]


class Outlet:
    def __init__(self):
        self.lock = threading.RLock()
        self.forked = False
        self.id = None  # of the execution; there is none while nobody listens
        self.between, self.kept, self.lost = [], 0, 0  # what is written then, and characters of it

    def open(self, limit, keep):
        self.fd, self.limit, self.keep = os.dup(1), limit, keep
        self.pipes = [Pipe("stdout", 1), Pipe("stderr", 2)]
        self.channels = [Channel(self, "stdout", 1), Channel(self, "stderr", 2)]
        sys.stdout, sys.stderr = [TextIOWrapper(c, "utf-8", "backslashreplace", write_through=True) for c in self.channels]
        sys.__stdout__, sys.__stderr__ = sys.stdout, sys.stderr
        os.register_at_fork(after_in_child=self.after_fork)
        threading.Thread(target=self.pump, name="output", daemon=True).start()
        # Python warns of every fork beside a thread, and this one takes no harm.
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)

    def pump(self):
        """Does what the main thread cannot while it is busy: reads the pipes, and
        looks after interrupts."""
        pthread_sigmask(SIG_BLOCK, {SIGINT})
        waiting = poll()
        for pipe in self.pipes:
            waiting.register(pipe.end, POLLIN)
        waiting.register(interrupts.bell, POLLIN)
        while True:
            ready = waiting.poll()
            with self.lock:
                self.drain()
            if (interrupts.bell, POLLIN) in ready:
                interrupts.insist()

    def drain(self):
        for pipe in self.pipes:
            text = pipe.read()
            if text:
                self.say(pipe.name, text)

    def say(self, name, text):
        """Sends text, or keeps it for the next execution."""
        if self.id:
            self.send(name, {"text": text})
            return
        fits = text[: self.keep - self.kept]
        self.kept += len(fits)
        self.lost += len(text) - len(fits)
        if fits:
            self.between.append((name, fits))

    def write(self, name, text):
        """Says text after what was written before it."""
        with interrupts.held, self.lock:
            self.drain()
            self.say(name, text)

    def emit(self, kind, **fields):
        """Sends an event, after what was written before it."""
        with interrupts.held, self.lock:
            self.drain()
            if self.id:
                self.send(kind, fields)

    def send(self, kind, fields):
        line = json.dumps(dict(fields, id=self.id, type=kind), allow_nan=False).encode() + b"\n"
        if len(line) > self.limit:
            line = json.dumps({"id": self.id, "type": "dropped", "bytes": len(line)}).encode() + b"\n"
        write_all(self.fd, line)

    def ready(self, id):
        self.id = id
        self.emit("ready")
        self.id = None

    def begin(self, id):
        with self.lock:
            self.drain()
            self.id = id
            interrupts.expected = True
            self.send("begun", {})
            for name, text in self.between:
                self.send(name, {"text": text})
            if self.lost:
                self.send("dropped", {"bytes": self.lost})
            self.between, self.kept, self.lost = [], 0, 0

    def end(self):
        """Ends the execution. An interrupt that came too late is forgotten."""
        interrupts.forget()
        for stream in sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__:
            try:
                stream.flush()
            except Exception:  # whatever the user has put there
                pass
        self.emit("end")
        self.id = None

    def after_fork(self):
        """Makes a child write to the pipes, as any other program does."""
        self.lock, self.forked, self.id = threading.RLock(), True, None
        for channel in self.channels:
            channel.waiting, channel.size = [], 0
        os.close(self.fd)

    def leave_fork(self):
        """Ends a child that has returned from the code of the user."""
        if self.forked:
            for channel in self.channels:
                channel.flush()
            os._exit(0)


outlet = Outlet()
