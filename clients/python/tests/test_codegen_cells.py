"""Code generation in real cells: scripts, packages, tests that show nothing, data frames, crashes.

They run with GLOVEBOX_TEST_REAL=1. Images are kept in GLOVEBOX_TEST_HOME, if that is set, for the next time.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import types
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import pytest

from glovebox import errors
from glovebox.codegen import AutoCoderAgent, CodeGenEvalResult
from glovebox.io import Dir, File

PROGRAM = Path(__file__).resolve().parents[3] / "bin" / "glovebox"
PATIENCE = 300

pytestmark = pytest.mark.cells

SUM = """
import argparse, csv, pathlib

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sales", required=True)
    with open(parser.parse_args().sales, newline="") as file:
        total = sum(int(row["quantity"]) * float(row["price"]) for row in csv.DictReader(file))
    pathlib.Path("/var/outputs/total").write_text(str(total))
"""
TESTS = """
import pathlib, subprocess, sys

def test_total(tmp_path):
    sales = tmp_path / "sales.csv"
    sales.write_text("quantity,price\\n2,3.5\\n1,1.0\\n")
    subprocess.run([sys.executable, "solution.py", "--sales", str(sales)], check=True)
    assert float(pathlib.Path("/var/outputs/total").read_text()) == 8.0
"""
ALWAYS = "def test_nothing():\n    assert True\n"
FORGED = "import os\nprint('1 passed')\nos._exit(0)\n"
SALES = "quantity,price\n2,3.5\n1,1.0\n"

Answers = dict[str, Any]


def answers(code: str = SUM, tests: str = TESTS, **more: Any) -> Answers:
    """What a model answers to a question that has the words of the name in it."""
    return {
        "Plan the script": {"description": "Sums.", "approach": "Add."},
        "Write the script": {"language": "python", "code": code, "system_packages": []},
        "Write tests": {"test_code": tests},
        **{name.replace("_", " "): answer for name, answer in more.items()},
    }


def diagnosis(kind: str, *packages: str) -> dict[str, Any]:
    failure = dict.fromkeys(
        ("error_message", "expected_behavior", "actual_behavior", "root_cause", "suggested_fix"), "something"
    )
    return {
        "failures": [{**failure, "test_name": "test_total", "error_type": kind}],
        "needs_system_packages": [],
        "needs_language_packages": list(packages),
    }


class Scripted:
    """Stands for a model, and keeps what it was asked."""

    def __init__(self, known: Answers) -> None:
        self.known, self.asked = known, list[str]()

    def __call__(self, model: str, system: str, messages: list[dict[str, Any]], tools: Any) -> str:
        question = str(messages[-1]["content"])
        self.asked.append(system + question)
        answer = next(answer for words, answer in self.known.items() if words in question)
        return json.dumps(answer.pop(0) if isinstance(answer, list) else answer)


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        path = os.environ.get("GLOVEBOX_TEST_HOME") or str(tmp_path_factory.mktemp("home"))
        patch.setenv("GLOVEBOX_HOME", path)
        patch.setenv("GLOVEBOX_PROGRAM", str(PROGRAM))
        yield path


@pytest.fixture
def sales(tmp_path: Path) -> Path:
    path = tmp_path / "sales.csv"
    path.write_text(SALES)
    return path


def generate(known: Answers, sales: Any, **given: Any) -> tuple[CodeGenEvalResult, Scripted]:
    model = Scripted(known)
    agent = AutoCoderAgent(model="scripted", name="cells", call_llm=cast(Any, model), cache="disable", **given)
    return agent.generate("Sum.", samples={"sales": sales}, outputs={"total": float}), model


def test_a_script_runs_on_data_that_no_model_saw(sales: Path, tmp_path: Path) -> None:
    made, model = generate(answers(), sales, sample_mode="masked")
    assert (made.success, made.attempts, made.exit_code, made.error) == (True, 1, 0, None)
    assert made.run() == 8.0
    real = tmp_path / "real.csv"
    real.write_text("quantity,price\n4321,1.0\n")
    task = made.as_task(name="summed")
    assert task(sales=File.from_local_sync(real)) == 4321.0
    assert not any("4321" in asked or "3.5" in asked.split("Samples of", 1)[1][:500] for asked in model.asked[:1])
    assert "1 passed" in made.output
    with pytest.raises(errors.InvalidInputError):
        task(other=1)


def test_tests_that_always_pass_do_not_count(sales: Path) -> None:
    written = [{"test_code": ALWAYS}, {"test_code": ALWAYS + TESTS}]
    made, model = generate(answers() | {"Write tests": written}, sales)
    assert (made.success, made.attempts) == (True, 2)
    assert "show nothing: test_nothing" in model.asked[-1]
    assert "of which 1 pass without the script as well" in made.report


def test_a_script_cannot_end_its_tests(sales: Path) -> None:
    known = answers(FORGED, Say_of_each=diagnosis("logic"), Correct_the=answers()["Write the script"])
    made, _ = generate(known, sales)
    assert (made.success, made.attempts, made.solution.code.strip()) == (True, 2, SUM.strip())


def test_a_script_without_end_is_ended(sales: Path) -> None:
    known = answers("while True: pass", Say_of_each=diagnosis("logic"), Correct_the=answers()["Write the script"])
    made, model = generate(known, sales, timeout=5)
    assert made.success
    assert any("the tests took too long" in asked for asked in model.asked)


def test_packages_are_found_and_installed(sales: Path) -> None:
    code = "import six\n" + SUM.replace("import argparse", "import argparse, yaml")
    known = answers(code) | {"imports the modules": {"packages": ["six", "nonesuch-zq-1", "PyYAML"]}}
    made, _ = generate(known | {"cannot be installed": {"replacement": None}}, sales)
    assert (made.success, made.detected_packages) == (True, ["six", "PyYAML"])
    assert made.requirements == ["six", "PyYAML"]
    assert made.run() == 8.0


def test_several_inputs_and_outputs(sales: Path) -> None:
    code = """
