"""Sandboxes for unreviewed code.

``create`` declares a program that runs in a cell; ``orchestrator_from_str``,
``orchestrate_local`` and ``env.sandbox.orchestrator`` run Python that can only
call the tasks it was given.

>>> from glovebox import sandbox
>>> sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int}).run(x=21)
42
"""

from .._orchestrators.limits import SandboxedConfig
from .._orchestrators.mapping import gather, glovebox_map
from .._orchestrators.orchestrator import CodeTaskTemplate, SandboxedTaskTemplate
from .._tasks.environment import TaskEnvironment as _TaskEnvironment
from .._tasks.image import Image as _Image
from ._checking import Problem, check
from ._config import ImageConfig
from ._create import create
from ._prompt import ORCHESTRATOR_SYNTAX_PROMPT
from ._prompting import prompt
from ._sandbox import Sandbox
from ._strings import evaluate, orchestrate_local, orchestrate_local_sync, orchestrator_from_str
from ._task import SandboxTask

# The environment of sandboxes, for depends_on of environments whose tasks use them.
sandbox_environment = _TaskEnvironment(name="sandbox-runtime", image=_Image.from_debian_base(install_glovebox=False))

__all__ = [
    "ORCHESTRATOR_SYNTAX_PROMPT",
    "CodeTaskTemplate",
    "ImageConfig",
    "Problem",
    "Sandbox",
    "SandboxTask",
    "SandboxedConfig",
    "SandboxedTaskTemplate",
    "check",
    "create",
    "evaluate",
    "gather",
    "glovebox_map",
    "orchestrate_local",
    "orchestrate_local_sync",
    "orchestrator_from_str",
    "prompt",
    "sandbox_environment",
]
