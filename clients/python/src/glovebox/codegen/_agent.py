"""AutoCoderAgent: what a generation is asked for with, and what it gives."""

from __future__ import annotations

import datetime
import hashlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from .._process.loop import run_async
from .._runs.run import Run, start_run
from .._tasks.image import Image, image_spec
from .._tasks.labels import labels_of
from .._tasks.notify import Notify, receivers
from .._tasks.policies import CacheMode, Policies, cache_mode, check_label
from ..agents._budget import Budget
from ..agents._callers_loop import in_callers_loop
from ..agents._granted import model_task
from ..agents._messages import LLMCallable
from ..agents._model import Model, model_of
from ..io import File
from ..io._libraries import library_of
from ..sandbox._create import create
from ._result import CodeGenEvalResult, CodePlan, CodeSolution
from ._task import PROMPT, CodegenTask

if TYPE_CHECKING:
    from .._tasks.network import Network
    from .._tasks.resources import Resources
    from .._tasks.secret import SecretRequest
    from ..sandbox._config import ImageConfig
    from ..sandbox._sandbox import Sandbox

SampleMode = Literal["rows", "masked", "schema"]

_MODES = ("rows", "masked", "schema")
_PARAMETERS = ("temperature", "max_tokens")


@dataclass
class AutoCoderAgent:
    """Has a model write one Python script for a sentence, and tests of it, which run in cells until they pass.

    The engine runs the generation: each question to the model, each image and each run of tests is a call of one run,
    so a process that dies pays for nothing twice, and the same request again is answered from the cache.

    >>> agent = glovebox.codegen.AutoCoderAgent(model="openai/gpt-5", name="sales", base_packages=["pandas"])
    >>> result = agent.generate("Sum quantity times price.", samples={"sales": frame}, outputs={"total": float})
    >>> result.run(sales=File.from_local_sync("all.csv"))

    Args:
        model: As ``model`` of ``glovebox.agents.Agent``.
        name: What it is called in lists.
        system_prompt: What the model is to be, in place of ours.
        api_key: The name of the stored secret that is its key.
        api_base: Another server that speaks as its provider does.
        litellm_params: ``temperature`` and ``max_tokens``; there are no others.
        base_packages: Python packages that are there in any case.
        resources: Of the cells of the tests.
        image_config: Of the image.
        max_iterations: How often the tests run at most.
        max_sample_rows: How many rows of a sample the model is shown.
        skip_tests: Neither writes nor runs tests.
        sandbox_retries: Further attempts of a cell that fails by itself.
        timeout: Seconds that the script, and a run of its tests, may take.
        env_vars: Environment variables of the cells of the tests.
        secrets: Stored secrets of the script. Its tests do not get them: what they print goes to the model.
        cache: ``"auto"`` answers the same request again without a question, ``"override"`` and ``"disable"`` do not.
        backend: ``"litellm"``, the loop of the engine, or ``"claude"``: Claude Code writes script and tests, in a cell
            without a network and without the key, whose questions the engine asks. Its tests run in others.
        agent_max_turns: For ``backend="claude"``: questions to the model that it asks in one go.
        sample_mode: What the model sees of samples: ``"rows"``, columns and rows as they are; ``"masked"``, rows whose
            values are made up in the same form; ``"schema"``, columns and types alone.
        candidates: Scripts that are written at the same time. The best by its tests is mended.
        budget: Its ``calls`` are questions to the model. What goes over it ends the generation without success.
        network: What the script may reach when it runs. Its tests reach nothing.
        agent_image: For ``backend="claude"``: an image that has Claude Code, Python and pytest, in place of one that is
            built.
        call_llm: Is asked in the place of the model, as that of ``glovebox.agents.Agent``.
        notify: Receivers that hear of the end of a generation.
        labels: Those of each generation, by which ``glovebox.runs`` finds it.
        node_selector: Labels that a node has to have to carry it out; see ``glovebox serve --label``.
    """

    __module__ = "glovebox.codegen"  # where users find it

    model: str | Model
    name: str = "auto-coder"
    system_prompt: str | None = None
    api_key: str | None = None
    api_base: str | None = None
    litellm_params: Mapping[str, Any] | None = None
    base_packages: Sequence[str] | None = None
    resources: Resources | None = None
    image_config: ImageConfig | None = None
    max_iterations: int = 10
    max_sample_rows: int = 100
    skip_tests: bool = False
    sandbox_retries: int = 0
    timeout: float | datetime.timedelta | None = None
    env_vars: Mapping[str, str] | None = None
    secrets: SecretRequest | None = None
    cache: CacheMode = "auto"
    backend: Literal["litellm", "claude"] = "litellm"
    agent_max_turns: int = 50
    sample_mode: SampleMode = field(default="rows", kw_only=True)
    candidates: int = field(default=1, kw_only=True)
    budget: Budget | None = field(default=None, kw_only=True)
    network: Network | None = field(default=None, kw_only=True)
    agent_image: str | Image | None = field(default=None, kw_only=True)
    call_llm: LLMCallable | None = field(default=None, kw_only=True)
    notify: Notify | Sequence[Notify] | None = field(default=None, kw_only=True)
    labels: Mapping[str, str] | None = field(default=None, kw_only=True)
    node_selector: Mapping[str, str] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        check_label(self.name, "name")
        if self.backend not in ("litellm", "claude"):
            raise ValueError(f'backend: expected "litellm" or "claude", got {self.backend!r}')
        if self.sample_mode not in _MODES:
            raise ValueError(f'sample_mode: expected "rows", "masked" or "schema", got {self.sample_mode!r}')
        if self.backend == "claude" and self.call_llm is not None:
            raise ValueError(
                'call_llm: backend="claude" asks its model itself; name that, with api_base for another server'
            )
        bounds = {"max_iterations": 100, "max_sample_rows": 1000, "candidates": 16, "agent_max_turns": 1000}
        for name, most in bounds.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                raise ValueError(f"{name}: expected 1 to {most}, got {value!r}")
        if self.budget is not None and not isinstance(self.budget, Budget):
            raise TypeError(f"budget: expected a Budget, got {self.budget!r}")
        for name in self.litellm_params or {}:
            if name not in _PARAMETERS:
                raise ValueError(f"litellm_params: there is no {name!r}, expected {' or '.join(_PARAMETERS)}")
        self.cache = cache_mode(self.cache)

    def _named_model(self) -> Model | str:
        """Returns the model, whose name has to say whose it is by now."""
        if self.call_llm is not None or isinstance(self.model, Model):
            return self.model
        if self.backend == "claude":
            name = self.model.removeprefix("anthropic/")
            return Model("anthropic", name, base_url=self.api_base or "", api_key=self.api_key or "ANTHROPIC_API_KEY")
        if self.api_base is not None:
            protocol, _, name = self.model.partition("/")
            if protocol == "anthropic" and name:
                return Model("anthropic", name, base_url=self.api_base, api_key=self.api_key)
            name = name if protocol == "openai" and name else self.model
            return Model("openai", name, base_url=self.api_base, api_key=self.api_key)
        made = model_of(self.model)
        return made if self.api_key is None else Model(made.protocol, made.name, api_key=self.api_key)

    async def _generate(
        self,
        prompt: str,
        schema: str | None = None,
        constraints: Sequence[str] | None = None,
        samples: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
        outputs: Mapping[str, Any] | None = None,
    ) -> CodeGenEvalResult:
        """Has the model write a script; ``await agent.generate.aio(...)`` does not block.

        Args:
            prompt: What the script shall do.
            schema: Words about formats and structures.
            constraints: What it holds to, each in a sentence.
            samples: Files, paths and data frames by name. Each is an input of the script, of type ``File``; a data
                frame becomes a CSV. ``run`` of the result uses them unless it is given others.
            inputs: Types of further inputs by name, as those of ``sandbox.create``.
            outputs: The same for outputs.

        Raises:
            ValueError: Something cannot be what it is. The message names it.
            ModelUnavailableError, InvalidPackageError and others of ``glovebox.errors``: what the generation needs
                is not there. That no tests pass is no error: ``success`` of the result is False.
        """
        files = {name: await _file(name, sample) for name, sample in (samples or {}).items()}
        script = self._script({**dict.fromkeys(files, File), **(inputs or {})}, outputs)
        task = self._task(script, schema, constraints, list(files))
        run: Run[Any] = await run_async(start_run(task, (), {PROMPT: prompt, **files}))
        made: dict[str, Any] = (await run.outputs.aio())[0]
        return self._result(made, run, script, files)

    generate = in_callers_loop(_generate)

    def _script(self, inputs: Mapping[str, Any], outputs: Mapping[str, Any] | None) -> Sandbox:
        if PROMPT in inputs:
            raise ValueError(f"{PROMPT!r} cannot be the name of an input or a sample: it is that of the prompt")
        try:
            return create(
                name="script",
                code="pass",  # the model writes it
                inputs=inputs,
                outputs=outputs,
                auto_io=False,
                packages=list(self.base_packages or ()),
                resources=self.resources,
                image_config=self.image_config,
                retries=self.sandbox_retries,
                timeout=self.timeout,
                env_vars=self.env_vars,
                secrets=self.secrets,
                cache="auto" if self.cache == "override" else self.cache,
                network=self.network,
            )
        except TypeError as error:
            raise ValueError(str(error)) from None

    def _task(
        self, script: Sandbox, schema: str | None, constraints: Sequence[str] | None, samples: list[str]
    ) -> CodegenTask:
        if isinstance(constraints, str):
            raise TypeError("constraints: expected a list of sentences, got one str")
        members = {
            "instructions": self.system_prompt,
            "schema": schema,
            "constraints": list(constraints or ()),
            "samples": self.sample_mode,
            "sample_rows": self.max_sample_rows,
            "skip_tests": self.skip_tests,
            "max_iterations": self.max_iterations,
            "candidates": self.candidates,
            "budget": self.budget.definition() if self.budget else None,
            **(self.litellm_params or {}),
        }
        if self.backend == "claude":
            members |= {"backend": "claude", "agent_turns": self.agent_max_turns}
            members["agent_image"] = None if self.agent_image is None else image_spec(self.agent_image)
        return CodegenTask(
            self.name,
            model=model_task(self._named_model(), self.call_llm),
            script=script,
            samples=samples,
            members={name: value for name, value in members.items() if value not in (None, [], {}, False)},
            policies=Policies(
                cache=self.cache,
                notify=receivers(self.notify),
                labels=labels_of(self.labels),
                node_selector=labels_of(self.node_selector, "node_selector"),
            ),
        )

    def _result(
        self, made: dict[str, Any], run: Run[Any], script: Sandbox, files: dict[str, File[Any]]
    ) -> CodeGenEvalResult:
        plan, usage, image = made["plan"], made["usage"], made["image"]
        system = list(made.get("system_packages", ()))
        result = CodeGenEvalResult(
            plan=CodePlan(str(plan["description"]), str(plan["approach"])),
            solution=CodeSolution(code=str(made["code"]), system_packages=system),
            tests=made.get("tests"),
            success=bool(made["success"]),
            output=str(made.get("output", "")),
            exit_code=int(made["exit_code"]),
            error=made.get("error"),
            attempts=int(made["attempts"]),
            detected_packages=list(made.get("packages", ())),
            detected_system_packages=system,
            image=image_name(image) if made["code"] else None,
            total_input_tokens=int(usage["input_tokens"]),
            total_output_tokens=int(usage["output_tokens"]),
            declared_inputs=dict(script.inputs),
            declared_outputs=dict(script.outputs),
            data_context=made.get("context"),
            original_samples=files or None,
            generated_schemas=made.get("schemas"),
            report=str(made["report"]),
            cost_usd=float(usage.get("cost_usd", 0.0)),
        )
        result.generation = run
        result._image = image  # pyright: ignore[reportPrivateUsage]
        result._image_config = self.image_config  # pyright: ignore[reportPrivateUsage]
        result._network = self.network  # pyright: ignore[reportPrivateUsage]
        return result


def image_name(image: Mapping[str, Any]) -> str:
    """Returns a name that is the same for the same packages, in whatever order."""
    named = [sorted(image.get("packages", ())), sorted(image.get("system_packages", ())), image.get("python")]
    return "auto-coder-agent-python-" + hashlib.sha256(json.dumps(named).encode()).hexdigest()[:12]


async def _file(name: str, sample: Any) -> File[Any]:
    """Returns a sample as a file: data frames become CSV."""
    if isinstance(sample, File):
        return sample  # pyright: ignore[reportUnknownVariableType]
    if isinstance(sample, (str, Path)):
        return await File[Any].from_local(sample)
    library = library_of(sample)
    if library not in ("pandas", "polars"):
        raise ValueError(
            f"Unsupported sample type for '{name}': {type(sample)}. "
            "Supported: File, a path, DataFrame of pandas or polars."
        )
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / f"{name}.csv"
        if library == "pandas":
            sample.to_csv(path, index=False)
        else:
            sample.write_csv(path)
        return await File[Any].from_local(path)
