"""The suite of LangChain's sandboxes on sessions, and what it does not ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from deepagents import create_deep_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_tests.integration_tests import SandboxIntegrationTests

import glovebox
from glovebox.plugins.langchain import GloveboxSandbox, python_tool


class TestGlovebox(SandboxIntegrationTests):
    @pytest.fixture(scope="class")
    def sandbox(self) -> Iterator[GloveboxSandbox]:
        with glovebox.Session() as session:
            yield GloveboxSandbox(session)


@pytest.fixture(scope="module")
def session() -> Iterator[glovebox.Session]:
    with glovebox.Session() as session:
        yield session


def test_a_command_that_takes_too_long(session: glovebox.Session) -> None:
    response = GloveboxSandbox(session).execute("echo begun; sleep 60", timeout=1)
    assert response.exit_code == 124 and response.output.startswith("begun\n")


def test_an_output_that_is_too_long(session: glovebox.Session) -> None:
    response = GloveboxSandbox(session).execute("head -c 11000000 /dev/zero | tr '\\0' x")
    assert response.truncated and len(response.output) == 10 << 20


def test_the_tool_keeps_what_code_defines(session: glovebox.Session) -> None:
    tool = python_tool(session)
    assert tool.invoke({"code": "x = 6; print('set')"}) == "set"
    assert tool.invoke({"code": "x * 7"}) == "42"
    assert tool.invoke({"code": "1 / 0"}).endswith("ZeroDivisionError: division by zero")


async def test_the_tool_is_awaited(session: glovebox.Session) -> None:
    assert await python_tool(session).ainvoke({"code": "2 ** 10"}) == "1024"


class Scripted(GenericFakeChatModel):
    """A model that says what it was told to say, whatever tools there are."""

    def bind_tools(self, tools: object, **_: object) -> Scripted:
        return self


def test_a_deep_agent(session: glovebox.Session) -> None:
    def call(name: str, **args: object) -> AIMessage:
        return AIMessage("", tool_calls=[{"name": name, "args": args, "id": name}])

    said = [
        call("write_file", file_path="/work/count.py", content="print(len('glovebox'))"),
        call("execute", command="python3 /work/count.py"),
        AIMessage("It is 8."),
    ]
    agent = create_deep_agent(model=Scripted(messages=iter(said)), backend=GloveboxSandbox(session))
    messages = agent.invoke({"messages": [("user", "How long is the word?")]})["messages"]
    assert messages[-1].content == "It is 8."
    assert session.files.read("/work/count.py") == b"print(len('glovebox'))"
    assert [each.content for each in messages if each.type == "tool"][1].startswith("8")
