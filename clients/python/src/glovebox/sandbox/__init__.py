"""Sandboxes for code that nobody has reviewed.

``create`` declares a program that runs in a cell; ``orchestrator_from_str``,
``orchestrate_local`` and ``env.sandbox.orchestrator`` run Python that can only
call the tasks it was given.

>>> from glovebox import sandbox
>>> sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int}).run(x=21)
42
"""

from .._environment import TaskEnvironment as _TaskEnvironment
from .._image import Image as _Image
from ._config import ImageConfig
from ._create import create
from ._limits import SandboxedConfig
from ._mapping import gather, glovebox_map
from ._orchestrator import CodeTaskTemplate, SandboxedTaskTemplate
from ._prompt import ORCHESTRATOR_SYNTAX_PROMPT
from ._prompting import prompt
from ._sandbox import Sandbox
from ._strings import orchestrate_local, orchestrate_local_sync, orchestrator_from_str
from ._task import SandboxTask

# What sandboxes run in, for depends_on of environments whose tasks use them.
sandbox_environment = _TaskEnvironment(name="sandbox-runtime", image=_Image.from_debian_base(install_glovebox=False))

__all__ = [
    "ORCHESTRATOR_SYNTAX_PROMPT",
    "CodeTaskTemplate",
    "ImageConfig",
    "Sandbox",
    "SandboxTask",
    "SandboxedConfig",
    "SandboxedTaskTemplate",
    "create",
    "gather",
    "glovebox_map",
    "orchestrate_local",
    "orchestrate_local_sync",
    "orchestrator_from_str",
    "prompt",
    "sandbox_environment",
]
