"""Secrets that a task is given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, cast

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

    With ``hosts`` it does not even go there: the task has a placeholder, and the proxy
    outside of its cell puts the value into requests to those hosts, and takes it out of
    what comes back. The network of the task then allows those hosts.

    Args:
        key: The name of the secret in the store.
        group: A prefix of that name: group ``"prod"`` and key ``"db"`` are the secret ``prod_db``.
        mount: ``"/run/secrets"`` gives the secret as the file ``/run/secrets/NAME``.
        as_env_var: The variable that gets the value. With neither this nor ``mount`` it is the
            name in capitals with ``_`` for ``-``: ``api-key`` becomes ``API_KEY``.
        hosts: The only hosts that get the value: ``"api.openai.com"``, ``"*.example.com"``, with an
            optional ``":port"`` in place of 443, or ``"http://HOST:PORT"`` without TLS.
        inject: Where the value goes: ``"placeholder"``, which is meant by default, wherever the
            placeholder stands in a header of a request; ``"header:NAME: TEMPLATE"`` or
            ``"query:NAME=TEMPLATE"`` with ``{}`` for the value; ``"aws-sigv4"`` for a value
            ``ID:KEY`` or ``ID:KEY:TOKEN`` with which requests to AWS are signed outside of the cell.
        allow: The only requests to those hosts, such as ``"GET /v1/*"``. By default all are.
        max_request: How many bytes the body of a request may have.
        max_response: How many bytes the body of an answer may have.

    Raises:
        ValueError: A field cannot be what it is. The message names it.

    Example::

        glovebox.Secret(key="api-key", as_env_var="API_KEY")
        glovebox.Secret("openai", as_env_var="OPENAI_API_KEY", hosts=["api.openai.com"])
    """

    __module__ = "glovebox"  # where users find it

    key: str
    group: str | None = None
    mount: str | PathLike[str] | None = None
    as_env_var: str | None = None
    hosts: Sequence[str] = ()
    inject: str | None = None
    allow: Sequence[str] = ()
    max_request: int | None = None
    max_response: int | None = None

    def __post_init__(self) -> None:
        _check_key("key", self.key)
        if self.group is not None:
            _check_key("group", self.group)
        if not _KEY.fullmatch(self.name):
            raise ValueError(f"key of a secret is {self.key!r}, expected 1 to 128 characters, with its group")
        for field in ("hosts", "allow"):
            object.__setattr__(self, field, _texts(f"{field} of secret {self.name}", getattr(self, field)))
        if self._terms() and not self.hosts:
            raise ValueError(
                f"{next(iter(self._terms()))} of secret {self.name} needs hosts: name those that may have the value"
            )
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

    def _terms(self) -> dict[str, Any]:
        """Returns on which terms the value is withheld from the task, as the engine reads them."""
        terms: dict[str, Any] = {
            "hosts": list(self.hosts),
            "inject": self.inject,
            "allow": list(self.allow),
            "max_request": self.max_request,
            "max_response": self.max_response,
        }
        return {name: value for name, value in terms.items() if value}


def _texts(field: str, given: object) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise TypeError(f"{field}: expected a list of str, got {given!r}")
    entries = cast("Sequence[object]", given)
    for entry in entries:
        if not isinstance(entry, str):
            raise TypeError(f"{field}: expected a list of str, got {given!r}")
    return tuple(cast("Sequence[str]", entries))


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


def with_hosts(network: dict[str, Any], secrets: Sequence[Json]) -> dict[str, Any]:
    """Returns a network that allows the hosts of secrets, too."""
    hosts = [host for secret in secrets for host in secret.get("hosts", ())]
    if network.get("public") or not hosts:
        return network
    allow: list[str] = [*network.get("allow", ()), *map(_domain, hosts)]
    return {**network, "allow": list(dict.fromkeys(allow))}


def _domain(host: str) -> str:
    if not host.startswith("http://"):
        return host.removeprefix("https://")
    domain = host.removeprefix("http://")
    return domain if ":" in domain else f"{domain}:80"


def _secret(entry: object, index: int) -> Secret:
    if isinstance(entry, Secret):
        return entry
    if isinstance(entry, str):
        return Secret(entry)
    raise TypeError(f"secrets[{index}] is {entry!r} ({type(entry).__name__}), expected a Secret or the key of one")


def _references(secret: Secret) -> list[Json]:
    """Returns one reference for each way in which the task gets the secret."""
    terms = secret._terms()  # pyright: ignore[reportPrivateUsage]
    references: list[Json] = []
    if secret.as_env_var is not None:
        references.append({"name": secret.name, "env": secret.as_env_var, **terms})
    if secret.mount is not None:
        references.append({"name": secret.name, **terms})
    return references
