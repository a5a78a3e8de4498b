"""What environments of tasks and of apps have in common."""

from __future__ import annotations

from collections.abc import Sequence


class Environment:
    """A name, and other environments that are deployed along with this one: of tasks, or an app."""

    __module__ = "glovebox"  # where users find it

    def __init__(self, name: str, depends_on: Sequence[Environment], description: str | None) -> None:
        self.name = name
        self.depends_on = _environments(depends_on)
        self.description = description

    def add_dependency(self, *environments: Environment) -> None:
        """Adds environments that are deployed along with this one."""
        if self in environments:
            raise ValueError(f"Cannot add self as a dependency: {self.name} would depend on itself")
        self.depends_on = _environments((*self.depends_on, *environments))


def _environments(given: Sequence[Environment]) -> tuple[Environment, ...]:
    for environment in given:
        if not isinstance(environment, Environment):
            raise TypeError(f"depends_on: expected environments, got {environment!r}")
    return tuple(given)
