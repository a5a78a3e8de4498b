"""What an evaluation gave, as its caller sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .._values.type_guards import object_in
from .._values.types import ANY
from .evaluation import Evaluation, Json
from .tool import decoded


@dataclass(frozen=True)
class Outcome:
    """The value of the last expression, and what the code printed."""

    value: Any
    stdout: str


def outcome_of(evaluation: Evaluation, result: Json) -> Outcome:
    """Returns what an evaluation gave, or raises its error."""
    error = result.get("error")
    if error:
        from .._bundles.own_files import in_own_files  # lazy: only errors need them
        from .._tasks.failure import failure_of  # lazy: the same

        failure = failure_of(in_own_files(error))
        failure.__cause__ = evaluation.cause(error)
        raise failure
    return Outcome(decoded(ANY, object_in(result, "outputs").get("o0"), "o0"), result.get("stdout") or "")
