"""Code generation: what it is asked for with, and what the engine gets of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

import engines
import glovebox.codegen
from glovebox import Resources
from glovebox._link.current import current_engine
from glovebox._process.loop import run_sync
from glovebox.codegen import (
    AutoCoderAgent,
    Budget,
    CodeGenEvalResult,
    CodePlan,
    CodeSolution,
    ImageConfig,
    Model,
    Price,
)
from glovebox.codegen._agent import image_name
from glovebox.io import Dir, File


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with engines.engine("child", tmp_path_factory.mktemp("home")):
        yield


def definition(agent: AutoCoderAgent, samples: tuple[str, ...] = (), **given: Any) -> dict[str, Any]:
    async def made() -> dict[str, Any]:
        inputs = {**dict.fromkeys(samples, File), **given.pop("inputs", {})}
        script = agent._script(inputs, given.pop("outputs", None))
        task = agent._task(script, given.pop("schema", None), given.pop("constraints", None), list(samples))
        return await task._definition(await current_engine())

    return run_sync(made())


def result(**given: Any) -> CodeGenEvalResult:
    whole: dict[str, Any] = {"solution": CodeSolution(code="pass"), "success": True, "output": "ok", "exit_code": 0}
    return CodeGenEvalResult(**{**whole, "image": "i", **given})


class TestAgents:
    def test_a_model_is_all_that_it_needs(self) -> None:
        made = definition(AutoCoderAgent(model="gpt-4.1"))
        assert (made["name"], made["kind"], made["cache"]) == ("auto-coder", "codegen", "auto")
        model = made["codegen"]["model"]
        assert (model["kind"], model["model"]) == (
            "model",
            {"protocol": "openai", "name": "gpt-4.1", "key": "OPENAI_API_KEY"},
        )
        assert made["codegen"]["max_iterations"] == 10
        assert made["codegen"]["sample_rows"] == 100
        assert "instructions" not in made["codegen"]
        with pytest.raises(TypeError, match="model"):
            cast(Any, AutoCoderAgent)()

    def test_everything(self) -> None:
        agent = AutoCoderAgent(
            model=Model("openai", "m", base_url="http://localhost:1/v1", price=Price(1, 2)),
            name="all of it",
            system_prompt="Be short.",
            litellm_params={"temperature": 0.2, "max_tokens": 4096},
            base_packages=["numpy"],
            resources=Resources(cpu=2, memory="512Mi"),
            image_config=ImageConfig(python_version=(3, 11)),
            max_iterations=5,
            max_sample_rows=30,
            skip_tests=True,
            sandbox_retries=2,
            timeout=600,
            env_vars={"A": "b"},
            secrets=["key"],
            cache="disable",
            sample_mode="schema",
            candidates=3,
            budget=Budget(calls=9, cost_usd=1),
            network="public",
        )
        made = definition(
            agent,
            ("sales",),
            inputs={"least": float, "there": bool},
            outputs={"a.csv": File, "d": Dir, "n": int},
            schema="words",
            constraints=["n > 0"],
        )
        assert [p["name"] for p in made["signature"]["inputs"]] == ["prompt", "sales"]
        assert made["cache"] == "disable"
        spec = made["codegen"]
        script = spec.pop("script")
        spec.pop("model")
        assert spec == {
            "instructions": "Be short.",
            "schema": "words",
            "constraints": ["n > 0"],
            "samples": "schema",
            "sample_rows": 30,
            "skip_tests": True,
            "max_iterations": 5,
            "candidates": 3,
            "budget": {"calls": 9, "cost_usd": 1},
            "temperature": 0.2,
            "max_tokens": 4096,
        }
        assert [p["name"] for p in script["signature"]["inputs"]] == ["sales", "least", "there"]
        assert [p["name"] for p in script["signature"]["outputs"]] == ["a.csv", "d", "n"]
        assert (script["image"]["packages"], script["image"]["python"]) == (["numpy"], "3.11")
        assert (script["env"], script["retries"], script["timeout_ns"]) == ({"A": "b"}, 2, 600_000_000_000)
        assert "code" not in script
        assert "name" not in script["image"]
        assert script["network"] == {"public": True}

    def test_another_server_gets_no_key_unasked(self) -> None:
        made = definition(AutoCoderAgent(model="qwen3", api_base="http://localhost:1/v1"))["codegen"]["model"]["model"]
        assert made == {"protocol": "openai", "name": "qwen3", "base_url": "http://localhost:1/v1"}
        made = definition(AutoCoderAgent(model="anthropic/x", api_base="http://h", api_key="mine"))["codegen"]["model"]
        assert made["model"] == {"protocol": "anthropic", "name": "x", "base_url": "http://h", "key": "mine"}
        assert definition(AutoCoderAgent(model="gpt-5", api_key="mine"))["codegen"]["model"]["model"]["key"] == "mine"

    @pytest.mark.parametrize(
        ("given", "words"),
        [
            ({"backend": "gemini"}, 'expected "litellm" or "claude"'),
            ({"sample_mode": "all"}, "sample_mode"),
            ({"max_iterations": 0}, "max_iterations"),
            ({"candidates": 17}, "candidates"),
            ({"max_sample_rows": True}, "max_sample_rows"),
            ({"agent_max_turns": 0}, "agent_max_turns"),
            ({"litellm_params": {"top_k": 1}}, "top_k"),
            ({"cache": "sometimes"}, "cache"),
        ],
    )
    def test_what_cannot_be_is_refused(self, given: dict[str, Any], words: str) -> None:
        with pytest.raises(ValueError, match=words):
            AutoCoderAgent(**{"model": "gpt-5", **given})

    @pytest.mark.parametrize(
        ("given", "words"), [({"model": "qwen3"}, "base_url"), ({"api_key": "sk-secret-123"}, "secret set NAME")]
    )
    def test_a_model_that_cannot_be_asked_is_refused(self, given: dict[str, Any], words: str) -> None:
        with pytest.raises(ValueError, match=words) as caught:
            AutoCoderAgent(**{"model": "gpt-5", **given}).generate("Do it.")
        assert "sk-secret" not in str(caught.value)

    def test_claude_code_has_a_model_and_its_key(self) -> None:
        made = definition(
            AutoCoderAgent(
                model="anything", backend="claude", agent_max_turns=7, agent_image="registry.example.com/claude:1"
            )
        )["codegen"]
        assert made["model"]["model"] == {"protocol": "anthropic", "name": "anything", "key": "ANTHROPIC_API_KEY"}
        assert (made["backend"], made["agent_turns"]) == ("claude", 7)
        assert made["agent_image"] == {"ref": "registry.example.com/claude:1"}
        assert "backend" not in definition(AutoCoderAgent(model="gpt-5"))["codegen"]

    def test_claude_code_asks_no_function(self) -> None:
        with pytest.raises(ValueError, match="call_llm"):
            AutoCoderAgent(model="m", backend="claude", call_llm=cast(Any, lambda *asked: ""))

    @pytest.mark.parametrize(
        ("given", "words"),
        [
            ({"inputs": {"x": object}}, "Unsupported input type for 'x'"),
            ({"outputs": {"y": object}}, "Unsupported output type for 'y'"),
            ({"samples": {"s": 7}}, "Unsupported sample type for 's'"),
            ({"inputs": {"prompt": str}}, "prompt"),
        ],
    )
    def test_what_a_generation_refuses(self, given: dict[str, Any], words: str) -> None:
        with pytest.raises(ValueError, match=words):
            AutoCoderAgent(model="gpt-5").generate("Do it.", **given)

    def test_a_string_is_no_list_of_constraints(self) -> None:
        with pytest.raises(TypeError, match="list of sentences"):
            AutoCoderAgent(model="gpt-5").generate("Do it.", constraints="n > 0")

    def test_a_model_that_fails_raises(self) -> None:
        def fails(*asked: Any) -> str:
            raise RuntimeError("no model today")

        with pytest.raises(Exception, match="no model today"):
            AutoCoderAgent(model="scripted", call_llm=cast(Any, fails)).generate("Do it.")

    def test_no_success_is_a_result(self) -> None:
        def talks(model: str, system: str, messages: list[Any], tools: Any) -> str:
            return "I would rather talk."

        agent = AutoCoderAgent(model="scripted", call_llm=cast(Any, talks))
        made = asyncio.run(agent.generate.aio("Do it."))
        assert (made.success, made.image, made.exit_code, made.attempts) == (False, None, -1, 0)
        assert "no answer of the form" in str(made.error)
        assert "No success" in made.report
        assert made.generation is not None
        assert len(made.generation.calls()) == 3

    def test_a_budget_ends_it(self) -> None:
        plan = json.dumps({"description": "d", "approach": "a"})
        agent = AutoCoderAgent(model="scripted", call_llm=cast(Any, lambda *asked: plan), budget=Budget(calls=1))
        assert "budget of 1 questions" in str(agent.generate("Do it.").error)


class TestResults:
    def test_languages_are_spelled_in_one_way(self) -> None:
        assert CodeSolution(language="  Python ").language == "python"
        assert CodeSolution() == CodeSolution("python", "", [])

    def test_defaults(self) -> None:
        made = CodeGenEvalResult(solution=CodeSolution(), success=False, output="", exit_code=1)
        assert (made.plan, made.tests, made.error, made.attempts, made.image) == (None, None, None, 1, None)
        assert (made.conversation_history, made.detected_packages, made.report) == ([], [], "")

    @pytest.mark.parametrize("image", ["i", None])
    def test_nothing_runs_without_success(self, image: str | None) -> None:
        failed = result(success=False, image=image, error="no tests pass")
        with pytest.raises(ValueError, match="Cannot create task from failed code generation: no tests pass"):
            failed.as_task()
        with pytest.raises(ValueError, match="Cannot run failed"):
            failed.run()

    def test_nothing_runs_without_an_image(self) -> None:
        with pytest.raises(ValueError, match="No image available"):
            result(image=None).as_task()
        with pytest.raises(ValueError, match="No image available"):
            result(image=None).run()

    def test_a_task_can_be_called(self) -> None:
        task = result(declared_inputs={"x": int}, declared_outputs={"y": int}).as_task()
        assert callable(task)
        assert callable(task.aio)

    def test_the_sandbox_has_the_packages(self) -> None:
        made = result(declared_outputs={"y": int})
        made._image = {"packages": ["numpy", "pytest"], "system_packages": ["libgl1"]}
        box = made.sandbox("n", retries=3, timeout=600)
        assert (box.packages, box.system_packages) == (["numpy", "pytest"], ["libgl1"])
        assert (box.image, box.image_name) == (None, "i")
        assert made.requirements == ["numpy"]

    def test_the_name_of_an_image_does_not_depend_on_order(self) -> None:
        one, other = ({"packages": p, "system_packages": []} for p in (["b", "a"], ["a", "b"]))
        assert image_name(one) == image_name(other)
        assert image_name(one) != image_name({"packages": ["a"]})
        assert image_name(one).startswith("auto-coder-agent-python-")

    def test_a_plan(self) -> None:
        assert CodePlan("d", "a").description == "d"


def test_names() -> None:
    assert all(getattr(glovebox.codegen, name) for name in dir(glovebox.codegen))
    assert Path(glovebox.codegen.__file__).name == "__init__.py"
