"""Programs of flyte's examples/agents/flyte_agent, each with a scripted model and a driver in the place of a cluster.

An agent runs outside of cells here, so a driver calls the functions of an example in its own process, and environments
ask for no cell. What docs/FLYTE.md leaves out is changed: a driver brings the logger.
docs/COMPATIBILITY.md says why the other programs cannot run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import programs

# Gives the agent of an example its answers: each a text, or the calls of tools that the model asks for.
_PRELUDE = """
import asyncio, functools, json, logging, sys
import glovebox, glovebox.ai.agents

answers, seen = iter(json.loads(sys.argv[1])), []

async def scripted(model, system, messages, tools):
    seen.append(messages)
    answer = next(answers)
    if isinstance(answer, str):
        return answer
    calls = [{"id": f"{len(seen)}-{i}", "name": name, "arguments": a} for i, (name, a) in enumerate(answer)]
    return glovebox.ai.agents.LLMMessage(None, calls)

glovebox.ai.agents.Agent = functools.partial(glovebox.ai.agents.Agent, call_llm=scripted)
glovebox.logger = logging.getLogger("glovebox")
environment = glovebox.TaskEnvironment
glovebox.TaskEnvironment = lambda name, **of_cells: environment(name=name)
"""


@dataclass(frozen=True)
class Process:
    """One process of a program, with what its model answers."""

    driver: str
    answers: tuple[object, ...]


_BASIC = """
import basic_agent
basic_agent.main("What's 17 * 23 plus the temperature in Tokyo?")
assert [m["content"] for m in seen[1] if m["role"] == "tool"][0].startswith("391"), seen
"""

_TEACH = """
import agent_with_memory
reply = asyncio.run(agent_with_memory.chat.forward(message="My dog is named Mochi."))
assert reply == "Noted.", reply
"""

_RECALL = """
import agent_with_memory
reply = asyncio.run(agent_with_memory.chat.forward(message="What is my dog's name?"))
assert reply == "Mochi.", reply
assert [m["role"] for m in seen[0]] == ["user", "assistant", "tool", "assistant", "user"], seen
assert seen[0][0]["content"] == "My dog is named Mochi.", seen
"""

_REFUND = """
import hitl_approval_agent
reply = asyncio.run(hitl_approval_agent.concierge.forward(request="Refund order #12345."))
assert reply == "It was not approved.", reply
assert "alex@example.com" in seen[1][-1]["content"] and "not approved" in seen[2][-1]["content"], seen
"""

_RANKS = """
import code_mode_agent
reply = asyncio.run(code_mode_agent.run_code_mode_agent.forward(request="Rank the tickers."))
assert reply == "CCC is first.", reply
[shown] = list(glovebox.runs(task="render_report", calls=True))
assert "5 tickers, ranked by value" in shown.get_report() and "Rankings" in shown.get_report(), shown
"""

_RANKING = """```python
tickers = list_tickers()
averages = [moving_average(prices) for prices in glovebox_map("fetch_prices", tickers)]
rankings = [{"ticker": ticker, "value": value} for ticker, value in zip(tickers, averages)]
render_report(sorted(rankings, key=lambda r: r["value"], reverse=True))
```"""

PROGRAMS = {
    "code_mode_agent.py": (Process(_RANKS, (_RANKING, "CCC is first.")),),
    "basic_agent.py": (
        Process(
            _BASIC, ([("multiply", {"x": 17, "y": 23}), ("get_weather", {"city": "Tokyo"})], "Together it is 465.2.")
        ),
    ),
    "agent_with_memory.py": (
        Process(_TEACH, ([("current_time", {})], "Noted.")),
        Process(_RECALL, ("Mochi.",)),
    ),
    "hitl_approval_agent.py": (
        Process(
            _REFUND,
            (
                [("lookup_order", {"order_id": "12345"})],
                [("issue_refund", {"order_id": "12345", "amount_usd": 49.99, "reason": "late"})],
                "It was not approved.",
            ),
        ),
    ),
}


def run(checkout: Path, directory: Path) -> dict[str, str]:
    """Runs the programs, and returns why each fails, or an empty text."""
    directory.mkdir(parents=True)
    programs.copy(checkout, "examples/agents/flyte_agent", directory)
    return {name: _why(directory, processes) for name, processes in PROGRAMS.items()}


def _why(directory: Path, processes: tuple[Process, ...]) -> str:
    home = os.environ | {"GLOVEBOX_HOME": str(directory / "home")}  # which no earlier run has written to
    for process in processes:
        done = subprocess.run(
            [sys.executable, "-c", _PRELUDE + process.driver, json.dumps(process.answers)],
            cwd=directory, env=home, text=True, capture_output=True, timeout=programs.PATIENCE, check=False,
        )  # fmt: skip
        if done.returncode:
            return (done.stderr.strip() or "it says nothing").splitlines()[-1]
    return ""
