"""What an environment asks of the cells of its functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .._bundles.preload import preload_json
from .network import network_json
from .variables import check_variables

if TYPE_CHECKING:
    from .image import Image
    from .resources import Resources
    from .secret import Secret


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
        if isolation not in (None, "gvisor"):
            raise ValueError(f'isolation: expected "gvisor", got {isolation!r}; there is no other driver yet')
        image = None if image == "auto" else image
        asked = any(given is not None for given in (image, resources, env_vars, secrets, network, isolation, preload))
        members: dict[str, Any] = {
            "env": check_variables(env_vars),
            "network": network_json(network),
            "preload": preload_json(preload),
        }
        if image is not None:
            from .image import image_spec, image_variables  # lazy: a start in a cell does without it

            members |= {"image": image_spec(image), "env": {**image_variables(image), **members["env"]}}
        if resources is not None:
            from .resources import resources_json  # lazy: a start in a cell does without it

            members["resources"] = resources_json(resources)
        if secrets is not None:
            from .secret import secrets_json, with_hosts  # lazy: a start in a cell does without it

            members["secrets"] = secrets_json(secrets)
            members["network"] = with_hosts(members["network"], members["secrets"])
        return cls(asked, {name: value for name, value in members.items() if value})
