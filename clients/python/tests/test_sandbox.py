"""sandbox.create: what is refused, what the engine is told, names and images. No engine is needed."""

from __future__ import annotations

import asyncio
import datetime
import inspect
import re
import sys
from pathlib import Path
from typing import Any, Optional, Union

import pytest

import glovebox
from glovebox import Image, Resources, Secret, sandbox
from glovebox.io import DataFrame, Dir, File
from glovebox.sandbox import ImageConfig, SandboxTask, create

NO_ENGINE: Any = None  # of definitions that need none


def told(made: sandbox.Sandbox, image: str | None = None) -> dict[str, Any]:
    """Returns the task as the engine is told."""
    return asyncio.run(made._task(image)._definition(NO_ENGINE))


class Engine:
    """Stands for an engine that keeps blobs and builds images."""

    def __init__(self) -> None:
        self.blobs: list[bytes] = []
        self.built: list[Any] = []

    async def put_blob(self, source: bytes | Path) -> tuple[str, int]:
        assert isinstance(source, bytes)
        self.blobs.append(source)
        return "0" * 64, len(source)

    async def build_image(self, spec: Any, progress: Any = None) -> dict[str, Any]:
        self.built.append(spec)
        return {}


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    made = Engine()

    async def current() -> Engine:
        return made

    for user in ("_tasks.submission", "sandbox._sandbox"):
        monkeypatch.setattr(f"glovebox.{user}.current_engine", current)
    return made


# The declaration.


def test_defaults() -> None:
    made = create()
    assert (made.name, made.code, made.command, made.arguments) == (None, None, None, None)
    assert (made.inputs, made.outputs) == ({}, {})
    assert (made.packages, made.system_packages, made.additional_commands) == ([], [], [])
    assert (made.resources, made.image_config, made.image_name, made.image) == (None, None, None, None)
    assert (made.auto_io, made.retries, made.timeout, made.env_vars, made.secrets) == (True, 0, None, None, None)
    assert made.cache == "auto"


def test_parameters_are_those_of_the_documents() -> None:
    parameters = inspect.signature(create).parameters
    assert list(parameters)[:-10] == [  # and network, preload, stdin, durable, report, notify, labels and what says when and where
        "name", "code", "inputs", "outputs", "command", "arguments", "packages", "system_packages",
        "additional_commands",
        "resources", "image_config", "image_name", "image", "auto_io", "retries", "timeout", "env_vars",
        "secrets", "cache",
    ]  # fmt: skip
    assert [p.kind.name for p in parameters.values()] == ["POSITIONAL_OR_KEYWORD"] + ["KEYWORD_ONLY"] * 28
    assert list(inspect.signature(create().run).parameters) == ["image", "inputs"]
    assert list(inspect.signature(create().as_task).parameters) == ["image"]


def test_what_was_given_is_kept() -> None:
    config, resources = ImageConfig(python_version=(3, 12)), Resources(cpu=2)
    made = create(
        "x", code="y = 1", image_config=config, resources=resources, image="ghcr.io/a/b:1", timeout=300, retries=3
    )
    assert made.image_config is config
    assert made.resources is resources
    assert (made.image, made.timeout, made.retries) == ("ghcr.io/a/b:1", 300, 3)


def test_later_changes_do_not_reach_it() -> None:
    inputs, packages = {"x": int}, ["numpy"]
    made = create("x", code="y = 1", inputs=inputs, packages=packages)
    inputs["z"] = int
    packages.append("pandas")
    assert told(made)["signature"]["inputs"] == [{"name": "x", "type": "int"}]
    assert told(made)["image"]["packages"] == ["numpy"]


@pytest.mark.parametrize("code", ["y = 1", ""])
def test_code_and_command_exclude_each_other(code: str) -> None:
    with pytest.raises(ValueError, match=r"^'code' and 'command' are mutually exclusive\.$"):
        create(code=code, command=["ls"])


def test_code_alone_command_alone_or_neither() -> None:
    assert told(create(code="y = 1"))["code"] == "y = 1"
    assert told(create(command=["ls"]))["command"] == ["ls"]
    assert not {"code", "command"} & set(told(create()))


def test_stdin_is_the_name_of_an_input() -> None:
    assert told(create(command=["cat"], inputs={"text": str}, stdin="text"))["stdin"] == "text"
    assert told(create(code="x", auto_io=False, inputs={"data": File}, stdin="data"))["stdin"] == "data"
    assert "stdin" not in told(create(command=["cat"], inputs={"text": str}))


