"""Agents: what they are made of, and what the engine is told of them."""

from __future__ import annotations

import asyncio
import datetime
import json
import logging
import re
import threading
import time
from collections.abc import AsyncGenerator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal
from unittest.mock import AsyncMock

import pytest

import engines
import glovebox
from glovebox import errors
from glovebox._link.current import current_engine
from glovebox._process.at_exit import needs_process
from glovebox._process.loop import run_sync
from glovebox._runs.run import start_run
from glovebox._values.annotations import signature_of
from glovebox.agents import (
    Agent,
    AgentEvent,
    AgentProtocol,
    AgentResult,
    AgentTool,
    Budget,
    CodeModeAgent,
    LLMMessage,
    MCPServerSpec,
    Model,
    Price,
    ToolFn,
    agent_progress_cb,
    tool,
)
from glovebox.agents._code import code_in
from glovebox.agents._events import Watcher
from glovebox.agents._granted import approval_task, model_task
from glovebox.agents._messages import answer_from, answer_to, messages_from, messages_to, tools_from
from glovebox.agents._model import model_of
from glovebox.agents._schema import schema_of, signature_of_schema, summary

env = glovebox.TaskEnvironment(name="shop")


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with engines.engine("child", tmp_path_factory.mktemp("home")):
        yield


def add(x: int, y: int) -> int:
    """Adds two integers.

    A second paragraph.
    """
    return x + y


@env.task
async def price(article: str, count: int = 1) -> float:
    """Returns the price of an article."""
    return len(article) * 1.25 * count


def definition(agent: Agent) -> dict[str, Any]:
    async def made() -> dict[str, Any]:
        return await agent._as_task()._definition(await current_engine())

    return run_sync(made())


def custom(execute: Any, **more: Any) -> AgentTool:
    schema = {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["query"],
    }
    return AgentTool("search", "Searches.", schema, execute, **more)


class TestModels:
    @pytest.mark.parametrize(
        ("given", "protocol", "name", "key"),
        [
            ("openai/gpt-5", "openai", "gpt-5", "OPENAI_API_KEY"),
            ("anthropic/claude-opus-5-5", "anthropic", "claude-opus-5-5", "ANTHROPIC_API_KEY"),
            ("claude-haiku-4-5", "anthropic", "claude-haiku-4-5", "ANTHROPIC_API_KEY"),
            ("gpt-4o-mini", "openai", "gpt-4o-mini", "OPENAI_API_KEY"),
            ("o3", "openai", "o3", "OPENAI_API_KEY"),
            ("o4-mini", "openai", "o4-mini", "OPENAI_API_KEY"),
        ],
    )
    def test_a_name_says_whose_it_is(self, given: str, protocol: str, name: str, key: str) -> None:
        made = model_of(given)
        assert (made.protocol, made.name, made.api_key, made.base_url) == (protocol, name, key, "")

    @pytest.mark.parametrize("given", ["qwen3", "mistral/large", "others/gpt-4o", ""])
    def test_a_name_that_does_not_is_refused_with_what_to_write(self, given: str) -> None:
        with pytest.raises(ValueError, match="base_url"):
            Agent(model=given)

    def test_a_key_is_sent_to_no_other_server_unasked(self) -> None:
        assert Model("openai", "qwen3", base_url="http://localhost:1/v1").api_key == ""
        assert Model("openai", "qwen3", base_url="http://localhost:1/v1", api_key="mine").api_key == "mine"

    def test_the_environment_is_not_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "value-of-the-key")
        assert "value-of-the-key" not in str(definition(Agent()))

    @pytest.mark.parametrize("key", ["sk-ant-123", "a key", 7])
    def test_a_key_itself_is_refused_and_not_shown(self, key: Any) -> None:
        with pytest.raises(ValueError, match="glovebox secret set NAME") as caught:
            Model("openai", "gpt-5", api_key=key)
        assert str(key) not in str(caught.value)

    @pytest.mark.parametrize(
        "made",
        [
            lambda: Model("gemini", "x"),  # type: ignore[arg-type]
            lambda: Model("openai", ""),
            lambda: Price(-1, 2),
            lambda: Price(float("nan"), 2),
            lambda: Budget(calls=0),
            lambda: Budget(tokens=1.5),  # type: ignore[arg-type]
            lambda: Budget(cost_usd=0),
            lambda: Budget(time=-1),
            lambda: Agent(max_turns=0),
            lambda: Agent(name=""),
            lambda: Agent(retries=-1),
        ],
    )
    def test_what_cannot_be_is_refused(self, made: Any) -> None:
        with pytest.raises(ValueError):
            made()

    def test_one_is_told_whole(self) -> None:
        model = Model("openai", "qwen3", base_url="http://localhost:1/v1", api_key="k", price=Price(1, 2))
        assert definition(Agent(model=model))["agent"]["model"]["model"] == {
            "protocol": "openai",
            "name": "qwen3",
            "base_url": "http://localhost:1/v1",
            "key": "k",
            "price": {"input": 1, "output": 2, "cached_input": 0.0},
        }


