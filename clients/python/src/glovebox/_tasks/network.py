"""What a cell may reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

Network: TypeAlias = Literal["none", "public"] | list[str] | tuple[str, ...]

_EXPECTED = 'expected "none", "public" or a list of domains such as ["pypi.org", "*.example.com"]'


def network_json(network: str | Sequence[str] | None) -> dict[str, Any]:
    """Returns what ``network=`` says as api.Network: "none", "public", or domains.

    ValueError or TypeError for what is neither, with what was probably meant.
    """
    if network is None or network == "none":
        return {}
    if network == "public":
        return {"public": True}
    if isinstance(network, str):
        if "." not in network:  # a word: unlikely to be the name of a host
            raise ValueError(f"network: {network!r} is no such mode and no domain; {_EXPECTED}{_meant(network)}")
        return {"allow": [_domain("network", network)]}
    if not isinstance(network, Sequence):
        raise TypeError(f"network: {_EXPECTED}, got {network!r}")
    return {"allow": [_domain(f"network[{i}]", domain) for i, domain in enumerate(network)]}


def _meant(word: str) -> str:
    if word.lower() in ("internet", "all", "any", "open", "true", "on", "yes", "full", "*"):
        return '; did you mean "public"?'
    import difflib  # lazy: only errors need it

    near = difflib.get_close_matches(word.lower(), ("none", "public"), n=1)
    return f'; did you mean "{near[0]}"?' if near else ""


def _domain(field: str, domain: object) -> str:
    if not isinstance(domain, str):
        raise TypeError(f"{field}: expected a domain such as 'pypi.org', got {domain!r}")
    if problem := _problem(domain):
        raise ValueError(f"{field}: {domain!r} is no domain: {problem}")
    return domain


def _problem(domain: str) -> str:
    """Says what is wrong with a domain and what to write. The engine says the rest."""
    host = domain.partition("://")[2].partition("/")[0] if "://" in domain else domain.partition("/")[0]
    if not domain.strip():
        return "leave it out"
    if domain in ("none", "public", "*"):
        what, mode = ("nothing", "none") if domain == "none" else ("every host", "public")
        return f'to allow {what}, write network="{mode}"'
    if "://" in domain or "/" in domain:
        return f"write the host alone, {host!r}; whole hosts are allowed, not pages"
    if "@" in domain:
        return f"leave out the user: {domain.rpartition('@')[2]!r}"
    if any(character.isspace() or character in "?#,;" for character in domain):
        return "it has a character that no host has; write one host in each entry"
    return 'name the host; addresses can be reached with network="public" alone' if _is_address(domain) else ""


def _is_address(domain: str) -> bool:
    import ipaddress  # lazy: only lists of domains need it

    for text in (domain, domain.rpartition(":")[0]):
        try:
            ipaddress.ip_address(text.strip("[]"))
            return True
        except ValueError:
            continue
    return False