@pytest.mark.parametrize("mode", ["auto", "override", "disable"])
def test_cache(mode: Any) -> None:
    made = create(code="y = 1", cache=mode)
    assert made.cache == mode
    assert told(made)["cache"] == mode


@pytest.mark.parametrize(
    ("alias", "mode"), [("on", "auto"), ("enable", "auto"), ("True", "auto"), ("off", "disable"), ("none", "disable")]
)
def test_aliases_of_cache_modes(alias: Any, mode: str) -> None:
    assert told(create(code="y = 1", cache=alias))["cache"] == mode


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"name": "a b"}, ValueError, "name: 'a b'"),
        ({"name": ""}, ValueError, "name: ''"),
        ({"name": 5}, TypeError, "name: expected a str, got 5"),
        ({"code": 5}, TypeError, r"code is 5 \(int\)"),
        ({"code": " \n"}, ValueError, "code is empty"),
        ({"code": "y = '\ud800'"}, ValueError, "half of a surrogate pair at 5"),
        ({"command": "ls -l"}, TypeError, "command is 'ls -l', expected a list of strings"),
        ({"command": ["ls", 5]}, ValueError, r"^All elements in the command list must be strings\.$"),
        ({"command": ["ls"], "arguments": [5]}, ValueError, r"^All elements in the arguments list must be strings\.$"),
        ({"code": "y = 1", "arguments": ["a"]}, ValueError, "arguments are for command and verbatim mode"),
        ({"code": "y = 1", "inputs": {"x": str}, "stdin": "x"}, ValueError, "stdin is for command and verbatim mode"),
        (
            {"command": ["cat"], "inputs": {"x": str}, "stdin": "y"},
            ValueError,
            "stdin is 'y', expected the name of an input: x",
        ),
        ({"command": ["cat"], "stdin": ["y"]}, ValueError, "expected the name of an input: there is none"),
        (
            {"command": ["cat"], "inputs": {"x": int}, "stdin": "x"},
            ValueError,
            "type int, expected a File, str or bytes",
        ),
        ({"cache": "sometimes"}, ValueError, "cache.*'sometimes'"),
        ({"cache": None}, ValueError, "cache.*None"),
        ({"retries": -1}, ValueError, "retries.*-1"),
        ({"retries": "3"}, TypeError, "retries.*'3'"),
        ({"timeout": 0}, ValueError, "timeout.*0"),
        ({"timeout": -5}, ValueError, "timeout.*-5"),
        ({"timeout": "5"}, TypeError, "timeout.*'5'"),
        ({"timeout": float("nan")}, ValueError, "timeout.*nan"),
        ({"auto_io": 1}, TypeError, "auto_io is 1"),
        ({"inputs": [int]}, TypeError, "inputs is"),
        ({"outputs": {5: int}}, TypeError, "output name 5"),
        ({"resources": {"cpu": 1}}, TypeError, "resources is"),
        ({"image_config": {"registry": "x"}}, TypeError, "image_config is"),
        ({"image_config": ImageConfig(python_version=(2, 7))}, ValueError, r"python_version is \(2, 7\)"),
        ({"image_name": "Not A Name"}, ValueError, "'Not A Name'"),
        ({"image": 5}, TypeError, r"image is 5 \(int\)"),
        ({"packages": "numpy"}, TypeError, "packages is 'numpy'"),
        ({"packages": [5]}, TypeError, r"packages\[0\] is 5"),
        ({"system_packages": "jq"}, TypeError, "system_packages is 'jq'"),
        ({"additional_commands": "true"}, TypeError, "additional_commands is 'true'"),
        ({"env_vars": {"A B": "1"}}, ValueError, "'A B'"),
        ({"env_vars": {"A": 1}}, TypeError, "'A': 1"),
        ({"env_vars": {"A": "\0"}}, ValueError, "env_vars.*A has a NUL"),
        ({"secrets": [5]}, TypeError, r"secrets\[0\] is 5"),
        ({"network": [5]}, TypeError, "network"),
    ],
)
def test_refused_with_the_field(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        create(**arguments)


# Names.


@pytest.mark.parametrize("role", ["inputs", "outputs"])
@pytest.mark.parametrize("name", ["a-b", "1a", "class", "__x", "a b", "solution.py", "\ufb01", "e\u0301"])
def test_names_that_cannot_be_variables(role: str, name: str) -> None:
    with pytest.raises(ValueError, match=f"^{role[:-1]} name {re.escape(repr(name))} "):
        create(code="y = 1", **{role: {name: int}})  # type: ignore[arg-type]


def test_names_of_variables() -> None:
    create(code="y = 1", inputs={"x": int, "_args": str, "größe": float, "match": int}, outputs={"y": int})


@pytest.mark.parametrize("arguments", [{"command": ["pytest"]}, {"code": "y = 1", "auto_io": False}])
def test_other_modes_take_names_of_files(arguments: dict[str, Any]) -> None:
    made = create(inputs={"solution.py": File, "a-b": int, "class": str}, outputs={"report.xml": File}, **arguments)
    assert [p["name"] for p in told(made)["signature"]["inputs"]] == ["solution.py", "a-b", "class"]


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/etc/passwd", "-x", "a\nb", "a\0b", "x" * 256, "\ud800"])
def test_names_that_are_not_safe_as_files(name: str) -> None:
    with pytest.raises(ValueError, match="^input name "):
        create(command=["ls"], inputs={name: File})
    with pytest.raises(ValueError, match="^output name "):
        create(command=["ls"], outputs={name: File})


def test_the_script_is_no_input() -> None:
    with pytest.raises(ValueError, match="input '_script' is the script of the sandbox"):
        create(code="y = 1", inputs={"_script": File})


# Types.

SCALARS = {
    int: "int", float: "float", str: "str", bool: "bool", datetime.datetime: "datetime",
    datetime.timedelta: "timedelta",
    File: "File", Dir: "Dir",
}  # fmt: skip
FURTHER = {
    bytes: "bytes", DataFrame: "DataFrame", list: "list[Any]", list[int]: "list[int]",
    dict[str, float]: "dict[str, float]",
    Optional[int]: "Optional[int]", Union[int, str]: "Union[int, str]", tuple[int, ...]: "tuple[int, ...]", Any: "Any",
}  # fmt: skip


@pytest.mark.parametrize(("declared", "spelling"), [*SCALARS.items(), *FURTHER.items()])
def test_types(declared: Any, spelling: str) -> None:
    made = create(code="y = x", inputs={"x": declared}, outputs={"y": declared})
    assert told(made)["signature"] == {
        "inputs": [{"name": "x", "type": spelling}], "outputs": [{"name": "y", "type": spelling}],
    }  # fmt: skip
    assert made.inputs == {"x": declared}


class Custom:
    """No type that crosses the boundary."""


@pytest.mark.parametrize("declared", [Custom, dict[float, str], list[Custom], complex, 5])
def test_unsupported_types(declared: Any) -> None:
    supported = "Supported types: Dir, File, bool, datetime.datetime, datetime.timedelta, float, int, str"
    for role in ("input", "output"):
        with pytest.raises(TypeError) as caught:
            create(code="y = 1", **{f"{role}s": {"p": declared}})  # type: ignore[arg-type]
        assert str(caught.value).startswith(f"Unsupported {role} type for 'p': {declared!r}. {supported}")


# The code.


@pytest.mark.skipif(sys.version_info < (3, 12), reason="an older Python than that of the image cannot tell")
def test_syntax_errors_have_the_line() -> None:
    with pytest.raises(SyntaxError) as caught:
        create("broken", code="x = 1\ny = (\n", image_config=ImageConfig(python_version=(3, 11)))
    assert (caught.value.filename, caught.value.lineno, caught.value.text) == ("broken.py", 2, "y = (\n")
    with pytest.raises(SyntaxError, match="NUL"):
        create("broken", code="x = '\0'")
    for script in ("  x = 1", "await f()"):
        with pytest.raises(SyntaxError):
            create("broken", code=script, auto_io=False)


def test_code_that_is_in_order_or_cannot_be_told() -> None:
    create(code="    x = 1\n    y = 2\n")  # indented as a whole
    create(code="await f()\nasync with a as b: pass\nx = [i async for i in y]")
    create(code="\ufeffx = 1")
    create(code=r"x = '\d'")  # a warning is no error, whatever the filters say
    create(code="x = (", image="ghcr.io/a/b:1")  # whose Python nobody knows
    create(code="x = " + "-" * 100_000 + "1")


def test_a_python_older_than_the_images_leaves_it_to_the_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 0))
    create(code="try: pass\nexcept* ValueError: pass\ntype X = int\nx = (")