class TestMessages:
    SAID: list[dict[str, Any]] = [
        {"role": "user", "content": "what?"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "c", "type": "function", "function": {"name": "add", "arguments": '{"x":1}'}}],
        },
        {"role": "tool", "tool_call_id": "c", "name": "add", "content": "3"},
        {"role": "assistant", "content": "3"},
    ]

    def test_they_come_back_as_they_were(self) -> None:
        assert messages_from(messages_to(self.SAID)) == self.SAID

    @pytest.mark.parametrize(
        ("given", "error", "said"),
        [
            ("text", TypeError, r"memory\[0\]"),
            ({"role": "system", "content": "x"}, ValueError, r"memory\[0\]: role"),
            ({"role": "user", "content": ["part"]}, TypeError, r"memory\[0\]: content"),
        ],
    )
    def test_what_is_no_message_is_named(self, given: Any, error: type[Exception], said: str) -> None:
        with pytest.raises(error, match=said):
            Agent(call_llm=AsyncMock()).run("x", [given])

    def test_an_answer_may_be_text(self) -> None:
        assert answer_to("hello", 1) == {
            "text": "hello",
            "calls": [],
            "stop": "end",
            "usage": {"input_tokens": 0, "output_tokens": 0},
        }

    def test_calls_get_ids_and_arguments_in_json(self) -> None:
        asked: list[dict[str, Any]] = [
            {"name": "add", "arguments": {"x": 1}},
            {"id": "mine", "name": "add", "arguments": "not json"},
        ]
        made = answer_to(LLMMessage(None, asked, usage={"input_tokens": 7}), 3)
        assert made["stop"] == "calls"
        assert made["usage"] == {"input_tokens": 7, "output_tokens": 0}
        assert made["calls"] == [
            {"id": "call-3-0", "name": "add", "arguments": '{"x":1}'},
            {"id": "mine", "name": "add", "arguments": "not json"},
        ]
        assert [call["arguments"] for call in answer_from(made).tool_calls] == [{"x": 1}, {"_raw": "not json"}]

    def test_another_answer_is_refused(self) -> None:
        with pytest.raises(TypeError, match="call_llm: expected an LLMMessage or a str, got int"):
            answer_to(3, 1)

    def test_a_function_is_asked_as_flyte_asks_it(self) -> None:
        llm = AsyncMock(return_value=LLMMessage("ok"))
        asked: Any = model_task("any-model", llm)
        offered = {"name": "add", "doc": "Adds.", "parameters": {"type": "object"}}
        request = {"system": "S", "messages": messages_to(self.SAID), "tools": [offered]}
        assert asyncio.run(asked.func(request))["text"] == "ok"
        function = {"name": "add", "description": "Adds.", "parameters": {"type": "object"}}
        llm.assert_awaited_once_with("any-model", "S", self.SAID, [{"type": "function", "function": function}])

    def test_no_tools_are_none(self) -> None:
        assert tools_from([]) is None


class TestSchemas:
    def test_of_a_function(self) -> None:
        def many(
            a: int,
            b: list[float],
            c: dict[str, bool],
            d: Literal["x", "y"],
            e: tuple[int, str],
            f: datetime.date | None = None,
        ) -> None: ...

        schema = schema_of(signature_of(many))
        assert schema["required"] == ["a", "b", "c", "d", "e"]
        assert schema["properties"] == {
            "a": {"type": "integer"},
            "b": {"type": "array", "items": {"type": "number"}},
            "c": {"type": "object", "additionalProperties": {"type": "boolean"}},
            "d": {"type": "string", "enum": ["x", "y"]},
            "e": {"type": "array"},
            "f": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
        }

    def test_and_back(self) -> None:
        schema = {
            "properties": {
                "limit": {"type": "integer"},
                "tags": {"type": "array", "items": {"type": "string"}},
                "where": {"type": "object"},
                "any": {"oneOf": []},
            },
            "required": ["tags", "where", "any"],
        }
        made = signature_of_schema(schema)
        assert {p.name: (str(p.type), p.default) for p in made.inputs} == {
            "tags": ("list[str]", None),
            "where": ("dict[str, Any]", None),
            "any": ("Any", None),
            "limit": ("Optional[int]", "null"),
        }

    def test_for_people(self) -> None:
        assert summary("probe", schema_of(signature_of(add))) == "probe(x: integer, y: integer)"
        assert summary("t", {}) == "t()"


