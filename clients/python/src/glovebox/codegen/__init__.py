"""Code generation: a model writes a script for a sentence, and tests, which run in cells until they pass.

>>> from glovebox.codegen import AutoCoderAgent
>>> agent = AutoCoderAgent(model="anthropic/claude-opus-5-5", name="sales")
>>> result = agent.generate("Sum quantity times price.", samples={"sales": sales_csv}, outputs={"total": float})
>>> result.run(sales=all_sales_csv)

The engine runs the generation: every question, build and test is a call of one run, which continues after a crash.
"""

from typing import TYPE_CHECKING

from .._lazy import attributes

if TYPE_CHECKING:
    from ..agents._budget import Budget
    from ..agents._model import Model, Price
    from ..sandbox._config import ImageConfig
    from ._agent import AutoCoderAgent
    from ._result import CodeGenEvalResult, CodePlan, CodeSolution

__all__ = [
    "AutoCoderAgent",
    "Budget",
    "CodeGenEvalResult",
    "CodePlan",
    "CodeSolution",
    "ImageConfig",
    "Model",
    "Price",
]

_MODULES = {
    "AutoCoderAgent": "._agent",
    "Budget": "..agents._budget",
    "CodeGenEvalResult": "._result",
    "CodePlan": "._result",
    "CodeSolution": "._result",
    "ImageConfig": "..sandbox._config",
    "Model": "..agents._model",
    "Price": "..agents._model",
}

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
