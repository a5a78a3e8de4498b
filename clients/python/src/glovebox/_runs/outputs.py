"""The outputs of a run, by position and by name."""

from __future__ import annotations

from typing import Any

from .._values.types import Param, Signature


class Outputs(tuple[Any, ...]):
    """The outputs of a run, by position and by name. A task without an output has None as the only one.

    >>> run.outputs()[0], run.outputs().o0, run.outputs()["o0"]
    """

    __module__ = "glovebox"  # where users find it

    names: tuple[str, ...]

    @classmethod
    def of(cls, signature: Signature, values: dict[str, Any]) -> Outputs:
        """Makes those of a signature from values by name."""
        outputs = signature.outputs
        if not outputs:
            return cls._named((None,), ("o0",))
        if len(outputs) == 1 and outputs[0].name == "o0" and _fixed_tuple(outputs[0]):
            items = tuple(values["o0"])
            return cls._named(items, tuple(f"o{i}" for i in range(len(items))))
        return cls._named(tuple(values[param.name] for param in outputs), tuple(param.name for param in outputs))

    @classmethod
    def _named(cls, items: tuple[Any, ...], names: tuple[str, ...]) -> Outputs:
        made = cls(items)
        made.names = names
        return made

    def __getattr__(self, name: str) -> Any:
        names = self.__dict__.get("names", ())
        if name in names:
            return self[names.index(name)]
        raise AttributeError(f"there is no output {name!r}; the outputs are ({', '.join(names)})")

    def __getitem__(self, key: Any) -> Any:
        return getattr(self, key) if isinstance(key, str) else super().__getitem__(key)

    def __repr__(self) -> str:
        return f"Outputs({', '.join(f'{name}={value!r}' for name, value in zip(self.names, self))})"


def _fixed_tuple(param: Param) -> bool:
    return param.type.kind == "tuple" and not (param.type.args and param.type.args[-1].kind == "...")
