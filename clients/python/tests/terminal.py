"""Programs at a terminal of their own, as a user has them, and what they leave behind."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import engines
import glovebox

PATIENCE = 300.0  # seconds until a test gives up

_MARK = "GLOVEBOX_TEST_MARK"


class Terminal:
    """A Python script at a terminal. All that it starts is known by a variable, its home and its temporary directory."""

    def __init__(self, directory: Path, code: str, home: Path, *options: str, **variables: str) -> None:
        self.home, self._mark = home, f"{_MARK}={os.urandom(8).hex()}"
        self.temporary = Path(tempfile.mkdtemp(prefix="gbt-", dir="/tmp"))
        self.shown = ""
        script = directory / "script.py"
        script.write_text(code)
        environment = os.environ | {
            "GLOVEBOX_HOME": str(home),
            "GLOVEBOX_PROGRAM": str(engines.PROGRAM),
            "PYTHONPATH": str(Path(glovebox.__file__).resolve().parents[1]),
            "TMPDIR": str(self.temporary),
            "TERM": "xterm",
            _MARK: self._mark.partition("=")[2],
        }
        for name in ("GLOVEBOX_URL", "GLOVEBOX_TOKEN"):
            environment.pop(name, None)
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            os.chdir(directory)
            os.execve(sys.executable, [sys.executable, "-W", "error", *options, str(script)], environment | variables)

    def wait_for(self, text: str) -> None:
        """Waits until the script has shown text."""
        while text not in self.shown:
            assert self._read(), f"it ended without {text!r}:\n{self.shown}"

    def wait_until(self, task: str, status: str) -> None:
        """Waits until a run of the task has that status."""
        deadline = time.monotonic() + PATIENCE
        while not any(run["status"] == status for run in self.runs(task)):
            assert time.monotonic() < deadline, f"{task}: {self.runs(task)}\n{self.shown}"
            assert self._drain(), f"it ended:\n{self.shown}"

    def press_ctrl_c(self) -> None:
        os.write(self._terminal, b"\x03")

    def kill(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def wait(self) -> int:
        """Waits for the end of the script and returns its status, negative for a signal."""
        while self._read():
            pass
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self.pid = 0
        return status

    def runs(self, task: str) -> list[dict[str, Any]]:
        listed = subprocess.run(
            [engines.PROGRAM, "runs", "--all", "--json", "--task", task],
            env=os.environ | {"GLOVEBOX_HOME": str(self.home)}, stdout=subprocess.PIPE, check=True, timeout=PATIENCE,
        )  # fmt: skip
        found = json.loads(listed.stdout)
        runs: list[dict[str, Any]] = found["runs"] if isinstance(found, dict) else found
        return runs

    def left(self) -> list[str]:
        """Lists what there still is: processes, cells, temporary files."""
        processes = [f"{pid} {command}" for pid, command in _processes() if self._is_mine(pid, command)]
        cells = self.home / "cells"
        files = [*self.temporary.iterdir(), *(cells.iterdir() if cells.is_dir() else ())]
        return processes + [str(file) for file in files]

    def wait_until_nothing_is_left(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while left := self.left():
            assert time.monotonic() < deadline, left

    def close(self) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._terminal)
        shutil.rmtree(self.temporary, ignore_errors=True)

    def _is_mine(self, pid: int, command: str) -> bool:
        if str(self.home) in command:
            return True
        with contextlib.suppress(OSError):
            return self._mark.encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return False

    def _read(self) -> bool:
        ready, _, _ = select.select([self._terminal], [], [], PATIENCE)
        assert ready, f"it shows nothing any more:\n{self.shown}"
        try:
            data = os.read(self._terminal, 65536)
        except OSError:  # the end of a terminal
            return False
        self.shown += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)

    def _drain(self) -> bool:
        """Reads what is there, and reports whether more can come."""
        while select.select([self._terminal], [], [], 0)[0]:
            if not self._read():
                return False
        return True


def _processes() -> Iterator[tuple[int, str]]:
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or entry.name == str(os.getpid()):
            continue
        with contextlib.suppress(OSError):
            if command := (entry / "cmdline").read_bytes():  # those that have ended have none
                yield int(entry.name), command.replace(b"\0", b" ").decode(errors="replace")
