"""Tasks that ask a person first, and the decisions about them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

import engines
import glovebox
from glovebox import errors, sandbox

env = glovebox.TaskEnvironment(name="approvals")
paid: list[int] = []


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with engines.engine("child", tmp_path_factory.mktemp("home")):
        yield


@env.task(requires_approval=True, approval_deadline=3600, approval_notice=60)
def pay(amount: int) -> int:
    paid.append(amount)
    return amount * 10


CODE = """
try:
    answer = str(pay(n))
except PermissionError as e:
    answer = "not paid: " + str(e)
answer
"""


def ordered(n: int) -> tuple[threading.Thread, list[object]]:
    """Starts code that pays, beside this thread."""
    got: list[object] = []

    def order() -> None:
        got.append(sandbox.orchestrate_local_sync(CODE, inputs={"n": n}, tasks=[pay], durable=True, dialect="extended"))

    thread = threading.Thread(target=order)
    thread.start()
    return thread, got


def waiting() -> glovebox.Approval:
    while True:
        for asked in glovebox.approvals(task="approvals.pay") or glovebox.approvals(task="pay"):
            return asked
        time.sleep(0.01)


def test_a_person_approves_changes_and_refuses() -> None:
    paid.clear()
    answers = []
    for change in ({}, {"amount": 2}, None):
        thread, got = ordered(4)
        asked = waiting()
        assert (asked.arguments, asked.state, asked.approved) == ({"amount": 4}, "waiting", None)
        assert asked.deadline is not None
        if change is None:
            decided = glovebox.refuse(asked, "too much", by="Ada")
        else:
            decided = glovebox.approve(asked.run, arguments=change, by="Ada")
        assert (decided.state, decided.approved, decided.by) == ("decided", change is not None, "Ada")
        with pytest.raises(errors.ConflictError, match="already, by Ada"):
            glovebox.refuse(asked) if change is not None else glovebox.approve(asked)
        thread.join()
        answers += got
    assert answers[:2] == ["40", "20"]
    assert "not paid: " in str(answers[2])
    assert "too much" in str(answers[2])
    assert paid == [4, 2]
    assert [a.approved for a in glovebox.approvals(state="decided")] == [True, True, False]


def test_arguments_are_held_to_their_types() -> None:
    thread, _ = ordered(4)
    asked = waiting()
    with pytest.raises(errors.InvalidInputError, match="amount"):
        glovebox.approve(asked, arguments={"amount": "x"})
    glovebox.refuse(asked)
    thread.join()
    with pytest.raises(errors.NotFoundError):
        glovebox.approve("run-none")


def test_what_cannot_be_is_said_at_the_declaration() -> None:
    with pytest.raises(ValueError, match="need requires_approval"):
        env.task(approval_deadline=60)
    with pytest.raises(ValueError, match="before the deadline"):
        env.task(requires_approval=True, approval_deadline=60, approval_notice=60)
    with pytest.raises(TypeError, match="expected a bool"):
        env.task(requires_approval="yes")  # type: ignore[call-overload]  # pyright: ignore
