"""Real coding agents in cells, through the egress that they have, to a scripted model.

A proxy stands for the way to the network: the address of the providers leads to the
model, behind a certificate for their names. Others lead where they do, for images.
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
  - {{match: "Primary working directory: /tmp/work", always: true, calls: [{{name: Bash, arguments: {READING}}}]}}
  - {{match: What is wrong with the work, always: true, {call_writing(solution_py=RIGHT)}}}
  - {{match: This is request, always: true, {call_writing(solution_py=WRONG, test_solution_py=TESTS)}}}
  - {{match: "quantity,price", always: true, text: It is done.}}
"""


def listed(*options: str) -> list[dict[str, str]]:
    command = [os.environ["GLOVEBOX_PROGRAM"], "runs", "--json", *options]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def questions(asked: list[bytearray], after: list[int]) -> list[int]:
    """Returns the number of the work of each question that begins after the given bytes of the connections.

    A question tells all that was said before it. The first of a work does not say which it is, and is 0.
    """
    found = []
    for connection, begin in zip(asked, after + [0] * len(asked), strict=False):
        for post in re.finditer(rb"POST /v1/messages\?.*?(?=POST /v1/messages\?|\Z)", connection, re.DOTALL):
            if post.start() >= begin:
                found.append(2 if b"What is wrong with the work" in post[0] else int(b"This is request" in post[0]))
    return found


def test_claude_code_survives_kills(tmp_path: pathlib.Path) -> None:
    """Kills the process at each step: what a work has answered is never asked again, and the run goes on.

    A step is what the journal says of the calls, and whether the agent that works has asked its model.
    """
    program = os.environ["GLOVEBOX_PROGRAM"]
    command = generating(tmp_path)
    old = {each["id"] for each in listed()}
    asked: list[bytearray] = []
    steps: set[object] = set()
    answered: dict[int, list[int]] = {}  # of each work, how much was asked when the journal had its answer
    run = ""
    with provider(tmp_path, ALWAYS, asked) as (named, env):
        while True:
            before = len(questions(asked, []))
            process = subprocess.Popen(
                [*named, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
            )
            while process.poll() is None:
                runs = (each["id"] for each in listed() if each["kind"] == "codegen" and each["id"] not in old)
                run = run or next(runs, "")
                calls = tuple((each["task"], each["status"]) for each in (listed("--parent", run) if run else ()))
                assert "failed" not in dict(calls).values(), calls
                works = [status for task, status in calls if task == "agent"]
                for number in range(1, works.count("succeeded") + 1):
                    answered.setdefault(number, [len(each) for each in asked])
                step = (calls, "running" in works and len(questions(asked, [])) > before)
                if calls and step not in steps:
                    steps.add(step)
                    process.kill()
            _, err = process.communicate()
            if process.returncode != -9 or any(
                each["id"] == run and each["status"] == "succeeded" for each in listed()
            ):
                break
            command = [program, "resume", run]

    assert process.returncode in (0, -9), err
    shown = subprocess.run([program, "show", run, "--json"], capture_output=True, text=True, check=True)
    made = json.loads(shown.stdout)["run"]["outputs"]["result"]
    assert (made["success"], made["attempts"], made["code"]) == (True, 2, RIGHT)
    assert sum(in_work for _, in_work in steps) == 2 and len(steps) >= 6, steps
    for number, length in answered.items():
        assert number not in questions(asked, length), f"work {number} asked again after {steps}"
    assert sorted({*questions(asked, [])} - {0}) == sorted(answered) == [1, 2]
