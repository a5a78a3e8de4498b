"""The parts of requests and answers of the HTTP API."""

from __future__ import annotations

import urllib.parse
from typing import Any, cast

from .._values.json_text import loads
from ..errors import GloveboxError, NotFoundError, ServerUnavailableError

Json = dict[str, Any]  # a decoded JSON object


def run_path(run_id: str, below: str = "") -> str:
    """Returns the path of a run, or of something below it."""
    return f"/v1/runs/{segment(run_id)}{below}"


def segment(name: str) -> str:
    """Returns a name as a part of a path."""
    if name in ("", ".", ".."):  # they cannot be part of a path, so nothing has them for a name
        raise NotFoundError(f"there is nothing called {name!r}")
    return urllib.parse.quote(name, safe="")


def query_text(value: object) -> str:
    """Returns the value of a parameter of a query."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def query_texts(value: object) -> str | list[str]:
    """Returns the value of a parameter, or its values where a list is given: it is repeated then."""
    return [query_text(each) for each in cast("list[object]", value)] if isinstance(value, list) else query_text(value)


def object_of(text: bytes) -> Json:
    """Reads an answer, which has to be a JSON object."""
    try:
        document = loads(text)
    except ValueError as error:
        raise _nonsense(str(error)) from None
    if not isinstance(document, dict):
        raise _nonsense("it is no object")
    return cast(Json, document)


def run_of(document: Json) -> Json:
    """Returns what an answer says of a run, if it does."""
    if not isinstance(document.get("id"), str):
        raise _nonsense("a run without an id")
    return document


def result_of(document: Json) -> Json:
    """Returns the result of a run that an answer holds, if it does."""
    run: object = document.get("run")
    outputs: object = document.get("outputs") or []
    if not isinstance(run, dict) or not isinstance(cast(Json, run).get("error") or {}, dict):
        raise _nonsense("a result without its run")
    if not isinstance(outputs, list) or not all(_is_named(output) for output in cast("list[object]", outputs)):
        raise _nonsense("outputs without names")
    return document


def versions_of(documents: object) -> list[Json]:
    """Returns the versions of deployed tasks that an answer lists, if it does."""
    versions = cast("list[Json]", documents or [])
    if not isinstance(documents or [], list) or not all(
        _is_named(version) and isinstance(version.get("version"), int) for version in versions
    ):
        raise _nonsense("versions of tasks without name and number")
    return versions


def _is_named(document: object) -> bool:
    return isinstance(document, dict) and isinstance(cast(Json, document).get("name"), str)


def _nonsense(why: str) -> GloveboxError:
    return ServerUnavailableError(f"the engine answered with something else than it should: {why}", retryable=False)
