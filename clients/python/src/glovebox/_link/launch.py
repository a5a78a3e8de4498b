"""The process of an engine that belongs to this one."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .settings import HOME_VARIABLE, MAX_SOCKET_PATH, TOKEN_VARIABLE, URL_VARIABLE


@dataclass(eq=False)
class Launched:
    """An engine that was started, and may not listen yet."""

    process: subprocess.Popen[bytes]
    directory: Path  # for its socket; it removes both

    @property
    def socket(self) -> Path:
        return self.directory / "s"

    def forget(self) -> None:
        """Lets go of it in a process that was forked off the one that started it."""
        if self.process.stdin is not None:
            self.process.stdin.close()  # else it would live as long as this process
        self.process.returncode = 0  # it is no child of this one: there is nothing to wait for


def launch(program: str, home: str | None) -> Launched:
    """Starts an engine. Raises OSError."""
    directory = private_directory()
    try:
        return Launched(_spawn(program, directory / "s", home), directory)
    except OSError:
        shutil.rmtree(directory, ignore_errors=True)
        raise


def _spawn(program: str, socket: Path, home: str | None) -> subprocess.Popen[bytes]:
    environment = dict(os.environ)
    # They are for clients of another engine.
    for name in (URL_VARIABLE, TOKEN_VARIABLE):
        environment.pop(name, None)
    if home is not None:
        environment[HOME_VARIABLE] = home
    return subprocess.Popen(
        [program, "serve", "--attached", "--listen", f"unix:{socket}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,  # Ctrl-C is for this process, which ends the runs in order
    )


def private_directory() -> Path:
    directory = tempfile.mkdtemp(prefix="glovebox-")  # for this user alone
    if len(os.fsencode(directory)) + len("/s") < MAX_SOCKET_PATH:
        return Path(directory)
    os.rmdir(directory)
    return Path(tempfile.mkdtemp(prefix="glovebox-", dir="/tmp"))
