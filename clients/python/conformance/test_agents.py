"""Real coding agents in cells, through the egress that they have, to a scripted model.

A proxy stands for the way to the network: whatever address a cell may reach, it
leads to the model, behind a certificate for the names of the providers.
"""

import contextlib
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
WORK = "sed -i s/hello/hi/ greet.py && chmod +x greet.py && rm old.txt && ln -s /etc/passwd out && git diff --stat; curl -sS https://example.com/ 2>&1"
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


def carry(a: socket.socket, b: socket.socket) -> None:
    try:
        while data := a.recv(65536):
            b.sendall(data)
    except OSError:
        pass
    for each in (a, b):
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def answer(conn: socket.socket, context: ssl.SSLContext, model: int) -> None:
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        piece = conn.recv(1)
        if not piece:
            return
        head += piece
    conn.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    try:
        near = context.wrap_socket(conn, server_side=True)
    except (OSError, ssl.SSLError):
        return
    far = socket.create_connection(("127.0.0.1", model))
    threading.Thread(target=carry, args=(near, far), daemon=True).start()
    carry(far, near)


def proxy(tmp: pathlib.Path, model: int) -> int:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp / "leaf.pem", tmp / "leaf.key")
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            conn, _ = listener.accept()
            threading.Thread(target=answer, args=(conn, context, model), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1]


@contextlib.contextmanager
def provider(tmp: pathlib.Path, turns: str) -> Iterator[tuple[list[str], dict[str, str]]]:
    """Stands for the providers. Yields what a command has to begin with to reach it, and its variables."""
    (tmp / "script.yaml").write_text("key: sk-fake\nturns:\n" + turns + "  - {always: true, text: nothing else}\n")
    certificates(tmp)
    hosts = tmp / "hosts"
    hosts.write_text(pathlib.Path("/etc/hosts").read_text() + f"{ADDRESS} {' '.join(PROVIDERS)}\n")
    model = subprocess.Popen(
        [os.environ["GLOVEBOX_MODEL"], "-script", tmp / "script.yaml"], stdout=subprocess.PIPE, text=True
    )
    try:
        port = int(re.search(r":(\d+)/", model.stdout.readline()).group(1))
        env = os.environ | {
            "HTTPS_PROXY": f"http://127.0.0.1:{proxy(tmp, port)}",
            "SSL_CERT_FILE": str(tmp / "ca.pem"),
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

    turns = "  - calls: [" + call % repr(json.dumps(arguments)) + "]\n  - text: The greeting is better.\n"
    with provider(tmp_path, turns) as (named, env):
        done = subprocess.run(
            [*named, *shell, "--key", "model", "--yes"], capture_output=True, text=True, env=env, timeout=300
        )

    assert done.returncode == 0, done.stderr
    assert "The greeting is better." in done.stdout
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


def writing(**files: str) -> str:
    """Returns a turn in which the agent writes files, and looks at its sample."""
    commands = [f"cat >{name.replace('_py', '.py')} <<'END'\n{text}END\n" for name, text in files.items()]
    arguments = {"command": "head -1 samples/sales.csv\n" + "".join(commands), "description": "write"}
    return "  - calls: [{name: Bash, arguments: " + json.dumps(json.dumps(arguments)) + "}]\n  - text: It is done.\n"


def test_claude_code_generates_a_script(tmp_path: pathlib.Path) -> None:
    program = os.environ["GLOVEBOX_PROGRAM"]
    (tmp_path / "sales.csv").write_text("quantity,price\n2,3.5\n")
    subprocess.run([program, "secret", "set", "model"], input=b"sk-fake", check=True)
    generate = [program, "generate", f"Sum. This is request {uuid.uuid4()}.", "--backend", "claude", "--json"]
    generate += ["--model", "anthropic/claude-opus-5-5", "--sample", str(tmp_path / "sales.csv"), "-o", "total:float"]
    first = subprocess.run([*generate, "--key", "not-stored"], capture_output=True, text=True)
    assert "secret_not_found" in first.stderr, first.stderr
    subprocess.run([program, "image", "build", "-p", "pytest"], check=True)  # that of the tests

    wrong, right = SOLUTION.replace("WRONG", "0 *"), SOLUTION.replace("WRONG ", "")
    turns = writing(solution_py=wrong, test_solution_py=TESTS) + writing(solution_py=right)
    with provider(tmp_path, turns) as (named, env):
        done = subprocess.run(
            [*named, *generate, "--key", "model"], capture_output=True, text=True, env=env, timeout=900
        )
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)["outputs"]["result"]
    assert (made["success"], made["attempts"], made["code"]) == (True, 2, right)
    assert made["usage"]["input_tokens"] > 0 and "questions to the model | 4 |" in made["report"]

    again = subprocess.run(
        [*generate, "--key", "model"], capture_output=True, text=True, timeout=300
    )  # without a model
    assert json.loads(again.stdout)["outputs"]["result"]["code"] == right, again.stderr
