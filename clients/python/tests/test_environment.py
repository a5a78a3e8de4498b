"""Environments, and the interfaces of the tasks in them. No engine is needed."""

from __future__ import annotations

import inspect
from typing import Any, TypeAlias

import pytest

import glovebox
from glovebox import Resources, TaskEnvironment
from glovebox.sandbox import orchestrator_from_str


def add(x: int, y: int = 2) -> int:
    return x + y


def untyped(x):  # type: ignore[no-untyped-def]
    return x


def silent(x: list[int]) -> None:
    del x


def test_a_clone_has_what_is_not_given_of_the_original_and_no_tasks() -> None:
    base = TaskEnvironment(name="base", description="d")
    env = TaskEnvironment(
        name="env", image="python:3.12", env_vars={"A": "1"}, network="public", cache="auto", depends_on=[base]
    )
    env.task(add)
    clone = env.clone_with("clone", resources=Resources(memory="8Gi"), env_vars={"B": "2"})
    assert (clone.name, clone.tasks, clone.in_cell) == ("clone", {}, True)
    assert (clone.image, clone.cache, clone.depends_on) == ("python:3.12", "auto", (base,))
    assert clone.cell.members["network"] == {"public": True}
    assert clone.cell.members["env"] == {"B": "2"}
    assert clone.cell.members["resources"]["memory"] == 8 << 30
    assert env.cell.members["env"] == {"A": "1"} and env.resources is None


def test_a_clone_of_an_environment_without_a_cell_has_none() -> None:
    assert not TaskEnvironment(name="env").clone_with("clone").in_cell


def test_an_environment_does_not_depend_on_itself() -> None:
    env = TaskEnvironment(name="env")
    with pytest.raises(ValueError, match="Cannot add self as a dependency: env"):
        env.add_dependency(env)


def test_a_task_belongs_to_one_environment() -> None:
    env = TaskEnvironment(name="env")
    task = env.task(add)
    with pytest.raises(ValueError, match=r"from_task: env.add belongs to the environment env"):
        TaskEnvironment.from_task("other", task)
    # code in a string has the defaults of the environment, and does not belong to it
    code = env.sandbox.orchestrator("1")
    assert list(TaskEnvironment.from_task("other", code, depends_on=None).tasks) == ["sandboxed-code"]


def test_variables_of_a_sandbox_are_a_dict() -> None:
    bad: Any = ["A"]
    with pytest.raises(TypeError, match=r"env_vars: expected a dict, got \['A'\]"):
        glovebox.sandbox.create(code="y = 1", env_vars=bad)


def test_the_function_of_an_orchestrator_has_no_keyword() -> None:
    env: Any = TaskEnvironment(name="env")
    with pytest.raises(TypeError, match="_func_or_source"):
        env.sandbox.orchestrator(_func_or_source=add)


@pytest.mark.parametrize("kind", ["function", "orchestrator"])
def test_the_interface_of_a_function_has_its_annotations_and_defaults(kind: str) -> None:
    env = TaskEnvironment(name="env")
    made: Any = env.task if kind == "function" else env.sandbox.orchestrator
    interface = made(add).interface
    assert interface.inputs == {"x": (int, inspect.Parameter.empty), "y": (int, 2)}
    assert interface.outputs == {"o0": int}
    assert interface.required_inputs() == ["x"]
    assert made(untyped).interface.inputs["x"][0] is Any
    assert made(untyped).interface.outputs == {"o0": Any}
    assert made(silent).interface.inputs == {"x": (list[int], inspect.Parameter.empty)}
    assert made(silent).interface.outputs == {}


def test_the_interface_of_an_annotation_that_only_the_caller_knows() -> None:
    Number: TypeAlias = int  # no closure has it

    def local(x: Number) -> Number:
        return x

    assert TaskEnvironment(name="env").task(local).interface.outputs == {"o0": int}


def test_the_interface_of_code_has_the_types_that_were_given() -> None:
    made = orchestrator_from_str("x", inputs={"x": int}, output=list[int])
    assert (made.interface.inputs, made.interface.outputs) == ({"x": (int, inspect.Parameter.empty)}, {"o0": list[int]})
    assert orchestrator_from_str("x", inputs={"x": int}).interface.outputs == {}
