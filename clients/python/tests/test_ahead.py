"""The engine that starts before what speaks to it is loaded: it is the only one, and none where another is meant."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = os.environ.get("GLOVEBOX_PROGRAM") or str(Path(__file__).parents[3] / "bin" / "glovebox")

DECLARE = """\
import glovebox, sys

box = glovebox.sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int})
assert "asyncio" not in sys.modules, "what a declaration loads makes the engine start late"
"""


def started(tmp_path: Path, code: str, **variables: str) -> tuple[subprocess.CompletedProcess[str], list[int]]:
    """Runs a script, and returns how it ended and the processes of the engines that it started."""
    program, log = tmp_path / "glovebox", tmp_path / "started"
    program.write_text(f'#!/bin/sh\necho $$ >>"{log}"\nexec "{PROGRAM}" "$@"\n')
    program.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GLOVEBOX_")}
    environment |= {"GLOVEBOX_PROGRAM": str(program), "GLOVEBOX_HOME": str(tmp_path / "home"), **variables}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", DECLARE + code],
        env=environment,
        text=True,
        capture_output=True,
        timeout=300,
        check=False,
    )
    return done, [int(line) for line in log.read_text().split()] if log.exists() else []


def is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").exists()


def test_a_declaration_starts_no_engine(tmp_path: Path) -> None:
    done, engines = started(tmp_path, "print(box)")
    assert (done.returncode, done.stderr, engines) == (0, "", [])


def test_a_call_takes_the_engine_that_was_started_for_it(tmp_path: Path) -> None:
    code = """
for given in ({"z": 1}, {"z": 2}):
    try:
        box.run(**given)
    except glovebox.errors.InvalidInputError as error:
        print(error.details["field"])
"""
    done, engines = started(tmp_path, code)
    assert (done.stdout, done.stderr) == ("z\nz\n", "")
    assert len(engines) == 1
    assert not is_running(engines[0])


def test_an_engine_that_is_not_needed_after_all_ends_with_python(tmp_path: Path) -> None:
    code = """
try:
    box.run(image=5)
except TypeError as error:
    print(error)
"""
    done, engines = started(tmp_path, code)
    assert "got 5" in done.stdout
    assert done.stderr == ""
    assert len(engines) == 1
    assert not is_running(engines[0])


def test_a_forked_process_leaves_it_to_its_parent(tmp_path: Path) -> None:
    code = """
import os
try:
    box.run(image=5)
except TypeError:
    pass
forked = os.fork()
if forked == 0:
    sys.exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(forked, 0)[1]))
try:
    box.run(z=1)
except glovebox.errors.InvalidInputError as error:
    print(error.details["field"])
"""
    done, engines = started(tmp_path, code, PYTHONWARNINGS="ignore")
    assert done.stdout == "3\nz\n", done.stderr
    assert len(engines) == 1
    assert not is_running(engines[0])


@pytest.mark.parametrize("named", ["init", "environment"])
def test_none_is_started_where_another_is_named(tmp_path: Path, named: str) -> None:
    url = f"unix://{tmp_path}/nobody"
    code = f"""
{"glovebox.init(url=" + repr(url) + ")" if named == "init" else ""}
try:
    box.run(x=1)
except glovebox.errors.ServerUnavailableError as error:
    print(error.code)
"""
    done, engines = started(tmp_path, code, **({"GLOVEBOX_URL": url} if named == "environment" else {}))
    assert (done.stdout, done.stderr, engines) == ("server_unavailable\n", "", [])


def test_a_program_that_is_not_there_is_what_the_call_says(tmp_path: Path) -> None:
    code = """
try:
    box.run(x=1)
except glovebox.errors.ServerUnavailableError as error:
    print(error)
"""
    done, engines = started(tmp_path, code, GLOVEBOX_PROGRAM=str(tmp_path))
    assert "no file that can be executed" in done.stdout
    assert (done.stderr, engines) == ("", [])
