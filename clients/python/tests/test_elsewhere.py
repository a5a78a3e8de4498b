"""A system that is no Unix, as far as one can be made here: the library as client of a server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import engines
import glovebox

SOURCE = Path(glovebox.__file__).resolve().parents[1]

# What Windows does not have, of what the library could come to use.
HEAD = """
import os, sys
for name in "fork", "register_at_fork", "O_NONBLOCK", "O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC", "getuid", "geteuid", "mkfifo":
    delattr(os, name)
os.supports_fd = os.supports_dir_fd = frozenset()
for name in "fcntl", "grp", "pwd", "resource", "termios":
    sys.modules[name] = None
import asyncio
del asyncio.open_unix_connection
import glovebox
from glovebox.io import Dir, File
env = glovebox.TaskEnvironment(name="elsewhere")

@env.task
def size(f: File) -> int:
    return len(f.read())

"""


def run(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", HEAD + code], text=True, capture_output=True, timeout=engines.PATIENCE,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE), "HOME": os.environ.get("HOME", "/"), **variables},
    )  # fmt: skip


@pytest.mark.skipif(not engines.PROGRAM.exists(), reason="the program is not built")
def test_a_client_of_a_server(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("three words here")
    code = f"""
print(glovebox.run(size, File.from_local_sync({str(tmp_path / "words")!r})).outputs()[0])
twice = glovebox.sandbox.orchestrator_from_str("x * 2", inputs={{"x": int}}, output=int)
print(twice(x=4))
try:
    Dir.from_local_sync({str(tmp_path)!r})
except NotImplementedError as error:
    print("archive" in str(error))
"""
    with engines.engine("tcp", tmp_path / "home") as variables:
        done = run(code, **variables)
    assert (done.stdout, done.returncode) == ("16\n8\nTrue\n", 0), done.stderr


def test_without_a_server_it_says_what_to_do(tmp_path: Path) -> None:
    done = run("glovebox.run(size, File.from_local_sync(sys.executable))", GLOVEBOX_HOME=str(tmp_path), PATH="")
    assert "glovebox-sandbox" in done.stderr and "GLOVEBOX_URL" in done.stderr
