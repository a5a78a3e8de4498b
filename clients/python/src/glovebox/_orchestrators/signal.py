"""Values that somebody outside sends to code that waits for them."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .._process.tracebacks import public
from .._tasks.labels import labels_of
from .._tasks.policies import Policies, check_label, engine_name, waiting_times
from .._tasks.task import Task
from .._values.annotations import type_of
from .._values.signature_json import signature_json
from .._values.types import Param, Signature
from .inputs import check_names
from .orchestrator import NONE_TYPE

if TYPE_CHECKING:
    from .._link.current import Engine, Json


class SignalTask(Task[..., Any]):
    """A value that somebody outside sends. ``glovebox.signal`` makes it."""

    def __init__(self, name: str, signature: Signature, doc: str, policies: Policies) -> None:
        super().__init__(check_label(name, "name"), signature, doc)
        self._policies = policies

    async def _definition(self, engine: Engine, *, deployed: bool = False) -> Json:
        return {
            "name": engine_name(self.name),
            "kind": "signal",
            "doc": self.doc,
            "signature": signature_json(self.signature),
            **self._policies.definition(),
        }


@public
def signal(
    name: str,
    output: Any = NONE_TYPE,
    *,
    inputs: Mapping[str, Any] | None = None,
    doc: str = "",
    deadline: float | datetime.timedelta | None = None,
    notice: float | datetime.timedelta | None = None,
    labels: Mapping[str, str] | None = None,
) -> SignalTask:
    """Makes a tool for orchestrators and agents that waits until somebody sends its value.

    Code that waits for nothing else takes no memory meanwhile, and continues after restarts and crashes.

    >>> paid = glovebox.signal("paid", float, deadline=86400)
    >>> order = glovebox.sandbox.orchestrator_from_str(
    ...     "paid(question='how much?') * 2", inputs={}, output=float, tasks=[paid], name="order"
    ... )

    Args:
        name: What code calls it, and by which ``Run.signal`` sends it.
        output: The type of the value; by default it has none.
        inputs: The types of what the code says with it, by name, for whoever sends the value.
        doc: What it waits for, for people and models.
        deadline: Seconds, or a timedelta, after which a call that waits raises TimeoutError; by default never.
        notice: The same, after which the journal records that it still waits.
        labels: Those of each of its runs.

    Raises:
        TypeError: A type cannot cross into the sandbox.
        ValueError: The name is none, or a time cannot be.
    """
    given = inputs or {}
    check_names(given)
    signature = Signature(
        tuple(Param(one, type_of(annotation, f"{name}: input {one}")) for one, annotation in given.items()),
        () if output is NONE_TYPE or output is None else (Param("o0", type_of(output, f"{name}: output")),),
    )
    policies = Policies(approval=waiting_times(deadline, notice, ("deadline", "notice")), labels=labels_of(labels))
    return SignalTask(name, signature, doc, policies)
