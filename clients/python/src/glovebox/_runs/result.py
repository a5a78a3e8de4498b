"""What a run gave: its value, and what it printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from .outputs import Outputs
    from .run import Run

R_co = TypeVar("R_co", covariant=True)


@dataclass(frozen=True)
class Result(Generic[R_co]):
    """What a run gave and printed, from ``execute`` of a sandbox, ``sandbox.evaluate`` and ``Run.result``.

    ``value`` is what the same call returns without the rest: the one output, several as a tuple, or None. ``outputs``
    has them by position and by name. ``stdout`` and ``stderr`` are text; of what is longer than the log limit, the
    end. ``run`` is the run, whose ``logs()`` has both streams in the order in which they came; None for an evaluation
    that was none.

    >>> result = box.execute(x=21)
    >>> result.value, result.stdout.splitlines()
    (42, ['doubling 21'])
    """

    __module__ = "glovebox"  # where users find it

    value: R_co
    outputs: Outputs
    stdout: str
    stderr: str
    run: Run[R_co] | None
