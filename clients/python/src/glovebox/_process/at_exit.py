"""Runs that end with this process, and are waited for when Python ends."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from typing import TYPE_CHECKING, Any

from .log import logger
from .loop import run_sync

if TYPE_CHECKING:
    from .._link.current import Engine, Json

_log = logger("glovebox")


class _Pending:
    """The runs of this process whose end it has not seen yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[str, Engine] = {}
        self._process = 0
        self._left = False

    @property
    def is_given_up(self) -> bool:
        """Whether this process ends without regard to what it has under way: it failed, or was interrupted."""
        return self._left or _failed()

    def add(self, engine: Engine, run_id: str) -> None:
        with self._lock:
            if self._process != os.getpid():  # a child that was forked off has runs of its own
                self._process = os.getpid()
                self._runs.clear()
                atexit.register(self._wait)
            self._runs[run_id] = engine

    def ended(self, run_id: str) -> None:
        with self._lock:
            self._runs.pop(run_id, None)

    def _wait(self) -> None:
        if self._process != os.getpid() or not self._runs:
            return
        if _failed():
            return self._leave()
        try:
            for run_id, engine in list(self._runs.items()):
                self._see_out(engine, run_id)
        except KeyboardInterrupt:
            self._leave()

    def _leave(self) -> None:
        self._left = True
        _tell(f"not waiting any longer for {', '.join(self._runs)}; `glovebox resume` continues them")

    def _see_out(self, engine: Engine, run_id: str) -> None:
        try:
            if run_sync(engine.wait(run_id, timeout=0.2)) is None:
                _tell(f"waiting for run {run_id}, which needs this process; Ctrl-C leaves it")
                run_sync(engine.wait(run_id))
        except Exception as error:
            _log.warning("the end of run %s is not known: %s", run_id, error)
        self.ended(run_id)


def _tell(text: str) -> None:
    print(f"glovebox: {text}", file=sys.stderr)


def _failed() -> bool:
    """Reports whether the program ends by an uncaught error, Ctrl-C too. At a prompt, errors end nothing."""
    return getattr(sys, "last_value", None) is not None and not hasattr(sys, "ps1")


pending = _Pending()


def needs_process(definition: Json) -> bool:
    """Reports whether a task calls a function of this process."""
    if definition.get("kind") == "function":
        return True
    orchestrator: Any = definition.get("orchestrator") or {}
    agent: Any = definition.get("agent") or {}
    asked = [task for task in (agent.get("model"), agent.get("approval")) if task]
    return any(map(needs_process, [*(orchestrator.get("tools") or ()), *asked]))
