"""What came of a generation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict

from .._process.loop import Syncified, syncify, syncify_method
from ..sandbox._create import create

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._runs.run import Run
    from .._tasks.network import Network
    from .._tasks.policies import CacheMode
    from .._tasks.resources import Resources
    from .._tasks.secret import SecretRequest
    from ..io import File
    from ..sandbox._config import ImageConfig
    from ..sandbox._sandbox import Sandbox

NAME = "run_code_on_real_data"


class ScriptOptions(TypedDict, total=False):
    """How a script is run: as a task of ``glovebox.sandbox.create`` with the same names."""

    resources: Resources | None
    retries: int
    timeout: float | None
    env_vars: Mapping[str, str] | None
    secrets: SecretRequest | None
    cache: CacheMode


@dataclass
class CodePlan:
    """How the model means to solve it."""

    __module__ = "glovebox.codegen"  # where users find it

    description: str
    approach: str


@dataclass
class CodeSolution:
    """The script: its language, which is Python, its code, and the Debian packages that it needs."""

    __module__ = "glovebox.codegen"  # where users find it

    language: str = "python"
    code: str = ""
    system_packages: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.language = self.language.strip().lower()


@dataclass
class CodeGenEvalResult:
    """What came of a generation: ``success`` says whether there is a script whose tests pass, else ``error`` why not.

    Args:
        solution: The script.
        success: Whether its tests pass; with ``skip_tests``, whether there is one.
        output: The end of what the tests printed.
        exit_code: Their status, -1 if they did not run.
        plan: How the model meant to solve it.
        tests: The tests, for pytest.
        error: Why there was no success.
        attempts: How often the tests ran.
        conversation_history: Stays empty: the questions and answers are calls of ``generation``.
        detected_packages: Python packages that the script needs beside ``base_packages``.
        detected_system_packages: Debian packages that it needs.
        image: A name of the image that has all of these. ``run`` and ``as_task`` use it.
        total_input_tokens, total_output_tokens: Of all questions to the model.
        declared_inputs, declared_outputs: What the script takes and gives.
        data_context: What the model heard of the samples.
        original_samples: The samples, which ``run`` uses where nothing else is given.
        generated_schemas: The samples that are tables, as code of Pandera.
        report: The whole generation for people, in Markdown: prompt, plan, attempts with their diffs, tests, costs.
        cost_usd: Of the questions to the model, if its price is known.
    """

    __module__ = "glovebox.codegen"  # where users find it

    solution: CodeSolution
    success: bool
    output: str
    exit_code: int
    plan: CodePlan | None = None
    tests: str | None = None
    error: str | None = None
    attempts: int = 1
    conversation_history: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    detected_packages: list[str] = field(default_factory=list[str])
    detected_system_packages: list[str] = field(default_factory=list[str])
    image: str | None = None
    total_input_tokens: int = 0
    total_output_tokens: int = 0
    declared_inputs: dict[str, Any] | None = None
    declared_outputs: dict[str, Any] | None = None
    data_context: str | None = None
    original_samples: dict[str, File[Any]] | None = None
    generated_schemas: dict[str, str] | None = None
    report: str = field(default="", repr=False)
    cost_usd: float = 0.0

    def __post_init__(self) -> None:
        self.generation: Run[Any] | None = None
        self._image: dict[str, Any] | None = None  # as the engine knows it
        self._image_config: ImageConfig | None = None
        self._network: Network | None = None

    @property
    def requirements(self) -> list[str]:
        """All Python packages that the script needs."""
        return [package for package in (self._image or {}).get("packages", ()) if package != "pytest"]

    def sandbox(
        self,
        name: str = NAME,
        *,
        network: Network | None = None,
        **options: Unpack[ScriptOptions],
    ) -> Sandbox:
        """Returns the script as a sandbox, which can be called, deployed, and granted as a tool.

        Its options are those of ``as_task``.

        >>> result.sandbox("summarize").as_task()
        """
        self._check("create task from")
        image, built = self._image or {}, self._image is not None
        return create(
            name=name,
            code=self.solution.code,
            inputs=self.declared_inputs or {},
            outputs=self.declared_outputs or {},
            auto_io=False,
            packages=image.get("packages", ()),
            system_packages=image.get("system_packages", ()),
            additional_commands=image.get("commands", ()),
            image_name=self.image if built else None,
            image=None if built else self.image,
            image_config=self._image_config,
            network=network or self._network,
            **options,
        )

    def as_task(
        self,
        name: str = NAME,
        resources: Resources | None = None,
        retries: int = 0,
        timeout: float | None = None,
        env_vars: Mapping[str, str] | None = None,
        secrets: SecretRequest | None = None,
        cache: CacheMode = "auto",
    ) -> Syncified[..., Any]:
        """Returns a function that runs the script in a cell, for data that the model never saw.

        It takes the declared inputs by name; a sample stands for one that is not given. ``await task.aio(...)`` does
        not block. Its result is the output, several as a tuple.

        >>> task = result.as_task(name="summarize")
        >>> total, rows = task(sales=File.from_local_sync("all.csv"))
        """
        sandbox = self.sandbox(
            name,
            resources=resources,
            retries=retries,
            timeout=timeout,
            env_vars=env_vars,
            secrets=secrets,
            cache=cache,
        )
        samples = dict(self.original_samples or {})

        async def task(**inputs: Any) -> Any:
            """Runs the script."""
            return await sandbox.run.aio(**{**samples, **inputs})

        return syncify(task)

    @syncify_method
    async def run(
        self,
        /,
        *,
        name: str = NAME,
        resources: Resources | None = None,
        retries: int = 0,
        timeout: float | None = None,
        env_vars: Mapping[str, str] | None = None,
        secrets: SecretRequest | None = None,
        cache: CacheMode = "auto",
        **overrides: Any,
    ) -> Any:
        """Runs the script once in a cell, on the samples unless other inputs are given.

        >>> result.run(sales=File.from_local_sync("all.csv"))
        """
        self._check("run")
        task = self.as_task(name, resources, retries, timeout, env_vars, secrets, cache)
        return await task.aio(**overrides)

    def _check(self, doing: str) -> None:
        if not self.success:
            raise ValueError(f"Cannot {doing} failed code generation{f': {self.error}' if self.error else ''}")
        if not self.image:
            raise ValueError("No image available - code generation did not build an image")