import argparse, pathlib
parser = argparse.ArgumentParser()
for name in ("sales", "least", "all"):
    parser.add_argument("--" + name)
given = parser.parse_args()
out = pathlib.Path("/var/outputs")
(out / "summary.csv").write_text(given.least + "," + given.all)
(out / "parts").mkdir()
(out / "parts" / "a").write_text("a")
(out / "lines").write_text(str(len(pathlib.Path(given.sales).read_text().splitlines())))
"""
    model = cast(Any, Scripted(answers(code)))
    agent = AutoCoderAgent(model="scripted", name="cells", call_llm=model, skip_tests=True)
    made = agent.generate(
        "Do it.",
        samples={"sales": File.from_local_sync(sales)},
        inputs={"least": float, "all": bool},
        outputs={"summary.csv": File, "parts": Dir, "lines": int},
    )
    assert (made.success, made.tests, made.attempts) == (True, None, 0)
    summary, parts, lines = made.run(least=1.5, all=False)
    assert (summary.read_text(), lines) == ("1.5,false", 3)
    assert [path.name for path in Path(parts.download_sync()).iterdir()] == ["a"]


CLAUDE = r"""#!/usr/bin/env python3
import os, pathlib, sys

task = pathlib.Path("TASK.md").read_text()
assert os.environ["ANTHROPIC_API_KEY"] and "sk-fake" not in str(os.environ) and "-p" not in sys.argv[1:-1] and "--print" in sys.argv
assert pathlib.Path("samples/sales.csv").read_text().startswith("quantity,price")
times = "float(row" if "What is wrong with the work" in task else "0 * float(row"
pathlib.Path("solution.py").write_text(SUM.replace("float(row", times))
pathlib.Path("test_solution.py").write_text(TESTS)
pathlib.Path("packages.txt").write_text("six\n")
print('{"type": "result", "num_turns": 4, "result": "done", "usage": {"input_tokens": 9}, "total_cost_usd": 0.5}')
"""


def test_a_coding_agent_writes_in_a_cell(sales: Path, tmp_path: Path) -> None:
    (tmp_path / "claude").write_text(CLAUDE.replace("SUM.", f"{SUM!r}.").replace("(TESTS)", f"({TESTS!r})"))
    (tmp_path / "Dockerfile").write_text("FROM debian:bookworm\nCOPY --chmod=755 claude /usr/local/bin/claude\n")
    subprocess.run([PROGRAM, "secret", "set", "coder"], input=b"sk-fake", check=True)
    agent = AutoCoderAgent(
        model="claude-x",
        name="coded",
        backend="claude",
        api_key="coder",
        agent_image=str(tmp_path / "Dockerfile"),
        cache="disable",
    )
    made = agent.generate("Sum.", samples={"sales": sales}, outputs={"total": float})
    assert (made.success, made.attempts, made.error) == (True, 2, None), made.report
    # The host counts the tokens of what it was asked, which is nothing here. Without a price, the agent says the cost.
    assert (made.detected_packages, made.total_input_tokens, made.cost_usd) == (["six"], 0, 1.0)
    assert made.run() == 8.0
    assert made.generation is not None
    assert [call["task"] for call in made.generation.calls()].count("agent") == 2


def test_data_frames_are_samples() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"quantity": [2, 1], "price": [3.5, 1.0]})
    made, model = generate(answers(), frame)
    assert made.run() == 8.0
    assert "- price: float, 2 different values" in model.asked[0]
    assert "Column(float" in (made.generated_schemas or {})["sales"]


class Server(ThreadingHTTPServer):
    """A provider that speaks as OpenAI does, and calls back before each answer."""

    def __init__(self, known: Answers, before: Callable[[int], None]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.model, self.before = Scripted(known), before
        self.answered = list[str]()


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *args: Any) -> None:
        """Nobody reads it."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        question = asked["messages"][-1]["content"]
        text = self.server.model("m", "", [{"content": question}], None)
        self.server.before(len(self.server.model.asked))
        chunks: list[dict[str, Any]] = [
            {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
            {"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}},
        ]
        whole = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m"}
        body = "".join(f"data: {json.dumps({**whole, **chunk})}\n\n" for chunk in chunks)
        sent = (body + "data: [DONE]\n\n").encode()
        try:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)
            self.wfile.flush()
            self.server.answered.append(question)
        except OSError:
            pass  # who asked is dead


@pytest.mark.skipif(sys.platform != "linux", reason="kills a process group")
@pytest.mark.parametrize("at", [1, 2, 4, 5])
def test_kill_9_pays_for_nothing_twice(sales: Path, at: int) -> None:
    """The process dies while a question is under way; all that was answered before is not asked again."""
    wrong = answers(SUM.replace("float(row", "0 * float(row"), Say_of_each=diagnosis("logic"))
    killed = threading.Event()
    running = types.SimpleNamespace(process=None)

    def before(number: int) -> None:
        if number == at and not killed.is_set():
            killed.set()
            os.killpg(running.process.pid, signal.SIGKILL)
            running.process.wait()

    server = Server(wrong | {"Correct the": answers()["Write the script"]}, before)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_port}/v1"
        words = ["generate", f"Sum, and die at {at}.", "--model", "openai/m", "--model-url", url, "--cache", "disable"]
        words += ["--sample", str(sales), "-o", "total:float"]
        running.process = subprocess.Popen(
            [PROGRAM, *words], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert killed.wait(PATIENCE), "the question was not asked"
        running.process.wait()
        before_death = list(server.answered)
        resumed = subprocess.run([PROGRAM, "resume", "latest"], capture_output=True, text=True, timeout=PATIENCE)
        assert resumed.returncode == 0, resumed.stderr
        result = json.loads(resumed.stdout)["result"]
        assert (result["success"], result["attempts"]) == (True, 2)
        again = server.answered[len(before_death) :]
        assert not {q for q in again if q in before_death and "Write" not in q}, "a question was paid twice"
        assert len(set(server.answered)) == 5
        assert result["usage"]["input_tokens"] == 50
    finally:
        server.shutdown()
        server.server_close()
