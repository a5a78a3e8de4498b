"""Glovebox runs unreviewed code, safely and fast.

Code sandboxes, ``glovebox.sandbox.create``, run any Python or command in a
disposable cell. Sessions, ``glovebox.Session``, are cells that are kept.
Orchestrators, ``@env.sandbox.orchestrator``, run restricted Python that can only
call the tasks it was given. Tasks, ``@env.task``, are functions of your own.
Agents, ``glovebox.agents.Agent``, are models that act by code or by tools.

>>> import glovebox
>>> double = glovebox.sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int})
>>> double.run(x=21)
42
"""

from typing import TYPE_CHECKING

from ._lazy import attributes

if TYPE_CHECKING:
    from . import agents, app, errors, extras, io, remote, report, sandbox, secrets, session
    from ._link.init import init, init_from_config, init_in_cluster
    from ._orchestrators.signal import signal
    from ._runs.approvals import Approval, approvals, approve, refuse
    from ._runs.listing import rerun, runs
    from ._runs.log_lines import Line
    from ._runs.map import map
    from ._runs.outputs import Outputs
    from ._runs.result import Result
    from ._runs.run import Run
    from ._runs.run_context import with_runcontext
    from ._runs.start import run, start
    from ._runs.warm import WarmPool, warm
    from ._tasks.deploy import Deployment, deploy
    from ._tasks.environment import TaskEnvironment
    from ._tasks.function import FunctionTask
    from ._tasks.group import group
    from ._tasks.image import Image
    from ._tasks.notify import Notify
    from ._tasks.resources import Resources
    from ._tasks.secret import Secret
    from ._tasks.task import Task
    from ._tasks.trace import trace
    from ._tasks.trigger import Cron, FixedRate, Trigger, TriggerTime
    from ._version import __version__
    from .app._handle import AppHandle, serve
    from .sandbox import check, prompt
    from .session._listing import sessions
    from .session._session import Session
    from .session._snapshot import Snapshot, snapshots

__all__ = [
    "AppHandle",
    "Approval",
    "Cron",
    "Deployment",
    "FixedRate",
    "FunctionTask",
    "Image",
    "Line",
    "Notify",
    "Outputs",
    "Resources",
    "Result",
    "Run",
    "Secret",
    "Session",
    "Snapshot",
    "Task",
    "TaskEnvironment",
    "Trigger",
    "TriggerTime",
    "WarmPool",
    "__version__",
    "agents",
    "app",
    "approvals",
    "approve",
    "check",
    "deploy",
    "errors",
    "extras",
    "group",
    "init",
    "init_from_config",
    "init_in_cluster",
    "io",
    "map",
    "prompt",
    "refuse",
    "remote",
    "report",
    "rerun",
    "run",
    "runs",
    "sandbox",
    "secrets",
    "serve",
    "session",
    "sessions",
    "signal",
    "snapshots",
    "start",
    "trace",
    "warm",
    "with_runcontext",
]

# Where each name comes from. A module is loaded when the first name of it is
# used: in a cell, that is time of every run.
_MODULES = {
    "AppHandle": ".app._handle",
    "Approval": "._runs.approvals",
    "Cron": "._tasks.trigger",
    "Deployment": "._tasks.deploy",
    "FixedRate": "._tasks.trigger",
    "FunctionTask": "._tasks.function",
    "Image": "._tasks.image",
    "Line": "._runs.log_lines",
    "Notify": "._tasks.notify",
    "Outputs": "._runs.outputs",
    "Resources": "._tasks.resources",
    "Result": "._runs.result",
    "Run": "._runs.run",
    "Secret": "._tasks.secret",
    "Session": ".session._session",
    "Snapshot": ".session._snapshot",
    "Task": "._tasks.task",
    "TaskEnvironment": "._tasks.environment",
    "Trigger": "._tasks.trigger",
    "TriggerTime": "._tasks.trigger",
    "WarmPool": "._runs.warm",
    "__version__": "._version",
    "agents": ".agents",
    "app": ".app",
    "approvals": "._runs.approvals",
    "approve": "._runs.approvals",
    "check": ".sandbox",
    "deploy": "._tasks.deploy",
    "errors": ".errors",
    "extras": ".extras",
    "group": "._tasks.group",
    "init": "._link.init",
    "init_from_config": "._link.init",
    "init_in_cluster": "._link.init",
    "io": ".io",
    "map": "._runs.map",
    "prompt": ".sandbox",
    "refuse": "._runs.approvals",
    "remote": ".remote",
    "report": ".report",
    "rerun": "._runs.listing",
    "run": "._runs.start",
    "runs": "._runs.listing",
    "sandbox": ".sandbox",
    "secrets": ".secrets",
    "serve": ".app._handle",
    "session": ".session",
    "sessions": ".session._listing",
    "signal": "._orchestrators.signal",
    "snapshots": ".session._snapshot",
    "start": "._runs.start",
    "trace": "._tasks.trace",
    "warm": "._runs.warm",
    "with_runcontext": "._runs.run_context",
}

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
