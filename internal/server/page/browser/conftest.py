"""A server with some runs, and browsers that look at its page."""

import http.server
import json
import os
import pathlib
import re
import subprocess
import threading
import time
import urllib.request

import pytest
from playwright.sync_api import Browser, Page, Playwright, Route, sync_playwright

ROOT = pathlib.Path(__file__).parents[4]
PROGRAM = ROOT / "bin" / "glovebox"
SHOTS = ROOT / ".build" / "screenshots"
TOKEN = "the-token-of-this-test"
VIEWER = ("chrome://resources/", "chrome-extension://")  # that of PDF files, a part of the browser
HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e"


class Server:
    """A server of its own home. Its runs are orchestrators, which need no image."""

    def __init__(self, home: pathlib.Path) -> None:
        token = home / "token"
        token.write_text(TOKEN)
        token.chmod(0o600)
        if cache := os.environ.get("GLOVEBOX_TEST_CACHE"):  # images that other tests have made
            (pathlib.Path(cache) / "images").mkdir(parents=True, exist_ok=True)
            (home / "home").mkdir(mode=0o700)
            (home / "home" / "images").symlink_to(pathlib.Path(cache) / "images")
        self.environment = {**os.environ, "GLOVEBOX_HOME": str(home / "home"), "GLOVEBOX_TOKEN": TOKEN}
        self.environment.pop("GLOVEBOX_URL", None)
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--token-file", token, "--drain", "0"],
            env=self.environment, stderr=subprocess.PIPE, text=True,
        )
        assert self.process.stderr
        for line in self.process.stderr:
            if "listening on " in line:
                self.url = "http://" + line.split("listening on ")[1].strip()
                break
        else:
            raise RuntimeError("the server did not start")
        self.log = (home / "log").open("w")
        subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=self.log)
        self.environment["GLOVEBOX_URL"] = self.url

    def ask(self, method: str, path: str, body: object = None) -> dict:
        request = urllib.request.Request(
            self.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def store(self, data: bytes) -> dict:
        """Stores the bytes of a file, and returns what names it in inputs."""
        request = urllib.request.Request(self.url + "/v1/blobs", method="POST", data=data, headers={"Authorization": "Bearer " + TOKEN, "Content-Type": "application/octet-stream"})
        with urllib.request.urlopen(request) as answer:
            stored = json.load(answer)
        return {"sha256": stored["digest"].removeprefix("sha256:"), "size": stored["size"]}

    def run(self, name: str, code: str, inputs: dict | None = None, wait: bool = True, **task: object) -> str:
        """Runs an orchestrator, whose inputs are numbers, and returns its id."""
        inputs = inputs or {}
        signature = {"inputs": [{"name": n, "type": "int"} for n in inputs], "outputs": [{"name": "result", "type": "Any"}]}
        whole = {"name": name, "kind": "orchestrator", "signature": signature, "orchestrator": {"dialect": "extended", "clock": "real"}, **task}
        if code:
            whole["code"] = code
        run = self.ask("POST", "/v1/runs", {"task": whole, "inputs": inputs})["id"]
        return self.wait(run) if wait else run

    def start(self, name: str, inputs: dict) -> str:
        """Runs a deployed task, and returns the id of the run."""
        return self.wait(self.ask("POST", "/v1/runs", {"name": name, "inputs": inputs})["id"])

    def wait(self, run: str) -> str:
        while self.ask("GET", "/v1/runs/" + run)["status"] not in ("succeeded", "failed", "canceled"):
            time.sleep(0.02)
        return run

    def glovebox(self, *arguments: str) -> str:
        return subprocess.run([PROGRAM, *arguments], env=self.environment, check=True, stdout=subprocess.PIPE, text=True).stdout

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(60)
        self.log.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory):
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.close()


