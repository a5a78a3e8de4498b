"""Language models that the engine asks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .._tasks.policies import engine_name
from .._tasks.task import Task, TaskSource
from .._values.signature_json import signature_json
from ._messages import MODEL_SIGNATURE

if TYPE_CHECKING:
    from .._link.current import Engine, Json

Protocol = Literal["openai", "anthropic"]

_KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
_FAMILIES: tuple[tuple[str, Protocol], ...] = ((r"claude-", "anthropic"), (r"(chatgpt|gpt|o\d+)(-|$)", "openai"))
_SECRET = re.compile(r"[A-Za-z0-9_.-]{1,128}")


@dataclass(frozen=True)
class Price:
    """What a model costs, in US dollars for a million tokens.

    Args:
        input: Of what it is sent.
        output: Of what it answers.
        cached_input: Of what it was sent before and the provider still has; by default the same as ``input``.
    """

    __module__ = "glovebox.agents"  # where users find it

    input: float
    output: float
    cached_input: float = 0.0

    def __post_init__(self) -> None:
        for name in ("input", "output", "cached_input"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < float("inf"):
                raise ValueError(f"{name}: expected dollars for a million tokens, got {value!r}")


@dataclass(frozen=True)
class Model(TaskSource):
    """A language model, and how it is reached. The engine asks it: no cell and no tool sees its key.

    Args:
        protocol: ``"openai"``, which many servers of other providers speak too, or ``"anthropic"``.
        name: As the provider spells it.
        base_url: Of another server; empty is that of OpenAI or Anthropic.
        api_key: The name of a stored secret, never the key itself; empty sends none. By default it is
            ``OPENAI_API_KEY`` or ``ANTHROPIC_API_KEY``, but none where there is a ``base_url``.
        price: Makes a budget in dollars count.

    Raises:
        ValueError: A field cannot be what it is. The message names it.

    >>> local = glovebox.agents.Model("openai", "qwen3", base_url="http://localhost:11434/v1")
    """

    __module__ = "glovebox.agents"  # where users find it

    protocol: Protocol
    name: str
    base_url: str = field(default="", kw_only=True)
    api_key: str | None = field(default=None, kw_only=True)
    price: Price | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.protocol not in _KEYS:
            raise ValueError(f'protocol: expected "openai" or "anthropic", got {self.protocol!r}')
        if not isinstance(self.name, str) or not self.name:
            raise ValueError(f"name: expected that of a model, got {self.name!r}")
        if self.api_key is None:
            object.__setattr__(self, "api_key", "" if self.base_url else _KEYS[self.protocol])
        if self.price is not None and not isinstance(self.price, Price):
            raise TypeError(f"price: expected a Price, got {self.price!r}")
        _check_key(self.api_key)

    def _as_task(self) -> Task[..., Any]:
        return ModelTask(self)


def _check_key(name: object) -> None:
    if name == "":
        return
    if not isinstance(name, str) or not _SECRET.fullmatch(name) or name.startswith("sk-"):
        # What was given may be a key, so it is not shown.
        raise ValueError(
            "api_key: expected the name of a stored secret, not the key itself; "
            "store the key with: glovebox secret set NAME"
        )


class ModelTask(Task[..., Any]):
    """A question to a model as a task: a request in, an answer out, both as the HTTP API has them."""

    def __init__(self, model: Model) -> None:
        super().__init__(engine_name(model.name), MODEL_SIGNATURE)
        self.model = model

    async def _definition(self, engine: Engine, *, deployed: bool = False) -> Json:
        del engine, deployed
        model = self.model
        members: Json = {"protocol": model.protocol, "name": model.name}
        if model.base_url:
            members["base_url"] = model.base_url
        if model.api_key:
            members["key"] = model.api_key
        if model.price is not None:
            price = model.price
            members["price"] = {"input": price.input, "output": price.output, "cached_input": price.cached_input}
        return {"name": self.name, "kind": "model", "signature": signature_json(self.signature), "model": members}


def model_of(given: object) -> Model:
    """Returns the model that a name stands for, such as ``openai/gpt-5``. ValueError if its provider is not plain."""
    if isinstance(given, Model):
        return given
    if not isinstance(given, str):
        raise TypeError(f"model: expected a name such as 'openai/gpt-5', or a Model, got {given!r}")
    provider, slash, name = given.partition("/")
    if slash and provider in ("openai", "anthropic"):
        return Model("openai" if provider == "openai" else "anthropic", name)
    for pattern, protocol in _FAMILIES:
        if re.match(pattern, given):
            return Model(protocol, given)
    raise ValueError(
        f"model: {given!r} does not say whose it is: write 'openai/{given}' or 'anthropic/{given}', "
        "or for another provider Model('openai', name, base_url=...)"
    )


def model_name(given: object) -> str:
    """Returns the name that functions get that are asked in the place of a model."""
    return given.name if isinstance(given, Model) else str(given)
