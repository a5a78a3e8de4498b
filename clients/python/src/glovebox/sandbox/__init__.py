"""Sandboxes for code that nobody has reviewed.

``create`` declares a program that runs in a cell; ``orchestrator_from_str``,
``orchestrate_local`` and ``env.sandbox.orchestrator`` run Python that can only
call the tasks it was given.

>>> from glovebox import sandbox
>>> sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int}).run(x=21)
42
"""

from .._environment import TaskEnvironment
from .._image import Image
from ._config import ImageConfig
from ._create import create
from ._sandbox import Sandbox
from ._task import SandboxTask

# What sandboxes run in, for depends_on of environments whose tasks use them.
sandbox_environment = TaskEnvironment(name="sandbox-runtime", image=Image.from_debian_base(install_glovebox=False))

__all__ = ["ImageConfig", "Sandbox", "SandboxTask", "create", "sandbox_environment"]
