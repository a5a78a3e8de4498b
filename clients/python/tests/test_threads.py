"""Threads that make calls are used again, and calls do not see each other in them."""

from __future__ import annotations

import contextvars
import functools
import threading
import time

import pytest

from glovebox._serving import threads

_seen: contextvars.ContextVar[str] = contextvars.ContextVar("seen", default="nothing")


def _made(pool: threads.Threads, name: str) -> tuple[int, str, str]:
    """Has a call made, and returns its thread, the name of that, and what it finds in its context."""
    ended = threading.Event()
    found: list[tuple[int, str, str]] = []

    def main() -> None:
        found.append((threading.get_ident(), threading.current_thread().name, _seen.get()))
        _seen.set(name)
        ended.set()

    pool.run(name, main)
    assert ended.wait(10)
    return found[0]


def _waits(pool: threads.Threads) -> None:
    until = time.monotonic() + 10
    while not pool._waiting:
        assert time.monotonic() < until, "no thread waits for a call"
        time.sleep(0.001)


def test_one_thread_makes_one_call_after_the_other() -> None:
    pool = threads.Threads()
    first = _made(pool, "a")
    _waits(pool)
    second = _made(pool, "b")
    assert first[0] == second[0]
    assert (first[1], second[1]) == ("glovebox-a", "glovebox-b")
    assert first[2] == second[2] == "nothing"


def test_calls_at_the_same_time_have_threads_of_their_own() -> None:
    pool, met = threads.Threads(), threading.Barrier(20, timeout=10)
    ended = [threading.Event() for _ in range(20)]

    def main(at: int) -> None:
        met.wait()
        ended[at].set()

    for at in range(20):
        pool.run("f", functools.partial(main, at))
    assert all(event.wait(10) for event in ended)


def test_a_thread_that_waits_for_long_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_PATIENCE", 0.01)
    pool = threads.Threads()
    ident = _made(pool, "a")[0]
    until = time.monotonic() + 10
    while any(thread.ident == ident for thread in threading.enumerate()):
        assert time.monotonic() < until, "the thread does not end"
        time.sleep(0.001)
    assert not pool._waiting
    assert _made(pool, "b")[1] == "glovebox-b"
