"""Offers functions of this process to the engine."""

from __future__ import annotations

import functools
import threading
from typing import TYPE_CHECKING, Any

from .._bundles.bundle import source_digest
from .._values.signature_json import signature_json
from .worker import Offered
from .workers import pool_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._link.current import Engine, Json
    from .._tasks.task import Task

_lock = threading.Lock()
_versions: dict[str, list[Any]] = {}  # the functions that share a name and a source, such as closures


@functools.lru_cache(maxsize=4096)
def function_id(func: Any, name: str) -> str:
    """Returns the id of a function: its name and a digest of its code.

    It is the same in the next process that runs the same code, so that runs
    can continue there. Functions made by one piece of code, which may have bound
    other values, differ by their order.
    """
    base = f"{name}@{source_digest(func)[:16]}"
    if "<locals>" not in func.__qualname__:
        return base
    with _lock:
        made = _versions.setdefault(base, [])
        made.append(func)
        return base if len(made) == 1 else f"{base}-{len(made)}"


async def offer(task: Task[..., Any], func: Callable[..., Any], engine: Engine) -> Json:
    """Offers the function of a task to the engine, and returns what the task is there beside its name and policies."""
    identity, signature = function_id(func, task.name), signature_json(task.signature)
    definition = {"name": task.name, "signature": signature}
    await pool_of(engine).offer(Offered(identity, definition, task.signature, func, report=task.report))
    return {"kind": "function", "signature": signature, "function": {"id": identity}}