class TestTools:
    def test_of_a_function_a_task_and_a_sandbox(self) -> None:
        box = glovebox.sandbox.create(name="my-box", code="y = x", inputs={"x": int}, outputs={"y": int})
        agent = Agent(tools=[add, price, box])
        assert [(t.name, t.source, t.description) for t in agent.tools.values()] == [
            ("add", "function", "Adds two integers."),
            ("price", "task", "Returns the price of an article."),
            ("my_box", "task", "Execute my_box"),
        ]

    def test_a_dict_renames(self) -> None:
        agent = Agent(tools={"plus": add, "find": custom(AsyncMock())})
        assert list(agent.tools) == ["plus", "find"]
        assert [t["name"] for t in definition(agent)["orchestrator"]["tools"]] == ["plus", "find"]

    def test_one_more(self) -> None:
        agent = Agent(tools=[add])
        assert agent.add_tool(add, name="sum_two").name == "sum_two"
        with pytest.raises(ValueError, match="Duplicate tool name 'add'"):
            agent.add_tool(add)
        assert "sum_two" in agent.system_prompt

    @pytest.mark.parametrize(
        ("given", "error", "said"),
        [
            ([add, add], ValueError, "Duplicate tool name 'add'"),
            ([42], TypeError, "Cannot turn 'int' into an AgentTool"),
            ("add", TypeError, "tools: expected a list or a dict"),
            ({"not a name": add}, ValueError, "no name that code can call"),
        ],
    )
    def test_what_is_none(self, given: Any, error: type[Exception], said: str) -> None:
        with pytest.raises(error, match=said):
            Agent(tools=given)

    def test_the_decorator(self) -> None:
        @tool(name="refund", description="Pays back.", requires_approval=True)
        def issue(order: str) -> str:
            """Not shown."""
            return order

        plain = tool(add)
        assert (issue.name, issue.description, issue.requires_approval) == ("refund", "Pays back.", True)
        assert (plain.name, plain.requires_approval, plain.target) == ("add", False, add)
        assert tool(price).__wrapped_task__ is price and plain.__wrapped_task__ is None

    def test_the_engine_is_told_the_whole_docstring_or_the_description(self) -> None:
        told = definition(Agent(tools=[add, tool(add, name="other", description="Other.")]))["orchestrator"]["tools"]
        assert [t["doc"] for t in told] == ["Adds two integers.\n\nA second paragraph.", "Other."]

    def test_async_ones_are_called_plainly(self) -> None:
        (told,) = definition(Agent(tools=[price]))["orchestrator"]["tools"]
        assert told["name"] == "price" and "async" not in told["signature"]

    def test_a_handler_is_called_in_the_place_of_the_tool(self) -> None:
        seen: list[Any] = []

        async def handler(call_llm: Any, called: ToolFn, **arguments: Any) -> Any:
            seen.append((call_llm, called.name, called.model, called.target, arguments))
            return await called(**arguments) * 10

        llm = AsyncMock()
        agent = Agent(tools=[tool(add, call_handler=handler)], call_llm=llm, model="mine")
        granted: Any = agent._tasks["add"]
        assert asyncio.run(granted.func(x=1, y=2)) == 30
        assert seen == [(llm, "add", "mine", add, {"x": 1, "y": 2})]
        assert asyncio.run(agent.tools["add"](3, y=4)) == 70
        assert str(granted.signature.outputs[0].type) == "Any"

    def test_one_of_its_own_gets_what_was_given(self) -> None:
        execute = AsyncMock(return_value="found")
        granted: Any = Agent(tools=[custom(execute)])._tasks["search"]
        assert asyncio.run(granted.func(query="q", limit=None)) == "found"
        execute.assert_awaited_once_with({"query": "q"})

    def test_agents_are_tools(self) -> None:
        inner = Agent(name="the-inner", instructions="Knows.", call_llm=AsyncMock())
        (told,) = definition(Agent(tools=[inner]))["orchestrator"]["tools"]
        assert (told["name"], told["kind"], told["doc"]) == ("the_inner", "agent", "Knows.")


