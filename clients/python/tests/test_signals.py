"""Signals: code that waits for values, and the values that are sent to it."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import pytest

import engines
import glovebox
from glovebox import errors, sandbox


@pytest.fixture(scope="module", params=["child", "tcp"], autouse=True)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with engines.engine(request.param, tmp_path_factory.mktemp("home")):
        yield


due = glovebox.signal("due", datetime.date, inputs={"question": str}, doc="When it is due.", labels={"team": "a"})
go = glovebox.signal("go")

CODE = "first = due('first?')\nsecond = due('second?')\ngo()\n[first, second]"


def started() -> glovebox.Run[object]:
    order = sandbox.orchestrator_from_str(
        CODE, inputs={}, output=list[datetime.date], tasks=[due, go], name="order", dialect="extended"
    )
    return glovebox.start(order)


def test_code_gets_what_is_sent_with_its_type() -> None:
    run = started()
    run.signal("due", datetime.date(2026, 1, 2))
    run.signal("due", datetime.date(2026, 1, 3), by="Ada")
    run.signal("go")
    assert run.outputs()[0] == [datetime.date(2026, 1, 2), datetime.date(2026, 1, 3)]
    asked = glovebox.approvals(state="decided", root=run)
    assert [(a.task, a.arguments, a.by) for a in asked[1:]] == [
        ("due", {"question": "second?"}, "Ada"),
        ("go", {}, asked[0].by),
    ]


def test_what_cannot_be_sent_is_said_and_kept_by_nothing() -> None:
    run = started()
    with pytest.raises(errors.InvalidInputError, match="due: o0"):
        run.signal("due", "tomorrow")
    with pytest.raises(errors.NotFoundError, match="no signal 'dew'"):
        run.signal("dew", 1)
    with pytest.raises(errors.ConflictError, match='does not wait for the signal "go"'):
        run.signal("go", wait=0)
    with pytest.raises(errors.InvalidInputError, match="expected None"):
        run.signal("go", 1)
    with pytest.raises(ValueError, match="wait: expected seconds from 0 to 60"):
        run.signal("go", wait=61)
    run.cancel()
    with pytest.raises(errors.CanceledError):
        run.wait()
    with pytest.raises(errors.ConflictError, match="canceled"):
        run.signal("due", datetime.date(2026, 1, 2))


def test_nobody_sends_before_the_deadline() -> None:
    late = glovebox.signal("late", int, deadline=0.05)
    code = "try:\n    x = late()\nexcept TimeoutError as e:\n    x = str(e)\nx"
    got = sandbox.orchestrate_local_sync(code, inputs={}, tasks=[late], durable=True, dialect="extended")
    assert got == "nobody sent the signal late before its deadline"


def test_what_cannot_be_is_said_at_the_declaration() -> None:
    with pytest.raises(ValueError, match="notice: expected a time before the deadline"):
        glovebox.signal("due", int, deadline=1, notice=2)
    with pytest.raises(TypeError, match="deadline: expected seconds"):
        glovebox.signal("due", int, deadline="soon")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="due: output"):
        glovebox.signal("due", object())
