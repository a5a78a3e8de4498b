"""Which engine this process uses: what ``glovebox.init`` and its like said, and the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .._process import context

if TYPE_CHECKING:
    from pathlib import Path

URL_VARIABLE = "GLOVEBOX_URL"
TOKEN_VARIABLE = "GLOVEBOX_TOKEN"
HOME_VARIABLE = "GLOVEBOX_HOME"
PROGRAM_VARIABLE = "GLOVEBOX_PROGRAM"
PROXY_VARIABLE = "GLOVEBOX_PROXY"  # in a cell: the way to the engine

MAX_SOCKET_PATH = 107  # bytes: what fits the address of a Unix socket


@dataclass(frozen=True)
class Place:
    """What an engine is found, or started, by."""

    url: str | None = None  # None: a child of this process
    token: str | None = field(default=None, repr=False)
    home: str | None = None  # of the child
    ca_file: str | None = None


@dataclass(frozen=True)
class Settings(Place):
    """The same with what the environment adds."""

    proxy: str | None = field(default=None, repr=False)
    program: str | None = None


class _Given:
    """The settings that this process gave to ``init``."""

    config = Place()
    root_dir: Path | None = None


def settings() -> Settings:
    """Returns the settings of now: those of ``init``, and those of the environment without it."""
    given, environment, url = _Given.config, os.environ.get, _url()
    if context.in_cell():
        return Settings(url=url, proxy=environment(PROXY_VARIABLE))
    if url:
        return Settings(url, given.token or environment(TOKEN_VARIABLE) or None, ca_file=given.ca_file)
    return Settings(home=given.home or environment(HOME_VARIABLE), program=environment(PROGRAM_VARIABLE))


def names_engine() -> bool:
    """Reports whether the settings of now name an engine that is no child of this process."""
    return bool(_url() or (context.in_cell() and os.environ.get(PROXY_VARIABLE)))


def _url() -> str | None:
    given = _Given.config
    if given.url and not context.in_cell():
        return given.url
    return None if given.home and not context.in_cell() else os.environ.get(URL_VARIABLE)


def root_dir() -> Path | None:
    """Returns the directory of the project that ``init`` was given."""
    return _Given.root_dir


def use(config: Place, root: Path | None) -> None:
    """Says which engine is used from now on, and where the project is."""
    _Given.config = config
    _Given.root_dir = root
