"""Apps: how they are served, deployed and ended, and the page of a chat."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import json
import re
import socket
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import glovebox
from glovebox.agents import Agent, AgentResult
from glovebox.ai.chat import AgentChatAppEnvironment, CustomTheme
from glovebox.app import AppEnvironment, DeployedAppEnvironment
from glovebox.app.extras import FastAPIAppEnvironment


class Hello(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, format: str, *args: Any) -> None: ...


def hello(name: str = "hello", **options: Any) -> tuple[AppEnvironment, list[str]]:
    """Makes an app that says hello, and notes what is called."""
    called: list[str] = []
    app = AppEnvironment(name, **options)

    @app.on_startup
    async def begin() -> None:
        called.append("startup")

    @app.on_shutdown
    def end() -> None:
        called.append("shutdown")

    @app.server
    async def serve() -> None:
        server = ThreadingHTTPServer(("127.0.0.1", app.get_port().port), Hello)
        try:
            await asyncio.to_thread(server.serve_forever)
        finally:
            server.shutdown()
            server.server_close()

    return app, called


def get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return bytes(answer.read())


def test_an_app_is_served_until_it_is_ended() -> None:
    app, called = hello()
    handle = glovebox.serve(app)
    assert (handle.name, handle.endpoint, app.port.port) == ("hello", handle.url, int(handle.url.rpartition(":")[2]))
    assert get(handle.url) == b"hello"
    assert glovebox.remote.App.get("hello") is handle
    assert handle.deactivate().is_deactivated()
    assert called == ["startup", "shutdown"]
    with pytest.raises(OSError):
        get(handle.url)
    with pytest.raises(glovebox.errors.NotFoundError, match="'hello'"):
        glovebox.remote.App.get("hello")
    with handle.ephemeral_ctx_sync():
        assert get(handle.url) == b"hello"
    assert not handle.is_active()
    handle.wait()


def test_one_of_the_same_name_takes_its_place() -> None:
    first, second = glovebox.serve(hello()[0]), glovebox.serve(hello()[0])
    assert (first.is_active(), second.is_active()) == (False, True)
    second.deactivate()


def test_a_deployment_serves_what_its_tasks_need() -> None:
    app, _ = hello("tools-app")
    env = glovebox.TaskEnvironment("asks", depends_on=[app])
    (deployment,) = glovebox.deploy(env)
    found = deployment.envs["tools-app"]
    assert isinstance(found, DeployedAppEnvironment)
    assert found.get_name() == "tools-app" == deployment.environment
    assert get(found.deployed_app.endpoint) == b"hello"
    found.deployed_app.deactivate()
    glovebox.deploy(env, dry_run=True)
    assert found.deployed_app.is_deactivated()


def test_a_deployment_that_fails_leaves_no_app() -> None:
    good, bad = hello("good")[0], AppEnvironment("bad")

    @bad.server
    async def serve() -> None:
        raise KeyError("no key")

    with pytest.raises(KeyError, match="no key"):
        glovebox.deploy(good, bad)
    with pytest.raises(glovebox.errors.NotFoundError):
        glovebox.remote.App.get("good")


def test_what_cannot_be_served() -> None:
    ended = AppEnvironment("ended")

    @ended.server
    def at_once() -> None: ...

    with pytest.raises(RuntimeError, match="ended before it listened"):
        glovebox.serve(ended)
    with pytest.raises(ValueError, match="has no server"):
        glovebox.serve(AppEnvironment("empty"))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(OSError, match="is in use"):
            glovebox.serve(hello(port=taken.getsockname()[1])[0])


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda: AppEnvironment("A b"), ValueError, "name of an app"),
        (lambda: AppEnvironment("a", port=70000), ValueError, "port of an app"),
        (lambda: AppEnvironment("a", depends_on=["b"]), TypeError, "depends_on"),  # type: ignore[list-item]
        (lambda: AppEnvironment("a").server(1), TypeError, "server of app a"),  # type: ignore[type-var]
        (lambda: AppEnvironment("a", cluster_pool="x"), TypeError, "cluster_pool"),  # type: ignore[call-arg]
        (lambda: FastAPIAppEnvironment("a", app=1), TypeError, "app of a"),
        (lambda: AgentChatAppEnvironment("a", agent=1), TypeError, "agent of a"),
        (lambda: AgentChatAppEnvironment("a", agent=Agent(), prompt_nudges=[{}]), ValueError, "prompt_nudges"),
        (lambda: CustomTheme(accent_color="red;}"), ValueError, "accent_color"),
        (lambda: glovebox.serve("a"), TypeError, "AppEnvironment"),  # type: ignore[arg-type]
    ],
)
def test_wrong_ones(make: Callable[[], object], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        make()


def test_what_speaks_of_a_container_is_said_to_count_for_nothing() -> None:
    with pytest.warns(UserWarning, match="image, requires_auth of it count for nothing"):
        AppEnvironment("a", image=glovebox.Image.from_debian_base(), requires_auth=True)


class Person:
    """An agent that is none of this library."""

    def run(self, message: str, memory: Any = None) -> AgentResult:
        if message == "fail":
            raise LookupError("not found")
        return AgentResult(summary=f"{message} after {len(memory)}", charts=["<b>chart</b>"])

    def tool_descriptions(self) -> list[dict[str, str]]:
        return [{"name": "look", "signature": "look()", "description": "Looks."}]


def ask(
    app: AgentChatAppEnvironment, method: str, path: str, body: object = None, **headers: str
) -> tuple[int, bytes, dict[str, str]]:
    """Asks the page as a server of ASGI does."""
    sent: list[dict[str, Any]] = []
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {"host": "127.0.0.1:8080", "content_type": "application/json", **headers}
    lines = [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()]

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": text, "more_body": False}

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    async def one() -> None:
        await app._application({"type": "http", "method": method, "path": path, "headers": lines}, receive, send)

    asyncio.run(one())
    answered = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], b"".join(event["body"] for event in sent[1:]), answered


def test_the_page_of_a_chat() -> None:
    nudges = [{"label": "</script>", "prompt": "hi"}]
    app = AgentChatAppEnvironment("chat", agent=Person(), title="<b>Docs</b>", prompt_nudges=nudges)
    status, body, headers = ask(app, "GET", "/")
    text, security = body.decode(), headers["content-security-policy"]
    nonce = re.search(r"script-src 'nonce-([\w-]+)'", security)
    assert status == 200
    assert nonce is not None and f'<script nonce="{nonce[1]}">' in text
    assert "&lt;b&gt;Docs&lt;/b&gt;" in text and text.count("</script>") == 1 and not re.search(r"https?://", text)
    assert json.loads(ask(app, "GET", "/api/tools")[1])[0]["name"] == "look"
    assert ask(app, "GET", "/none")[0] == 404


def test_messages_of_a_chat() -> None:
    app = AgentChatAppEnvironment("chat", agent=Person())
    history = [{"role": "user", "content": "before"}]
    answer = json.loads(ask(app, "POST", "/api/chat", {"message": "hi", "history": history})[1])
    assert (answer["summary"], answer["charts"], answer["error"]) == ("hi after 1", ["<b>chart</b>"], "")
    answer = json.loads(ask(app, "POST", "/api/chat", {"message": "fail"})[1])
    assert answer["error"] == "LookupError: not found"


def test_a_chat_shows_what_its_agent_does() -> None:
    answers = iter(["```python\nlooked(n=2)\n```", "done"])

    async def asked(model: str, system: str, messages: Any, tools: Any) -> str:
        return next(answers)

    agent = Agent(call_llm=asked, tools=[looked], code_mode=True)
    app = AgentChatAppEnvironment("chat", agent=agent)
    lines = ask(app, "POST", "/api/chat", {"message": "hi", "stream": True})[1].splitlines()
    events = [json.loads(line) for line in lines]
    steps = [event.get("text") for event in events[:-1]]
    assert steps.count("asking the model") == 2 and "running its code" in steps and "running looked" in steps
    assert (events[-1]["type"], events[-1]["summary"], events[-1]["attempts"]) == ("done", "done", 2)


def test_a_task_can_answer() -> None:
    env = glovebox.TaskEnvironment("answers")

    @env.task
    async def answer(message: str, memory: list[dict[str, Any]]) -> dict[str, Any]:
        return {"summary": message.upper(), "attempts": len(memory)}

    app = AgentChatAppEnvironment("chat", agent=Person(), task_entrypoint=answer)
    assert json.loads(ask(app, "POST", "/api/chat", {"message": "hi"})[1])["summary"] == "HI"


@pytest.mark.parametrize(
    ("body", "headers", "status", "why"),
    [
        ({"message": "hi"}, {"host": "evil.example:8080"}, 403, "the host 127.0.0.1"),
        ({"message": "hi"}, {"content_type": "text/plain"}, 415, "application/json"),
        (b"{", {}, 400, "expected JSON"),
        (b"[" * 100_000, {}, 400, "expected JSON"),
        ([], {}, 400, "an object"),
        ({"message": 1}, {}, 400, "message"),
        ({"message": "hi", "history": ["x"]}, {}, 400, "history"),
        (b'"' + b"x" * (5 << 20) + b'"', {}, 400, "4 MiB"),
    ],
)
def test_requests_that_are_refused(body: object, headers: dict[str, str], status: int, why: str) -> None:
    app = AgentChatAppEnvironment("chat", agent=Person())
    got, text, _ = ask(app, "POST", "/api/chat", body, **headers)
    assert (got, why in json.loads(text)["error"]) == (status, True)


def looked(n: int) -> int:
    """Looks."""
    return n


def test_a_handle_is_shown() -> None:
    assert isinstance(glovebox.serve(hello("shown")[0]), glovebox.AppHandle)
    handle = glovebox.remote.App.get("shown")
    assert repr(handle) == f"<app shown at {handle.url}>"
    handle.deactivate()
    assert repr(handle).endswith("which has ended>")
