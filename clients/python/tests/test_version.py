"""The version of the wheel, which git's way of describing a commit becomes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest


def python_version() -> Callable[[str], str]:
    """Returns the function of the build, whose other parts need hatchling."""
    source = (Path(__file__).parents[1] / "hatch_build.py").read_text()
    part = source[source.index("UNKNOWN = ") : source.index("\nclass ")]
    names: dict[str, Callable[[str], str]] = {}
    exec(part, {"re": re}, names)
    function = names["python_version"]
    function.__globals__.update(names)
    return function


@pytest.mark.parametrize(
    ("described", "version"),
    [
        ("v1.2.3", "1.2.3"),
        ("1.2.3", "1.2.3"),
        ("v1.2.3-dirty", "1.2.3+dirty"),
        ("v1.2.3-4-g0123abc", "1.2.4.dev4+g0123abc"),
        ("v1.2.3-4-g0123abc-dirty", "1.2.4.dev4+g0123abc.dirty"),
        ("v1.0.0rc1", "1.0.0rc1"),
        ("v1.0.0rc1-3-g0123abc", "1.0.0rc1.dev3+g0123abc"),
        ("0123abc", "0.0.0.dev0+g0123abc"),
        ("0123abc-dirty", "0.0.0.dev0+g0123abc.dirty"),
        ("unknown", "0.0.0.dev0"),
    ],
)
def test_version(described: str, version: str) -> None:
    assert python_version()(described) == version
