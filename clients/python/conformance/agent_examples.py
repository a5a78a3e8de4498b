"""Programs of flyte's examples/agents/flyte_agent, each with a scripted model and a driver in the place of a cluster.

An agent runs outside of cells here, so a driver calls the functions of an example in its own process, and environments
ask for no cell. What docs/FLYTE.md leaves out is changed: a driver brings the logger, and what hands on the keys of a
caller to a platform, which do nothing. GitHub, which an example asks, is a stand-in.
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
glovebox.TaskEnvironment = lambda name, depends_on=(), **of_cells: environment(name=name, depends_on=depends_on)

def posted(url, value):
    import urllib.request
    request = urllib.request.Request(url, json.dumps(value).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)

def github(value):
    import httpx
    asked = lambda request: httpx.Response(200, json=value)
    httpx.AsyncClient = functools.partial(httpx.AsyncClient, transport=httpx.MockTransport(asked))
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

_TRIAGE = """
import datetime
import scheduled_triage_agent as program
issue = {"number": 7, "title": "outage of the API", "html_url": "https://github.example/7"}
github({"items": [issue]})
glovebox.deploy(program.env)
at = datetime.datetime(2026, 5, 1, 9, tzinfo=datetime.timezone.utc)
reply = asyncio.run(program.triage_repo.forward(trigger_time=at, repo="a/b", channel="#triage"))
assert reply == "One is urgent.", reply
said = json.dumps(seen)
assert "It is 2026-05-01T09:00:00+00:00" in said and "outage of the API" in said and "delivered_at" in said, said
import os, subprocess
shown = subprocess.run(
    [os.environ["GLOVEBOX_PROGRAM"], "schedules", "show", "triage-agent.triage_repo.daily-triage", "--json"],
    check=True, capture_output=True, text=True,
)
schedule = json.loads(shown.stdout)
assert (schedule["cron"], schedule["time_input"]) == ("* * * * *", "trigger_time"), schedule
assert set(schedule["inputs"]) == {"repo", "channel"}, schedule
"""

_WEBHOOK = """
import types

async def nothing(**named): ...

class Passes:
    def __init__(self, app, excluded_paths): self.app = app
    async def __call__(self, *event): await self.app(*event)

import glovebox.app.extras
glovebox.app.extras.FastAPIPassthroughAuthMiddleware = Passes
glovebox.init_passthrough = types.SimpleNamespace(aio=nothing)
glovebox.current_project = glovebox.current_domain = lambda: ""
debian = glovebox.Image.from_debian_base
glovebox.Image.from_debian_base = lambda glovebox_version=None: debian()
import webhook_agent as program
github({"title": "Mend it", "state": "open"})
deployed = glovebox.deploy(program.webhook_env)[0].envs["glovebox-agent-webhook"]
assert isinstance(deployed, glovebox.app.DeployedAppEnvironment)
handle = glovebox.remote.App.get(name="glovebox-agent-webhook")
assert deployed.deployed_app.url == handle.url
with handle.ephemeral_ctx_sync():
    answer = posted(handle.endpoint + "/trigger", {"repository": "a/b", "pull_request": {"number": 3}, "action": "opened"})
[run] = glovebox.runs(task="webhook-agent-tools.review_pr")
assert run.name == answer["name"] and run.outputs()[0] == "Reviewed.", run
assert "Mend it" in json.dumps(seen), seen
"""

_CHAT = """
import agent_chat_ui as program
handle = glovebox.serve(program.env)
page = __import__("urllib.request").request.urlopen(handle.url, timeout=60).read().decode()
assert "Internal docs assistant" in page and "#6F2AEF" in page, page
answer = posted(handle.url + "/api/chat", {"message": "How do I schedule a task?"})
assert answer["summary"] == "By a trigger." and not answer["error"], answer
assert "Triggers" in json.dumps(seen), seen
handle.deactivate()
"""

_SHEPHERD = """
import mcp_powered_agent as program
servers = [glovebox.serve(each) for each in (program.slack_mcp_env, program.github_mcp_env)]
specs = program.MCPServerSpec  # the address of a server of this machine has to be allowed
program.MCPServerSpec = functools.partial(specs, host=True)
urls = [program._mcp_session_url(each.endpoint) for each in servers]
reply = asyncio.run(program.shepherd.forward("Score it.", slack_mcp_url=urls[0], github_mcp_url=urls[1]))
assert reply == "The risk is 1.5.", reply
said = json.dumps(seen)
assert "Refactor scheduler core" in said and "posted to #releases" in said, said
for each in servers: each.deactivate()
"""

_SIZED = """
import self_correcting_agent as program
reply = asyncio.run(program.run_ds_agent.forward(request="Train."))
assert reply == "Trained.", (reply, seen)
"""

_RANKING = """```python
tickers = list_tickers()
averages = [moving_average(prices) for prices in glovebox_map("fetch_prices", tickers)]
rankings = [{"ticker": ticker, "value": value} for ticker, value in zip(tickers, averages)]
render_report(sorted(rankings, key=lambda r: r["value"], reverse=True))
```"""

PROGRAMS = {
    "scheduled_triage_agent.py": (
        Process(
            _TRIAGE,
            (
                [("list_open_issues", {"repo": "a/b"})],
                [("classify_issue", {"title": "outage of the API"})],
                [("post_digest", {"channel": "#triage", "summary": "One."})],
                "One is urgent.",
            ),
        ),
    ),
    "webhook_agent.py": (
        Process(
            _WEBHOOK,
            (
                [("fetch_pr", {"repo": "a/b", "number": 3})],
                [("post_comment", {"repo": "a/b", "number": 3, "comment": "Fine."})],
                "Reviewed.",
            ),
        ),
    ),
    "agent_chat_ui.py": (Process(_CHAT, ([("search_docs", {"query": "schedule a task"})], "By a trigger.")),),
    "mcp_powered_agent.py": (
        Process(
            _SHEPHERD,
            (
                [("gh_list_pull_requests", {"repo": "a/b", "limit": 1})],
                [("compute_release_score", {"changes": ["Refactor scheduler core"]})],
                [("slack_post_message", {"channel": "#releases", "text": "1.5"})],
                "The risk is 1.5.",
            ),
        ),
    ),
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
    images = Path(os.environ["GLOVEBOX_HOME"], "images")
    if images.exists():  # a deployment builds the image of its functions
        Path(home["GLOVEBOX_HOME"]).mkdir(exist_ok=True)
        Path(home["GLOVEBOX_HOME"], "images").unlink(missing_ok=True)
        Path(home["GLOVEBOX_HOME"], "images").symlink_to(images.resolve())
    for process in processes:
        done = subprocess.run(
            [sys.executable, "-c", _PRELUDE + process.driver, json.dumps(process.answers)],
            cwd=directory, env=home, text=True, capture_output=True, timeout=programs.PATIENCE, check=False,
        )  # fmt: skip
        if done.returncode:
            return (done.stderr.strip() or "it says nothing").splitlines()[-1]
    return ""
