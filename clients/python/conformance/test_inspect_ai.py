"""inspect_ai's own checks of a sandbox, and whole evaluations by its command line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.util import SandboxEnvironment
from inspect_ai.util._sandbox.self_check import *  # noqa: F403

from glovebox.plugins.inspect_ai import GloveboxSandboxEnvironment

EVALUATIONS = Path(__file__).parent / "evaluations"


@pytest.fixture
async def sandbox_env() -> AsyncIterator[SandboxEnvironment]:
    environments = await GloveboxSandboxEnvironment.sample_init("checks", None, {})
    yield environments["default"]
    await GloveboxSandboxEnvironment.sample_cleanup("checks", None, environments, False)


def evaluate(name: str, logs: Path) -> subprocess.CompletedProcess[str]:
    """Evaluates the one task beside the files that say what its sandbox is."""
    work = shutil.copytree(EVALUATIONS, logs / "evaluations") / name
    work.mkdir(exist_ok=True)
    shutil.copy(EVALUATIONS / "task.py", work)
    command = "eval task.py --model mockllm/model --sandbox glovebox --display plain"
    return subprocess.run(
        [str(Path(sys.executable).parent / "inspect"), *command.split(), "--log-dir", str(logs)],
        cwd=work, capture_output=True, text=True, timeout=900, env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip


@pytest.mark.parametrize("name", ["plain", "dockerfile", "compose"])
def test_evaluation(name: str, tmp_path: Path) -> None:
    done = evaluate(name, tmp_path)
    (log,) = tmp_path.glob("*.eval")
    found = read_eval_log(str(log))
    assert found.status == "success", done.stdout + done.stderr
    assert found.results.scores[0].metrics["accuracy"].value == 1
    assert len(found.samples) == 3


def test_two_services_are_refused(tmp_path: Path) -> None:
    done = evaluate("services", tmp_path)
    assert "takes a compose file with one service, and this one has 2: default, database" in done.stdout + done.stderr
