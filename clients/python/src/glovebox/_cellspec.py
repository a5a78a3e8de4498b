"""What an environment asks of the cells of its functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._image import Image
    from ._resources import Resources
    from ._secret import Secret


def network_json(network: str | Sequence[str] | None) -> dict[str, Any]:
    """Returns what ``network=`` says as api.Network: "none", "public", or domains."""
    if network is None or network == "none":
        return {}
    if network == "public":
        return {"public": True}
    domains = [network] if isinstance(network, str) else list(network)
    for domain in domains:
        if not isinstance(domain, str) or not domain:
            raise TypeError(
                f'network: expected "none", "public" or a list of domains such as "pypi.org", got {domain!r}'
            )
    return {"allow": domains}


@dataclass(frozen=True)
class CellSpec:
    """The members of a sandbox task that say how its cell is made."""

    asked: bool = False  # whether anything was set at all
    members: dict[str, Any] = field(default_factory=dict[str, Any])

    @classmethod
    def of(
        cls,
        *,
        image: str | Image | None,
        resources: Resources | None,
        env_vars: Mapping[str, str] | None,
        secrets: str | Secret | Sequence[str | Secret] | None,
        network: str | Sequence[str] | None,
        isolation: str | None,
        preload: Sequence[str] | None = None,
    ) -> CellSpec:
        from ._preload import preload_json

        if isolation not in (None, "gvisor"):
            raise ValueError(f'isolation: expected "gvisor", got {isolation!r}; there is no other driver yet')
        image = None if image == "auto" else image
        asked = any(given is not None for given in (image, resources, env_vars, secrets, network, isolation, preload))
        members: dict[str, Any] = {
            "env": check_variables(env_vars),
            "network": network_json(network),
            "preload": preload_json(preload),
        }
        # What nobody asks for is not loaded: in a cell, that is time of every run.
        if image is not None:
            from ._image import image_spec, image_variables

            members |= {"image": image_spec(image), "env": {**image_variables(image), **members["env"]}}
        if resources is not None:
            from ._resources import resources_json

            members["resources"] = resources_json(resources)
        if secrets is not None:
            from ._secret import secrets_json

            members["secrets"] = secrets_json(secrets)
        return cls(asked, {name: value for name, value in members.items() if value})


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
