"""Triggers of tasks: what is declared, and what a deployment makes of it."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import datetime
import json
from collections.abc import Callable

import pytest

import engines
import glovebox
from glovebox import agents
from glovebox._link.current import current_engine
from glovebox._process.loop import run_sync

CRON = glovebox.Cron("0 6 * * 1-5", timezone="Europe/Berlin")
NIGHTLY = glovebox.Trigger(
    "nightly",
    CRON,
    inputs={"at": glovebox.TriggerTime, "days": 2},
    overlap="allow",
    catch_up="last",
    auto_activate=False,
)


async def _of_two_tasks() -> list[dict[str, object]]:
    env = glovebox.TaskEnvironment("timed")

    @env.task(triggers=[NIGHTLY, glovebox.Trigger.hourly(inputs={"at": datetime.datetime(2026, 1, 1)})])
    def report(at: datetime.datetime, days: int = 1) -> str:
        return f"{at} {days}"

    @env.task(triggers=glovebox.Trigger.daily("at", name="d"))
    def other(at: str) -> str:
        return at

    return [await trigger._schedule(task) for task in (report, other) for trigger in task.triggers]


def test_a_trigger_is_a_schedule() -> None:
    common = {"overlap": "skip", "catch_up": "skip", "zone": "UTC"}
    assert run_sync(_of_two_tasks()) == [
        {
            "name": "timed.report.nightly", "task": "timed.report", "inputs": {"days": 2}, "overlap": "allow",
            "catch_up": "last", "cron": "0 6 * * 1-5", "zone": "Europe/Berlin", "time_input": "at", "paused": True,
        },
        {
            "name": "timed.report.hourly", "task": "timed.report", "inputs": {"at": "2026-01-01T00:00:00"},
            "cron": "0 * * * *", **common,
        },
        {"name": "timed.other.d", "task": "timed.other", "inputs": {}, "cron": "0 0 * * *", "time_input": "at", **common},
    ]  # fmt: skip


def test_the_engine_takes_what_it_is_given() -> None:
    signature = {"inputs": [{"name": "at", "type": "datetime"}], "outputs": [{"name": "result", "type": "str"}]}
    task = {"name": "timed.t", "kind": "orchestrator", "signature": signature, "code": "str(at)"}
    env = glovebox.TaskEnvironment("timed")

    @env.task(
        short_name="t", triggers=glovebox.Trigger("every", glovebox.FixedRate(15), inputs={"at": glovebox.TriggerTime})
    )
    def timed(at: datetime.datetime) -> str:
        return str(at)

    async def deployed() -> None:
        engine = await current_engine()
        await engine.deploy("timed", [task], [await each._schedule(timed) for each in timed.triggers])

    run_sync(deployed())
    shown = json.loads(engines.command("schedules", "show", "timed.t.every", "--json"))
    assert (shown["cron"], shown["time_input"], shown["environment"]) == ("*/15 * * * *", "at", "timed")
    assert len(shown["next_times"]) == 5


def test_an_agent_is_deployed_with_its_trigger() -> None:
    model = agents.Model("openai", "m", base_url="http://127.0.0.1:1/v1")
    daily = glovebox.Trigger.daily(inputs={"message": "Count the stock."})
    clerk = agents.Agent(name="The clerk", model=model, triggers=daily)
    (deployment,) = glovebox.deploy(glovebox.TaskEnvironment.from_task("shop", clerk))
    task = deployment.tasks[0].name
    shown = json.loads(engines.command("schedules", "show", f"{task}.daily", "--json"))
    assert (shown["task"], shown["inputs"]) == (task, {"message": "Count the stock."})
    glovebox.deploy(glovebox.TaskEnvironment.from_task("shop", agents.Agent(name="The clerk", model=model)))
    assert f"{task}.daily" not in engines.command("schedules").decode()


@pytest.mark.parametrize(
    ("minutes", "expression"),
    [
        (1, "* * * * *"), (20, "*/20 * * * *"), (60, "0 * * * *"), (480, "0 */8 * * *"), (1440, "0 0 * * *"),
        (10080, "0 0 * * 0"),
    ],
)  # fmt: skip
def test_intervals_are_times_of_the_clock(minutes: int, expression: str) -> None:
    assert glovebox.FixedRate(minutes)._expression() == expression


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda: glovebox.FixedRate(7), ValueError, r"divides an hour.*got 7; .*glovebox\.Cron"),
        (lambda: glovebox.FixedRate(0), ValueError, "got 0"),
        (lambda: glovebox.FixedRate("5"), TypeError, "interval_minutes"),  # type: ignore[arg-type]
        (lambda: glovebox.Cron(""), TypeError, "expression of a Cron"),
        (lambda: glovebox.Trigger("a b", CRON), ValueError, "Trigger name"),
        (lambda: glovebox.Trigger("a", "* * * * *"), TypeError, "automation of trigger a"),  # type: ignore[arg-type]
        (lambda: glovebox.Trigger("a", CRON, overlap="some"), ValueError, "skip, allow, cancel"),  # type: ignore[arg-type]
        (
            lambda: glovebox.Trigger("a", CRON, inputs={"x": glovebox.TriggerTime, "y": glovebox.TriggerTime}),
            ValueError,
            "given to x, y",
        ),
        (lambda: glovebox.TaskEnvironment("e").task(triggers=CRON), TypeError, "triggers: expected"),  # type: ignore[call-overload]
        (lambda: glovebox.TaskEnvironment("e").task(triggers=[NIGHTLY, NIGHTLY]), ValueError, "two of them"),
    ],
)  # fmt: skip
def test_wrong_ones(make: Callable[[], object], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        make()


def test_inputs_that_do_not_fit_are_refused_by_name() -> None:
    env = glovebox.TaskEnvironment("timed")

    @env.task(triggers=glovebox.Trigger("t", CRON, inputs={"days": "two"}))
    def report(days: int) -> int:
        return days

    with pytest.raises(glovebox.errors.InvalidInputError, match=r"timed\.report: days"):
        run_sync(report.triggers[0]._schedule(report))