class TestAgents:
    def test_what_the_engine_is_told(self, tmp_path: Path) -> None:
        skill = tmp_path / "skill.md"
        skill.write_text("From a file.")
        agent = Agent(
            name="desk",
            instructions="Be brief.",
            skills=["A text.", skill],
            tools=[add, tool(price, requires_approval=True)],
            max_turns=7,
            parallel_tool_calls=False,
            code_mode=True,
            budget=Budget(calls=9, tokens=1000, cost_usd=0.5, time=datetime.timedelta(minutes=1)),
            retries=2,
        )
        told = definition(agent)
        assert told["agent"]["instructions"] == "Be brief.\n\nA text.\n\nFrom a file."
        assert (told["agent"]["mode"], told["agent"]["max_turns"]) == ("code", 7)
        assert told["agent"]["budget"] == {"calls": 9, "tokens": 1000, "cost_usd": 0.5, "time_ns": 60 * 10**9}
        assert told["agent"]["approve"] == ["price"]
        assert told["agent"]["approval"]["kind"] == "function"
        assert told["orchestrator"]["limits"] == {"parallel": 1}
        assert (told["name"], told["kind"], told["retries"], told["cache"]) == ("desk", "agent", 2, "disable")

    def test_nobody_is_asked_without_need(self) -> None:
        told = definition(Agent(tools=[add]))
        assert "approval" not in told["agent"] and "budget" not in told["agent"]
        assert told["agent"]["mode"] == "tools"
        assert told["orchestrator"].keys() == {"tools"}

    @pytest.mark.parametrize(
        ("agent", "needed"),
        [
            (Agent(), False),
            (Agent(tools=[add]), True),
            (Agent(call_llm=AsyncMock()), True),
        ],
    )
    def test_python_waits_for_those_that_call_it(self, agent: Agent, needed: bool) -> None:
        assert needs_process(definition(agent)) is needed

    def test_the_prompt(self) -> None:
        assert "(no tools registered)" in Agent().system_prompt
        assert "(no functions available)" in Agent(code_mode=True).system_prompt
        assert "- add: Adds two integers." in Agent(instructions="BE SMART", tools=[add]).system_prompt

    def test_it_is_what_others_call_an_agent(self) -> None:
        assert isinstance(Agent(), AgentProtocol)
        assert isinstance(CodeModeAgent({}), AgentProtocol)
        assert AgentResult() == AgentResult("", [], "", "", 1, None)

    @pytest.mark.parametrize(
        ("given", "what"),
        [
            ({}, "`url` or `command`"),
            ({"url": "https://a.example/sse", "transport": "sse"}, "streamable HTTP"),
            ({"url": "https://a.example/mcp", "headers": {"Authorization": "Bearer x"}}, "token=NAME"),
        ],
    )
    def test_mcp_servers_that_cannot_be(self, given: dict[str, Any], what: str) -> None:
        with pytest.raises(ValueError, match=what):
            MCPServerSpec(name="none", **given)

    def test_approval(self, caplog: pytest.LogCaptureFixture) -> None:
        async def later(asked: AgentTool, arguments: dict[str, Any]) -> bool:
            return asked.name == "add" and arguments == {"x": 1}

        tools = Agent(tools=[add]).tools

        def approved(callback: Any) -> bool:
            return bool(asyncio.run(_function(approval_task(callback, tools))("add", {"x": 1})))

        assert approved(later)
        assert approved(lambda asked, arguments: asked.name == "add")
        assert not approved(lambda asked, arguments: False)
        with caplog.at_level(logging.WARNING, "glovebox.agents"):
            assert not approved(None)
        assert "there is no approval_callback" in caplog.text


def _function(task: Any) -> Any:
    return task.func


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("text\n```python\nadd(1, 2)\n```\nmore", "add(1, 2)"),
        ("```py\nx = 1\n```", "x = 1"),
        ("```\nhello()\n```", "hello()"),
        ("```python\nfirst()\n```\nthen\n```python\nsecond()\n```", "first()"),
        ("````python\ns = '''\n```\n'''\n````", "s = '''\n```\n'''"),
        ("plain", ""),
        ("", ""),
        ("```python\n\n```", ""),
        ("```json\n{}\n```", ""),
    ],
)
def test_code_in_text(text: str, code: str) -> None:
    assert code_in(text) == code


class _Engine:
    """An engine that has one run, whose calls it knows."""

    def __init__(self, events: list[dict[str, Any]], runs: dict[str, dict[str, Any]]) -> None:
        self._events, self._runs = events, runs

    async def events(self, run_id: str) -> AsyncGenerator[dict[str, Any], None]:
        for event in self._events:
            yield event

    async def run(self, run_id: str) -> dict[str, Any]:
        return self._runs[run_id]


