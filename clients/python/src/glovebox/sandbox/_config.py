"""How the image of a sandbox is built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ImageConfig:
    """Where the image of a sandbox is kept, its Python, and where its parts come from.

    Args:
        registry: Where a built image is pushed and looked for, such as ``"ghcr.io/my-org"``.
        registry_secret: The key of the stored secret ``user:password`` for it.
        python_version: Such as ``(3, 12)``. Without it the engine decides.
        index_url: The package index, in place of those of the engine; without user and password.
        extra_index_urls: Indexes that are asked before it.
        allow_urls: Lets packages be ``"name @ https://..."`` and ``"name @ git+https://..."``.
        network: What the build may reach, as ``network`` of ``Image.with_commands``.

    >>> config = glovebox.sandbox.ImageConfig(registry="ghcr.io/my-org", python_version=(3, 12))
    >>> box = glovebox.sandbox.create(code="y = 1", outputs={"y": int}, image_config=config)
    """

    __module__ = "glovebox.sandbox"  # where users find it

    registry: str | None = None
    registry_secret: str | None = None
    python_version: tuple[int, ...] | None = None
    index_url: str | None = None
    extra_index_urls: Sequence[str] = ()
    allow_urls: bool = False
    network: str | Sequence[str] | None = None
