"""Tasks of test_durable: the process that starts a run of them is killed, and another one goes on."""

from __future__ import annotations

import os
import sys
import threading

import glovebox

env = glovebox.TaskEnvironment(name="durable")


def note(what: str) -> None:
    with open(os.environ["DURABLE_LOG"], "a") as log:
        log.write(what + "\n")


def block() -> None:
    if os.environ.get("DURABLE_BLOCK"):
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


if __name__ == "__main__":
    run = glovebox.start({"repeated": repeated, "doubtful": doubtful}[sys.argv[1]], 1)
    print(run.id, flush=True)
    run.wait()
