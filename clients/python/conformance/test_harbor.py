"""Jobs by Harbor's command line with the agents that need no model, also on E2B, and what an environment promises."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from harbor.models.task.config import NetworkMode, NetworkPolicy
from harbor.models.task.task import Task
from harbor.models.trial.paths import TrialPaths

from glovebox import errors
from glovebox.plugins.harbor import GloveboxEnvironment

TASK = Path(__file__).parent / "harbor" / "count-words"


@pytest.mark.parametrize("environment", ["glovebox.plugins.harbor:GloveboxEnvironment", "e2b"], ids=["glovebox", "e2b"])
@pytest.mark.parametrize(("agent", "reward"), [("oracle", 1.0), ("nop", 0.0)])
def test_job(agent: str, reward: float, environment: str, tmp_path: Path) -> None:
    command = [
        str(Path(sys.executable).parent / "harbor"), "run", "-p", str(TASK), "-a", agent,
        "-e", environment, "-o", str(tmp_path), "--job-name", "job", "-y", "-q",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    results = [json.loads(path.read_text()) for path in (tmp_path / "job").glob("*/result.json")]
    assert len(results) == 1 and results[0]["exception_info"] is None, (results, done.stdout + done.stderr)
    assert results[0]["verifier_result"]["rewards"] == {"reward": reward}


@pytest.fixture
async def environment(tmp_path: Path) -> AsyncIterator[GloveboxEnvironment]:
    made = GloveboxEnvironment(
        environment_dir=TASK / "environment", environment_name="count-words", session_id=f"test-{uuid.uuid4()}",
        trial_paths=TrialPaths(tmp_path), task_env_config=Task(TASK).config.environment, logger=logging.getLogger(),
        network_policy=NetworkPolicy(network_mode=NetworkMode.NO_NETWORK),
    )  # fmt: skip
    await made.start(force_build=False)
    yield made
    await made.stop(delete=True)


async def test_users_variables_and_directories(environment: GloveboxEnvironment) -> None:
    assert (await environment.exec("id -un; pwd")).stdout == "root\n/app\n"
    with environment.with_default_user("agent"):
        assert (await environment.exec("id -un; echo $WORD", env={"WORD": "yes"}, cwd="/tmp")).stdout == "agent\nyes\n"
    done = await environment.exec("echo no >&2; exit 7", user="agent")
    assert (done.return_code, done.stderr) == (7, "no\n")
    with pytest.raises(errors.RequestInvalidError, match="no user"):
        await environment.exec("true", user="nobody-of-this-name")


async def test_a_timeout_ends_the_tree(environment: GloveboxEnvironment) -> None:
    with pytest.raises(RuntimeError, match="timed out"):
        await environment.exec("setsid sleep 4321 & sleep 4321", timeout_sec=1)
    assert (await environment.exec("cat /proc/[0-9]*/comm | grep -c sleep; true")).stdout == "0\n"


async def test_directories_come_and_go(environment: GloveboxEnvironment, tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "below").mkdir(parents=True)
    (source / "below" / "file").write_text("text")
    (source / "run.sh").write_text("#!/bin/sh\necho ran\n")
    (source / "run.sh").chmod(0o755)
    (source / "link").symlink_to("below/file")
    await environment.upload_dir(source, "/data")
    assert (await environment.exec("cat /data/link; /data/run.sh; mkfifo /data/pipe")).stdout == "textran\n"
    target = tmp_path / "target"
    target.mkdir()
    (target / "mine").write_text("stays")
    await environment.download_dir("/data", target)
    assert (target / "link").is_symlink() and (target / "link").read_text() == "text"
    assert (target / "mine").read_text() == "stays" and (target / "run.sh").stat().st_mode & 0o111
    assert not (target / "pipe").exists()
    await environment.upload_file(source / "run.sh", "/deep/er/run.sh")
    await environment.download_file("/deep/er/run.sh", tmp_path / "again")
    assert (tmp_path / "again").read_text() == (source / "run.sh").read_text()
    await environment.download_dir_with_exclusions(source_dir="/data", target_dir=tmp_path / "some", exclude=["below"])
    assert not (tmp_path / "some" / "below").exists() and (tmp_path / "some" / "run.sh").exists()


async def test_network_by_phase(environment: GloveboxEnvironment) -> None:
    async def answer(host: str) -> str:
        script = f"python3 -c \"import urllib.request as r; r.urlopen('http://{host}/', timeout=20)\" 2>&1 | tail -1"
        return (await environment.exec(script)).stdout or ""

    assert "403" in await answer("allowed.invalid")
    await environment.set_network_policy(
        NetworkPolicy(network_mode=NetworkMode.ALLOWLIST, allowed_hosts=["allowed.invalid"])
    )
    assert "403" not in await answer("allowed.invalid")
    assert "403" in await answer("other.invalid")
    await environment.set_network_policy(NetworkPolicy(network_mode=NetworkMode.NO_NETWORK))
    assert "403" in await answer("allowed.invalid")


async def test_output_as_it_comes(environment: GloveboxEnvironment) -> None:
    pieces: list[tuple[str, str]] = []

    async def tell(text: str, stream: str) -> None:
        pieces.append((stream, text))

    with environment.scoped_output_callback(tell):
        await environment.exec("echo out; echo err >&2")
    assert sorted(pieces) == [("stderr", "err\n"), ("stdout", "out\n")]
