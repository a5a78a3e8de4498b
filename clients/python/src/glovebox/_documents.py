"""The parts of requests and answers of the HTTP API."""

from __future__ import annotations

import urllib.parse
from typing import Any, cast

from ._jsontext import loads
from .errors import GloveboxError, from_problem

Json = dict[str, Any]  # a decoded JSON object, with ints of any length


def run_path(run_id: str, below: str = "") -> str:
    """Returns the path of a run, or of something below it."""
    return f"/v1/runs/{segment(run_id)}{below}"


def segment(name: str) -> str:
    """Returns a name as a part of a path."""
    if name in ("", ".", ".."):  # they cannot be part of a path, so nothing has them for a name
        raise from_problem(
            {"code": "not_found", "message": f"there is nothing called {name!r}", "outcome": "not_started"}
        )
    return urllib.parse.quote(name, safe="")


def query_text(value: object) -> str:
    """Returns the value of a parameter of a query."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def object_of(text: bytes) -> Json:
    """Reads an answer, which has to be a JSON object."""
    try:
        document = loads(text)
    except ValueError as error:
        raise _nonsense(str(error)) from None
    if not isinstance(document, dict):
        raise _nonsense("it is no object")
    return cast(Json, document)


def _nonsense(why: str) -> GloveboxError:
    return from_problem(
        {
            "code": "server_unavailable",
            "message": f"the engine answered with something else than it should: {why}",
            "outcome": "unknown",
            "retryable": False,
        }
    )
