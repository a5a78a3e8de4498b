"""Tasks of test_durable: the process that starts a run of them is killed, and another one goes on."""

from __future__ import annotations

import asyncio
import os
import sys
import threading

import glovebox

env = glovebox.TaskEnvironment(name="durable")


def note(what: str) -> None:
    with open(os.environ["DURABLE_LOG"], "a") as log:
        log.write(what + "\n")


told = threading.Event()  # which run it is


def block() -> None:
    if os.environ.get("DURABLE_BLOCK"):
        told.wait()
        print("blocked", flush=True)
        threading.Event().wait()


@env.task
def step(x: int) -> int:
    note(f"step {x}")
    return x * 10


@env.task(idempotent=True)
def again(x: int) -> int:
    note(f"again {x}")
    block()
    return x + 1


@env.task(idempotent=True)
def again_below(x: int) -> int:
    """Is not again: once the process of a call of that is gone, any process that offers it may get the call."""
    note(f"again {x}")
    block()
    return x + 1


@env.task
def once(x: int) -> int:
    note(f"once {x}")
    block()
    return x + 1


began = threading.Semaphore(0)
go_on = threading.Event()


@env.task(idempotent=True)
def patient(x: int) -> int:
    began.release()
    go_on.wait()
    return x + 1


@env.sandbox.orchestrator
def repeated(n: int) -> int:
    return again(step(step(n)))


@env.sandbox.orchestrator
def doubtful(n: int) -> int:
    return once(step(n))


@env.task
async def parent(n: int) -> int:
    """Makes calls at once, one through an orchestrator, and one that is under way when the process is killed."""
    first = await asyncio.gather(*(step.aio(i) for i in range(n)))
    return again_below(repeated_step(sum(first)))


@env.sandbox.orchestrator
def repeated_step(x: int) -> int:
    return step(step(x))


TASKS = {
    "repeated": (repeated, 1),
    "doubtful": (doubtful, 1),
    "resolved": (doubtful, 1),
    "failed": (doubtful, 1),
    "parent": (parent, 3),
}

if __name__ == "__main__":
    task, argument = TASKS[sys.argv[1]]
    run = glovebox.start(task, argument)
    print(run.id, flush=True)
    told.set()
    run.wait()