def _call(tool_name: str, run: str) -> list[dict[str, Any]]:
    return [
        {"kind": "call_started", "data": {"tool": tool_name, "run": run}},
        {"kind": "call_ended", "data": {"run": run}},
    ]


def _question(text: str, *said: str) -> dict[str, Any]:
    messages = [{"role": "user", "text": each} for each in said]
    return {"task": "m", "inputs": {"request": {"messages": messages}}, "outputs": {"answer": {"text": text}}}


def test_events_tell_what_happens_in_order() -> None:
    told: list[AgentEvent] = []

    async def tell(event: AgentEvent) -> None:
        told.append(event)
        if event.type == "turn_end":
            raise RuntimeError("this ends no agent")

    asked = {"tool": "add", "arguments": {"x": 1}}
    fake: Any = _Engine(
        [
            *_call("m", "q1"),
            *_call("ask-approval", "a"),
            *_call("add", "t1"),
            *_call("add", "t2"),
            *_call("m", "q2"),
            {"kind": "ended", "data": {}},
        ],
        {
            "q1": _question("```python\nadd(1, 2)\n```", "hi"),
            "a": {"task": "ask-approval", "inputs": asked, "outputs": {"approved": True}},
            "t1": {"task": "add", "inputs": {"x": 1}, "outputs": {"o0": "r" * 600}},
            "t2": {"task": "add", "inputs": {"x": 2}, "error": {"message": "broken"}},
            "q2": _question("done", "hi", "code", "the value"),
        },
    )
    agent = Agent(name="a", call_llm=AsyncMock(), model="m", code_mode=True, max_turns=3)
    asyncio.run(Watcher(agent._as_task(), fake, "run-1", tell).follow())
    assert {(event.agent, event.run_id) for event in told} == {("a", "run-1")}
    assert [(event.type, event.data) for event in told] == [
        ("agent_start", {"name": "a", "model": "m", "mode": "code"}),
        ("turn_start", {"turn": 1, "max_turns": 3}),
        ("message", {"role": "assistant", "content": "```python\nadd(1, 2)\n```"}),
        ("tool_start", {"tool": "<sandbox>", "code": "add(1, 2)"}),
        ("approval_request", {"tool": "add", "args": {"x": 1}}),
        ("approval_decision", {"tool": "add", "approved": True}),
        ("tool_start", {"tool": "add", "args": {"x": 1}}),
        ("tool_end", {"tool": "add", "result": "r" * 500 + "... [+100 chars]"}),
        ("tool_start", {"tool": "add", "args": {"x": 2}}),
        ("tool_error", {"tool": "add", "error": "broken"}),
        ("tool_end", {"tool": "<sandbox>", "result": "the value"}),
        ("turn_end", {"turn": 1}),
        ("turn_start", {"turn": 2, "max_turns": 3}),
        ("message", {"role": "assistant", "content": "done"}),
        ("turn_end", {"turn": 2}),
    ]


class TestCodeMode:
    @staticmethod
    def scripted(*answers: str) -> AsyncMock:
        return AsyncMock(side_effect=[LLMMessage(answer) for answer in answers])

    def test_a_program_is_mended(self) -> None:
        llm = self.scripted(
            "```python\nadd(1, 2)['x']\n```", "So:\n```python\n{'charts': ['<b>'], 'summary': str(add(1, 2))}\n```"
        )
        result = CodeModeAgent({"add": add}, call_llm=llm).run("sum", [{"role": "user", "content": "before"}])
        assert (result.summary, result.charts, result.error, result.attempts) == ("3", ["<b>"], "", 2)
        assert result.code == "{'charts': ['<b>'], 'summary': str(add(1, 2))}"
        first, second = (call.args for call in llm.await_args_list)
        assert "def add(x: int, y: int) -> int" in first[1]
        assert [m["content"] for m in first[2]] == ["before", "sum"]
        assert "TypeError" in second[2][-1]["content"] and "add(1, 2)['x']" in second[2][-2]["content"]

    def test_and_given_up(self) -> None:
        result = CodeModeAgent({}, call_llm=self.scripted("nope", "nope"), max_retries=1).run("x", [])
        assert result.attempts == 2 and result.summary == ""
        assert result.error.startswith("Sandbox execution failed after 2 attempt(s): ")
        assert isinstance(result.exception, errors.CheckFailedError)

    def test_a_model_that_fails_is_an_error(self) -> None:
        llm = AsyncMock(side_effect=RuntimeError("provider down"))
        result = CodeModeAgent({}, call_llm=llm).run("x", [])
        assert result.error.startswith("Code generation failed: ") and "provider down" in result.error
        assert result.attempts == 1

    def test_others_do_what_the_model_is_told_of(self) -> None:
        def twice(x: int, y: int) -> int:
            return 2 * (x + y)

        agent = CodeModeAgent({"add": add}, execution_tools={"add": twice}, call_llm=self.scripted("add(1, 2)"))
        assert asyncio.run(agent.run.aio("x", [])).summary == "6"
        assert agent.tool_descriptions()[0]["signature"] == "add(x: integer, y: integer)"


