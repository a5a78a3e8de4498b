"""The loggers of this library."""

from __future__ import annotations

import logging

logging.getLogger("glovebox").addHandler(logging.NullHandler())  # an application that wants its lines adds a handler


def logger(name: str) -> logging.Logger:
    """Returns a logger, which says nothing unless the application has a handler for it."""
    return logging.getLogger(name)
