"""How the image of a sandbox is built."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ImageConfig:
    """Where the image of a sandbox is kept, and its Python.

    Args:
        registry: Where a built image is pushed and looked for, such as ``"ghcr.io/my-org"``.
        registry_secret: The key of the stored secret ``user:password`` for it.
        python_version: Such as ``(3, 12)``. Without it the engine decides.

    >>> config = glovebox.sandbox.ImageConfig(registry="ghcr.io/my-org", python_version=(3, 12))
    >>> box = glovebox.sandbox.create(code="y = 1", outputs={"y": int}, image_config=config)
    """

    registry: str | None = None
    registry_secret: str | None = None
    python_version: tuple[int, ...] | None = None