class Script:
    """A model that has its answers already, and keeps what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self._answers = iter(answers)
        self.asked: list[tuple[Any, ...]] = []

    async def __call__(self, *asked: Any) -> Any:
        self.asked.append(asked)
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        return answer


def calls(*named: tuple[str, dict[str, Any]]) -> LLMMessage:
    return LLMMessage(
        None, [{"id": f"c{i}", "name": name, "arguments": given} for i, (name, given) in enumerate(named)]
    )


def boom() -> int:
    raise RuntimeError("kaboom")


class ToolServer(BaseHTTPRequestHandler):
    """A server of the Model Context Protocol with two tools, which answers each request by itself."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = {"type": "string"}
        answers: dict[str, Any] = {
            "initialize": {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "shop", "version": "1"},
            },
            "tools/list": {
                "tools": [
                    {
                        "name": name,
                        "inputSchema": {"type": "object", "properties": {"item": text}, "required": ["item"]},
                    }
                    for name in ("stock", "burn")
                ]
            },
            "tools/call": {"content": [{"type": "text", "text": f"7 of {asked.get('params', {}).get('arguments')}"}]},
        }
        answer = {"jsonrpc": "2.0", "id": asked.get("id"), "result": answers.get(asked["method"], {})}
        body = json.dumps(answer).encode() if "id" in asked else b""
        self.send_response(200 if body else 202)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.send_error(405)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def tool_server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), ToolServer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/mcp"
        server.shutdown()


class TestServers:
    """Agents with the tools of MCP servers, at the real engine."""

    def test_its_tools_are_called(self, tool_server: str) -> None:
        server = MCPServerSpec(name="shop", url=tool_server, host=True, tool_prefix="shop_", tool_filter=["stock"])
        llm = Script("```python\nshop_burn(item='tea')\n```", "```python\nshop_stock(item='tea')\n```", "seven")
        result = Agent(mcp_servers=[server], call_llm=llm, code_mode=True).run("How many?")
        assert (result.summary, result.error) == ("seven", "")
        assert "shop_burn" in result.messages[2]["content"], "only what is granted can be called"
        assert "7 of {'item': 'tea'}" in result.messages[4]["content"]

    def test_a_tool_that_it_does_not_have(self, tool_server: str) -> None:
        server = MCPServerSpec(name="shop", url=tool_server, host=True, tool_filter=["sell"])
        with pytest.raises(errors.InvalidTaskError, match="has no tool sell; it has burn, stock"):
            Agent(mcp_servers=[server], call_llm=Script("x")).run("go")

    def test_this_machine_has_to_be_allowed(self, tool_server: str) -> None:
        with pytest.raises(errors.InvalidTaskError, match="host"):
            Agent(mcp_servers=[MCPServerSpec(name="shop", url=tool_server)], call_llm=Script("x")).run("go")