class Model(http.server.BaseHTTPRequestHandler):
    """A provider whose model writes code that works, code that fails, and an answer."""

    ANSWERS = (f"First I look.\n```python\nprint(price('tea'), {HOSTILE!r})\n```", "```python\nprice('tea') / 0\n```", f"It costs 3.5. {HOSTILE}")

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        turn = sum(m["role"] == "assistant" for m in asked["messages"])
        usage = {"prompt_tokens": 1000 * (turn + 1), "completion_tokens": 20, "total_tokens": 1020 + 1000 * turn}
        pieces = [
            {"choices": [{"index": 0, "delta": {"role": "assistant", "content": self.ANSWERS[min(turn, 2)]}}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
            {"choices": [], "usage": usage},
        ]
        lines = ["data: " + json.dumps({"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", **p}) for p in pieces]
        text = "\n\n".join([*lines, "data: [DONE]", ""]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


def agent(model: str) -> dict:
    """The task of an agent that asks the model at an address, and has one tool."""
    request = {"name": "request", "type": "dict[str, Any]"}
    ask = {
        "name": "ask", "kind": "model", "signature": {"inputs": [request], "outputs": [{**request, "name": "answer"}]},
        "model": {"protocol": "openai", "name": "m", "base_url": model, "price": {"input": 3, "output": 15}},
    }
    price = {
        "name": "price", "kind": "orchestrator", "code": "len(article) + 0.5",
        "signature": {"inputs": [{"name": "article", "type": "str"}], "outputs": [{"name": "result", "type": "float"}]},
    }
    return {
        "kind": "agent", "agent": {"model": ask}, "orchestrator": {"tools": [price]},
        "signature": {"inputs": [{"name": "n", "type": "int"}], "outputs": [{"name": "answer", "type": "str"}]},
    }


TASKS = """
name: desk
tasks:
  price:
    kind: orchestrator
    doc: The price of an article.
    inputs: {count: int, factor: {type: float, default: %s}}
    output: float
    code: "count * factor"
  all:
    kind: orchestrator
    doc: It has an input of each sort.
    inputs:
      day: date
      at: datetime
      pause: timedelta
      note: "Optional[str]"
      mode: {type: str, choices: [fast, slow], default: fast}
      numbers: "list[int]"
      prices: "dict[str, float]"
      pairs: "list[tuple[str, Optional[int]]]"
      table: File
      folder: "Optional[Dir]"
      more: Any
    output: Any
    code: "[str(day), str(at), str(pause), note, mode, numbers, prices, pairs, more]"
schedules:
  nightly: {task: price, cron: "0 2 * * *", zone: Europe/Berlin, inputs: {count: 3}}
hooks:
  push: {task: price, secret: push-key, fields: {count: /count}}
"""


@pytest.fixture(scope="session")
def runs(server: Server, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Runs of several sorts, by what they are, and a task of two versions."""
    file = tmp_path_factory.mktemp("tasks") / "desk.yaml"
    for factor in ("1.25", "1.5"):
        file.write_text(TASKS % factor)
        server.glovebox("deploy", str(file))
    provider = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=provider.serve_forever, daemon=True).start()
    return {
        "good": server.run("good", "print('hello', n)\n[{'article': 'tea', 'price': 2.5}, {'article': 'milk', 'price': 1.5}]", {"n": 3}),
        "bad": server.run("bad", "def half(n):\n    return 1 / n\n\nprint('first')\nhalf(n)", {"n": 0}),
        "tries": server.run("tries", "print('again')\n1 / 0", retries=1),
        "agent": server.run("agent", "", {"n": 1}, **agent(f"http://127.0.0.1:{provider.server_port}/v1")),
        "hostile": server.run("hostile", f"print({HOSTILE!r})\nraise ValueError({HOSTILE!r})"),
    }


@pytest.fixture(scope="session")
def session(server: Server) -> str:
    """A session with the default image, which is built if no test has made it before."""
    return server.ask("POST", "/v1/sessions", {"idle_ns": -1})["id"]


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as p:
        browser = launch(p)
        yield browser
        browser.close()


def launch(p: Playwright) -> Browser:
    return p.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"] if os.geteuid() == 0 else [])


def visit(browser: Browser, server: Server, **options: object) -> Page:
    """Opens a browser that watches what must never happen: errors of the script, dialogs, other hosts."""
    context = browser.new_context(base_url=server.url, timezone_id="Europe/Berlin", locale="en-GB", **options)
    page = context.new_page()
    page.wrong = []
    page.on("pageerror", lambda e: page.wrong.append(f"error: {e}"))
    page.on("dialog", lambda d: (page.wrong.append(f"dialog: {d.message}"), d.dismiss()))
    page.on("request", lambda r: r.url.startswith((server.url, *VIEWER)) or page.wrong.append(f"request to {r.url}"))
    page.on("console", lambda m: "Content Security Policy" in m.text and page.wrong.append(m.text))
    return page


def sign_in(page: Page) -> None:
    page.goto("/page/sign-in")
    page.get_by_label("Token of the server").fill(TOKEN)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/page/runs")


@pytest.fixture
def page(browser: Browser, server: Server):
    page = visit(browser, server)
    sign_in(page)
    yield page
    assert page.wrong == []
    page.context.close()


def break_parts(page: Page) -> list[str]:
    """Breaks connections while a large file is sent, and returns what was asked for, in order."""
    asked: list[str] = []

    def pass_on(route: Route) -> None:
        request = route.request
        place = re.sub(r".*/upload/parts(/\w+)?", "", request.url)
        asked.append(f"{request.method} {place}".strip())
        if asked in (BROKEN[:2], BROKEN[:3]):
            route.abort("connectionreset")
        elif asked == BROKEN[:5]:  # it arrives, and the answer is lost
            route.fetch()
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/upload/parts**", pass_on)
    return asked


LARGE = bytes(range(256)) * (80 << 10)  # 20 MiB, which are three parts
BROKEN = [
    "POST", "POST ?at=0", "GET", "GET", "POST ?at=0",  # nothing of the first part arrives, nor the question; then the answer is lost
    "GET", "POST ?at=8388608", "POST ?at=16777216", "POST /stop",
]


def shot(page: Page, name: str) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png", full_page=True)
