"""A script whose module starts something when a cell imports it: it is told so, and does not begin again in every cell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import glovebox
from glovebox._process import context

PROGRAM = Path(__file__).resolve().parents[3] / "bin" / "glovebox"

SCRIPT = """\
import glovebox

env = glovebox.TaskEnvironment(name="eager", resources=glovebox.Resources(memory="256Mi"))


@env.task
def double(x: int) -> int:
    return x * 2


print(double(21))
"""


def test_nothing_is_started_while_a_module_is_imported_in_a_cell() -> None:
    token = context.loading.set("shop")
    try:
        with pytest.raises(RuntimeError, match="module shop starts something .*__main__"):
            glovebox.sandbox.orchestrate_local_sync("1 + 1", inputs={})
    finally:
        context.loading.reset(token)


@pytest.mark.cells
def test_a_script_without_a_main_guard(tmp_path: Path) -> None:
    (tmp_path / "eager.py").write_text(SCRIPT)
    environment = os.environ | {
        "GLOVEBOX_PROGRAM": str(PROGRAM),
        "GLOVEBOX_HOME": os.environ.get("GLOVEBOX_TEST_HOME") or str(tmp_path / "home"),
    }
    ended = subprocess.run(
        [sys.executable, "-W", "error", "eager.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 1, ended
    assert ended.stderr.count("RuntimeError: module eager starts something") <= 3, ended.stderr
    assert 'if __name__ == "__main__":' in ended.stderr
    assert "eager.py:11" in ended.stderr
    assert "is below 16 others" not in ended.stderr
