from __future__ import annotations

import pytest

import glovebox
from glovebox import agents, sandbox

SELECTOR = {"zone": "a"}


def plain() -> int:
    return 1


def test_tasks_declare_it() -> None:
    env = glovebox.TaskEnvironment(name="selecting")

    @env.sandbox.orchestrator(node_selector=SELECTOR)
    def one() -> int:
        return 1

    two = sandbox.orchestrator_from_str("1", inputs={}, output=int, node_selector=SELECTOR)
    box = sandbox.create(code="y = 1", outputs={"y": int}, node_selector=SELECTOR)
    three = env.task(node_selector=SELECTOR)(plain)
    agent = agents.Agent(model="openai/m", node_selector=SELECTOR)
    for policies in (one.policies, two.policies, three.policies, box._policies(), agent._policies):
        assert policies.definition()["node_selector"] == SELECTOR


def test_a_server_alone_refuses_what_it_is_not() -> None:
    double = sandbox.orchestrator_from_str("n * 2", inputs={"n": int}, output=int)
    with pytest.raises(glovebox.errors.InvalidTaskError, match="zone=a, and this one has no labels"):
        glovebox.with_runcontext(node_selector=SELECTOR).run(double, n=2)
    assert glovebox.run(double, n=2).node_selector == {}


def test_wrong_ones() -> None:
    with pytest.raises(TypeError, match="node_selector: expected a dict"):
        sandbox.create(code="y = 1", node_selector="zone=a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="node_selector: expected names"):
        glovebox.with_runcontext(node_selector={"zone": 1})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="durable=False"):
        sandbox.create(code="y = 1", durable=False, node_selector=SELECTOR)
