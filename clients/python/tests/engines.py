"""Engines for tests: the child of this process, and servers on a Unix socket or on TCP with a token."""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from glovebox._link.current import current_engine
from glovebox._process.loop import run_sync

PATIENCE = 300.0
PROGRAM = Path(__file__).resolve().parents[3] / "bin" / "glovebox"
KINDS = ["child", "unix", "tcp"]


async def _close() -> None:
    await (await current_engine()).close()


@contextlib.contextmanager
def engine(kind: str, home: Path) -> Iterator[dict[str, str]]:
    """Makes the engine of this process one of that kind. Yields the variables by which others reach it."""
    with pytest.MonkeyPatch.context() as patch, contextlib.ExitStack() as stack:
        for name in ("GLOVEBOX_URL", "GLOVEBOX_TOKEN"):
            patch.delenv(name, raising=False)
        variables = {"GLOVEBOX_PROGRAM": str(PROGRAM), "GLOVEBOX_HOME": str(home)}
        if kind != "child":
            variables |= stack.enter_context(server(kind, home))
        for name, value in variables.items():
            patch.setenv(name, value)
        try:
            yield variables
        finally:
            run_sync(_close())


def command(*arguments: str, stdin: bytes = b"") -> bytes:
    """Runs the program on the engine of the environment and returns what it prints."""
    done = subprocess.run([PROGRAM, *arguments], input=stdin, stdout=subprocess.PIPE, check=True, timeout=PATIENCE)
    return done.stdout


@contextlib.contextmanager
def server(kind: str, home: Path) -> Iterator[dict[str, str]]:
    """Starts a server and yields its address and token as variables."""
    home.mkdir(exist_ok=True)
    token, file = secrets.token_hex(32), home / "token"
    file.write_text(token)
    file.chmod(0o600)
    at = ["--listen", f"unix:{home}/server.sock"]
    if kind == "tcp":
        at = ["--listen", "127.0.0.1:0", "--token-file", str(file)]
    environment = {name: value for name, value in os.environ.items() if name not in ("GLOVEBOX_URL", "GLOVEBOX_TOKEN")}
    process = subprocess.Popen(
        [PROGRAM, "serve", *at], stderr=subprocess.PIPE, text=True, env=environment | {"GLOVEBOX_HOME": str(home)}
    )
    assert process.stderr is not None
    reader = threading.Thread(target=process.stderr.read)  # a server waits when nobody reads its log
    try:
        listening = next((line for line in process.stderr if "listening on" in line), "")
        assert listening, "the server did not start"
        reader.start()
        if kind == "unix":
            yield {"GLOVEBOX_URL": f"unix://{home}/server.sock"}
        else:
            yield {
                "GLOVEBOX_URL": "http://" + listening.split("listening on", 1)[1].split()[0],
                "GLOVEBOX_TOKEN": token,
            }
    finally:
        process.terminate()
        process.wait(PATIENCE)
        if reader.ident is not None:
            reader.join()
        process.stderr.close()
