"""Every program of examples/python, each in a process of its own, with the real engine and real cells.

They run with GLOVEBOX_TEST_REAL=1. Images are those of GLOVEBOX_TEST_CACHE, if that is set.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import registries
from engines import PATIENCE, PROGRAM, server

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples" / "python"
PIPELINE = {
    "sum_1_to_10": 55,
    "mean": 3.0,
    "std": 1.4142,
    "window_end": "2024-01-02T00:00:00",
    "etl_sum_1_to_10": 15,
    "line_count": "2",
}
PRINTED = {
    "approvals.py": (
        "pay {'amount': 58.5, 'to': 'shop'}\npaid 50.0 to shop\nnot paid: pay was refused by Ada (socket): over the budget\n"
    ),
    "auto_io.py": "awaited: 42\nfrom the cache: 42\ncalled: 42\nstatistics: 3.0 1.4142135623730951 2024-01-02T00:00:00\n",
    "code_mode_agent.py": (
        "approved: buy CCC 10 False\napproved: buy CCC 5 True\n"
        "CCC has the highest mean, 31.0. I bought 5 shares of it.\nturns: 3 prices fetched: 3\n"
    ),
    "codegen.py": "success: True runs of the tests: 2\non real data: (6000.0, 1000)\na diff: True\n",
    "code_sandbox.py": f"run url: URL\n{PIPELINE}\n",
    "code_strings.py": "template: 20\nonce: 6\nsum: 10\nproduct: 24\n",
    "command.py": "lines: 2\nexit code: 0\nexit code: 1\n",
    "deploy_sandbox.py": "Deployment(env=deployable-sandbox, tasks=[deployable-sandbox@1])\n",
    "images.py": "packages: y = 2.0 x + 1.0\nsystem packages: b'P6\\n4 3'\ncommands: 42\n",
    "orchestrator.py": "{'fib': 55, 'linear': 25, 'total': 80}\n" * 2,
    "production.py": "total: 10.0\nadded: 3\nnext: 42\n",
    "session_agent.py": (
        "step 1: shell: status 0\nstep 2: write: 57 bytes written\nstep 3: shell: status 1\n"
        "step 4: write: 69 bytes written\nstep 5: shell: status 0\n"
        "done: longest() takes an empty text, too\ntests pass: True\ncode: True\n"
    ),
    "session_analysis.py": (
        "lines: 61\ndays: 60\ncolumns: ['celsius']\nerror: KeyError\na picture: True\nfiles: ['kelvin.csv']\n"
    ),
    "session_forks.py": ("the notes are in each: {'n is at most a million'}\nwinner: right\nthe others: {'ended'}\n"),
    "settings.py": (
        "resources: HEAVY\nretries: 4 attempts\ntimeout: 2\nvariables: 2\nsecret: key: 7 characters\ncache: True\n"
    ),
    "verbatim.py": "total: 15\n",
}

pytestmark = pytest.mark.cells


def new_home(path: Path) -> Path:
    """Makes a home that has the images of the other tests, and nothing else of them."""
    path.mkdir(exist_ok=True)
    if cache := os.environ.get("GLOVEBOX_TEST_CACHE"):
        images = Path(cache) / "images"
        images.mkdir(parents=True, exist_ok=True)
        (path / "images").symlink_to(images)
    return path


def variables(home: Path, **more: str) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name not in ("GLOVEBOX_URL", "GLOVEBOX_TOKEN")}
    ours = {
        "GLOVEBOX_HOME": str(home),
        "GLOVEBOX_PROGRAM": str(PROGRAM),
        "PYTHONPATH": str(ROOT / "clients/python/src"),
    }
    return inherited | ours | {"PYTHONWARNINGS": "error"} | more


def command(environment: dict[str, str], *words: str | Path, given: str = "") -> str:
    """Runs a program, and returns what it prints."""
    ran = subprocess.run(words, env=environment, input=given, capture_output=True, text=True, timeout=5 * PATIENCE)
    assert ran.returncode == 0, f"{words}: {ran.stdout}\n{ran.stderr}"
    return ran.stdout


def example(environment: dict[str, str], name: str, *arguments: str) -> str:
    return command(environment, sys.executable, EXAMPLES / name, *arguments)


@pytest.fixture(scope="module")
def child(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process that starts its own engine."""
    environment = variables(new_home(tmp_path_factory.mktemp("examples") / "home"))
    command(environment, PROGRAM, "secret", "set", "api-key", given="c4n4ry!")
    return environment


@pytest.fixture(scope="module")
def tcp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a process that uses a server."""
    home = new_home(tmp_path_factory.mktemp("examples") / "home")
    with server("tcp", home) as address:
        yield variables(tmp_path_factory.mktemp("nothing"), **address, GLOVEBOX_PROGRAM="/nonexistent")


def test_each_example_is_tested() -> None:
    assert sorted(PRINTED) == sorted(path.name for path in EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("name", PRINTED)
def test_with_an_engine_of_its_own(child: dict[str, str], name: str) -> None:
    assert re.sub("glovebox:///runs/run-[0-9a-z]+", "URL", example(child, name)) == PRINTED[name]


@pytest.mark.parametrize(
    "name",
    ["auto_io.py", "code_sandbox.py", "code_strings.py", "deploy_sandbox.py", "orchestrator.py", "session_agent.py"],
)
def test_with_a_server(tcp: dict[str, str], name: str) -> None:
    url = re.escape(tcp["GLOVEBOX_URL"])
    assert re.sub(url + "/page/runs/run-[0-9a-z]+", "URL", example(tcp, name)) == PRINTED[name]


def test_what_was_deployed_runs_without_its_program(child: dict[str, str], tmp_path: Path) -> None:
    example(child, "deploy_sandbox.py")
    (tmp_path / "payload.json").write_text('{"values": [1, 2, 3]}')
    printed = command(child, PROGRAM, "start", "deployable-sandbox", "-i", f"payload={tmp_path}/payload.json")
    assert json.loads(printed) == {"total": 6}


def test_a_secret_that_is_not_stored_is_named(tmp_path: Path) -> None:
    printed = example(variables(new_home(tmp_path / "home")), "settings.py")
    assert 'secret: no secret "api-key"' in printed
    assert "glovebox secret set api-key" in printed


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[str]:
    """A registry for the user "me" with the password "p4ss"."""
    if not shutil.which("htpasswd"):
        pytest.skip("htpasswd is not installed (package apache2-utils)")
    users = command(dict(os.environ), "htpasswd", "-Bni", "me", given="p4ss")
    with registries.registry(tmp_path, users) as address:
        yield address


def test_a_registry_and_a_prebuilt_image(child: dict[str, str], registry: str, tmp_path: Path) -> None:
    command(child, PROGRAM, "secret", "set", "ghcr-credentials", given="me:p4ss")
    built = command(child, PROGRAM, "image", "build", "--python", "3.11").strip()
    reference = f"{registry}/my-org/my-sandbox-image:latest"
    command(child, PROGRAM, "image", "push", built, reference, "--secret", "ghcr-credentials")

    # A prebuilt image is read with the credentials that docker login leaves.
    login = {"auths": {registry: {"auth": base64.b64encode(b"me:p4ss").decode()}}}
    (tmp_path / "config.json").write_text(json.dumps(login))
    environment = child | {"DOCKER_CONFIG": str(tmp_path)}
    arguments = ["--registry", f"{registry}/my-org", "--python", "3.11", "--prebuilt", reference]
    assert example(environment, "images.py", *arguments) == PRINTED["images.py"] + "registry: 12\nprebuilt: 2\n"
