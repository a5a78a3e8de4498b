"""Interpreters of a session, which keep their state."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from .._process.loop import syncify_method
from .._tasks.policies import timeout_ns
from .._tasks.variables import check_variables
from ._access import Access
from ._execution import Execution, Result, error_of, result_of
from ._process import Tell, told

if TYPE_CHECKING:
    from .._link.current import Json

Language = Literal["python", "bash", "javascript", "typescript", "r", "java"]


class Context:
    """An interpreter of a session, made by ``Session.context``. What code defines in it is there for the next.

    >>> shell = s.context(language="bash")
    >>> shell.run("cd /tmp").run
    >>> shell.run("pwd").stdout
    '/tmp\\n'
    """

    __module__ = "glovebox.session"  # where users find it

    def __init__(self, access: Access, record: Json) -> None:
        self._access = access
        self._record = record

    @property
    def id(self) -> str:
        """Its id in the session."""
        return str(self._record.get("id"))

    @property
    def language(self) -> str:
        """``"python"``, ``"bash"``, ``"javascript"``, ``"typescript"``, ``"r"`` or ``"java"``."""
        spec: dict[str, Any] = self._record.get("spec") or {}
        return str(spec.get("language") or "python")

    @syncify_method
    async def run(
        self,
        code: str,
        *,
        env_vars: Mapping[str, str] | None = None,
        timeout: float | datetime.timedelta | None = None,
        on_stdout: Tell | None = None,
        on_stderr: Tell | None = None,
        on_result: Callable[[Result], object] | None = None,
    ) -> Execution:
        """Executes code and returns what came of it, as ``Session.run`` does."""
        asked = code_request(code, env_vars, timeout, context=self.id)
        return await executed_code(self._access, asked, on_stdout, on_stderr, on_result)

    @syncify_method
    async def interrupt(self) -> None:
        """Interrupts the code that it executes, if there is some."""
        await self._access.ask("POST", self._below("/interrupt"), repeat=True)

    @syncify_method
    async def restart(self) -> None:
        """Starts it again, without its state."""
        await self._access.ask("POST", self._below("/restart"))

    @syncify_method
    async def remove(self) -> None:
        """Ends it."""
        await self._access.ask("DELETE", self._below(""))

    def _below(self, below: str) -> str:
        from .._link.documents import segment  # lazy: to name a context loads nothing of HTTP

        return f"/contexts/{segment(self.id)}{below}"

    def __repr__(self) -> str:
        return f"<Context {self.id} {self.language}>"


def code_request(
    code: str,
    env_vars: Mapping[str, str] | None,
    timeout: float | datetime.timedelta | None,
    *,
    context: str | None = None,
    language: Language | None = None,
) -> Json:
    """Returns the description of an execution."""
    members: dict[str, Any] = {
        "context": context,
        "language": language,
        "env": check_variables(env_vars),
        "timeout_ns": timeout_ns(timeout),
    }
    return {"code": code, **{name: value for name, value in members.items() if value}}


async def executed_code(
    access: Access,
    asked: Json,
    on_stdout: Tell | None,
    on_stderr: Tell | None,
    on_result: Callable[[Result], object] | None,
) -> Execution:
    """Executes code. Cancelling it interrupts the code, as the engine sees its request end."""
    done, printed = Execution(), dict[str, list[str]](stdout=[], stderr=[])
    tell = {"stdout": on_stdout, "stderr": on_stderr}
    async with contextlib.aclosing(access.entries("POST", "/code", asked, last=_is_end)) as entries:
        async for entry in entries:
            kind = str(entry.get("type"))
            if kind in printed:
                text = str(entry.get("text") or "")
                printed[kind].append(text)
                await told(tell[kind], text)
            elif kind == "result":
                done.results.append(result_of(entry))
                await told(on_result, done.results[-1])
            elif kind == "error":
                done.error = error_of(entry)
            elif kind == "started":
                done.count = int(entry.get("count") or 0)
    done.stdout, done.stderr = "".join(printed["stdout"]), "".join(printed["stderr"])
    return done


def _is_end(entry: Json) -> bool:
    return entry.get("type") == "ended"
