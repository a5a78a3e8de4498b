"""Sandboxes for unreviewed code.

``create`` declares a program that runs in a cell; ``orchestrator_from_str``,
``orchestrate_local`` and ``env.sandbox.orchestrator`` run Python that can only
call the tasks it was given.

>>> from glovebox import sandbox
>>> sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int}).run(x=21)
42
"""

from typing import TYPE_CHECKING

from .._lazy import attributes

if TYPE_CHECKING:
    from .._orchestrators.limits import SandboxedConfig
    from .._orchestrators.mapping import gather, glovebox_map
    from .._orchestrators.orchestrator import CodeTaskTemplate, SandboxedTaskTemplate
    from ._checking import Problem, check
    from ._config import ImageConfig
    from ._create import create
    from ._environment import sandbox_environment
    from ._once import evaluate, orchestrate_local, orchestrate_local_sync
    from ._prompt import ORCHESTRATOR_SYNTAX_PROMPT
    from ._prompting import prompt
    from ._sandbox import Sandbox
    from ._strings import orchestrator_from_str
    from ._task import SandboxTask

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

_MODULES = {
    "CodeTaskTemplate": ".._orchestrators.orchestrator",
    "ImageConfig": "._config",
    "ORCHESTRATOR_SYNTAX_PROMPT": "._prompt",
    "Problem": "._checking",
    "Sandbox": "._sandbox",
    "SandboxTask": "._task",
    "SandboxedConfig": ".._orchestrators.limits",
    "SandboxedTaskTemplate": ".._orchestrators.orchestrator",
    "check": "._checking",
    "create": "._create",
    "evaluate": "._once",
    "gather": ".._orchestrators.mapping",
    "glovebox_map": ".._orchestrators.mapping",
    "orchestrate_local": "._once",
    "orchestrate_local_sync": "._once",
    "orchestrator_from_str": "._strings",
    "prompt": "._prompting",
    "sandbox_environment": "._environment",
}

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
