"""Tasks of other kinds."""

from .sandbox._container import ContainerTask

__all__ = ["ContainerTask"]