class TestRuns:
    """Agents at the real engine, with a scripted model."""

    def test_by_code(self) -> None:
        llm = Script(
            "```python\ntotal = add(1, 2)\nprint('total', total)\ntotal\n```",
            "```python\nprice('tea') + total\n```",
            "6.75",
        )
        result = Agent(name="clerk", tools=[add, price], call_llm=llm, code_mode=True).run("How much?")
        assert (result.summary, result.error, result.attempts) == ("6.75", "", 3)
        assert result.code == "price('tea') + total"
        assert [m["role"] for m in result.messages] == ["user", "assistant", "user", "assistant", "user", "assistant"]
        assert "total 3" in result.messages[2]["content"] and "6.75" in result.messages[4]["content"]
        assert result.run is not None and [str(line) for line in result.run.logs()] == ["total 3\n"]
        assert "def add(x: int, y: int) -> int" in llm.asked[0][1] and llm.asked[0][3] is None
        assert [call["task"] for call in result.run.calls()].count("claude-haiku-4-5") == 3

    def test_by_tools(self) -> None:
        llm = Script(calls(("add", {"x": 1, "y": 2}), ("none", {}), ("boom", {})), "done")
        result = Agent(tools=[add, boom], call_llm=llm).run("go")
        assert (result.summary, result.attempts, result.code) == ("done", 2, "")
        told = {m["name"]: m["content"] for m in llm.asked[1][2] if m["role"] == "tool"}
        assert told["add"] == "3" and "kaboom" in told["boom"] and "Unknown tool" in told["none"]
        offered = {t["function"]["name"]: t["function"] for t in llm.asked[0][3]}
        assert offered["add"]["parameters"]["required"] == ["x", "y"]
        assert offered["add"]["description"].startswith("Adds two integers.")

    def test_what_was_said_before_is_continued(self) -> None:
        first = Agent(call_llm=Script("I am Ada.")).run("Who are you?")
        llm = Script("Ada.")
        second = asyncio.run(Agent(call_llm=llm).run.aio("Again?", first.messages))
        assert [m["content"] for m in llm.asked[0][2]] == ["Who are you?", "I am Ada.", "Again?"]
        assert [m["content"] for m in second.messages] == ["Who are you?", "I am Ada.", "Again?", "Ada."]

    @pytest.mark.parametrize("code_mode", [True, False])
    @pytest.mark.parametrize("approved", [True, False])
    def test_approval_counts_in_both_modes(self, code_mode: bool, approved: bool) -> None:
        made: list[str] = []

        def refund(order: str) -> str:
            made.append(order)
            return "refunded"

        asked: list[Any] = []

        def approve(given: AgentTool, arguments: dict[str, Any]) -> bool:
            asked.append((given.name, arguments))
            return approved

        act = "```python\nrefund('o1')\n```" if code_mode else calls(("refund", {"order": "o1"}))
        llm = Script(act, "over")
        agent = Agent(
            tools=[tool(refund, requires_approval=True), add],
            call_llm=llm,
            code_mode=code_mode,
            approval_callback=approve,
        )
        assert agent.run("go").summary == "over"
        assert asked == [("refund", {"order": "o1"})]
        assert made == (["o1"] if approved else [])
        assert ("not approved" in llm.asked[1][2][-1]["content"]) is not approved

    @pytest.mark.parametrize(
        ("answers", "more", "said", "code"),
        [
            ([RuntimeError("provider down")], {}, "LLM call failed on turn 1: .*provider down", "python_exception"),
            (["```python\n1\n```"] * 3, {"max_turns": 2}, "max_turns", "limit_exceeded"),
            (
                ["```python\nadd(1, 2)\nadd(1, 3)\n```"],
                {"budget": Budget(calls=1)},
                "budget of 1 calls",
                "limit_exceeded",
            ),
        ],
    )
    def test_a_failure_is_an_error_of_the_result(self, answers: Any, more: Any, said: str, code: str) -> None:
        result = Agent(tools=[add], call_llm=Script(*answers), code_mode=True, **more).run("x")
        assert result.summary == "" and result.exception is not None and result.exception.code == code
        assert re.search(said, result.error, re.DOTALL), result.error

    @pytest.mark.parametrize("parallel", [True, False])
    def test_calls_at_the_same_time(self, parallel: bool) -> None:
        order: list[str] = []

        async def slow() -> None:
            order.append("slow starts")
            await asyncio.sleep(0.3)
            order.append("slow ends")

        async def fast() -> None:
            order.append("fast")

        llm = Script(calls(("slow", {}), ("fast", {})), "done")
        Agent(tools=[slow, fast], call_llm=llm, parallel_tool_calls=parallel).run("go")
        assert len(order) == 3 and (order[-1] == "slow ends") is parallel

    def test_events_come_to_the_loop_of_the_caller(self) -> None:
        told: list[tuple[str, Any]] = []

        async def main() -> None:
            here = asyncio.get_running_loop()

            async def tell(event: AgentEvent) -> None:
                assert asyncio.get_running_loop() is here
                told.append((event.type, event.run_id))

            agent_progress_cb.set(tell)
            result = await Agent(tools=[add], call_llm=Script(calls(("add", {"x": 1, "y": 2})), "3")).run.aio("x")
            assert result.run is not None and {run for _, run in told} == {result.run.id}

        asyncio.run(main())
        assert [kind for kind, _ in told] == [
            "agent_start", "turn_start", "message", "tool_start", "tool_end", "turn_end",
            "turn_start", "message", "turn_end", "agent_end",
        ]  # fmt: skip

    def test_one_asks_another(self) -> None:
        inner = Agent(name="inner", call_llm=Script("inside"))
        outer = Agent(tools=[inner], call_llm=Script("```python\ninner('what?')\n```", "done"), code_mode=True)
        result = outer.run("x")
        assert result.summary == "done" and "inside" in result.messages[2]["content"]

    def test_it_is_a_task(self) -> None:
        agent = Agent(call_llm=Script("yes", "again"))
        assert glovebox.run(agent, message="x").outputs()[0] == "yes"
        code = "clerk('x')"
        assert glovebox.sandbox.orchestrate_local_sync(code, inputs={}, tasks={"clerk": agent}, durable=True) == "again"

    def test_within_a_task_it_is_a_call(self) -> None:
        agent = Agent(call_llm=Script("within"))

        @env.task
        async def outside() -> str:
            return (await agent.run.aio("x")).summary

        run = glovebox.run(outside)
        assert run.outputs()[0] == "within"
        assert [call["kind"] for call in run.calls()] == ["agent"]


