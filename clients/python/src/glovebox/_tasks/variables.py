"""Environment variables of the programs in a cell."""

from __future__ import annotations

from collections.abc import Mapping


def check_variables(env_vars: Mapping[str, str] | None) -> dict[str, str]:
    """Returns environment variables, and raises TypeError or ValueError if they cannot be some."""
    if env_vars is None:
        return {}
    if not isinstance(env_vars, Mapping):
        raise TypeError(f"env_vars: expected a dict, got {env_vars!r}")
    for name, value in env_vars.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError(f"env_vars: expected str to str, got {name!r}: {value!r}")
        if not name or "=" in name or any(c.isspace() or not c.isprintable() for c in name):
            raise ValueError(
                f"env_vars: {name!r} cannot be a variable: no '=', no spaces, no control characters, not empty"
            )
        if "\0" in value:
            raise ValueError(f"env_vars: the value of {name} has a NUL, which no variable can hold")
    return dict(env_vars)
