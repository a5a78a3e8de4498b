"""Orchestrators against the real engine: definitions, calls, tools, limits, errors."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Optional

import pytest

from glovebox import errors, sandbox
from glovebox._runs.start import run
from glovebox._tasks.environment import TaskEnvironment
from glovebox._values.types import Type
from glovebox.io import Dir, File
from glovebox.sandbox import CodeTaskTemplate, SandboxedConfig, SandboxedTaskTemplate, gather, orchestrator_from_str

REPOSITORY = Path(__file__).resolve().parents[3]

env = TaskEnvironment(name="demo")
LIMIT = 3


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GLOVEBOX_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("GLOVEBOX_PROGRAM", str(REPOSITORY / "bin" / "glovebox"))
        yield


def line_of(text: str) -> int:
    """Returns the number of the one line of this file that ends with text."""
    found = [number for number, line in enumerate(Path(__file__).read_text().splitlines(), 1) if line.endswith(text)]
    assert len(found) == 1, found
    return found[0]


@env.task
def add(x: int, y: int) -> int:
    return x + y


@env.task
def multiply(x: int, y: int) -> int:
    return x * y


@env.task
async def later(x: int, y: int) -> int:
    await asyncio.sleep(0)
    return x * y


@env.task
def fib(n: int) -> int:
    """Compute the nth Fibonacci number iteratively."""
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@env.task
def fails(text: str) -> str:
    raise ValueError(f"no {text}")


def _untyped(a, b=3):  # type: ignore[no-untyped-def]
    return [a, b]


untyped: Any = _untyped


@env.sandbox.orchestrator
def pipeline(n: int) -> dict[str, int]:
    fib_result = fib(n)
    linear_result = add(multiply(n, 2), 5)
    total = add(fib_result, linear_result)
    return {"fib": fib_result, "linear": linear_result, "total": total}


@env.sandbox.orchestrator
async def waiting(n: int, factor: int = LIMIT) -> int:
    """Waits for tools."""
    a, b = await gather(later(n, factor), add(n, 1))
    return await later(a, b)


class TestDefinition:
    def test_attributes(self) -> None:
        assert isinstance(pipeline, SandboxedTaskTemplate)
        assert pipeline.name == "demo.pipeline"
        assert env.tasks["demo.pipeline"] is pipeline
        assert pipeline.environment is env
        assert pipeline.plugin_config == SandboxedConfig(50 * 1024 * 1024, 256, 30_000, True)
        assert str(pipeline.signature.outputs[0].type) == "dict[str, int]"
        assert pipeline.signature.outputs[0].name == "o0"
        assert waiting.doc == "Waits for tools."
        assert pipeline.__name__ == "pipeline"

    def test_factory(self) -> None:
        here = TaskEnvironment(name="here", cache="auto")

        @here.sandbox.orchestrator(
            timeout_ms=5000, max_memory=1 << 20, max_stack_depth=64, type_check=False, name="own", retries=2
        )
        def f(x: int) -> int:
            return x + 1

        assert f.plugin_config == SandboxedConfig(1 << 20, 64, 5000, False)
        assert (f.name, f.policies.retries, f.policies.cache) == ("own", 2, "auto")
        assert list(here.tasks) == ["own"]

    def test_string_mode(self) -> None:
        here = TaskEnvironment(name="here")
        made = here.sandbox.orchestrator("x + y", inputs={"x": int, "y": int}, output=int, timeout_ms=7)
        assert isinstance(made, CodeTaskTemplate)
        assert isinstance(made, SandboxedTaskTemplate)
        assert (made.name, made.plugin_config.timeout_ms, made.environment) == ("sandboxed-code", 7, here)
        assert here.tasks == {}

    def test_from_str(self) -> None:
        made = orchestrator_from_str("add(x, 1)", inputs={"x": int}, output=int, tasks=[add], timeout_ms=9, retries=3)
        assert (made.name, made.plugin_config.timeout_ms, made.policies.retries) == ("sandboxed-code", 9, 3)
        assert [param.name for param in made.signature.inputs] == ["x"]
        assert [str(param.type) for param in made.signature.outputs] == ["int"]
        assert made.tools == {"add": add}
        assert orchestrator_from_str("1", inputs={}).signature.outputs == ()
        assert orchestrator_from_str(" \n", inputs={}).code == "None"

    def test_forward(self) -> None:
        assert pipeline.forward(10) == {"fib": 55, "linear": 25, "total": 80}
        assert asyncio.run(waiting.forward(5)) == 90
        with pytest.raises(
            NotImplementedError, match=r"CodeTaskTemplate does not support forward\(\)\. Use glovebox\.run\(\)"
        ):
            orchestrator_from_str("1", inputs={}).forward()

    def test_what_it_cannot_be_made_from(self) -> None:
        make: Any = env.sandbox.orchestrator
        with pytest.raises(TypeError, match="expects a callable, string, or keyword arguments, got <class 'int'>"):
            make(5)
        with pytest.raises(TypeError, match="Sandboxed tasks cannot be generators: .*generator"):

            @make  # type: ignore[untyped-decorator]
            def generator(n: int) -> Iterator[int]:
                yield n

        with pytest.raises(TypeError, match="tasks, inputs and output are for code in a string"):
            make(lambda x: x, inputs={"x": int})

    def test_variable_parameters(self) -> None:
        make: Any = env.sandbox.orchestrator
        with pytest.raises((TypeError, ValueError), match="args"):

            @make  # type: ignore[untyped-decorator]
            def f(*args: int) -> int:
                return args[0]

    @pytest.mark.parametrize("annotation", [SimpleNamespace, list[SimpleNamespace], SimpleNamespace | None])
    def test_types(self, annotation: Any) -> None:
        with pytest.raises(
            TypeError, match="Sandboxed task input 'x' has unsupported type .*Supported types: primitives"
        ):
            orchestrator_from_str("x", inputs={"x": annotation}, output=int)
        with pytest.raises(TypeError, match="Sandboxed task output 'o0' has unsupported type"):
            orchestrator_from_str("x", inputs={"x": int}, output=annotation)

        def f(x: Any) -> None: ...

        f.__annotations__ = {"x": annotation, "return": None}
        with pytest.raises(TypeError, match="Sandboxed task input 'x' has unsupported type"):
            env.sandbox.orchestrator(f)

    def test_all_types(self) -> None:
        kinds: list[Any] = [
            int,
            float,
            str,
            bool,
            bytes,
            None,
            list,
            dict,
            tuple,
            set,
            frozenset,
            list[int],
            dict[str, list[int]],
        ]
        kinds += [
            tuple[int, str],
            Optional[int],
            int | None,
            int | str,
            File,
            Dir,
            Any,
        ]
        for kind in kinds:
            assert orchestrator_from_str("x", inputs={"x": kind}, output=kind).signature.inputs[0].name == "x"

    def test_tasks(self) -> None:
        with pytest.raises(ValueError, match="Duplicate task name 'add'"):
            orchestrator_from_str("1", inputs={}, tasks=[add, add])
        with pytest.raises(TypeError, match="Expected a callable or TaskTemplate, got <class 'int'>"):
            orchestrator_from_str("1", inputs={}, tasks=[5])
        with pytest.raises(ValueError, match="no Python identifier.*tasks="):
            orchestrator_from_str("1", inputs={}, tasks=[orchestrator_from_str("1", inputs={}, name="a-b")])
        wrong: Any = "add"
        with pytest.raises(TypeError, match="expected a list"):
            orchestrator_from_str("1", inputs={}, tasks=wrong)

    @pytest.mark.parametrize("name", ["timeout_ms", "max_memory", "max_stack_depth"])
    def test_bad_limits(self, name: str) -> None:
        make: Any = env.sandbox.orchestrator
        for value in (0, -1, 10**30):
            with pytest.raises(ValueError, match=rf"{name}: expected \d+ to \d+ [a-z ]+, got {value}"):
                make(**{name: value})
        wrong: tuple[Any, ...] = (1.5, "5", True, None)
        for value in wrong:
            with pytest.raises(TypeError, match=f"{name}: expected a whole number of"):
                make(**{name: value})

    def test_other_bad_values(self) -> None:
        make: Any = env.sandbox.orchestrator
        with pytest.raises(TypeError, match="type_check: expected True or False, got 1"):
            make(type_check=1)
        with pytest.raises(ValueError, match="dialect: expected"):
            make(dialect="monty")
        with pytest.raises(ValueError, match="retries"):
            make(retries=-1)
        with pytest.raises(ValueError, match="cache"):
            make(cache="sometimes")
        wrong: Any = 5
        with pytest.raises(TypeError, match="source: expected Python code"):
            orchestrator_from_str(wrong, inputs={})
        with pytest.raises(TypeError, match="inputs: expected a dict"):
            orchestrator_from_str("1", inputs=wrong)
        with pytest.raises(TypeError, match="inputs: expected names in str, got 5"):
            orchestrator_from_str("1", inputs={wrong: int})
        with pytest.raises(TypeError, match="inputs: expected names in str, got 5"):
            sandbox.orchestrate_local_sync("1", inputs={wrong: 1})
        with pytest.raises(errors.InvalidTaskError, match='"a b" is not a Python identifier'):
            sandbox.orchestrate_local_sync("1", inputs={"a b": 1})


class TestCalls:
    def test_the_example(self) -> None:
        assert pipeline(10) == {"fib": 55, "linear": 25, "total": 80}
        assert pipeline(n=3) == {"fib": 2, "linear": 11, "total": 13}
        assert run(pipeline, n=10).outputs()[0] == {"fib": 55, "linear": 25, "total": 80}

    def test_async(self) -> None:
        async def main() -> list[Any]:
            awaited: Any = waiting(5)
            return [await awaited, await waiting.aio(5, 1), await pipeline.aio(1)]

        assert asyncio.run(main()) == [90, 30, {"fib": 1, "linear": 7, "total": 8}]

    def test_arguments(self) -> None:
        call: Any = pipeline
        with pytest.raises(TypeError):
            call(1, 2)
        with pytest.raises(TypeError):
            call()
        with pytest.raises(errors.InvalidInputError):
            call("x")

    def test_defaults_and_keywords(self) -> None:
        @env.sandbox.orchestrator
        def f(
            a: int, /, b: tuple[int, ...] = (LIMIT, LIMIT + 1), *, c: str = "x" * LIMIT, d: int | None = None
        ) -> list[Any]:
            return [a, b, c, d]

        assert f(1) == [1, (3, 4), "xxx", None]
        assert f(1, (2,), c="y", d=4) == [1, (2,), "y", 4]

    def test_from_str(self) -> None:
        compute = orchestrator_from_str(
            """
            partial = add(x, y)
            multiply(partial, scale)
            """,
            inputs={"x": int, "y": int, "scale": int}, output=int, tasks=[add, multiply], name="compute-pipeline",
        )  # fmt: skip
        assert compute(2, 3, scale=4) == 20
        assert run(compute, x=2, y=3, scale=4).outputs()[0] == 20
        assert asyncio.run(compute.aio(2, 3, 4)) == 20

    def test_no_output(self) -> None:
        assert orchestrator_from_str("add(1, 2)", inputs={}, tasks=[add])() is None

        @env.sandbox.orchestrator
        def nothing(n: int) -> None:
            add(n, 1)

        assert nothing(1) is None

    @pytest.mark.parametrize(
        ("source", "inputs", "result"),
        [
            ("x + y", {"x": 1, "y": 2}, 3),
            ("a = x * 2\nb = a + 1\nb", {"x": 5}, 11),
            ("s + '!'", {"s": "hi"}, "hi!"),
            ("[v * 2 for v in xs]", {"xs": [1, 2, 3]}, [2, 4, 6]),
            ("def f(x):\n    return x + 1\nf(x)", {"x": 1}, 2),
            ("def f(x):\n    if x > 0:\n        return 'pos'\n    return 'neg'\nf(x)", {"x": -1}, "neg"),
            ("def f():\n    return\nf()", {}, None),
            ("x = 1", {}, None),
            ("", {"_unused": 0}, None),
            ("6 * 7", {}, 42),
            ("(x, None, b, f)", {"x": {"k": [1]}, "b": b"\xff", "f": math.inf}, ({"k": [1]}, None, b"\xff", math.inf)),
        ],
    )
    def test_orchestrate_local(self, source: str, inputs: dict[str, Any], result: Any) -> None:
        assert sandbox.orchestrate_local_sync(source, inputs=inputs) == result
        assert asyncio.run(sandbox.orchestrate_local(source, inputs=inputs)) == result

    def test_extended(self) -> None:
        assert (
            sandbox.orchestrate_local_sync(
                "import math\nx += 1\nmath.factorial(x)", inputs={"x": 4}, dialect="extended"
            )
            == 120
        )

    def test_reducers(self) -> None:
        body = "\nacc = {}\nfor v in values:\n    acc = acc {} v\nacc\n"
        for start, operator, result in ((0, "+", 10), (1, "*", 24)):
            reducer = orchestrator_from_str(
                body.format(start, operator), inputs={"values": list}, output=int, name="reduce"
            )
            assert reducer([1, 2, 3, 4]) == result


class TestTools:
    def test_what_names_stand_for(self) -> None:
        def captured(x: int) -> int:
            return x + 100

        class Things:
            def method(self, x: int) -> int:
                return x + 1000

            def __call__(self, x: int) -> int:
                return x + 10_000

        method, instance, root = Things().method, Things(), math.isqrt

        @env.sandbox.orchestrator
        def f(n: int) -> list[Any]:
            def inner(z: int) -> int:
                return captured(z)

            first = [add(i, n) for i in range(2)]
            return [*first, inner(n), method(n), instance(n), root(n), untyped(n), pipeline(n)["total"]]

        assert sorted(f.tools) == ["add", "captured", "instance", "method", "pipeline", "root", "untyped"]
        assert f(9) == [9, 10, 109, 1009, 10_009, 3, [9, 3], 57]

    def test_tools_are_looked_up_when_they_are_used(self) -> None:
        def value(x: int) -> int:
            return x

        @env.sandbox.orchestrator
        def f(n: int) -> int:
            return after(n) + value(n)

        with pytest.raises(errors.GloveboxError, match="after"):
            f(1)

        def after(x: int) -> int:
            return x + 10

        assert f(1) == 12

        def value(x: int) -> int:  # type: ignore[no-redef]  # noqa: F811
            return x + 1000

        assert f(1) == 1012

    def test_closures_of_one_definition(self) -> None:
        def adder(k: int) -> Any:
            def plus(x: int) -> int:
                return x + k

            return plus

        assert sandbox.orchestrate_local_sync("[a(1), b(1)]", inputs={}, tasks={"a": adder(10), "b": adder(20)}) == [
            11,
            21,
        ]

    def test_async_callables(self) -> None:
        async def later(x: int) -> int:
            await asyncio.sleep(0)
            return x + 1

        assert sandbox.orchestrate_local_sync("later(1) + (await later(2))", inputs={}, tasks=[later]) == 5

    def test_orchestrators_as_tools(self) -> None:
        square = orchestrator_from_str("multiply(x, x)", inputs={"x": int}, output=int, tasks=[multiply], name="square")
        assert sandbox.orchestrate_local_sync("square(3) + square(4)", inputs={}, tasks=[square]) == 25

    def test_calls_are_runs(self) -> None:
        started = run(pipeline, 10)
        started.wait()
        assert [call["task"] for call in started.calls()] == ["fib", "multiply", "add", "add"]

    def test_recursion(self) -> None:
        @env.sandbox.orchestrator
        def factorial(n: int) -> int:
            return 1 if n == 0 else n * factorial(n - 1)

        assert factorial(10) == math.factorial(10)

    def test_circles(self) -> None:
        @env.sandbox.orchestrator
        def there(n: int) -> int:
            return back(n)

        @env.sandbox.orchestrator
        def back(n: int) -> int:
            return there(n)

        with pytest.raises(errors.InvalidTaskError, match=r"circle: demo\.there calls demo\.back calls demo\.there"):
            there(1)

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            (
                5,
                "uses outside, an int of the enclosing function, which the sandbox does not see\nhint: pass it as an input",
            ),
            (math, "uses outside, the module math, which.*move what needs the module into a task"),
            (gather, "uses outside, another name for gather, which.*call it gather"),
            (SimpleNamespace, "uses outside, the class SimpleNamespace, which"),
        ],
    )
    def test_what_is_no_tool(self, value: Any, message: str) -> None:
        outside = value

        @env.sandbox.orchestrator
        def f(n: int) -> int:
            return outside if n else 0  # here it is used

        with pytest.raises(errors.InvalidTaskError, match=f"(?s){message}") as caught:
            f(1)
        assert f"{__file__}, line {line_of('# here it is used')}: " in str(caught.value)

    def test_deployed_ones_have_no_plain_functions(self) -> None:
        here = TaskEnvironment(name="here")

        @here.sandbox.orchestrator
        def f(n: int) -> Any:
            return untyped(n)

        from glovebox._tasks.deploy import deploy

        with pytest.raises(errors.InvalidTaskError, match="_untyped is a plain function"):
            deploy(here)

    def test_files(self, tmp_path: Path) -> None:
        path = tmp_path / "data.txt"
        path.write_text("content")

        @env.task
        def make(text: str) -> File:
            made = tmp_path / "made.txt"
            made.write_text(text)
            return File.from_local_sync(str(made))

        @env.task
        def read(file: File) -> str:
            with file.open_sync("rb") as opened:
                content: bytes = opened.read()
            return content.decode()

        given = File.from_local_sync(str(path))
        code = "made = make(read(f) + '!')\nmade"
        result = sandbox.orchestrate_local_sync(code, inputs={"f": given}, tasks=[make, read])
        assert isinstance(result, File)
        files = {"fs": [given, result]}
        texts = sandbox.orchestrate_local_sync("[read(f) for f in fs]", inputs=files, tasks=[read])
        assert texts == ["content", "content!"]
        with pytest.raises(errors.CheckFailedError, match="opaque handle"):
            sandbox.orchestrate_local_sync("f.path", inputs={"f": given})
        with pytest.raises(errors.GloveboxError, match="AttributeError"):
            sandbox.orchestrate_local_sync("f.path", inputs={"f": given}, check=False)


class TestErrors:
    def test_of_the_code(self) -> None:
        @env.sandbox.orchestrator
        def divides(n: int) -> float:
            return 1 / n  # the line that fails

        with pytest.raises(ZeroDivisionError) as caught:
            divides(0)
        assert f'File "{__file__}", line {line_of("# the line that fails")}, in divides' in str(caught.value)

    def test_of_a_tool(self) -> None:
        @env.sandbox.orchestrator
        def calls(text: str) -> str:
            return fails(text)

        with pytest.raises(errors.CallFailedError, match="no way") as caught:
            calls("way")
        assert "fails" in str(caught.value)

    def test_raised(self) -> None:
        @env.sandbox.orchestrator
        def raises(n: int) -> int:
            if n < 0:
                raise ValueError(f"negative: {n}")
            return n

        assert raises(1) == 1
        with pytest.raises(ValueError, match="negative: -1"):
            raises(-1)

    def test_the_dialect(self) -> None:
        @env.sandbox.orchestrator
        def augmented(n: int) -> int:
            n += 1  # not of the dialect
            return n

        with pytest.raises(errors.InvalidTaskError, match="augmented assignment.*use n = n \\+ 1") as caught:
            augmented(1)
        assert f"{__file__}, line {line_of('# not of the dialect')}, column 13" in str(caught.value)

    def test_unknown_names(self) -> None:
        @env.sandbox.orchestrator
        def misspelt(n: int) -> int:
            return fibb(n)  # type: ignore[name-defined, no-any-return]  # noqa: F821  # a name that is not there

        with pytest.raises(errors.GloveboxError, match="fibb") as caught:
            misspelt(1)
        line = line_of("# a name that is not there")
        assert f"{__file__}, line {line}, column 20: fibb is not defined" in str(caught.value)

    def test_no_call_is_made_before_a_line_that_cannot_work(self) -> None:
        paid: list[int] = []

        def pay(n: int) -> None:
            paid.append(n)

        code = "pay(1)\npayy(2)\npay('3')"
        with pytest.raises(errors.CheckFailedError) as caught:
            sandbox.orchestrate_local_sync(code, inputs={}, tasks=[pay])
        assert paid == []
        found = [(problem["code"], problem["line"], problem["column"]) for problem in caught.value.problems]
        assert found == [("unknown_tool", 2, 1), ("wrong_type", 3, 5)]
        assert "did you mean pay?" in caught.value.problems[0]["message"]
        kept = orchestrator_from_str(code, inputs={}, tasks=[pay], check=False)
        with pytest.raises(errors.PythonExceptionError, match="payy"):
            run(kept).wait()
        assert paid == [1]
        assert caught.value.__class__("other").problems == []

    def test_what_ran_can_be_seen(self) -> None:
        kept = orchestrator_from_str(
            "add(n, 1)", inputs={"n": int}, output=int, tasks={"add": lambda x, y: x + y}, check=False
        )
        started = run(kept, 1)
        assert started.outputs()[0] == 2
        assert started.code() == "add(n, 1)"
        ran = started.definition()["orchestrator"]
        assert [tool["name"] for tool in ran["tools"]] == ["add"]
        assert ran["skip_check"] is True

    def test_syntax(self) -> None:
        with pytest.raises(SyntaxError, match="line 2"):
            sandbox.orchestrate_local_sync("x = 1\nx +", inputs={})


class TestLimits:
    def test_time(self) -> None:
        @env.sandbox.orchestrator(timeout_ms=20)
        def forever(n: int) -> None:
            while True:
                pass

        with pytest.raises(errors.TaskTimeoutError, match="20ms"):
            forever(1)
        with pytest.raises(errors.TaskTimeoutError, match="10ms"):
            sandbox.orchestrate_local_sync("while True: pass", inputs={}, timeout_ms=10)
        with pytest.raises(errors.TaskTimeoutError, match="30ms"):
            orchestrator_from_str("while True: pass", inputs={}, timeout_ms=30)()

    def test_memory(self) -> None:
        @env.sandbox.orchestrator(max_memory=1 << 20)
        def much(n: int) -> int:
            return len([0] * n)

        assert much(1000) == 1000
        with pytest.raises(errors.OOMError, match="1048576"):
            much(10_000_000)

    def test_depth(self) -> None:
        @env.sandbox.orchestrator(max_stack_depth=50)
        def deep(n: int) -> int:
            return 0 if n == 0 else 1 + deep(n - 1)

        assert deep(40) == 40
        with pytest.raises(errors.LimitExceededError, match="50"):
            deep(60)

    def test_type_check(self) -> None:
        def loose(n: Any) -> Any:
            return str(n)

        loose.__annotations__ = {"n": int, "return": int}
        checked = env.sandbox.orchestrator(loose)
        unchecked = env.sandbox.orchestrator(type_check=False)(loose)
        with pytest.raises(errors.BadOutputError, match="expected int"):
            checked(1)
        assert checked.plugin_config.type_check
        assert not unchecked.plugin_config.type_check
        assert unchecked(1) == "1"
        assert unchecked("x") == "x"

    @pytest.mark.parametrize(
        "config", [SandboxedConfig(64 << 10, 1), SandboxedConfig(8 << 30, 100_000, 24 * 60 * 60 * 1000)]
    )
    def test_the_engine_takes_what_is_checked_here(self, config: SandboxedConfig) -> None:
        assert CodeTaskTemplate("x", inputs={"x": int}, output=int, plugin_config=config)(1) == 1


def test_sets_that_are_not_declared() -> None:
    code = "[isinstance(x, set), sorted(x), x, set([3])]"
    assert sandbox.orchestrate_local_sync(code, inputs={"x": {1, 2}}) == [True, [1, 2], [1, 2], [3]]
    assert sandbox.orchestrator_from_str("x", inputs={"x": set[int]}, output=set[int])(x={1, 2}) == {1, 2}


class TestPrompt:
    def test_it_is_true(self) -> None:
        text = sandbox.ORCHESTRATOR_SYNTAX_PROMPT
        assert "augmented assignment" in text
        assert "last expression" in text
        assert "glovebox_map(" in text
        assert "flyte" not in text

    def test_with_tools(self) -> None:
        def double(n: int) -> int:
            """Doubles."""
            return n * 2

        async def fetch(url: str) -> str:
            return url

        for dialect in ("strict", "extended"):
            text = sandbox.prompt(inputs={"n": int}, output=dict[str, int], tasks=[double, fetch], dialect=dialect)
            for part in (
                "n: int",
                "dict[str, int]",
                "\ndef double(n: int) -> int",
                "\nasync def fetch(url: str) -> str",
            ):
                assert part in text, text
            assert ("json" in text) == (dialect == "extended")

    @pytest.mark.parametrize(("clock", "random"), [(None, None), ("real", None), (None, 7), ("real", "real")])
    def test_grants(self, clock: Any, random: Any) -> None:
        text = sandbox.prompt(dialect="extended", clock=clock, random=random)
        assert ("There is no clock" in text) == (clock is None)
        assert ("There is no randomness" in text) == (random is None)


def test_inferred_types() -> None:
    from glovebox._orchestrators.inference import type_of_value

    assert type_of_value({"a": [1]}) == Type("Any")
    cyclic: list[Any] = []
    cyclic.append(cyclic)
    assert type_of_value(cyclic) == Type("Any")


def test_a_variable_of_the_module_is_called_one() -> None:
    @env.sandbox.orchestrator
    def uses(n: int) -> int:
        return n + LIMIT

    with pytest.raises(errors.InvalidTaskError, match="uses LIMIT, an int of its module, which the sandbox"):
        uses(1)
