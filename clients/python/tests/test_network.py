"""What network= may say, and what is refused where it is written."""

from __future__ import annotations

from typing import Any

import pytest

import glovebox
from glovebox._tasks.network import network_json

GOOD: list[tuple[Any, Any]] = [
    (None, {}),
    ("none", {}),
    ("public", {"public": True}),
    ("pypi.org", {"allow": ["pypi.org"]}),
    (["pypi.org", "*.example.com:8080", "registry"], {"allow": ["pypi.org", "*.example.com:8080", "registry"]}),
]


@pytest.mark.parametrize(("given", "expected"), GOOD)
def test_good_ones(given: Any, expected: Any) -> None:
    assert network_json(given) == expected


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("internet", 'no such mode and no domain.*did you mean "public"'),
        ("Public", 'did you mean "public"'),
        ("nnoe", 'did you mean "none"'),
        (["https://pypi.org/simple"], r"network\[0\]: .*write the host alone, 'pypi.org'"),
        (["a.org", "pypi.org/simple"], r"network\[1\]: .*write the host alone, 'pypi.org'"),
        (["*"], 'network="public"'),
        (["me@example.com"], "leave out the user: 'example.com'"),
        (["a.org,b.org"], "one host in each entry"),
        (["1.2.3.4:80"], "name the host"),
        (["[::1]"], "name the host"),
        ([""], "leave it out"),
    ],
)
def test_others_are_refused_where_they_are_written(given: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        glovebox.sandbox.create(code="x = 1", network=given)
    with pytest.raises(ValueError, match=words):
        glovebox.TaskEnvironment("net", network=given)


@pytest.mark.parametrize("given", [3, [3], {"pypi.org"}])
def test_what_is_no_text(given: Any) -> None:
    with pytest.raises(TypeError, match="network"):
        network_json(given)
