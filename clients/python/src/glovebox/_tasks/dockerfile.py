"""Dockerfiles of this machine, which an engine gets as text, with their build contexts as stored archives."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .regular import open_regular
from .secret import Secret

if TYPE_CHECKING:
    from .._link.current import Engine, Json
    from .build_context import Entry

_MOST = 256 << 10  # bytes of a Dockerfile: what an engine takes
_NAMES = ("dockerfile", "containerfile")


@dataclass(frozen=True)
class Dockerfile:
    """A Dockerfile and the directory that it takes files from, which are read when an engine needs them."""

    path: Path
    context: Path
    target: str | None = None
    args: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    secrets: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)

    @classmethod
    def at(
        cls,
        file: str | os.PathLike[str],
        context: str | os.PathLike[str] | None,
        target: str | None,
        args: Mapping[str, str] | None,
        secrets: Mapping[str, str | Secret] | None,
    ) -> Dockerfile:
        path = Path(os.path.abspath(file))
        if isinstance(context, str) and "://" in context:
            raise ValueError(f"context is the URL {context!r}, expected a directory of this machine")
        directory = path.parent if context is None else Path(os.path.abspath(context))
        return cls(path, directory, target, _texts("args", args), _texts("secrets", secrets))

    def check(self) -> None:
        """Refuses what is not there.

        Raises:
            OSError: It cannot be read, or the context is no directory.
            ValueError: It is no Dockerfile.
        """
        self._text()
        if not self.context.is_dir():
            self.context.stat()  # which says that it is not there
            raise NotADirectoryError(f"context is {str(self.context)!r}, expected a directory")

    async def stored(self, engine: Engine) -> Json:
        """Gives an engine what it needs of it, and returns the members of the image that say so."""
        import asyncio  # lazy: only a run needs it

        from .build_context import entries_of  # lazy: the same

        text = await asyncio.to_thread(self._text)
        entries = await asyncio.to_thread(entries_of, self.context, self.path)
        known = _stored.setdefault(engine, {})
        digest, stored = known.get(self.context, ("", None))
        if stored != entries:
            digest = await self._store(engine, entries)
            known[self.context] = (digest, entries)
        more = {"target": self.target, "build_args": self.args, "build_secrets": self.secrets}
        return {"dockerfile": text, "context": digest, **{name: value for name, value in more.items() if value}}

    async def _store(self, engine: Engine, entries: tuple[Entry, ...]) -> str:
        import asyncio  # lazy: only a run needs it
        import tempfile  # lazy: the same

        with tempfile.TemporaryDirectory(prefix="glovebox-context-") as directory:
            archive = Path(directory, "context.tar")
            await asyncio.to_thread(self._pack, entries, archive)
            digest, _ = await engine.put_blob(archive)
            return digest

    def _pack(self, entries: tuple[Entry, ...], archive: Path) -> None:
        from .build_context import pack  # lazy: only a run needs it

        with archive.open("wb") as to:
            pack(self.context, entries, to)

    def _text(self) -> str:
        with open_regular(self.path) as file:
            data = file.read(_MOST + 1)
        if len(data) > _MOST:
            raise ValueError(f"the Dockerfile {self.path} is larger than 256 KiB")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError(f"the Dockerfile {self.path} is no text in UTF-8") from None
        if not text.strip():
            raise ValueError(f"the Dockerfile {self.path} is empty")
        return text


def _texts(where: str, given: Mapping[str, str | Secret] | None) -> dict[str, str]:
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"{where} is {given!r}, expected a dict")
    texts = {name: value.name if isinstance(value, Secret) else value for name, value in (given or {}).items()}
    for name, value in texts.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError(f"{where}: expected str to str, got {name!r}: {value!r}")
    return texts


# The digest of each context that an engine has, and what was in it then.
_stored: weakref.WeakKeyDictionary[Engine, dict[Path, tuple[str, tuple[Entry, ...] | None]]]
_stored = weakref.WeakKeyDictionary()


def names_dockerfile(ref: str) -> bool:
    """Reports whether a reference to an image is the path of a Dockerfile, as the command line decides it."""
    if not ref.startswith(("/", "./", "../")):
        return False
    name = os.path.basename(ref).lower()
    return any(name == word or name.startswith(word + ".") or name.endswith("." + word) for word in _NAMES)


def names_compose_file(ref: str) -> bool:
    """Reports whether a reference to an image is the path of a compose file, as the command line decides it."""
    word, _, rest = os.path.basename(ref).lower().partition(".")
    return (
        ref.startswith(("/", "./", "../"))
        and word in ("compose", "docker-compose")
        and rest.rpartition(".")[2] in ("yaml", "yml")
    )


async def with_stored_image(members: Json, engine: Engine) -> Json:
    """Returns the members of a task, or of a session, with the Dockerfile of its image at an engine, if it has one."""
    image: dict[str, Any] = members.get("image") or {}
    file = image.get("dockerfile")
    if not isinstance(file, Dockerfile):
        return members
    return {**members, "image": {**image, **await file.stored(engine)}}