# What the engine is told.


def test_auto_io() -> None:
    made = create("double", code="  result = x * 2", inputs={"x": int}, outputs={"result": int})
    assert told(made) == {
        "name": "double", "kind": "sandbox", "code": "  result = x * 2", "cache": "auto",
        "signature": {"inputs": [{"name": "x", "type": "int"}], "outputs": [{"name": "result", "type": "int"}]},
        "image": {"name": made._default_image_name()},
    }  # fmt: skip


def test_verbatim() -> None:
    made = create("etl", code="import sys\n", auto_io=False, arguments=["-v"])
    definition = told(made)
    assert (definition["code"], definition["verbatim"], definition["arguments"]) == ("import sys\n", True, ["-v"])


def test_command() -> None:
    made = create("lines", command=["/bin/bash", "-c", "wc -l $0"], arguments=["/var/inputs/a"], inputs={"a": File})
    definition = told(made)
    assert definition["command"] == ["/bin/bash", "-c", "wc -l $0"]
    assert definition["arguments"] == ["/var/inputs/a"]
    assert not {"code", "verbatim"} & set(definition)


def test_policies_and_the_cell() -> None:
    made = create(
        "x", code="y = 1", resources=Resources(cpu=4, memory="8Gi"), retries=3, timeout=1.5,
        env_vars={"LOG_LEVEL": "DEBUG"},
        secrets=[Secret(key="api-key", as_env_var="API_KEY"), "token"], cache="disable", network=["pypi.org"],
    )  # fmt: skip
    definition = told(made)
    assert definition["resources"] == {"cpu": 4.0, "memory": 8 << 30}
    assert (definition["retries"], definition["timeout_ns"], definition["cache"]) == (3, 1_500_000_000, "disable")
    assert definition["env"] == {"LOG_LEVEL": "DEBUG"}
    assert definition["secrets"] == [{"name": "api-key", "env": "API_KEY"}, {"name": "token", "env": "TOKEN"}]
    assert definition["network"] == {"allow": ["pypi.org"]}


