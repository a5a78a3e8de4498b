"""What an evaluation gave, as its caller sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._values.codec import decode
from .._values.type_guards import object_in
from .._values.types import ANY
from .scalars import is_value

if TYPE_CHECKING:
    from .evaluation import Evaluation, Json


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
    node = object_in(result, "outputs").get("o0")
    value = node if is_value(ANY, node) else decode(ANY, node, "o0")
    return Outcome(value, result.get("stdout") or "")
