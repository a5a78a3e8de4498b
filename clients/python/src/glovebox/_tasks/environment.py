"""Environments: named sets of defaults for tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, overload

from .base import Environment
from .cell_spec import CellSpec
from .function import FunctionTask
from .labels import labels_of
from .notify import receivers
from .policies import CacheMode, Policies, approval_of, cache_mode, check_flag, check_name, check_retries, timeout_ns
from .task import Task, TaskSource
from .trigger import Trigger, triggers_of

if TYPE_CHECKING:
    import datetime

    from .._orchestrators.namespace import SandboxNamespace
    from .image import Image
    from .network import Network
    from .notify import Notify
    from .resources import Resources
    from .secret import Secret

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


class TaskEnvironment(Environment):
    """A named set of defaults for tasks: image, resources, variables, secrets.

    A function task of an environment that sets one of ``image``, ``resources``,
    ``env_vars``, ``secrets``, ``network``, ``isolation`` or ``preload`` runs in a
    cell; any other runs in the process that asks for it.

    Args:
        name: Comes before the names of its tasks, as in ``name.function``.
        image: An ``Image``, or the reference of a prebuilt one.
        resources: The limits of each cell.
        env_vars: Environment variables in each cell.
        secrets: Stored secrets that each cell is given.
        network: What a cell may reach: ``"none"``, ``"public"`` or a list of domains.
        isolation: ``"gvisor"`` asks for a cell without any of the others.
        preload: Modules that are imported in a cell before the function, ahead of time where cells
            are kept ready: see ``glovebox.warm``.
        depends_on: Environments that are deployed along with this one.
        cache: The cache mode of tasks that name none: "auto", "override" or "disable".
        include: Files, by patterns relative to the project, that go into a cell with the code. Hidden
            files are among them only where a pattern has their dot.
        description: For people.

    >>> env = glovebox.TaskEnvironment(name="demo")
    >>> @env.task
    ... def add(x: int, y: int) -> int:
    ...     return x + y
    """

    __module__ = "glovebox"  # where users find it

    def __init__(
        self,
        name: str,
        *,
        depends_on: Sequence[Environment] = (),
        description: str | None = None,
        secrets: str | Secret | Sequence[str | Secret] | None = None,
        env_vars: dict[str, str] | None = None,
        resources: Resources | None = None,
        image: str | Image | Literal["auto"] | None = "auto",
        network: Network | None = None,
        isolation: Literal["gvisor"] | None = None,
        preload: Sequence[str] | None = None,
        cache: CacheMode = "disable",
        include: str | Sequence[str] = (),
    ) -> None:
        super().__init__(check_name(name, "TaskEnvironment name"), depends_on, description)
        self.cache: CacheMode = cache_mode(cache)
        self.cell = CellSpec.of(
            image=image,
            resources=resources,
            env_vars=env_vars,
            secrets=secrets,
            network=network,
            isolation=isolation,
            preload=preload,
        )
        self.include = (include,) if isinstance(include, str) else tuple(include)
        self.image, self.resources, self.env_vars = image, resources, env_vars
        self.secrets: str | Secret | Sequence[str | Secret] | None = secrets
        self.network: Network | None = network
        self.preload = preload
        self.isolation: Literal["gvisor"] | None = isolation
        self._tasks: dict[str, Task[Any, Any]] = {}

    @property
    def tasks(self) -> dict[str, Task[Any, Any]]:
        """Its tasks by name."""
        return dict(self._tasks)

    @property
    def in_cell(self) -> bool:
        """Whether its functions run in cells."""
        return self.cell.asked

    @property
    def sandbox(self) -> SandboxNamespace:
        """Makes orchestrators of this environment: ``@env.sandbox.orchestrator``."""
        from .._orchestrators.namespace import SandboxNamespace  # lazy: only orchestrators need it

        return SandboxNamespace(self)

    @overload
    def task(self, _func: Callable[P, R]) -> FunctionTask[P, R]: ...
    @overload
    def task(
        self,
        *,
        short_name: str | None = None,
        cache: CacheMode | None = None,
        retries: int = 0,
        timeout: float | datetime.timedelta | None = None,
        docs: str | None = None,
        idempotent: bool = False,
        report: bool = False,
        notify: Notify | Sequence[Notify] | None = None,
        labels: Mapping[str, str] | None = None,
        node_selector: Mapping[str, str] | None = None,
        triggers: Trigger | Sequence[Trigger] = (),
        requires_approval: bool = False,
        approval_deadline: float | datetime.timedelta | None = None,
        approval_notice: float | datetime.timedelta | None = None,
    ) -> Callable[[Callable[P, R]], FunctionTask[P, R]]: ...
    def task(
        self,
        _func: Callable[..., Any] | None = None,
        *,
        short_name: str | None = None,
        cache: CacheMode | None = None,
        retries: int = 0,
        timeout: float | datetime.timedelta | None = None,
        docs: str | None = None,
        idempotent: bool = False,
        report: bool = False,
        notify: Notify | Sequence[Notify] | None = None,
        labels: Mapping[str, str] | None = None,
        node_selector: Mapping[str, str] | None = None,
        triggers: Trigger | Sequence[Trigger] = (),
        requires_approval: bool = False,
        approval_deadline: float | datetime.timedelta | None = None,
        approval_notice: float | datetime.timedelta | None = None,
    ) -> Any:
        """Makes a task of a function, async or not.

        Args:
            short_name: Stands for the function's name.
            cache: "auto", "override" or "disable"; by default that of the environment.
            retries: Further attempts after a failed one.
            timeout: Seconds, or a timedelta, that one attempt may take.
            docs: What it does, for people and models; by default the docstring.
            idempotent: It does no harm to run it again when its outcome is unknown, as after a crash.
            report: It writes a report for people beside its output: see ``glovebox.report``.
            notify: Receivers that hear of the end of its runs.
            labels: Those of each of its runs, by which ``glovebox.runs`` finds them.
            node_selector: Labels that a node has to have to carry its runs out; see ``glovebox serve --label``.
            triggers: What starts it by time once it is deployed.
            requires_approval: A person decides before each run, and each call as a tool; see ``glovebox.approvals``.
            approval_deadline: Seconds, or a timedelta, after which a run that waits is refused.
            approval_notice: The same, after which the journal records that it still waits.

        >>> @env.task(retries=3, timeout=60)
        ... async def fetch(url: str) -> str: ...
        """
        policies = Policies(
            cache=cache_mode(self.cache if cache is None else cache),
            retries=check_retries(retries),
            timeout=timeout_ns(timeout or None),
            idempotent=idempotent,
            report=check_flag("report", report),
            notify=receivers(notify),
            labels=labels_of(labels),
            node_selector=labels_of(node_selector, "node_selector"),
            approval=approval_of(requires_approval, approval_deadline, approval_notice),
        )
        timed = triggers_of(triggers)

        def make(func: Callable[..., Any]) -> FunctionTask[..., Any]:
            name = f"{self.name}.{short_name or getattr(func, '__name__', '')}"
            made = FunctionTask(
                func, self, name=check_name(name, "task name"), policies=policies, doc=docs, triggers=timed
            )
            self._add(made)
            return made

        return make if _func is None else make(_func)

    def clone_with(
        self,
        name: str,
        image: str | Image | Literal["auto"] | None = None,
        resources: Resources | None = None,
        env_vars: dict[str, str] | None = None,
        secrets: str | Secret | Sequence[str | Secret] | None = None,
        depends_on: Sequence[Environment] | None = None,
        description: str | None = None,
        *,
        include: Sequence[str] | None = None,
        network: Network | None = None,
        preload: Sequence[str] | None = None,
        cache: CacheMode | None = None,
    ) -> TaskEnvironment:
        """Makes an environment without tasks, with the defaults of this one where None is given.

        >>> large = env.clone_with("large", resources=glovebox.Resources(memory="8Gi"))
        """
        return TaskEnvironment(
            name,
            image=_or(image, self.image),
            resources=_or(resources, self.resources),
            env_vars=_or(env_vars, self.env_vars),
            secrets=self.secrets if secrets is None else secrets,  # whose type is too wide for _or
            depends_on=_or(depends_on, self.depends_on) or (),
            description=_or(description, self.description),
            include=_or(include, self.include) or (),
            network=self.network if network is None else network,
            isolation=self.isolation,
            preload=_or(preload, self.preload),
            cache=self.cache if cache is None else cache,
        )

    @classmethod
    def from_task(
        cls, name: str, *tasks: Task[Any, Any] | TaskSource, depends_on: Sequence[Environment] | None = None
    ) -> TaskEnvironment:
        """Makes an environment of tasks, agents and generations that belong to none, to deploy them.

        >>> env = TaskEnvironment.from_task("demo", sandbox.as_task())
        """
        environment = cls(name, depends_on=depends_on or ())
        if not tasks:
            raise ValueError("from_task: expected at least one task")
        for given in tasks:
            task = given._as_task() if isinstance(given, TaskSource) else given  # pyright: ignore[reportPrivateUsage]
            if not isinstance(task, Task):
                raise TypeError(f"from_task: expected tasks, got {task!r}")
            owner = getattr(task, "environment", None)
            if isinstance(owner, TaskEnvironment) and owner.tasks.get(task.name) is task:
                raise ValueError(
                    f"from_task: {task.name} belongs to the environment {owner.name}; deploy that one, "
                    "or name it in depends_on"
                )
            environment._add(task)
        return environment

    def _add(self, task: Task[Any, Any]) -> None:
        # A later definition takes the place of an earlier one, as a function does in a module or a notebook.
        self._tasks[task.name] = task

    def __repr__(self) -> str:
        return f"TaskEnvironment({self.name!r}, tasks=[{', '.join(self._tasks)}])"


def _or(given: T | None, own: T | None) -> T | None:
    return own if given is None else given
