"""Runs the tests and the examples of flyte's code generation, with the name replaced and a script for a model.

Usage: flyte_codegen.py CHECKOUT DIRECTORY RESULTS

The first line of RESULTS is "PASSED of TOTAL". Tests of private parts are counted below. Tasks of the examples are plain
functions. The model, and Claude Code in the examples for it, are scripts that write what the outputs ask for.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "peer"))

import programs

TESTS = ["test_agent.py", "test_types.py"]  # the others are of functions inside

# Writes a script and tests for the inputs and outputs that the words for a model list. It is a module, and a program
# in the place of Claude Code.
WRITER = r"""#!/usr/bin/env python3
import json, pathlib, re

VALUES = {"the file": "a,b\n1,2\n", "float": "1.5", "int": "2", "bool": "True", "str": "{}"}


def written(words):
    inputs = re.findall(r"^- --(\w+) ", words, re.M)
    outputs = {}
    for name, kind in re.findall(r"^- /var/outputs/([\w.]+): (.*)$", words, re.M):
        outputs[name] = next(text for word, text in VALUES.items() if re.search(rf"\b{word}\b", kind.replace("str()", "")))
    code = (
        "import argparse, pathlib\nparser = argparse.ArgumentParser()\n"
        f"for name in {inputs!r}:\n    parser.add_argument('--' + name, required=True)\nparser.parse_args()\n"
        f"for name, text in {outputs!r}.items():\n    pathlib.Path('/var/outputs', name).write_text(text)\n"
    )
    tests = (
        "import pathlib, subprocess, sys\n\n\ndef test_outputs(tmp_path):\n    (tmp_path / 'x').write_text('a')\n"
        f"    given = [word for name in {inputs!r} for word in ('--' + name, str(tmp_path / 'x'))]\n"
        "    subprocess.run([sys.executable, 'solution.py', *given], check=True)\n"
        f"    for name, text in {outputs!r}.items():\n        assert pathlib.Path('/var/outputs', name).read_text() == text\n"
    )
    return code, tests


def scripted(model, system, messages, tools):
    code, tests = written(system)
    answers = {
        "Plan the script": {"description": "writes", "approach": "write"},
        "Write the script": {"language": "python", "code": code, "system_packages": []},
        "Write tests": {"test_code": tests},
    }
    return json.dumps(next(answer for words, answer in answers.items() if words in messages[-1]["content"]))


if __name__ == "__main__":
    code, tests = written(pathlib.Path("TASK.md").read_text())
    pathlib.Path("solution.py").write_text(code)
    pathlib.Path("test_solution.py").write_text(tests)
"""

# Runs one example: its module, its workflow, the image of the agent.
DRIVER = r"""
import asyncio, importlib, inspect, os, sys, types
from unittest.mock import MagicMock

import glovebox
from glovebox.codegen import AutoCoderAgent
from writer import scripted

module, workflow, image = sys.argv[1:]


def task(function=None, retries=0, **_):
    if function is None:
        return lambda function: task(function, retries)

    async def tried(*args, **given):
        for attempt in range(retries + 1):
            os.environ["GLOVEBOX_ATTEMPT_NUMBER"] = str(attempt)
            try:
                return await function(*args, **given)
            except RuntimeError:
                if attempt == retries:
                    raise

    return tried if inspect.iscoroutinefunction(function) else function


environment = types.SimpleNamespace(task=task)
theirs = MagicMock(TaskEnvironment=lambda **_: environment, Resources=glovebox.Resources)
error = types.SimpleNamespace(RuntimeUserError=type("RuntimeUserError", (RuntimeError,), {"__init__": lambda *_, **__: None}))
sys.modules |= {"theirs": theirs, "theirs._image": MagicMock(), "theirs.errors": error, "theirs.sandbox": MagicMock()}
checked = AutoCoderAgent.__post_init__


def with_script(self):
    if self.backend == "claude":
        self.agent_image = image
    else:
        self.call_llm = scripted
    checked(self)


AutoCoderAgent.__post_init__ = with_script
made = getattr(importlib.import_module(module), workflow)()
if inspect.isawaitable(made):
    made = asyncio.run(made)
assert made and "error" not in str(made)[:20], made
print(made)
"""


def replaced(text: str) -> str:
    text = re.sub(r"flyteplugins\.codegen(\.auto_coder_agent|\.core\.types)?", "glovebox.codegen", text)
    return re.sub(r"\bflyte\.io\b", "glovebox.io", text)


def run_tests(checkout: Path, directory: Path) -> list[programs.Outcome]:
    directory.mkdir(parents=True)
    outcomes = []
    for name in TESTS:
        file = directory / name
        file.write_text(replaced((checkout / "plugins/codegen/tests" / name).read_text()))
        outcomes.append(programs.run_tests(file))
    return outcomes


def run_example(source: Path, directory: Path) -> str:
    """Runs an example, and returns why it fails, or an empty text."""
    text = replaced(source.read_text())
    workflow = re.search(r"flyte\.run\((\w+)", text)
    if workflow is None:
        return "it runs no workflow"
    text = re.sub(r"\bflyte\b(?!_)", "theirs", text).replace("FLYTE_ATTEMPT_NUMBER", "GLOVEBOX_ATTEMPT_NUMBER")
    (directory / source.name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, source.stem, workflow.group(1), str(directory / "Dockerfile")],
        cwd=directory, text=True, capture_output=True, timeout=programs.PATIENCE, check=False,
    )  # fmt: skip
    return (done.stderr.strip() or "nothing").splitlines()[-1][:200] if done.returncode else ""


def examples(checkout: Path, directory: Path) -> dict[str, str]:
    directory.mkdir(parents=True)
    (directory / "writer.py").write_text(WRITER)
    (directory / "Dockerfile").write_text("FROM debian:bookworm\nCOPY --chmod=755 writer.py /usr/local/bin/claude\n")
    subprocess.run([os.environ["GLOVEBOX_PROGRAM"], "secret", "set", "ANTHROPIC_API_KEY"], input=b"none", check=True)
    sources = sorted((checkout / "plugins/codegen/examples").glob("example_*.py"))
    return {source.name: run_example(source, directory) for source in sources}


def main(checkout: Path, directory: Path, results: Path) -> None:
    shutil.rmtree(directory, ignore_errors=True)
    lines: list[str] = []
    passed = total = private = 0
    for outcome in run_tests(checkout, directory / "tests"):
        passed, private = passed + outcome.passed, private + outcome.private
        total += outcome.passed + len(outcome.failed)
        lines.append(f"{outcome.name}: {outcome.passed} pass, {len(outcome.failed)} differ, {outcome.private} private")
        lines += [f"fails {outcome.name}::{each}" for each in outcome.failed]
    for name, why in examples(checkout, directory / "examples").items():
        passed, total = passed + (not why), total + 1
        lines.append(f"fails {name}: {why}" if why else f"passes {name}")
    text = "\n".join([f"{passed} of {total}", f"{private} tests look at what has no counterpart", *lines]) + "\n"
    results.write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
