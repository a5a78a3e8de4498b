"""Real clients of MCP, started with the entry that glovebox mcp install wrote, whose models are scripts."""

import contextlib
import http.server
import json
import os
import pathlib
import re
import subprocess
import threading
import uuid
from collections.abc import Iterator

import pytest

PROGRAM, CLIENTS = os.environ["GLOVEBOX_PROGRAM"], pathlib.Path(os.environ["GLOVEBOX_CLIENTS"])
QUESTION = "How much is six times seven?"


class Place:
    """Is the home of a user who installed the server, and a project."""

    def __init__(self, tmp: pathlib.Path, client: str) -> None:
        self.mark = uuid.uuid4().hex
        self.home, self.project = tmp / "home", tmp / "project"
        self.home.mkdir()
        self.project.mkdir()
        keep = {
            name: value for name, value in os.environ.items() if not name.startswith(("ANTHROPIC", "OPENAI", "GEMINI"))
        }
        self.env = keep | {"HOME": str(self.home)}
        self.run(PROGRAM, "mcp", "install", client)

    @property
    def code(self) -> str:
        return f"print({self.mark!r}, 6 * 7)"

    @property
    def printed(self) -> str:
        return f"{self.mark} 42"

    def run(self, *command: str | os.PathLike[str], **env: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            command, cwd=self.project, env=self.env | env, text=True, capture_output=True, timeout=300,
            stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    def kept(self) -> bool:
        """Reports whether the home of the one who started the client has the run."""
        runs = subprocess.run([PROGRAM, "runs", "--json"], text=True, capture_output=True, check=True)
        newest = json.loads(runs.stdout)[0]["id"]
        shown = subprocess.run([PROGRAM, "logs", newest], text=True, capture_output=True, check=True)
        return self.printed in shown.stdout


@contextlib.contextmanager
def model(tmp: pathlib.Path, turns: list[dict[str, object]]) -> Iterator[str]:
    """Serves a script in the protocols of OpenAI and of Anthropic. Yields its address."""
    (tmp / "script.json").write_text(
        json.dumps({"key": "sk-fake", "turns": [*turns, {"always": True, "text": "no more"}]})
    )
    command = [os.environ["GLOVEBOX_MODEL"], "-script", str(tmp / "script.json")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield re.sub("/v1$", "", server.stdout.readline().strip())
        finally:
            server.kill()


@contextlib.contextmanager
def gemini_model(parts: list[list[dict[str, object]]]) -> Iterator[tuple[str, list[object]]]:
    """Serves answers in Gemini's protocol. Yields its address, and the questions."""
    questions: list[object] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            questions.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            content = {"role": "model", "parts": parts.pop(0) if parts else [{"text": "no more"}]}
            answer = {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}]}
            body = b"data: " + json.dumps(answer).encode() + b"\n\n"
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", questions
    finally:
        server.shutdown()


def calling(name: str, arguments: dict[str, object], **more: str) -> dict[str, object]:
    return {"calls": [{"name": name, "arguments": json.dumps(arguments), **more}]}


def test_the_inspector_lists_and_calls(tmp_path: pathlib.Path) -> None:
    place = Place(tmp_path, "claude")
    inspector = [CLIENTS / "mcp-inspector", "--cli", "--config", place.home / ".claude.json", "--server", "glovebox"]
    tools = json.loads(place.run(*inspector, "--method", "tools/list").stdout)["tools"]
    assert {"run_python", "run_command", "code_mode", "session_create"} <= {tool["name"] for tool in tools}
    call = ["--method", "tools/call", "--tool-name", "run_python", "--tool-arg", "code=" + place.code]
    result = json.loads(place.run(*inspector, *call).stdout)
    assert result["structuredContent"]["stdout"].strip() == place.printed
    assert place.printed in result["content"][0]["text"]


@pytest.mark.parametrize("search", [False, True], ids=["all tools at once", "tools found by its search"])
def test_claude_code_calls(search: bool, tmp_path: pathlib.Path) -> None:
    import claude_agent_sdk

    place = Place(tmp_path, "claude")
    turns = [calling("mcp__glovebox__run_python", {"code": place.code}), {"match": place.printed, "text": "It is 42."}]
    if search:  # whose answer names the tool, or there is no turn for it
        turns[0]["match"] = "mcp__glovebox__run_python"
        turns.insert(0, {"match": QUESTION, **calling("ToolSearch", {"query": "run python code", "max_results": 3})})
    with model(tmp_path, turns) as address:
        claude = pathlib.Path(claude_agent_sdk.__file__).parent / "_bundled" / "claude"
        command = [claude, "-p", QUESTION, "--model", "claude-opus-5-5", "--allowedTools", "mcp__glovebox__run_python"]
        done = place.run(
            *command, ANTHROPIC_BASE_URL=address, ANTHROPIC_API_KEY="sk-fake",
            ENABLE_TOOL_SEARCH=str(search).lower(), CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        )  # fmt: skip
    assert done.stdout.strip() == "It is 42."
    assert place.kept()


def test_codex_calls(tmp_path: pathlib.Path) -> None:
    place = Place(tmp_path, "codex")
    call = calling("run_python", {"code": place.code}, namespace="mcp__glovebox")
    with model(tmp_path, [call, {"match": place.printed, "text": "It is 42."}]) as address:
        provider = f'{{name="scripted", base_url="{address}/v1", env_key="OPENAI_API_KEY", wire_api="responses"}}'
        options = [
            "-c",
            "model_provider=scripted",
            "-c",
            "model_providers.scripted=" + provider,
            "-c",
            "model=scripted",
        ]
        # A call that may do something is a question to a person, whom exec has not.
        options += ["-c", 'mcp_servers.glovebox.default_tools_approval_mode="approve"']
        codex = [CLIENTS / "codex", "exec", "--skip-git-repo-check", "--strict-config", "--json", *options, QUESTION]
        done = place.run(*codex, OPENAI_API_KEY="sk-fake")
    assert "It is 42." in done.stdout, done.stdout
    assert place.kept()  # in the home of GLOVEBOX_HOME, which the entry hands on


def test_the_gemini_cli_calls(tmp_path: pathlib.Path) -> None:
    place = Place(tmp_path, "gemini")
    settings = place.home / ".gemini" / "settings.json"
    auth = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    settings.write_text(json.dumps(json.loads(settings.read_text()) | auth))
    listed = place.run(CLIENTS / "gemini", "mcp", "list", GEMINI_CLI_TRUST_WORKSPACE="true")
    assert re.search("glovebox: .* - Connected", listed.stdout + listed.stderr)
    call = {"functionCall": {"name": "mcp_glovebox_run_python", "args": {"code": place.code}}}
    with gemini_model([[call], [{"text": "It is 42."}]]) as (address, questions):
        command = [CLIENTS / "gemini", "-p", QUESTION, "--approval-mode", "yolo", "-m", "gemini-2.5-pro", "-o", "json"]
        done = place.run(
            *command, GEMINI_CLI_TRUST_WORKSPACE="true", GEMINI_API_KEY="sk-fake", GOOGLE_GEMINI_BASE_URL=address
        )
    assert json.loads(done.stdout)["response"] == "It is 42."
    assert place.printed in json.dumps(questions[-1])
    assert place.kept()
