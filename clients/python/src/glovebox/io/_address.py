"""Addresses of what lies elsewhere, such as s3://bucket/data.csv: fsspec fetches it, with the keys of this process."""

from __future__ import annotations

import importlib
import os
import re
from typing import Any

from ._local import private_dir, safe_name

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_HOW = "pip install fsspec, with what its protocol needs: s3fs for s3://, gcsfs for gs://, aiohttp for https://"


def is_address(path: object) -> bool:
    """Reports whether a path names something that is on no file system of this machine."""
    return isinstance(path, str) and _ADDRESS.match(path) is not None


def name_in(address: str, otherwise: str) -> str:
    """Returns what is called by the last part of an address, without a query."""
    path = address.partition("://")[2].partition("?")[0].rstrip("/")
    return safe_name(path, otherwise)


def fetch_file(address: str, name: str) -> str:
    """Fetches a file, and returns the private path where it is. FileNotFoundError if there is none."""
    system, path = _found(address)
    target = os.path.join(private_dir(), name)
    if not system.isfile(path):
        raise FileNotFoundError(f"there is no file {address}")
    system.get_file(path, target)
    return target


def fetch_dir(address: str, name: str) -> str:
    """Fetches all files below an address, and returns the private directory where they are."""
    system, root = _found(address)
    target = os.path.join(private_dir(), name)
    os.mkdir(target)
    prefix = root.rstrip("/") + "/"
    found = [path for path in system.find(root) if path.startswith(prefix)]
    if not found:
        raise FileNotFoundError(f"there is no directory with files {address}")
    for path in found:
        below = path[len(prefix) :]
        local = os.path.join(target, *_parts(below, address))
        os.makedirs(os.path.dirname(local), exist_ok=True)
        system.get_file(path, local)
    return target


def exists(address: str) -> bool:
    """Reports whether something is there."""
    system, path = _found(address)
    return bool(system.exists(path))


def _parts(below: str, address: str) -> list[str]:
    """Returns the names that lead to a file. A store may hold keys that would lead out of the directory here."""
    parts = below.split("/")
    if any(not part or safe_name(part, "") != part for part in parts):
        raise ValueError(f"{address} holds {below[:200]!r}, which cannot be the path of a file here")
    return parts


def _found(address: str) -> tuple[Any, str]:
    try:
        system, path = importlib.import_module("fsspec").core.url_to_fs(address)
    except ImportError as error:
        raise ModuleNotFoundError(f"{address}: {error}; {_HOW}", name=error.name) from None
    return system, str(path)
