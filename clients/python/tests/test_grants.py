"""Clock and randomness that an orchestrator is granted."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

import glovebox


@pytest.mark.parametrize(
    ("clock", "random", "granted"),
    [
        (None, None, {}),
        ("real", "real", {"clock": "real", "random": "real"}),
        ("virtual", 0, {"clock": "virtual", "random": "seeded:0"}),
        (datetime.datetime(2024, 2, 29, 12), -5, {"clock": "fixed:2024-02-29T12:00:00+00:00", "random": "seeded:-5"}),
        ("fixed:2024-02-29T12:00:00Z", "seeded:7", {"clock": "fixed:2024-02-29T12:00:00Z", "random": "seeded:7"}),
    ],
)
def test_definition(clock: Any, random: Any, granted: dict[str, str]) -> None:
    definition = glovebox.sandbox.SandboxedConfig(clock=clock, random=random).definition()
    assert {key: definition[key] for key in ("clock", "random") if key in definition} == granted


@pytest.mark.parametrize("wrong", [{"clock": "now"}, {"clock": 5}, {"random": 1.5}, {"random": True}, {"random": "x"}])
def test_wrong(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        glovebox.sandbox.SandboxedConfig(**wrong)


def test_orchestrate() -> None:
    source = "import random\nfrom datetime import datetime\n(datetime.now(), random.random())"
    moment = datetime.datetime(2024, 2, 29, 12)
    given = glovebox.sandbox.orchestrate_local_sync(source, inputs={}, dialect="extended", clock=moment, random=42)
    assert given == (moment, 0.6394267984578837)
