"""The provider of FastMCP's code mode. It needs no FastMCP: its own tests run in ``.ci/conformance-fastmcp``."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from glovebox.errors import GloveboxError, TaskTimeoutError
from glovebox.plugins.fastmcp import GloveboxSandboxProvider

PROVIDER = GloveboxSandboxProvider()


class OwnError(Exception):
    pass


async def call_tool(tool_name: str, params: dict[str, Any]) -> Any:
    if tool_name == "boom":
        raise OwnError("no boom")
    return {"result": [tool_name, params]}


def given(code: str, **inputs: Any) -> Any:
    return asyncio.run(PROVIDER.run(code, inputs=inputs, external_functions={"call_tool": call_tool}))


@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("return await call_tool('a', {'x': n})", {"result": ["a", {"x": 3}]}),
        ("await call_tool('a', {})", {"result": ["a", {}]}),
        ("if n > 2:\n    return 'early'\nreturn 'late'", "early"),
        ("text = '''a\n  b'''\nreturn text", "a\n  b"),
        ("def twice(x):\n    return 2 * x\ntwice(n)", 6),
        ("try:\n    await call_tool('boom', {})\nexcept Exception as e:\n    return str(e)", "no boom"),
        ("x = n", None),
    ],
)
def test_results(code: str, result: object) -> None:
    assert given(code, n=3) == result


@pytest.mark.parametrize(
    "code",
    [
        "import subprocess\nreturn subprocess.run(['id'])",
        "return open('/etc/passwd').read()",
        "return (",
        "return await call_tool('boom', {})",
    ],
)
def test_failures(code: str) -> None:
    with pytest.raises(GloveboxError):
        given(code)


def test_limits() -> None:
    with pytest.raises(TaskTimeoutError):
        asyncio.run(GloveboxSandboxProvider(timeout=0.1).run("while True: pass"))
    with pytest.raises(GloveboxError, match="memory"):
        asyncio.run(GloveboxSandboxProvider(max_memory=1 << 20).run("return 'x' * (1 << 24)"))
    with pytest.raises(ValueError, match="timeout"):
        GloveboxSandboxProvider(timeout=0)


def test_cancellation_ends_the_code() -> None:
    began = time.monotonic()
    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(asyncio.wait_for(PROVIDER.run("while True: pass"), 0.2))
    assert time.monotonic() - began < 20
