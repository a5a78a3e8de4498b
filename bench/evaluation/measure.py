"""Measures evaluations of the Python client beside those of pydantic-monty, in turns in one process.

    python bench/evaluation/measure.py [ROUNDS]

GLOVEBOX_PROGRAM names the program, PYTHONPATH the client; pydantic-monty has to
be installed. Prints a table in Markdown: medians, of all rounds.
"""

from __future__ import annotations

import asyncio
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pydantic_monty
from glovebox import sandbox

Measured = Callable[[], float]  # seconds that one evaluation took


def add(x: int, y: int) -> int:
    return x + y


async def later(x: int) -> int:
    await asyncio.sleep(0)
    return x + 1


ONE, TOOL = "1 + 1", "add(1, 2)"
FIFTY = "total = 0\nfor i in range(50):\n    total = add(total, i)\ntotal"
GATHER = "import asyncio\nsum(await asyncio.gather(*[later(i) for i in range(100)]))"


def ours(code: str) -> Measured:
    def once() -> float:
        begin = time.perf_counter()
        sandbox.orchestrate_local_sync(code, inputs={}, tasks=[add])
        return time.perf_counter() - begin

    return once


def theirs(pool: Any, code: str) -> Measured:
    def once() -> float:
        begin = time.perf_counter()
        with pool.checkout() as session:
            session.feed_run(code, external_lookup={"add": add})
        return time.perf_counter() - begin

    return once


async def ours_gathered() -> float:
    begin = time.perf_counter()
    await sandbox.orchestrate_local(GATHER, inputs={}, tasks=[later], dialect="extended")
    return time.perf_counter() - begin


async def theirs_gathered(pool: Any) -> float:
    begin = time.perf_counter()
    async with pool.checkout() as session:
        await session.feed_run(GATHER, external_lookup={"later": later})
    return time.perf_counter() - begin


def process(script: str) -> Measured:
    def once() -> float:
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", script], check=True)
        return time.perf_counter() - begin

    return once


OURS = f"from glovebox import sandbox; assert sandbox.orchestrate_local_sync({ONE!r}, inputs={{}}) == 2"
THEIRS = f"""import pydantic_monty
with pydantic_monty.Monty() as pool:
    with pool.checkout() as session:
        assert session.feed_run({ONE!r}) == 2"""


def in_turns(name: str, rounds: int, one: Measured, other: Measured) -> None:
    """Measures two in turns, the first of a pair changing from pair to pair, and prints a row."""
    times: tuple[list[float], list[float]] = ([], [])
    for i in range(rounds):
        for which in (0, 1) if i % 2 else (1, 0):
            times[which].append((one, other)[which]())
    row(name, rounds, *times)


async def gathered_in_turns(rounds: int) -> None:
    times: tuple[list[float], list[float]] = ([], [])
    async with pydantic_monty.AsyncMonty() as pool:
        for i in range(rounds):
            for which in (0, 1) if i % 2 else (1, 0):
                times[which].append(await (theirs_gathered(pool) if which else ours_gathered()))
    row("gather of 100 async tools", rounds, *times)


def row(name: str, rounds: int, ours: list[float], theirs: list[float]) -> None:
    mine, peer = statistics.median(ours), statistics.median(theirs)
    late, peer_late = (sorted(values)[int(0.95 * len(values))] for values in (ours, theirs))
    print(
        f"| {name} | {shown(mine)} | {shown(late)} | {shown(peer)} | {shown(peer_late)} | {mine / peer:.2f} | {rounds} |",
        flush=True,
    )


def shown(seconds: float) -> str:
    return (
        f"{seconds * 1e6:.0f} us"
        if seconds < 1e-3
        else f"{seconds * 1e3:.2g} ms"
        if seconds < 1e-2
        else f"{seconds * 1e3:.0f} ms"
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    load = os.getloadavg()[0]
    print("# Evaluations from Python beside pydantic-monty\n")
    print("Written by `make bench-evaluation`: both in turns, in one process. Ours keep nothing (docs/EVALUATION.md).")
    print(
        f"CPython {platform.python_version()}, pydantic-monty {pydantic_monty.__version__}, {os.cpu_count()} processors, "
        f"a load of {load:.1f} at the beginning.\n"
    )
    print("| what | ours, p50 | p95 | pydantic-monty, p50 | p95 | ratio of p50 | n |\n|---|---|---|---|---|---|---|")
    with pydantic_monty.Monty() as pool:
        for name, code, n in (
            ("`1 + 1`, a new session", ONE, rounds),
            ("a tool call", TOOL, rounds),
            ("fifty tool calls", FIFTY, rounds // 5),
        ):
            ours(code)(), theirs(pool, code)()
            in_turns(name, n, ours(code), theirs(pool, code))
    asyncio.run(gathered_in_turns(rounds // 10))
    process(OURS)(), process(THEIRS)()
    in_turns("a new process for `1 + 1`", rounds // 20, process(OURS), process(THEIRS))


if __name__ == "__main__":
    main()
