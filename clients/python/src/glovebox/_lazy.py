"""Packages whose names are loaded when they are first used: importing all of them would be time of every process."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def attributes(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Returns ``__getattr__`` of a package, whose names come from these modules. ``.name`` is a module of that name."""

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: Any = importlib.import_module(modules[name], package)
        if modules[name] != f".{name}":
            value = getattr(value, name)
        setattr(sys.modules[package], name, value)
        return value

    return load
