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
]
