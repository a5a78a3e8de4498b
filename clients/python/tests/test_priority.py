from __future__ import annotations

import pytest

import glovebox
from glovebox import sandbox


def test_tasks_declare_them() -> None:
    env = glovebox.TaskEnvironment(name="first")

    @env.sandbox.orchestrator(priority=3, max_concurrent=2)
    def one() -> int:
        return 1

    two = sandbox.orchestrator_from_str("1", inputs={}, output=int, priority=3, max_concurrent=2)
    box = sandbox.create(code="y = 1", outputs={"y": int}, priority=3, max_concurrent=2)
    for policies in (one.policies, two.policies, box._policies()):
        assert policies.definition()["priority"] == 3
        assert policies.definition()["max_concurrent"] == 2


def test_runs_have_them() -> None:
    double = sandbox.orchestrator_from_str(
        "n * 2", inputs={"n": int}, output=int, name="double", priority=2, max_concurrent=1
    )
    assert glovebox.run(double, n=2).priority == 2
    assert glovebox.with_runcontext(priority=0).run(double, n=2).priority == 0
    assert glovebox.with_runcontext(priority=-7).run(double, n=2).outputs()[0] == 4


def test_wrong_ones() -> None:
    with pytest.raises(ValueError, match="priority: 11 is none"):
        sandbox.create(code="y = 1", priority=11)
    with pytest.raises(TypeError, match="priority: expected an int"):
        glovebox.with_runcontext(priority="high")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_concurrent: 0 is none"):
        sandbox.create(code="y = 1", max_concurrent=0)
    with pytest.raises(ValueError, match="durable=False"):
        sandbox.create(code="y = 1", durable=False, max_concurrent=1)
