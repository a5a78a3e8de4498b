"""Receivers that hear of the end of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

NotifyEvent = Literal["ended", "succeeded", "failed", "canceled"]


@dataclass(frozen=True)
class Notify:
    """A receiver that hears of the end of the runs of a task, by a signed message to a URL.

    Only runs that no other run started notify. A server delivers: ``glovebox serve``.

    Args:
        url: ``https``, or ``http`` to a loopback address.
        secret: The name of the stored secret that signs.
        events: "succeeded", "failed", "canceled", or "ended" for all of them, which is the default.

    Raises:
        TypeError, ValueError: A field cannot be what it is. The message names it.

    Example::

        glovebox.Notify("https://chat.example/in", secret="chat-hook", events=["failed"])
    """

    __module__ = "glovebox"  # where users find it

    url: str
    secret: str
    events: Sequence[NotifyEvent] = ()

    def __post_init__(self) -> None:
        if isinstance(self.events, str):
            raise TypeError(f"events of a Notify: expected a list such as ['failed'], got {self.events!r}")
        object.__setattr__(self, "events", tuple(self.events))
        for name in ("url", "secret"):
            if not isinstance(getattr(self, name), str) or not getattr(self, name):
                raise ValueError(f"{name} of a Notify: expected a str, got {getattr(self, name)!r}")
        for event in self.events:
            if event not in get_args(NotifyEvent):
                raise ValueError(
                    f"events of a Notify: expected some of {', '.join(get_args(NotifyEvent))}, got {event!r}"
                )

    def definition(self) -> dict[str, Any]:
        """Returns the receiver in the JSON of a task."""
        members: dict[str, Any] = {"url": self.url, "secret": self.secret}
        if self.events:
            members["events"] = list(self.events)
        return members


def receivers(value: Notify | Sequence[Notify] | None) -> tuple[Notify, ...]:
    """Returns the receivers of a task, and raises TypeError for what is none."""
    given = (value,) if isinstance(value, Notify) else tuple(value or ())
    for one in given:
        if not isinstance(one, Notify):
            raise TypeError(f"notify: expected glovebox.Notify or a list of them, got {one!r}")
    return given
