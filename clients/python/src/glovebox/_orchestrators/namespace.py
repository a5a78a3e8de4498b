"""What ``env.sandbox`` offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

from .._tasks.labels import labels_of
from .._tasks.notify import receivers
from .._tasks.policies import CacheMode, Policies, cache_mode, check_concurrent, check_priority, check_retries
from .limits import SandboxedConfig
from .orchestrator import NONE_TYPE, CodeTaskTemplate, SandboxedTaskTemplate

if TYPE_CHECKING:
    from .._tasks.environment import TaskEnvironment
    from .._tasks.notify import Notify
    from .limits import Clock, Dialect, Randomness
    from .orchestrator import NONE_TYPE, CodeTaskTemplate, SandboxedTaskTemplate

P = ParamSpec("P")
R = TypeVar("R")


class SandboxNamespace:
    """Makes orchestrators that belong to an environment."""

    def __init__(self, environment: TaskEnvironment) -> None:
        self._environment = environment

    @overload
    def orchestrator(self, _func_or_source: Callable[P, R], /) -> SandboxedTaskTemplate[P, R]: ...
    @overload
    def orchestrator(
        self,
        _func_or_source: str,
        /,
        *,
        tasks: Sequence[Any] | Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
        output: Any = ...,
        timeout_ms: int = 30_000,
        max_memory: int = 50 * 1024 * 1024,
        max_stack_depth: int = 256,
        type_check: bool = True,
        name: str | None = None,
        cache: CacheMode | None = None,
        retries: int = 0,
        dialect: Dialect = "strict",
        clock: Clock | None = None,
        random: Randomness | None = None,
        check: bool = True,
        notify: Notify | Sequence[Notify] | None = None,
        labels: Mapping[str, str] | None = None,
        node_selector: Mapping[str, str] | None = None,
        priority: int = 0,
        max_concurrent: int | None = None,
    ) -> CodeTaskTemplate: ...
    @overload
    def orchestrator(
        self,
        /,
        *,
        timeout_ms: int = 30_000,
        max_memory: int = 50 * 1024 * 1024,
        max_stack_depth: int = 256,
        type_check: bool = True,
        name: str | None = None,
        cache: CacheMode | None = None,
        retries: int = 0,
        dialect: Dialect = "strict",
        clock: Clock | None = None,
        random: Randomness | None = None,
        check: bool = True,
        notify: Notify | Sequence[Notify] | None = None,
        labels: Mapping[str, str] | None = None,
        node_selector: Mapping[str, str] | None = None,
        priority: int = 0,
        max_concurrent: int | None = None,
    ) -> Callable[[Callable[P, R]], SandboxedTaskTemplate[P, R]]: ...
    def orchestrator(
        self,
        _func_or_source: Any = None,
        /,
        *,
        tasks: Sequence[Any] | Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
        output: Any = NONE_TYPE,
        timeout_ms: int = 30_000,
        max_memory: int = 50 * 1024 * 1024,
        max_stack_depth: int = 256,
        type_check: bool = True,
        name: str | None = None,
        cache: CacheMode | None = None,
        retries: int = 0,
        dialect: Dialect = "strict",
        clock: Clock | None = None,
        random: Randomness | None = None,
        check: bool = True,
        notify: Notify | Sequence[Notify] | None = None,
        labels: Mapping[str, str] | None = None,
        node_selector: Mapping[str, str] | None = None,
        priority: int = 0,
        max_concurrent: int | None = None,
    ) -> Any:
        """Makes an orchestrator: restricted Python that calls tools, and can do nothing else.

        It is a decorator, bare or with keywords, or takes code in a string,
        whose last expression is the result.

        >>> @env.sandbox.orchestrator
        ... def pipeline(n: int) -> int:
        ...     return add(fib(n), 1)
        >>> @env.sandbox.orchestrator(timeout_ms=5000, max_memory=10 * 1024 * 1024)
        ... def light(x: int) -> int:
        ...     return x + 1
        >>> total = env.sandbox.orchestrator("add(x, y)", inputs={"x": int, "y": int}, output=int, tasks=[add])

        Args:
            tasks: What code in a string may call. A function calls what its names stand for.
            inputs: The types of the inputs of code in a string, by name.
            output: The type of the result of code in a string; by default it has none.
            timeout_ms: Milliseconds of execution; waiting for tools does not count.
            max_memory: Bytes of the values that are alive.
            max_stack_depth: How deep calls may be nested.
            type_check: Hold inputs and output to their declared types.
            name: Of the task; by default ``ENVIRONMENT.FUNCTION``, and ``sandboxed-code`` of a string.
            cache: "auto", "override" or "disable"; by default that of the environment.
            retries: Further attempts after a failed one.
            dialect: ``"extended"`` allows most of Python, ``"strict"`` what ``ORCHESTRATOR_SYNTAX_PROMPT`` says.
            clock: Which clock the code can read: by default none, ``"real"``, or a ``datetime`` at which a fixed one
                begins. Sleeping takes real time; with a fixed clock, or with ``"virtual"``, it takes none.
            random: Which randomness it has: by default none, ``"real"``, or the int that seeds it.
            check: Refuse to start code that would fail, as far as that can be found without running it.
            notify: Receivers that hear of the end of its runs.
            labels: Those of each of its runs, by which ``glovebox.runs`` finds them.
            node_selector: Labels that a node has to have to carry its runs out; see ``glovebox serve --label``.
            priority: That of its runs among those that wait, from -10 to 10: the higher is first. Each step is worth
                30 seconds of waiting.
            max_concurrent: How many of its runs work at the same time, on all nodes together. None is any number.
        """
        config = SandboxedConfig(max_memory, max_stack_depth, timeout_ms, type_check, dialect, clock, random, check)
        mode = cache_mode(self._environment.cache if cache is None else cache)
        policies = Policies(
            cache=mode,
            retries=check_retries(retries),
            notify=receivers(notify),
            labels=labels_of(labels),
            node_selector=labels_of(node_selector, "node_selector"),
            priority=check_priority(priority),
            max_concurrent=check_concurrent(max_concurrent),
        )
        if isinstance(_func_or_source, str):
            return CodeTaskTemplate(
                _func_or_source,
                inputs=inputs or {},
                output=output,
                tasks=tasks,
                name=name or "sandboxed-code",
                plugin_config=config,
                policies=policies,
                environment=self._environment,
            )
        if tasks is not None or inputs is not None or output is not NONE_TYPE:
            raise TypeError(
                "orchestrator(): tasks, inputs and output are for code in a string; a function declares them by its "
                "annotations, and calls what its names stand for"
            )

        def make(func: Callable[..., Any]) -> SandboxedTaskTemplate[..., Any]:
            return self._made(func, name, config, policies)

        if _func_or_source is None:
            return make
        if not callable(_func_or_source):
            raise TypeError(
                f"orchestrator() expects a callable, string, or keyword arguments, got {type(_func_or_source)}"
            )
        return make(_func_or_source)

    def _made(
        self, func: Callable[..., Any], name: str | None, config: Any, policies: Policies
    ) -> SandboxedTaskTemplate[..., Any]:
        name = name or f"{self._environment.name}.{getattr(func, '__name__', '')}"
        made = SandboxedTaskTemplate(
            func, name=name, plugin_config=config, policies=policies, environment=self._environment
        )
        self._environment._add(made)  # pyright: ignore[reportPrivateUsage]
        return made

    def __repr__(self) -> str:
        return f"<sandbox of {self._environment!r}>"
