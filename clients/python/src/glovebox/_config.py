"""Which engine this process uses: ``glovebox.init`` and its like, a file, the environment."""

from __future__ import annotations

import configparser
import logging
import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import _context

URL_VARIABLE = "GLOVEBOX_URL"
TOKEN_VARIABLE = "GLOVEBOX_TOKEN"
HOME_VARIABLE = "GLOVEBOX_HOME"
PROXY_VARIABLE = "GLOVEBOX_PROXY"  # in a cell: the way to the engine
CONFIG_VARIABLE = "GLOVEBOX_CONFIG"

_logger = logging.getLogger("glovebox")


@dataclass(frozen=True)
class Settings:
    """What an engine is found, or started, by."""

    url: str | None = None  # None: a child of this process
    token: str | None = field(default=None, repr=False)
    home: str | None = None  # of the child
    ca_file: str | None = None
    proxy: str | None = field(default=None, repr=False)
    program: str | None = None


_given = Settings()


def settings() -> Settings:
    """Returns what counts now: what ``init`` was given, else the environment."""
    environment = os.environ.get
    if _context.in_cell():
        return Settings(url=environment(URL_VARIABLE), proxy=environment(PROXY_VARIABLE))
    if _given.url is not None:
        return replace(_given, home=None, token=_given.token or environment(TOKEN_VARIABLE) or None)
    if _given.home is None and (url := environment(URL_VARIABLE)):
        return Settings(url=url, token=_given.token or environment(TOKEN_VARIABLE) or None, ca_file=_given.ca_file)
    return Settings(home=_given.home or environment(HOME_VARIABLE), program=environment("GLOVEBOX_PROGRAM"))
