"""Receivers of the end of runs, as the engine gets them."""

from collections.abc import Callable

import pytest

import glovebox
from glovebox._tasks.notify import receivers


def test_a_task_has_its_receivers() -> None:
    env = glovebox.TaskEnvironment("notifies")
    hook = glovebox.Notify("https://chat.example/in", secret="chat-hook", events=["failed"])

    @env.task(notify=hook)
    def one(x: int) -> int:
        return x

    @env.sandbox.orchestrator(notify=[hook, glovebox.Notify("https://b.example", secret="b")])
    def two(x: int) -> int:
        return x

    assert one.policies.definition()["notify"] == [
        {"url": "https://chat.example/in", "secret": "chat-hook", "events": ["failed"]}
    ]
    assert two.policies.definition()["notify"][1] == {"url": "https://b.example", "secret": "b"}


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda: glovebox.Notify("", secret="s"), ValueError, "url of a Notify"),
        (lambda: glovebox.Notify("https://a.example", secret=""), ValueError, "secret of a Notify"),
        (
            lambda: glovebox.Notify("https://a.example", secret="s", events="failed"),  # type: ignore[arg-type]
            TypeError,
            "events of a Notify",
        ),
        (lambda: glovebox.Notify("https://a.example", secret="s", events=["soon"]), ValueError, "got 'soon'"),  # type: ignore[list-item]
        (lambda: receivers(["https://a.example"]), TypeError, "expected glovebox.Notify"),  # type: ignore[list-item]
    ],
)
def test_wrong_receivers(make: Callable[[], object], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        make()