def test_variables_of_an_image_come_after_those_of_the_sandbox() -> None:
    image = Image.from_base("ghcr.io/a/b:1").with_env_vars({"A": "image", "B": "image"})
    assert told(create(command=["env"], image=image, env_vars={"A": "task"}))["env"] == {"A": "task", "B": "image"}


# The image.


def test_image_names() -> None:
    def name(**arguments: Any) -> str:
        return str(told(create("whatever", code="y = 1", **arguments))["image"]["name"])

    plain = name()
    assert plain.startswith("sandbox-")
    assert len(plain) == len("sandbox-") + 12
    assert int(plain[-12:], 16) >= 0
    assert name(packages=["a", "b"]) == name(packages=["b", "a"])
    assert name(system_packages=["a", "b"]) == name(system_packages=["b", "a"])
    different = {
        plain, name(packages=["a"]), name(packages=["b"]), name(system_packages=["a"]), name(additional_commands=["a"]),
        name(additional_commands=["a", "b"]), name(additional_commands=["b", "a"]),
        name(image_config=ImageConfig(python_version=(3, 11))),
    }  # fmt: skip
    assert len(different) == 8
    assert name(image_config=ImageConfig(registry="ghcr.io/my-org")) == plain
    assert name(image_name="mine") == "mine"


def test_what_is_built() -> None:
    config = ImageConfig(registry="ghcr.io/my-org", registry_secret="ghcr-credentials", python_version=(3, 12))
    made = create(
        code="y = 1", packages=["numpy"], system_packages=["jq", "gcc"], additional_commands=["true"],
        image_config=config,
        image_name="mine",
    )  # fmt: skip
    assert told(made)["image"] == {
        "name": "mine", "python": "3.12", "packages": ["numpy"], "system_packages": ["jq", "gcc"], "commands": ["true"],
        "registry": "ghcr.io/my-org", "registry_secret": "ghcr-credentials",
    }  # fmt: skip


def test_a_prebuilt_image_takes_the_place_of_what_is_declared() -> None:
    made = create(code="y = 1", packages=["numpy"], image="ghcr.io/a/b:1")
    assert told(made)["image"] == {"ref": "ghcr.io/a/b:1"}
    assert told(made, "ghcr.io/a/c:2")["image"] == {"ref": "ghcr.io/a/c:2"}


# The task.


def test_as_task(engine: Engine) -> None:
    made = create(
        "deployable", code="total = n", inputs={"n": int, "payload": File}, outputs={"total": int}, packages=["numpy"]
    )
    task = made.as_task()
    assert isinstance(task, SandboxTask)
    assert task.name == "deployable"
    assert engine.built == [told(made)["image"]]
    assert engine.blobs == [b"total = n"]
    assert list(task.interface.inputs) == ["n", "payload", "_script"]
    declared, script = task.interface.inputs["_script"]
    assert declared is File
    assert isinstance(script, File)
    assert (script.name, script.size) == ("deployable.py", 9)
    assert task.interface.required_inputs() == ["n", "payload"]
    assert task.interface.outputs == {"total": int}
    assert asyncio.run(task._definition(NO_ENGINE)) == told(made)


