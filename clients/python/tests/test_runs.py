"""What is known beside the run at hand: lists of runs, runs of earlier ones, the checker, secrets, the version."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import engines
import glovebox
from glovebox import errors, sandbox
from glovebox._version import version_at

env = glovebox.TaskEnvironment(name="runs")
charged: list[int] = []


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with engines.engine("child", tmp_path_factory.mktemp("home")):
        yield


@env.task
def charge(amount: int) -> int:
    charged.append(amount)
    return amount


@env.task
def receipt(amount: int, text: str) -> str:
    return f"{amount} {text}"


@env.sandbox.orchestrator
def wrong(amount: int) -> str:
    return receipt(charge(amount), 3)  # type: ignore[arg-type]  # pyright: ignore


class TestRerun:
    FAILS, MENDED = "c = charge(n)\nreceipt(c, [][0])", "c = charge(n)\nreceipt(c, 'thanks')"

    def failed(self, n: int) -> str:
        with pytest.raises(IndexError) as caught:
            sandbox.orchestrate_local_sync(self.FAILS, inputs={"n": n}, tasks=[charge, receipt], durable=True)
        run_id: str = caught.value.run_id  # type: ignore[attr-defined]  # pyright: ignore
        return run_id

    def test_other_code_repeats_no_call(self) -> None:
        charged.clear()
        run = glovebox.rerun(self.failed(7), code=self.MENDED)
        assert (run.outputs()[0], charged) == ("7 thanks", [7])
        assert run.rerun().result().value == "7 thanks"
        assert charged == [7]

    def test_some_calls_are_made_again(self) -> None:
        charged.clear()
        run: glovebox.Run[Any] = asyncio.run(glovebox.rerun.aio(self.failed(8), code=self.MENDED))
        run.wait()
        assert charged == [8]
        for again in (run.rerun(from_=1), run.rerun(fresh=True), run.rerun(inputs={"n": 9})):
            again.wait()
        assert charged == [8, 8, 8, 9]

    def test_the_cache_is_kept_or_not(self) -> None:
        run: glovebox.Run[Any] = glovebox.Run.get(self.failed(11)).rerun(code=self.MENDED, cache="auto")
        run.wait()
        hit = run.rerun(fresh=False, cache="auto")
        again = [hit, glovebox.rerun(run.id, cache="override"), glovebox.rerun(run, cache="disable")]
        for one in again:
            one.wait()
        assert [one.info().get("cached", False) for one in again] == [True, False, False]

    @pytest.mark.parametrize(
        ("given", "error", "words"),
        [
            ({"cache": "never"}, ValueError, 'cache: expected "auto", "override" or "disable"'),
            ({"from_": 0}, ValueError, "from_: expected the number of a call"),
            ({"inputs": {"m": 1}}, errors.InvalidInputError, r"m: expected only declared names \(n\)"),
            ({"inputs": {"n": {1.5: 2}}}, errors.InvalidInputError, "n: expected"),
            ({"code": "import os"}, errors.GloveboxError, "import"),
        ],
    )
    def test_what_cannot_be(self, given: Any, error: type[Exception], words: str) -> None:
        run: glovebox.Run[Any] = glovebox.Run.get(self.failed(1))
        with pytest.raises(error, match=words):
            run.rerun(**given).outputs()

    def test_there_is_no_such_run(self) -> None:
        with pytest.raises(errors.NotFoundError):
            glovebox.rerun("run-00000000000000000000000a")


class TestLists:
    def test_the_newest_first_by_what_they_are(self) -> None:
        before = datetime.datetime.now()
        made = [glovebox.run(charge, n).id for n in range(3)]
        assert [run.id for run in glovebox.runs(task="runs.charge", limit=2)] == made[:0:-1]
        assert [run.id for run in glovebox.runs(since=before, limit=None)] == made[::-1]
        assert {
            run.status() for run in glovebox.runs(status=["succeeded"], kind="function", until=datetime.datetime.now())
        } == {"succeeded"}
        found = asyncio.run(glovebox.runs.aio(task="runs.charge", limit=1))
        assert [run.outputs()[0] for run in found] == [2]

    def test_calls(self) -> None:
        run = sandbox.evaluate("charge(5)", inputs={}, tasks=[charge], durable=True).run
        assert run is not None
        [call] = glovebox.runs(parent=run)
        assert call.task == "charge"
        assert call.id not in [run.id for run in glovebox.runs(limit=None)]
        assert call.id in [run.id for run in glovebox.runs(limit=None, calls=True)]

    @pytest.mark.parametrize("given", [{"limit": 0}, {"limit": True}, {"since": "today"}, {"status": "done"}])
    def test_what_cannot_be(self, given: Any) -> None:
        with pytest.raises((ValueError, TypeError, errors.RequestInvalidError)):
            glovebox.runs(**given)


def test_the_checker() -> None:
    problems = glovebox.check("receipt(1)\nimport os\nchrge(2)", tasks=[charge, receipt])
    assert [(problem.line, problem.column, problem.level) for problem in problems] == [
        (1, 1, "error"),
        (2, 1, "refusal"),
        (3, 1, "error"),
    ]
    assert str(problems[0]).startswith("1:1: error: receipt needs text")
    assert glovebox.check("charge(1)", tasks=[charge]) == []
    assert asyncio.run(glovebox.check.aio("n + 1", inputs={"n": int}, output=int)) == []
    [problem] = glovebox.check(wrong)
    assert "text of receipt must be str" in problem.message
    with pytest.raises(TypeError, match="leave them out"):
        glovebox.check(wrong, tasks=[charge])
    assert "charge(amount: int) -> int" in glovebox.prompt(tasks=[charge])


def test_secrets() -> None:
    glovebox.secrets.set("api-key", "value")
    glovebox.secrets.set("other", b"\x00\xff")
    assert glovebox.secrets.list() == ["api-key", "other"]
    glovebox.secrets.delete("other")
    assert asyncio.run(glovebox.secrets.list.aio()) == ["api-key"]
    with pytest.raises(errors.SecretNotFoundError):
        glovebox.secrets.delete("other")
    with pytest.raises(TypeError, match="value of secret 'a': expected str or bytes, got int"):
        glovebox.secrets.set("a", 1)  # type: ignore[arg-type]  # pyright: ignore
    with pytest.raises(errors.InvalidTaskError):
        glovebox.secrets.set("a b", "x")


def test_the_version_is_that_of_the_wheel_whatever_it_is_called(tmp_path: Path) -> None:
    assert version_at(tmp_path) == "0.0.0.dev0"
    for name, version, record in (
        ("glovebox", "9.9", "other.py,,\n"),
        ("my_glovebox", "1.2.3", "glovebox/_version.py,,\n"),
    ):
        directory = tmp_path / f"{name}-{version}.dist-info"
        directory.mkdir()
        (directory / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (directory / "RECORD").write_text(record)
    assert version_at(tmp_path) == "1.2.3"
    assert isinstance(glovebox.__version__, str)
