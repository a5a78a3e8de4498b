"""Labels of runs, and those of nodes that runs select."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast


def labels_of(value: Mapping[str, str] | None, field: str = "labels") -> dict[str, str]:
    """Returns the labels of a field, and raises TypeError for what is none. The engine holds them to its rule.

    >>> labels_of({"team": "data"})
    {'team': 'data'}
    """
    given: object = {} if value is None else value
    if not isinstance(given, Mapping):
        raise TypeError(f"{field}: expected a dict such as {{'team': 'data'}}, got {given!r}")
    labels: dict[str, str] = {}
    for name, text in cast("Mapping[object, object]", given).items():
        if not isinstance(name, str) or not isinstance(text, str):
            raise TypeError(f"{field}: expected names and values of type str, got {name!r}: {text!r}")
        labels[name] = text
    return labels