def test_as_task_awaited(engine: Engine) -> None:
    task = asyncio.run(create("x", code="y = 1").as_task.aio())
    assert isinstance(task, SandboxTask)
    assert len(engine.blobs) == 1


def test_as_task_of_a_command_has_no_script(engine: Engine) -> None:
    task = create("x", command=["ls"], inputs={"a": File}).as_task()
    assert list(task.interface.inputs) == ["a"]
    assert task.script is None
    assert engine.blobs == []


def test_a_prebuilt_image_is_not_built(engine: Engine) -> None:
    create("x", code="y = 1", image="ghcr.io/a/b:1").as_task()
    task = create("x", code="y = 1").as_task(image="ghcr.io/a/b:1")
    assert engine.built == []
    assert asyncio.run(task._definition(NO_ENGINE))["image"] == {"ref": "ghcr.io/a/b:1"}


def test_the_script_of_a_task_is_not_another(engine: Engine) -> None:
    task = create("x", code="y = n", inputs={"n": int}).as_task()
    assert task._bind((), {"n": 1, "_script": task.script}) == {"n": 1}
    with pytest.raises(ValueError, match="_script is the script of the task"):
        task(n=1, _script="other.py")


def test_a_task_can_be_deployed_with_an_environment(engine: Engine) -> None:
    task = create("deployable", code="y = 1").as_task()
    env = glovebox.TaskEnvironment.from_task("deployable", task)
    assert env.tasks == {"deployable": task}


def test_a_task_takes_inputs_in_order_and_by_name(engine: Engine) -> None:
    task = create("x", code="y = 1", inputs={"a": int, "b": int}).as_task()
    assert task._bind((1,), {"b": 2}) == {"a": 1, "b": 2}
    with pytest.raises(TypeError, match="takes 2 inputs"):
        task(1, 2, 3)
    with pytest.raises(TypeError, match="'a' twice"):
        task(1, a=2)


# The rest of the surface.


def test_run_with_an_input_named_image(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    async def execute(task: SandboxTask, inputs: dict[str, Any]) -> None:
        seen.append(((await task._definition(NO_ENGINE))["image"], inputs))

    monkeypatch.setattr("glovebox._tasks.submission.execute", execute)
    declares = create(code="y = 1", inputs={"image": File}, image="a:1")
    declares.run(image="photo.png")
    declares.run()
    create(code="y = 1", inputs={"image": Optional[str]}, image="a:1").run(image=None)
    create(code="y = 1", inputs={"self": int}, image="a:1").run(image="b:1", self=1)
    assert seen == [
        ({"ref": "a:1"}, {"image": "photo.png"}), ({"ref": "a:1"}, {}), ({"ref": "a:1"}, {"image": None}),
        ({"ref": "b:1"}, {"self": 1}),
    ]  # fmt: skip


def test_a_name_is_optional() -> None:
    assert told(create(code="y = 1"))["name"] == "sandbox"


def test_a_sandbox_without_a_name_has_that_of_its_run() -> None:
    from glovebox._process import context

    token = context.current.set(context.Invocation("run-1"))
    try:
        assert told(create(code="y = 1"))["name"] == "sandbox-run-1"
    finally:
        context.current.reset(token)


def test_reprs() -> None:
    made = create("double", code="y = x * 2", inputs={"x": int}, outputs={"y": int})
    assert repr(made) == "<Sandbox double(x: int) -> (y: int)>"
    assert "double" in repr(made._task(None))


def test_sandbox_environment() -> None:
    assert sandbox.sandbox_environment.name == "sandbox-runtime"
    env = glovebox.TaskEnvironment(name="demo", depends_on=[sandbox.sandbox_environment])
    assert env.depends_on == (sandbox.sandbox_environment,)


def test_the_public_names() -> None:
    assert {"create", "ImageConfig", "sandbox_environment"} <= set(sandbox.__all__)
    assert all(hasattr(sandbox, name) for name in sandbox.__all__)


def test_a_time_limit_may_be_a_timedelta() -> None:
    assert told(create(code="y = 1", timeout=datetime.timedelta(minutes=5)))["timeout_ns"] == 300 * 10**9


def test_an_input_by_position_is_no_image() -> None:
    double = create(code="y = x * 2", inputs={"x": int}, outputs={"y": int})
    with pytest.raises(TypeError, match=r"expected inputs by name \(x=\), or an image first, got 21"):
        double.run(21)
