"""The comparison with flyte notices what it is for. That both are compared is ``make peer``."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

PEER = Path(__file__).resolve().parents[1] / "peer"


@pytest.fixture
def compare(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PEER))
    return importlib.import_module("compare")


def parameter(name: str, kind: str = "positional or keyword", default: str | None = None) -> dict[str, Any]:
    return {"name": name, "kind": kind, "default": default}


def seen(*, names: Any = (), parameters: Any = (), outcome: Any = None) -> dict[str, Any]:
    cases = importlib.import_module("cases")
    same = {"gives": "1"}
    first = next(cases.everything())
    outcomes = dict.fromkeys(cases.everything(), same) | {first: outcome or same}
    return {"namespaces": {"": list(names)}, "callables": {"run": list(parameters)}, "outcomes": outcomes}


def found(compare: Any, theirs: dict[str, Any], ours: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    return [(d.kind, d.name, d.theirs, d.ours) for d in compare.differences(theirs, ours)]


def test_what_is_the_same_is_no_difference(compare: Any) -> None:
    one = seen(names=["a"], parameters=[parameter("x", default="1")], outcome={"raises": ["ValueError"], "text": "t"})
    assert found(compare, one, one) == []


def test_names(compare: Any) -> None:
    assert found(compare, seen(names=["a", "b"]), seen(names=["b", "c"])) == [
        ("name", "a", "has", ""),
        ("name", "c", "", "has"),
    ]


def test_parameters(compare: Any) -> None:
    theirs = seen(parameters=[parameter("a"), parameter("b"), parameter("c", default="1")])
    ours = seen(parameters=[parameter("b"), parameter("c", "keyword-only", "2"), parameter("d", default="0")])
    assert found(compare, theirs, ours) == [
        ("parameter", "a", "has", ""),
        ("way", "b", "place 2", "place 1"),
        ("way", "c", "place 3", "keyword-only"),
        ("default", "c", "1", "2"),
        ("parameter", "d", "", "has"),
    ]


def test_a_parameter_that_only_we_require_needs_a_reason(compare: Any) -> None:
    [optional] = compare.differences(seen(), seen(parameters=[parameter("d", default="0")]))
    [required] = compare.differences(seen(), seen(parameters=[parameter("d")]))
    assert compare.is_harmless(optional) and not compare.is_harmless(required)


def test_errors_below_the_same_class_are_caught_alike(compare: Any) -> None:
    theirs = {"raises": ["TypeError", "Exception"], "text": "t"}
    below = {"raises": ["UnsupportedType", "TypeError", "Exception"], "text": "t"}
    other = {"raises": ["ValueError", "Exception"], "text": "t"}
    assert found(compare, seen(outcome=theirs), seen(outcome=below)) == []
    assert found(compare, seen(outcome=theirs), seen(outcome=other)) == [("class", "", "TypeError", "ValueError: t")]
    assert found(compare, seen(outcome=theirs), seen(outcome={**below, "text": "u"})) == [
        ("text", "", "t", "UnsupportedType: u")
    ]
    assert found(compare, seen(outcome=theirs), seen(outcome={"gives": "2"})) == [("accepted", "", "TypeError", "2")]
    assert found(compare, seen(outcome={"gives": "2"}), seen(outcome=theirs)) == [
        ("refused", "", "accepted", "TypeError: t")
    ]


def test_a_difference_without_a_reason_and_a_reason_without_a_difference_are_told(
    compare: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reasons, difference = importlib.import_module("reasons"), importlib.import_module("difference")
    needless = difference.Reason("name", ("sandbox",), "gone", "left out", "why")
    monkeypatch.setattr(reasons, "REASONS", (needless,))
    explained, problems = compare.explain([difference.Difference("name", "sandbox", "new", "has", "")])
    assert explained == []
    assert [problem.partition(":")[0] for problem in problems] == ["no reason", "nothing needs"]


def test_the_lists_are_between_their_marks(compare: Any) -> None:
    document = importlib.import_module("document")
    once = document.with_lists(f"before\n{document.BEGIN}stale lists\n{document.END}after\n", [])
    assert once.startswith(f"before\n{document.BEGIN}") and once.endswith(f"{document.END}after\n")
    assert "stale lists" not in once and document.with_lists(once, []) == once
    with pytest.raises(ValueError, match="has no lines"):
        document.with_lists("no marks", [])
