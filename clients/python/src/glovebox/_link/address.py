"""Where an engine listens, and the way to it."""

from __future__ import annotations

import base64
import ipaddress
import re
import urllib.parse
from dataclasses import dataclass, field

from .settings import MAX_SOCKET_PATH

_FORMS = "unix:///path/to/socket, http://127.0.0.1:port or https://host:port"


@dataclass(frozen=True)
class Proxy:
    """An HTTP proxy that is asked for a tunnel with CONNECT."""

    host: str
    port: int
    authorization: str = field(default="", repr=False)


@dataclass(frozen=True)
class Address:
    """The address of an engine. ``host`` and ``port`` count if ``socket`` is empty."""

    text: str  # as it was given, for messages
    socket: str = ""
    host: str = ""
    port: int = 0
    tls: bool = False
    base: str = ""  # of the path of every request
    proxy: Proxy | None = None

    @property
    def host_header(self) -> str:
        """Returns the value of the header Host."""
        if self.socket:
            return "localhost"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


def parse_address(text: str, proxy: str | None = None) -> Address:
    """Reads the address of an engine, as in ``GLOVEBOX_URL``.

    proxy is the URL of an HTTP proxy that leads there; without it, the proxies
    of the environment count for https. Raises ValueError.
    """
    url = _split(text)
    if url.scheme == "unix":
        return _unix(text, url)
    if not url.hostname:
        raise _bad(text, "it names no host")
    if url.scheme == "http" and proxy is None and not _is_loopback(url.hostname):
        # The token and all that runs would be readable on the way.
        raise _bad(text, "plain http is for engines on this host only; use https")
    tls = url.scheme == "https"
    way = parse_proxy(proxy) if proxy is not None else (_proxy_of_environment(url.hostname) if tls else None)
    port = _port(text, url) or (443 if tls else 80)
    base = urllib.parse.quote(url.path.rstrip("/"), safe="/%")
    return Address(text, host=url.hostname, port=port, tls=tls, base=base, proxy=way)


def parse_proxy(text: str) -> Proxy:
    """Reads the URL of an HTTP proxy. Raises ValueError."""
    try:
        url = urllib.parse.urlsplit(text if "://" in text else "http://" + text)
    except ValueError:
        url = urllib.parse.urlsplit("")
    if url.scheme != "http" or not url.hostname:
        raise ValueError("the address of the proxy cannot be used: expected http://host:port")
    secret = ""
    if url.username:
        pair = f"{urllib.parse.unquote(url.username)}:{urllib.parse.unquote(url.password or '')}"
        secret = "Basic " + base64.b64encode(pair.encode()).decode()
    try:
        return Proxy(url.hostname, url.port or 80, secret)
    except ValueError:
        raise ValueError("the address of the proxy cannot be used: its port is no number up to 65535") from None


def _split(text: str) -> urllib.parse.SplitResult:
    if any(character <= " " or character == "\x7f" for character in text):
        raise _bad(text, "it has a space or a control character")
    try:
        url = urllib.parse.urlsplit(text)
    except ValueError:
        raise _bad(text, "it is no URL") from None
    if url.username is not None or url.password is not None:
        raise _bad(text, "a user and a password have no place in it; the token goes into GLOVEBOX_TOKEN")
    if url.query or url.fragment:
        raise _bad(text, "it has a query or a fragment")
    if url.scheme not in ("unix", "http", "https"):
        raise _bad(text, "it begins with none of unix, http and https")
    return url


def _unix(text: str, url: urllib.parse.SplitResult) -> Address:
    path = urllib.parse.unquote(url.path)
    if url.netloc or not path.startswith("/") or path == "/" or "\0" in path:
        raise _bad(text, "the path of the socket must be absolute, after three slashes")
    if len(path.encode()) > MAX_SOCKET_PATH:
        raise _bad(text, f"the path of the socket is longer than the {MAX_SOCKET_PATH} bytes that the system allows")
    return Address(text, socket=path)


def _port(text: str, url: urllib.parse.SplitResult) -> int | None:
    try:
        return url.port
    except ValueError:
        raise _bad(text, "its port is no number up to 65535") from None


def _is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _proxy_of_environment(host: str) -> Proxy | None:
    from urllib.request import getproxies, proxy_bypass  # lazy: only https has one, and this loads all of HTTP

    text = getproxies().get("https")
    if not text or proxy_bypass(host):
        return None
    return parse_proxy(text)


def _bad(text: str, problem: str) -> ValueError:
    text = re.split("[?#]", text)[0]
    named = f" {text!r}" if text and "@" not in text else ""  # logs must not show a password
    return ValueError(
        f"the address of the engine{named} cannot be used: {problem}. Give {_FORMS}, in GLOVEBOX_URL say."
    )
