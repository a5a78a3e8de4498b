"""Glovebox runs code that nobody has reviewed, safely and fast.

Code sandboxes, ``glovebox.sandbox.create``, run any Python or command in a
disposable cell. Orchestrators, ``@env.sandbox.orchestrator``, run restricted
Python that can only call the tasks it was given. Tasks, ``@env.task``, are
functions of your own.

>>> import glovebox
>>> double = glovebox.sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int})
>>> double.run(x=21)
42
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import errors, io, remote, sandbox
    from ._config import init, init_from_config, init_in_cluster
    from ._deploy import Deployment, deploy
    from ._environment import TaskEnvironment
    from ._function import FunctionTask
    from ._image import Image
    from ._resources import Resources
    from ._run import Outputs, Run
    from ._secret import Secret
    from ._start import run, start
    from ._task import Task
    from ._warm import WarmPool, warm

__all__ = [
    "Deployment",
    "FunctionTask",
    "Image",
    "Outputs",
    "Resources",
    "Run",
    "Secret",
    "Task",
    "TaskEnvironment",
    "WarmPool",
    "deploy",
    "errors",
    "init",
    "init_from_config",
    "init_in_cluster",
    "io",
    "remote",
    "run",
    "sandbox",
    "start",
    "warm",
]

# Where each name comes from. A module is loaded when the first name of it is
# used: in a cell, that is time of every run.
_MODULES = {
    "Deployment": "_deploy",
    "FunctionTask": "_function",
    "Image": "_image",
    "Outputs": "_run",
    "Resources": "_resources",
    "Run": "_run",
    "Secret": "_secret",
    "Task": "_task",
    "TaskEnvironment": "_environment",
    "WarmPool": "_warm",
    "deploy": "_deploy",
    "init": "_config",
    "init_from_config": "_config",
    "init_in_cluster": "_config",
    "run": "_start",
    "start": "_start",
    "warm": "_warm",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _MODULES:
        value = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    elif name in __all__:
        value = import_module(f".{name}", __name__)
    else:
        raise AttributeError(f"module 'glovebox' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
