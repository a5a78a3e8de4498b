"""Measures durable calls of Python functions, and how many of them share a sync of the disk.

    python bench/evaluation/durable.py [ROUNDS]

GLOVEBOX_PROGRAM names the program, PYTHONPATH the client, and the home is made in
the working directory: it says which disk is measured. Prints a table in Markdown.
"""

from __future__ import annotations

import asyncio
import http.client
import os
import platform
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import glovebox
from glovebox import sandbox

CALLS = 200
GATHERED = 1000


def add(x: int, y: int) -> int:
    return x + y


async def later(x: int) -> int:
    await asyncio.sleep(0)
    return x + 1


class Unix(http.client.HTTPConnection):
    """A connection to the socket of a server."""

    def __init__(self, path: Path) -> None:
        super().__init__("glovebox")
        self._path = str(path)

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self._path)


def syncs(path: Path) -> int:
    """Returns how often the server has synced the disk for its journal."""
    connection = Unix(path)
    connection.request("GET", "/metrics")
    found = re.search(r"^glovebox_journal_syncs_total (\S+)$", connection.getresponse().read().decode(), re.M)
    connection.close()
    assert found
    return int(float(found[1]))


def one_sync(directory: Path, times: int = 300) -> float:
    """Returns how long it takes to append 4 KiB to a file and to sync it, in seconds: the median."""
    took = []
    file = os.open(directory / "appended", os.O_CREAT | os.O_WRONLY)
    for at in range(times):
        begin = time.perf_counter()
        os.pwrite(file, bytes(4096), at * 4096)
        os.fsync(file)
        took.append(time.perf_counter() - begin)
    os.close(file)
    return statistics.median(took)


def evaluate(code: str) -> float:
    begin = time.perf_counter()
    sandbox.orchestrate_local_sync(code, inputs={}, tasks=[add, later], dialect="extended", durable=True)
    return time.perf_counter() - begin


def loop(calls: int) -> str:
    return f"for i in range({calls}):\n    add(i, 1)"


GATHER = f"import asyncio\nlen(await asyncio.gather(*[later(i) for i in range({GATHERED})]))"


def measured(path: Path, code: str, calls: int, rounds: int) -> tuple[float, float]:
    """Returns the seconds that one call took, and the syncs for it, without what the run itself takes: medians."""
    took, synced = [], []
    for _ in range(rounds):
        base, before = evaluate(loop(1)), syncs(path)
        took.append((evaluate(code) - base) / (calls - 1))
        synced.append((syncs(path) - before) / calls)
    return statistics.median(took), statistics.median(synced)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    directory = Path(tempfile.mkdtemp(dir=os.getcwd()))
    path, load = directory / "s", os.getloadavg()[0]
    server = subprocess.Popen(
        [os.environ["GLOVEBOX_PROGRAM"], "serve", "--listen", f"unix:{path}"],
        env={**os.environ, "GLOVEBOX_HOME": str(directory / "home")},
        stderr=subprocess.DEVNULL,
    )
    try:
        while not path.exists():
            time.sleep(0.01)
        glovebox.init(url=f"unix://{path}")
        evaluate(loop(10)), evaluate(GATHER)
        print("# Durable calls from Python\n")
        print("Written by `make bench-evaluation`: calls of plain functions of a Python process by orchestrators that are runs.")
        print(
            f"CPython {platform.python_version()}, {os.cpu_count()} processors, a load of {load:.1f} at the beginning; "
            f"appending 4 KiB to a file and syncing it takes {one_sync(directory) * 1e6:.0f} us.\n"
        )
        print("| what | a call, p50 | syncs a call | calls a sync | n |\n|---|---|---|---|---|")
        for name, code, calls in (
            (f"{CALLS} calls, one after the other", loop(CALLS), CALLS),
            (f"gather of {GATHERED:,} async tools", GATHER, GATHERED),
        ):
            took, synced = measured(path, code, calls, rounds)
            print(f"| {name} | {took * 1e6:.0f} us | {synced:.3f} | {1 / synced:.1f} | {rounds} |", flush=True)
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(directory)


if __name__ == "__main__":
    main()
