"""Secrets that a task is given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .._link.current import Json

_KEY = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_VARIABLE = r"^[A-Z_][A-Z0-9_]*$"
_MOUNT = "/run/secrets"


@dataclass(frozen=True)
class Secret:
    """A stored secret that a task is given, as an environment variable or as a file.

    The value is stored once with ``glovebox secret set NAME`` and never leaves
    the engine but into the cells of tasks that name it. What a task prints of
    it is blacked out in the logs.

    Args:
        key: The name of the secret in the store.
        group: A prefix of that name: group ``"prod"`` and key ``"db"`` are the secret ``prod_db``.
        mount: ``"/run/secrets"`` gives the secret as the file ``/run/secrets/NAME``.
        as_env_var: The variable that gets the value. With neither this nor ``mount`` it is the
            name in capitals with ``_`` for ``-``: ``api-key`` becomes ``API_KEY``.

    Raises:
        ValueError: A field cannot be what it is. The message names it.

    Example::

        glovebox.Secret(key="api-key", as_env_var="API_KEY")
    """

    __module__ = "glovebox"  # where users find it

    key: str
    group: str | None = None
    mount: str | PathLike[str] | None = None
    as_env_var: str | None = None

    def __post_init__(self) -> None:
        _check_key("key", self.key)
        if self.group is not None:
            _check_key("group", self.group)
        if not _KEY.fullmatch(self.name):
            raise ValueError(f"key of a secret is {self.key!r}, expected 1 to 128 characters, with its group")
        if self.mount is not None and fspath(self.mount) != _MOUNT:
            raise ValueError(f"mount of secret {self.name} is {fspath(self.mount)!r}; secrets are mounted at {_MOUNT}")
        if self.mount is None and self.as_env_var is None:
            object.__setattr__(self, "as_env_var", self.name.replace("-", "_").upper())
        if self.as_env_var is not None and not re.fullmatch(_VARIABLE[1:-1], self.as_env_var):
            raise ValueError(f"Invalid environment variable name: {self.as_env_var}, must match {_VARIABLE}")

    @property
    def name(self) -> str:
        """The name in the store: the key, with the group in front."""
        return f"{self.group}_{self.key}" if self.group else self.key


def _check_key(field: str, value: object) -> None:
    if not isinstance(value, str) or not _KEY.fullmatch(value):
        raise ValueError(f"{field} of a secret is {value!r}, expected letters, digits, '_', '.' and '-', at most 128")


SecretRequest = str | Secret | Sequence[str | Secret]


def secrets_of(request: SecretRequest | None) -> tuple[Secret, ...]:
    """Returns the secrets that are asked for. A string is the key of one."""
    if request is None:
        return ()
    if isinstance(request, (str, Secret)):
        request = [request]
    return tuple(_secret(entry, i) for i, entry in enumerate(request))


def secrets_json(request: SecretRequest | None) -> list[Json]:
    """Returns the secrets that are asked for as the engine reads them.

    Raises:
        ValueError: A variable would be set twice.
    """
    references = [reference for secret in secrets_of(request) for reference in _references(secret)]
    variables = [reference["env"] for reference in references if "env" in reference]
    for variable in variables:
        if variables.count(variable) > 1:
            raise ValueError(f"secrets: two secrets set {variable}; give one of them another as_env_var")
    return references


def _secret(entry: object, index: int) -> Secret:
    if isinstance(entry, Secret):
        return entry
    if isinstance(entry, str):
        return Secret(entry)
    raise TypeError(f"secrets[{index}] is {entry!r} ({type(entry).__name__}), expected a Secret or the key of one")


def _references(secret: Secret) -> list[Json]:
    """Returns one reference for each way in which the task gets the secret."""
    references: list[Json] = []
    if secret.as_env_var is not None:
        references.append({"name": secret.name, "env": secret.as_env_var})
    if secret.mount is not None:
        references.append({"name": secret.name})
    return references
