"""Agents of smolagents whose model is a script: with their code in a session, and by their executor for E2B."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from smolagents import CodeAgent, Model, tool
from smolagents.models import ChatMessage, MessageRole

import glovebox
from glovebox.plugins.smolagents import GloveboxExecutor


class Scripted(Model):
    """A model that says what it was told to say, one step after the other."""

    def __init__(self, *steps: str) -> None:
        super().__init__()
        self._steps = iter(steps)

    def generate(self, messages: list[Any], **_: Any) -> ChatMessage:
        return ChatMessage(role=MessageRole.ASSISTANT, content=f"Thought: go on\n<code>\n{next(self._steps)}\n</code>")


@tool
def here(word: str) -> dict:
    """Says where it is.

    Args:
        word: To be repeated.
    """
    return {"pid": os.getpid(), "word": word, "pair": (1, {2, 3}), "bytes": b"\xff"}


@tool
def broken(kind: str) -> str:
    """Fails.

    Args:
        kind: How.
    """
    raise KeyError("no such key") if kind == "key" else _Own("of its own")


@tool
def large(size: int) -> str:
    """Returns a long text.

    Args:
        size: How long.
    """
    return "x" * size


class _Own(Exception):
    pass


@pytest.fixture(scope="module")
def session() -> Iterator[glovebox.Session]:
    with glovebox.Session() as session:
        yield session


@pytest.fixture
def executor(session: glovebox.Session) -> GloveboxExecutor:
    executor = GloveboxExecutor(session)
    executor.send_tools({"here": here, "broken": broken, "large": large})
    return executor


def run(executor: Any, *steps: str, tools: list[Any] | None = None, **options: Any) -> Any:
    agent = CodeAgent(tools=tools or [], model=Scripted(*steps), executor=executor, verbosity_level=0, **options)
    return agent.run("go", **({"additional_args": options.pop("given")} if "given" in options else {}))


def test_an_agent_keeps_its_state_between_steps(session: glovebox.Session) -> None:
    answer = run(GloveboxExecutor(session), "x = [n * n for n in range(4)]\nprint(x)", "final_answer(sum(x))")
    assert answer == 14


def test_tools_run_in_this_process(session: glovebox.Session) -> None:
    answer = run(GloveboxExecutor(session), "import os\nfinal_answer((os.getpid(), here('tea')))", tools=[here])
    assert answer[1] == {"pid": os.getpid(), "word": "tea", "pair": (1, {2, 3}), "bytes": b"\xff"}
    assert answer[0] != os.getpid() or session.exec("echo $PPID").stdout


def test_what_is_printed_and_raised_is_observed(session: glovebox.Session) -> None:
    agent = CodeAgent(
        tools=[],
        model=Scripted("print('before')\n1 / 0", "final_answer('done')"),
        executor=GloveboxExecutor(session),
        verbosity_level=0,
    )
    assert agent.run("go") == "done"
    step = agent.memory.steps[1]
    assert "before" in step.observations and "ZeroDivisionError: division by zero" in str(step.error)


def test_the_value_of_a_step(executor: GloveboxExecutor) -> None:
    done = executor("print('a')\n6 * 7")
    assert (done.output, done.logs, done.is_final_answer) == ("42", "a\n", False)


def test_variables(executor: GloveboxExecutor) -> None:
    executor.send_variables({"n": 5, "when": {1, 2}, "text": "it's"})
    assert executor("(n, when, text)").output == repr((5, {1, 2}, "it's"))


def test_a_tool_raises_in_the_code(executor: GloveboxExecutor) -> None:
    caught = "try:\n    broken({!r})\nexcept {} as error:\n    print(error)"
    assert executor(caught.format("key", "KeyError")).logs == "\"'no such key'\"\n"
    assert executor(caught.format("own", "RuntimeError")).logs == "_Own: of its own\n"


def test_messages_are_bounded(executor: GloveboxExecutor) -> None:
    assert executor("len(large(15_000_000))").output == "15000000"
    with pytest.raises(Exception, match="more than 16 MiB"):
        executor("large(17_000_000)")
    with pytest.raises(Exception, match="more than 16 MiB"):
        executor("here('x' * 17_000_000)")
    assert executor("here('x')['word']").output == "'x'"


def test_only_tools_that_were_granted(executor: GloveboxExecutor) -> None:
    executor.send_tools({"here": here})
    with pytest.raises(Exception, match="the agent has no tool 'large'"):
        executor("large(1)")
    with pytest.raises(Exception, match="the agent has no tool '__import__'"):
        executor("import sys\nsys.modules['glovebox_tools'].named(['__import__'])['__import__']('os')")


def test_what_is_no_message_ends_the_connection(executor: GloveboxExecutor) -> None:
    executor("here('a')\nimport sys\nsys.modules['glovebox_tools'].bridge._way.sendall(b'\\xff' * 100)")
    time.sleep(0.5)  # until this side has seen it
    assert executor("here('b')['word']").output == "'b'"


def test_nothing_is_called_between_steps(executor: GloveboxExecutor) -> None:
    called = threading.Event()
    executor.send_tools({"later": called.set})
    later = "import threading\nthreading.Timer(0.5, later).start()"
    executor(later)
    assert not called.wait(2)


def test_a_step_that_takes_too_long(session: glovebox.Session) -> None:
    executor = GloveboxExecutor(session, timeout=1)
    executor.send_tools({"here": here})
    with pytest.raises(Exception, match="KeyboardInterrupt"):
        executor("while True: pass")
    assert executor("here('still')['word']").output == "'still'"


def test_tools_after_a_pause() -> None:
    with glovebox.Session() as session:
        executor = GloveboxExecutor(session)
        executor.send_tools({"here": here})
        executor("word = here('tea')['word']")
        session.pause()
        assert executor("here(word)['word']").output == "'tea'"


def test_agents_that_are_managed(session: glovebox.Session) -> None:
    inner = CodeAgent(
        tools=[here],
        model=Scripted("final_answer(here('inner')['word'])"),
        executor=GloveboxExecutor(session),
        verbosity_level=0,
        name="helper",
        description="helps",
    )
    answer = run(GloveboxExecutor(session), "final_answer(helper('help'))", managed_agents=[inner])
    assert "inner" in answer


def test_a_session_of_its_own_is_ended() -> None:
    executor = GloveboxExecutor()
    with CodeAgent(tools=[], model=Scripted("final_answer(1)"), executor=executor, verbosity_level=0) as agent:
        assert agent.run("go") == 1
        (found,) = (each for each in glovebox.sessions() if each.id == executor._session.id)
        assert found.state() == "running"
    assert found.state() == "ended"


def test_the_executor_for_e2b() -> None:
    steps = ("x = local('tea')\nprint(x)", "y = x['word'] * 2\n1 / 0", "final_answer((y, {1: b'\\xff'}))")
    with CodeAgent(tools=[local], model=Scripted(*steps), executor_type="e2b", verbosity_level=0) as agent:
        assert agent.run("go") == ("teatea", {1: b"\xff"})
    assert "tea" in agent.memory.steps[1].observations
    assert "ZeroDivisionError" in str(agent.memory.steps[2].error)


@tool
def local(word: str) -> dict:
    """Is sent into the sandbox.

    Args:
        word: To be returned.
    """
    return {"word": word}
