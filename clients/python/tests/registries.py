"""Debian's docker-registry on loopback."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


@contextlib.contextmanager
def registry(directory: Path, users: str | None = None) -> Iterator[str]:
    """Starts a registry for these users, as htpasswd writes them, or for everybody, and yields its address."""
    if not shutil.which("docker-registry"):
        pytest.skip("docker-registry is not installed")
    config = (
        "version: 0.1\nlog: {level: info}\n"
        f"storage: {{filesystem: {{rootdirectory: {directory}/data}}}}\n"
        "http: {addr: '127.0.0.1:0', secret: x}\n"
    )
    if users is not None:
        (directory / "users").write_text(users)
        config += f"auth: {{htpasswd: {{realm: test, path: {directory}/users}}}}\n"
    (directory / "config.yml").write_text(config)
    log = directory / "log"
    with log.open("w") as output:
        process = subprocess.Popen(
            ["docker-registry", "serve", directory / "config.yml"],
            env={"PATH": os.environ["PATH"], "OTEL_TRACES_EXPORTER": "none"}, stderr=output,
        )  # fmt: skip
    try:
        yield _address(process, log)
    finally:
        process.kill()
        process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Waits until the registry listens, and returns where."""
    while process.poll() is None:
        if found := re.search(r"listening on (127\.0\.0\.1:\d+)", log.read_text()):
            return found[1]
        time.sleep(0.02)
    raise AssertionError(f"docker-registry ended: {log.read_text()}")
