"""Async tasks as tools: orchestrators in the extended dialect use them as what they are."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glovebox import TaskEnvironment
from glovebox._values.annotations import signature_of
from glovebox._values.signature_json import signature_from, signature_json
from glovebox.sandbox import orchestrate_local_sync, prompt

env = TaskEnvironment(name="async-tools")


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GLOVEBOX_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("GLOVEBOX_PROGRAM", str(Path(__file__).resolve().parents[3] / "bin" / "glovebox"))
        yield


@env.task
async def fetch(x: int) -> int:
    await asyncio.sleep(0)
    if x < 0:
        raise ValueError(f"no {x}")
    return x * 10


@env.task
def plain(x: int) -> int:
    return x


def run(source: str, *tools: Any, dialect: Any = "extended", **inputs: Any) -> Any:
    return orchestrate_local_sync(source, inputs=inputs, tasks=list(tools), dialect=dialect)


class TestSignature:
    def test_it_says_what_is_async(self) -> None:
        class Later:
            async def __call__(self, x: int) -> int:
                return x

        async def two(x: int, y: int) -> int:
            return x

        for func in (fetch.func, Later(), functools.partial(two, y=1)):
            assert signature_json(signature_of(func, "it:"))["async"] is True
        assert "async" not in signature_json(signature_of(plain.func))
        for task in (fetch, plain):
            assert signature_from(signature_json(task.signature)) == task.signature

    def test_the_prompt_shows_it(self) -> None:
        text = prompt(tasks=[fetch, plain], dialect="extended")
        assert "\nasync def fetch(x: int) -> int" in text
        assert "\ndef plain(x: int) -> int" in text


def test_calls_before_the_await_run_at_the_same_time() -> None:
    together = threading.Barrier(3, timeout=300)

    async def meet(x: int) -> int:
        await asyncio.to_thread(together.wait)
        return x

    for source in (
        "calls = [meet(x) for x in xs]\nawait gather(*calls)",
        "await gather(*map(meet, xs))",
        "import asyncio\ntasks = [asyncio.create_task(meet(x)) for x in xs]\n[await t for t in tasks]",
    ):
        assert run(source, meet, xs=[1, 2, 3]) == [1, 2, 3]


def test_failures() -> None:
    source = """
import asyncio
async def safe(call):
    try:
        return await call
    except ValueError as e:
        return str(e)
async def main():
    calls = [fetch(1), fetch(-1)]
    results = await asyncio.gather(*calls, return_exceptions=True)
    return [str(r) for r in results] + [await safe(fetch(2)), await safe(fetch(-2))]
asyncio.run(main())
"""
    assert run(source, fetch) == ["10", "no -1", 20, "no -2"]


def test_asyncio_takes_calls_as_coroutines() -> None:
    source = """
import asyncio
async def main():
    sem = asyncio.Semaphore(2)
    async def limited(call):
        async with sem:
            return await call
    async with asyncio.TaskGroup() as group:
        task = group.create_task(fetch(1), name="one")
    done = sorted([await f for f in asyncio.as_completed([fetch(2), fetch(3)])])
    return [task.result(), task.get_name(), done, await asyncio.gather(*[limited(fetch(i)) for i in range(4)]),
            asyncio.iscoroutinefunction(fetch), asyncio.iscoroutinefunction(plain), await asyncio.to_thread(plain, 5)]
[asyncio.run(main()), asyncio.run(fetch(9))]
"""
    assert run(source, fetch, plain) == [[10, "one", [20, 30], [0, 10, 20, 30], True, False, 5], 90]


def test_a_cancelled_call_ends() -> None:
    began, ended = threading.Event(), threading.Event()

    async def endless() -> int:
        try:
            began.set()
            await asyncio.Event().wait()
        finally:
            ended.set()
        return 1

    async def begun() -> bool:
        return await asyncio.to_thread(began.wait, 300)

    source = """
import asyncio
async def main():
    task = asyncio.create_task(endless())
    x = await begun()
    task.cancel()
    y = await fetch(2)
    return [x, y, task.cancelled()]
asyncio.run(main())
"""
    assert run(source, endless, begun, fetch) == [True, 20, True]
    assert ended.wait(300)


def test_strict_code_need_not_await() -> None:
    source = "x = fetch(1)\nc = fetch(2)\n[x + fetch(3), await c, await fetch(4), await gather(fetch(5), plain(6))]"
    assert run(source, fetch, plain, dialect="strict") == [40, 20, 40, [50, 6]]


def test_a_time_limit_ends_the_call() -> None:
    began, ended = threading.Event(), threading.Event()

    async def endless() -> int:
        try:
            began.set()
            await asyncio.Event().wait()
        finally:
            ended.set()
        return 1

    async def begun() -> bool:
        return began.is_set()

    source = """
import asyncio
out = []
limit = 0.05
while not await begun():  # the limit may be over before the call begins
    try:
        await asyncio.wait_for(endless(), timeout=limit)
    except TimeoutError:
        limit *= 2
try:
    await asyncio.wait_for(endless(), timeout=0.05)
except TimeoutError:
    out.append("late")
async with asyncio.timeout(60):
    out.append(await fetch(1))
try:
    async with asyncio.timeout(0.05):
        await endless()
except TimeoutError:
    out.append("late again")
out
"""
    assert run(source, endless, begun, fetch) == ["late", 10, "late again"]
    assert ended.wait(300)
