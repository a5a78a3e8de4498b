"""Turns SIGINT into KeyboardInterrupt where code of the user runs, and nowhere
else: the driver must neither die of one nor say half an event."""

import os
import signal
import threading
from time import monotonic, sleep

SOON, RECENT = 0.02, 0.25  # seconds

main = threading.get_ident()
expected = False  # an execution has begun, and its code has not ended
running = False  # its code runs
holds = 0  # what the main thread does that must not be cut short
pending = False  # an interrupt waits
heard = 0.0  # when there was the last one
bell, ring = os.pipe()  # gets a byte for each signal, as soon as it comes


def handle(number, frame):
    global pending, heard
    heard = monotonic()
    if running and not holds:
        raise KeyboardInterrupt
    pending = expected


def attend():
    """Takes the signal back from whatever the code has done with it."""
    signal.signal(signal.SIGINT, handle)
    signal.set_wakeup_fd(ring, warn_on_full_buffer=False)


def insist():
    """Repeats a signal that came just before the main thread began to wait for
    something else, and would be seen after that alone."""
    os.read(bell, 1 << 12)
    rung = monotonic()
    sleep(SOON)
    if expected and heard < rung - RECENT and signal.getsignal(signal.SIGINT) is handle:
        signal.pthread_kill(main, signal.SIGINT)


class Held:
    """A block that interrupts of the main thread wait for."""

    def __enter__(self):
        global holds
        holds += threading.get_ident() == main

    def __exit__(self, *failure):
        global holds, pending
        if threading.get_ident() != main:
            return
        holds -= 1
        if pending and running and not holds:
            pending = False
            raise KeyboardInterrupt


def run(function, *args):
    """Calls a function that may be interrupted."""
    global running, pending
    try:
        running = True
        if pending:
            pending = False
            raise KeyboardInterrupt
        return function(*args)
    finally:
        running = False


def forget():
    global expected, pending
    expected = pending = False


held = Held()
os.set_blocking(ring, False)
