"""Deployment: tasks kept in versions, to be started by name."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from .._link.current import current_engine
from .._process.loop import syncify
from .base import Environment
from .environment import TaskEnvironment
from .progress import progress_of

if TYPE_CHECKING:
    from .._link.current import Engine, Json
    from ..app._handle import DeployedAppEnvironment
    from .task import Task


@dataclass(frozen=True)
class DeployedVersion:
    """A version of a task. It never changes."""

    name: str
    version: int
    unchanged: bool  # it was there already
    warnings: tuple[str, ...] = ()  # what a start of it has to grant

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


@dataclass(frozen=True)
class Deployment:
    """What became of one environment.

    >>> deployment = glovebox.deploy(env)[0]
    >>> deployment.environment, deployment.tasks[0].name
    ('demo', 'demo.add')
    """

    __module__ = "glovebox"  # where users find it

    environment: str
    tasks: tuple[DeployedVersion, ...]
    envs: Mapping[str, Deployment | DeployedAppEnvironment] = field(default_factory=dict[str, Any], compare=False)
    """All that was deployed together, by the names of environments."""

    def summary_repr(self) -> str:
        """Returns it in one line, such as ``Deployment(env=demo, tasks=[demo.add@2])``."""
        return f"Deployment(env={self.environment}, tasks=[{', '.join(map(str, self.tasks))}])"

    def table_repr(self) -> list[list[tuple[str, str]]]:
        """Returns a row for each task, of pairs of heading and cell."""
        return [
            [
                ("environment", self.environment),
                ("task", task.name),
                ("version", str(task.version)),
                ("new", "no" if task.unchanged else "yes"),
            ]
            for task in self.tasks
        ]

    def __repr__(self) -> str:
        return self.summary_repr()

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(task.name)}</td><td>{escape(str(task.version))}</td></tr>" for task in self.tasks
        )
        return (
            f"<table><caption>{escape(self.environment)}</caption><tr><th>task</th><th>version</th></tr>{rows}</table>"
        )


async def _deploy(*envs: Environment, dry_run: bool = False) -> list[Deployment]:
    """Keeps the tasks of environments, and of those that they depend on, in versions.

    Functions are bundled, so that they run in cells without this process, and
    images are built. Their triggers become schedules; those of an earlier
    deployment that are no longer there go. Apps are served by this process, when all tasks are
    there. The answer has one element for each app, and each environment with
    tasks, the given ones first.

    Args:
        envs: What to deploy.
        dry_run: Find what would fail, and keep nothing.

    >>> versions = glovebox.deploy(env)
    >>> print(versions[0].summary_repr())
    """
    if not envs:
        raise ValueError("deploy: expected at least one environment")
    engine = await current_engine()
    together: dict[str, Deployment | DeployedAppEnvironment] = {}
    deployments: list[Deployment] = []
    environments = _closure(envs)
    for environment in environments:
        if not isinstance(environment, TaskEnvironment):
            deployments.append(Deployment(environment.name, (), together))
            continue
        definitions = [await _definition(engine, task, dry_run) for task in environment.tasks.values()]
        if not definitions:
            continue
        schedules = await _schedules(environment)
        versions: list[Json] = [] if dry_run else await engine.deploy(environment.name, definitions, schedules)
        tasks = tuple(
            DeployedVersion(v["name"], v["version"], bool(v.get("unchanged")), tuple(v.get("warnings") or ()))
            for v in versions
        )
        deployments.append(Deployment(environment.name, tasks, together))
        together[environment.name] = deployments[-1]
    if not dry_run:
        together |= await _apps(environments)
    return deployments


async def _apps(environments: Sequence[Environment]) -> dict[str, DeployedAppEnvironment]:
    """Serves the apps among environments. When one cannot be, none is left."""
    if all(isinstance(environment, TaskEnvironment) for environment in environments):
        return {}
    from ..app._environment import AppEnvironment  # lazy: only an app needs it
    from ..app._handle import DeployedAppEnvironment, serve_app  # lazy: the same

    made: dict[str, DeployedAppEnvironment] = {}
    try:
        for environment in environments:
            if isinstance(environment, AppEnvironment):
                made[environment.name] = DeployedAppEnvironment(environment, await serve_app(environment))
    except BaseException:
        for app in made.values():
            await asyncio.to_thread(app.deployed_app.deactivate)
        raise
    return made


async def _schedules(environment: TaskEnvironment) -> list[Json]:
    """Returns what the triggers of its tasks are for the engine."""
    return [
        await trigger._schedule(task)  # pyright: ignore[reportPrivateUsage]
        for task in environment.tasks.values()
        for trigger in task.triggers
    ]


async def _definition(engine: Engine, task: Task[Any, Any], dry_run: bool) -> Json:
    definition = await task._definition(engine, deployed=True)  # pyright: ignore[reportPrivateUsage]
    if definition.get("kind", "sandbox") == "sandbox" and not dry_run:
        with progress_of(task.name) as progress:
            await engine.build_image(definition.get("image") or {}, progress=progress)
    return definition


def _closure(envs: tuple[Environment, ...]) -> list[Environment]:
    """Returns environments with those that they depend on, each once, the given ones first."""
    found: list[Environment] = []
    todo = list(envs)
    while todo:
        environment = todo.pop(0)
        if not isinstance(environment, Environment):
            raise TypeError(f"deploy: expected environments, got {environment!r}")
        if environment not in found:
            found.append(environment)
            todo += environment.depends_on
    return found


_deploy.__name__ = _deploy.__qualname__ = "deploy"  # what help() calls it

deploy = syncify(_deploy)
