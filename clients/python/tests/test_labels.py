from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest

import glovebox
from glovebox import agents, sandbox
from glovebox._tasks.labels import labels_of

LABELS = {"team": "data"}
HOOK = glovebox.Notify("https://chat.example/in", secret="chat-hook", events=["failed"])


def test_every_kind_of_task_declares_them() -> None:
    env = glovebox.TaskEnvironment(name="labelled")

    @env.task(labels=LABELS, notify=HOOK)
    def one() -> int:
        return 1

    two = sandbox.orchestrator_from_str("1", inputs={}, output=int, labels=LABELS, notify=HOOK)
    box = sandbox.create(code="y = 1", outputs={"y": int}, labels=LABELS, notify=[HOOK])
    agent = agents.Agent(model="openai/m", labels=LABELS, notify=HOOK)
    for policies in (one.policies, two.policies, box._policies(), agent._policies):
        members = policies.definition()
        assert members["labels"] == LABELS
        assert members["notify"] == [HOOK.definition()]


def test_runs_have_those_of_their_task_and_their_own() -> None:
    double = sandbox.orchestrator_from_str("n * 2", inputs={"n": int}, output=int, name="labelled", labels=LABELS)
    run = glovebox.with_runcontext(labels={"case": "a=b", "team": "ops"}).run(double, n=2)
    plain = glovebox.run(double, n=3)
    assert run.labels == {"case": "a=b", "team": "ops"}
    assert plain.labels == LABELS
    found = [each.id for each in glovebox.runs(labels={"case": "a=b", "team": "ops"})]
    assert run.id in found
    assert plain.id not in found
    assert plain.id in [each.id for each in glovebox.runs(labels=LABELS)]
    assert glovebox.runs(labels={"case": "none"}) == []
    with pytest.raises(glovebox.errors.InvalidTaskError, match="labels"):
        glovebox.with_runcontext(labels={"a=b": ""}).run(double, n=2)


def test_code_in_a_string_is_a_run_with_them() -> None:
    labels = {"case": str(uuid.uuid4())}
    result = sandbox.evaluate("n * 2", inputs={"n": 2}, labels=labels)
    assert result.value == 4
    assert result.run is not None
    assert result.run.labels == labels
    assert sandbox.orchestrate_local_sync("n * 2", inputs={"n": 3}, labels=labels) == 6
    assert len(glovebox.runs(labels=labels)) == 2
    assert sandbox.evaluate("n", inputs={"n": 1}, labels={}).run is None


def test_a_run_notifies_beside_its_task() -> None:
    double = sandbox.orchestrator_from_str("n * 2", inputs={"n": int}, output=int)
    assert glovebox.with_runcontext(notify=HOOK).run(double, n=2).outputs()[0] == 4
    with pytest.raises(glovebox.errors.InvalidTaskError, match=r"notify\[0\]\.url"):
        glovebox.with_runcontext(notify=glovebox.Notify("ftp://a.example", secret="s")).run(double, n=2)


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda: labels_of("team=data"), TypeError, "labels: expected a dict"),  # type: ignore[arg-type]
        (lambda: labels_of({"team": 1}), TypeError, "'team': 1"),  # type: ignore[dict-item]
        (lambda: sandbox.create(code="y = 1", durable=False, labels=LABELS), ValueError, "durable=False"),
        (lambda: sandbox.evaluate("1", inputs={}, durable=False, labels=LABELS), ValueError, "durable=False"),
        (lambda: sandbox.evaluate("1", inputs={}, labels="team=data"), TypeError, "labels: expected a dict"),  # type: ignore[arg-type]
        (lambda: glovebox.with_runcontext(notify=["chat"]), TypeError, "expected glovebox.Notify"),  # type: ignore[list-item]
    ],
)
def test_wrong_ones(make: Callable[[], object], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        make()
