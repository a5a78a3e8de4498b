"""Triggers: what starts a deployed task by time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, cast, get_args

from .policies import check_flag, check_name, engine_name

if TYPE_CHECKING:
    from .._link.current import Json
    from .task import Task

Overlap = Literal["skip", "allow", "cancel"]
CatchUp = Literal["skip", "last", "all"]

_HOUR, _DAY, _WEEK = 60, 24 * 60, 7 * 24 * 60  # minutes


@dataclass(frozen=True)
class Cron:
    """Times of a cron expression: minute, hour, day of month, month, day of week; or ``@daily`` and the like.

    The engine reads the expression when the task is deployed. ``timezone`` is the IANA name of a time zone.

    >>> glovebox.Cron("0 6 * * 1-5", timezone="Europe/Berlin")
    """

    __module__ = "glovebox"  # where users find it

    expression: str
    timezone: str = "UTC"

    def __post_init__(self) -> None:
        for name in ("expression", "timezone"):
            given: object = getattr(self, name)
            if not isinstance(given, str) or not given:
                raise TypeError(f"{name} of a Cron: expected a str, got {given!r}")


@dataclass(frozen=True)
class FixedRate:
    """An interval in minutes, at times of the clock in UTC: ``FixedRate(15)`` is a quarter past, half past and so on.

    It divides an hour, a day or a week, so that the times are the same ones whenever the task was deployed.

    >>> glovebox.Trigger("often", glovebox.FixedRate(15))
    """

    __module__ = "glovebox"  # where users find it

    interval_minutes: int

    def __post_init__(self) -> None:
        if isinstance(self.interval_minutes, bool) or not isinstance(self.interval_minutes, int):
            raise TypeError(f"interval_minutes of a FixedRate: expected a number, got {self.interval_minutes!r}")
        self._expression()

    def _expression(self) -> str:
        minutes = self.interval_minutes
        if minutes == 1:
            return "* * * * *"
        if minutes >= 1 and _HOUR % minutes == 0:
            return "0 * * * *" if minutes == _HOUR else f"*/{minutes} * * * *"
        if minutes >= _HOUR and minutes % _HOUR == 0 and _DAY % minutes == 0:
            return "0 0 * * *" if minutes == _DAY else f"0 */{minutes // _HOUR} * * *"
        if minutes == _WEEK:
            return "0 0 * * 0"
        raise ValueError(
            "interval_minutes of a FixedRate: expected an interval that divides an hour, a day or a week, such as 5, "
            f"15, 60, 120 or 1440, got {minutes}; for other times of the clock use glovebox.Cron"
        )


class _TriggerTime:
    """Stands for the time that a start is for, among the inputs of a trigger.

    >>> glovebox.Trigger("nightly", glovebox.Cron("0 2 * * *"), inputs={"day": glovebox.TriggerTime})
    """

    def __repr__(self) -> str:
        return "TriggerTime"


TriggerTime: Final = _TriggerTime()


@dataclass(frozen=True)
class Trigger:
    """Starts a task by time once it is deployed, while ``glovebox serve`` works on the home: a schedule of the engine.

    The schedule is called ``ENVIRONMENT.FUNCTION.NAME``; ``glovebox schedules`` lists, pauses and removes it. A time
    that has come is started once, whatever dies in between.

    Args:
        name: What it is called, after the name of the task.
        automation: ``Cron`` or ``FixedRate``.
        description: For people who read the code.
        auto_activate: False deploys it paused.
        inputs: By name, as the task declares them; no files. ``glovebox.TriggerTime`` is the time that a start is for,
            of an input that is a ``datetime`` or a ``str``.
        overlap: At a time while an earlier run is under way: "skip" it, "allow" both, or "cancel" the earlier one.
        catch_up: Which times are started that went by while no server worked: "skip", "last" or "all".

    >>> nightly = glovebox.Trigger("nightly", glovebox.Cron("0 2 * * *"), inputs={"day": glovebox.TriggerTime})
    >>> @env.task(triggers=nightly)
    ... def report(day: datetime.datetime) -> str: ...
    """

    __module__ = "glovebox"  # where users find it

    name: str
    automation: Cron | FixedRate
    description: str = ""
    auto_activate: bool = True
    inputs: Mapping[str, Any] | None = None
    overlap: Overlap = "skip"
    catch_up: CatchUp = "skip"

    def __post_init__(self) -> None:
        check_name(self.name, "Trigger name")
        check_flag("auto_activate", self.auto_activate)
        if not isinstance(self.automation, (Cron, FixedRate)):
            raise TypeError(
                f"automation of trigger {self.name}: expected a Cron or a FixedRate, got {self.automation!r}"
            )
        if len(self._timed) > 1:
            raise ValueError(
                f"inputs of trigger {self.name}: TriggerTime is given to {', '.join(self._timed)}; one can have it"
            )
        for field, known in (("overlap", get_args(Overlap)), ("catch_up", get_args(CatchUp))):
            if getattr(self, field) not in known:
                raise ValueError(
                    f"{field} of trigger {self.name}: expected one of {', '.join(known)}, got {getattr(self, field)!r}"
                )

    @classmethod
    def minutely(cls, trigger_time_input_key: str | None = None, *, name: str = "minutely", **options: Any) -> Trigger:
        """Makes one of each minute. The input of that name gets the time; other options are those of the class."""
        return cls._every("* * * * *", trigger_time_input_key, name, options)

    @classmethod
    def hourly(cls, trigger_time_input_key: str | None = None, *, name: str = "hourly", **options: Any) -> Trigger:
        """Makes one of each full hour, as ``minutely`` does."""
        return cls._every("0 * * * *", trigger_time_input_key, name, options)

    @classmethod
    def daily(cls, trigger_time_input_key: str | None = None, *, name: str = "daily", **options: Any) -> Trigger:
        """Makes one of each midnight in UTC, as ``minutely`` does."""
        return cls._every("0 0 * * *", trigger_time_input_key, name, options)

    @classmethod
    def weekly(cls, trigger_time_input_key: str | None = None, *, name: str = "weekly", **options: Any) -> Trigger:
        """Makes one of the midnight before each Sunday, as ``minutely`` does."""
        return cls._every("0 0 * * 0", trigger_time_input_key, name, options)

    @classmethod
    def monthly(cls, trigger_time_input_key: str | None = None, *, name: str = "monthly", **options: Any) -> Trigger:
        """Makes one of the midnight that begins each month, as ``minutely`` does."""
        return cls._every("0 0 1 * *", trigger_time_input_key, name, options)

    @classmethod
    def _every(cls, expression: str, key: str | None, name: str, options: dict[str, Any]) -> Trigger:
        timed: dict[str, Any] = {} if key is None else {key: TriggerTime}
        inputs: dict[str, Any] = timed | dict(options.pop("inputs", None) or {})
        return cls(name, Cron(expression), inputs=inputs, **options)

    @property
    def _timed(self) -> list[str]:
        return [name for name, value in (self.inputs or {}).items() if value is TriggerTime]

    async def _schedule(self, task: Task[Any, Any]) -> Json:
        """Returns the schedule of a task in the JSON of a deployment."""
        from .submission import encode_some  # lazy: only a deployment needs it

        given = {name: value for name, value in (self.inputs or {}).items() if value is not TriggerTime}
        name = engine_name(task.name)
        schedule: Json = {
            "name": f"{name}.{self.name}",
            "task": name,
            "inputs": await encode_some(task.name, task.signature, given),
            "overlap": self.overlap,
            "catch_up": self.catch_up,
        }
        if isinstance(self.automation, Cron):
            schedule |= {"cron": self.automation.expression, "zone": self.automation.timezone}
        else:
            schedule["cron"] = self.automation._expression()  # pyright: ignore[reportPrivateUsage]
        if self._timed:
            schedule["time_input"] = self._timed[0]
        if not self.auto_activate:
            schedule["paused"] = True
        return schedule


def triggers_of(value: Trigger | Sequence[Trigger]) -> tuple[Trigger, ...]:
    """Returns the triggers of a task, and raises the error about what cannot be one of them."""
    given: tuple[Trigger, ...] = tuple(value) if isinstance(value, (list, tuple)) else (cast("Trigger", value),)
    names: set[str] = set()
    for one in given:
        if not isinstance(one, Trigger):
            raise TypeError(f"triggers: expected glovebox.Trigger or a list of them, got {one!r}")
        if one.name in names:
            raise ValueError(f"triggers: two of them are called {one.name!r}")
        names.add(one.name)
    return given