class InPieces(BaseHTTPRequestHandler):
    """Speaks the protocol of OpenAI, and writes its first answer in pieces."""

    def do_POST(self) -> None:
        said = json.loads(self.rfile.read(int(self.headers["content-length"])))["messages"]
        first = "Value" not in said[-1]["content"]
        texts = ["```python\nprint('now')\nx = 20\n", "y = x + 1\n", "x + y\n```\n"] if first else ["It is 41."]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for text in texts:
            self._send({"choices": [{"index": 0, "delta": {"content": text}}]})
            time.sleep(0.1)
        self._send({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        self.wfile.write(b"data: [DONE]\n\n")

    def _send(self, chunk: dict[str, Any]) -> None:
        self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@pytest.mark.parametrize(("blocks", "late"), [(False, False), (True, False), (False, True), (True, True)])
def test_agents_that_tools_run_tell_the_callback(blocks: bool, late: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[AgentEvent] = []

    waits = [0.5] if late else []

    async def answered(*args: Any) -> Any:  # when tools of the outer run are called already
        run = await start_run(*args)
        await asyncio.sleep(waits.pop() if waits else 0)
        return run

    monkeypatch.setattr("glovebox.agents._agent.start_run", answered)
    answers = {"inner": ["inner says so"], "outer": ["", "outer says so"], "later": ["x"]}

    def agent(name: str, *tools: Any) -> Agent:
        async def says(*_: object) -> str:
            return answers[name].pop(0)

        return Agent(name=name, tools=tools, code_mode=True, call_llm=says)

    inner = agent("inner")

    async def ask(question: str) -> str:
        return (await inner.run.aio(question)).summary

    def ask_and_block(question: str) -> str:
        return inner.run(question).summary

    async def tell(event: AgentEvent) -> None:
        told.append(event)

    tool = ask_and_block if blocks else ask
    answers["outer"][0] = f"```python\n{tool.__name__}('q')\n```"
    token = agent_progress_cb.set(tell)
    try:
        result = agent("outer", tool).run("go")
    finally:
        agent_progress_cb.reset(token)
    assert (result.summary, result.error) == ("outer says so", "")
    kinds = {name: [event.type for event in told if event.agent == name] for name in ("outer", "inner")}
    assert kinds["inner"] == ["agent_start", "turn_start", "message", "turn_end", "agent_end"]
    assert kinds["outer"][0] == "agent_start" and told[-1] == AgentEvent(
        "agent_end", told[-1].data, "outer", told[0].run_id
    )
    assert len({event.run_id for event in told}) == 2 and len(told) == sum(map(len, kinds.values()))
    assert agent("later").run("go").summary == "x" and told[-1].agent == "outer"


def test_streaming() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), InPieces)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    told: list[str] = []

    async def tell(event: AgentEvent) -> None:
        told.append(event.type)

    model = Model("openai", "m", base_url=f"http://127.0.0.1:{server.server_address[1]}/v1")
    token = agent_progress_cb.set(tell)
    try:
        result = Agent(model=model, code_mode=True, streaming=True).run("go")
    finally:
        agent_progress_cb.reset(token)
        server.shutdown()
        server.server_close()
    assert (result.summary, result.error, result.attempts) == ("It is 41.", "", 2)
    assert result.code == "print('now')\nx = 20\ny = x + 1\nx + y"
    assert [m["content"] for m in result.messages][2:] == ["Printed:\nnow\nValue:\n41", "It is 41."]
    assert told.count("message") == 2
    assert told.count("tool_start") == 1
    assert result.run is not None
    assert [c["task"] for c in result.run.calls()].count("m-rest") >= 1


def test_streaming_is_for_code_and_models() -> None:
    with pytest.raises(ValueError, match="streaming"):
        Agent(code_mode=True, streaming=True, call_llm=lambda *_: "")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="streaming"):
        Agent(streaming=True)
