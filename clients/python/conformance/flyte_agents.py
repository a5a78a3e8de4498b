"""Runs flyte's tests of agents, and its examples of agents with a scripted model, with the name replaced.

Usage: flyte_agents.py CHECKOUT DIRECTORY RESULTS

The first line of RESULTS is "PASSED of TOTAL", without the tests of private parts and of names that docs/FLYTE.md leaves
out, which are counted below.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "peer"))

import agent_examples
import programs

# Analyses one of the example's data sets, as its prompt says; the first attempt makes a mistake.
ANSWERS = [
    '```python\nrows = fetch_data("sales_2024")\ntotal = sum([row["sales"] for row in rows])\n{"charts": [], "summary": str(total)}\n```',
    '```python\nrows = fetch_data("sales_2024")\ntotal = 0\nfor row in rows:\n    total = total + row["revenue"]\n'
    'chart = create_chart("bar", "Sales", ["all"], [total])\n{"charts": [chart], "summary": "Total: " + str(total)}\n```',
]

# Is run in the directory of the example: its tools, with the agent of this library in the place of its own.
DRIVER = """
import json, sys
from _tools import ALL_TOOLS
from glovebox.agents import CodeModeAgent

answers = iter(json.loads(sys.argv[1]))
seen = []

def scripted(model, system, messages, tools):
    seen.append((system, list(messages)))
    return next(answers)

agent = CodeModeAgent(tools=ALL_TOOLS, max_retries=2, call_llm=scripted)
result = agent.run("What did we sell?", [])
assert result.attempts == 2 and not result.error, result
assert result.summary.startswith("Total: ") and len(result.charts) == 1 and "<canvas" in result.charts[0], result
assert "fetch_data" in seen[0][0] and "sales" in seen[1][1][-1]["content"], seen
assert {d["name"] for d in agent.tool_descriptions()} == set(ALL_TOOLS)
"""

# The same for its program whose tools and whole analysis are tasks: the analysis is a run, and shows a report.
DURABLE = """
import functools, json, sys, types
import glovebox
from glovebox.agents import CodeModeAgent

answers = iter(json.loads(sys.argv[1]))
agents = functools.partial(CodeModeAgent, call_llm=lambda model, system, messages, tools: next(answers))
sys.modules["_agent"] = types.SimpleNamespace(CodeModeAgent=agents)
environment = glovebox.TaskEnvironment
glovebox.TaskEnvironment = lambda name, **of_cells: environment(name=name)
glovebox.ReusePolicy, glovebox.AsyncFunctionTaskTemplate = dict, glovebox.FunctionTask
import durable_agent

run = glovebox.start(durable_agent.analyze, request="What did we sell?")
summary = run.outputs()[0]
assert summary.startswith("Total: "), summary
report = run.get_report()
assert report.startswith("<!DOCTYPE html>") and "<canvas" in report and summary in report, report
"""


# The same for its page, an application of FastAPI.
CHAT = """
import functools, json, sys, types, urllib.request
import glovebox, glovebox.app
from glovebox.agents import CodeModeAgent

answers = iter(json.loads(sys.argv[1]))
agents = functools.partial(CodeModeAgent, call_llm=lambda model, system, messages, tools: next(answers))
sys.modules["_agent"] = types.SimpleNamespace(CodeModeAgent=agents)
glovebox.app.Scaling = dict
import chat_app

handle = glovebox.serve(chat_app.env)
assert b"Chat Analytics Agent" in urllib.request.urlopen(handle.url, timeout=60).read()
asked = json.dumps({"message": "What did we sell?", "history": []}).encode()
request = urllib.request.Request(handle.url + "/api/chat", asked, {"Content-Type": "application/json"})
answer = json.load(urllib.request.urlopen(request, timeout=60))
assert answer["summary"].startswith("Total: ") and "<canvas" in answer["charts"][0] and not answer["error"], answer
handle.deactivate()
"""


def example(checkout: Path, directory: Path, driver: str) -> str:
    """Runs the example by a driver, and returns why it fails, or an empty text."""
    directory.mkdir(parents=True)
    programs.copy(checkout, "examples/sandbox/codemode", directory)
    for name in ("_tools.py", "durable_agent.py"):  # object, which says nothing of a type, is refused here
        text = (directory / name).read_text().replace("value: object", "value: Any")
        (directory / name).write_text(text.replace("from typing import Callable", "from typing import Any, Callable"))
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(driver), json.dumps(ANSWERS)],
        cwd=directory, text=True, capture_output=True, timeout=programs.PATIENCE, check=False,
    )  # fmt: skip
    return done.stderr.strip().splitlines()[-1] if done.returncode else ""


def main(checkout: Path, directory: Path, results: Path) -> None:
    shutil.rmtree(directory, ignore_errors=True)
    lines: list[str] = []
    passed = failed = private = 0
    tests = directory / "tests"
    tests.mkdir(parents=True)
    programs.copy(checkout, "tests/flyte/ai/agents", tests)
    for file in sorted(tests.glob("test_*.py")):
        outcome = programs.run_tests(file)
        passed, failed, private = passed + outcome.passed, failed + len(outcome.failed), private + outcome.private
        lines.append(
            f"{outcome.name}: {outcome.passed} pass, {len(outcome.failed)} differ, {outcome.private} look at what has no counterpart"
        )
        lines += [f"fails {outcome.name}::{each}" for each in outcome.failed]
    examples = {
        "examples/sandbox/codemode": example(checkout, directory / "codemode", DRIVER),
        "examples/sandbox/codemode/durable_agent.py": example(checkout, directory / "durable", DURABLE),
        "examples/sandbox/codemode/chat_app.py": example(checkout, directory / "chat", CHAT),
    }
    for name, why in agent_examples.run(checkout, directory / "flyte_agent").items():
        examples[f"examples/agents/flyte_agent/{name}"] = why
    lines += [f"fails {name}: {why}" if why else f"passes {name}" for name, why in examples.items()]
    passed, failed = passed + sum(not why for why in examples.values()), failed + sum(map(bool, examples.values()))
    head = [f"{passed} of {passed + failed}", f"{private} tests look at what has no counterpart"]
    text = "\n".join([*head, *lines]) + "\n"
    results.write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
