"""The file system of a cell: which base, what is installed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ._cellspec import check_variables
from ._secret import Secret

if TYPE_CHECKING:
    from ._engine import Json

_NAME = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
_MOST_REQUIREMENTS = 1 << 20  # bytes of a requirements file


@dataclass(frozen=True)
class Image:
    """The declared file system of a cell. It never changes: each ``with_...`` returns another.

    An image is built when a run first needs it, inside of cells, without a
    daemon; what was built is found again by what it consists of. Whatever the
    order in which the layers are declared, system packages are installed first,
    then Python packages, then the commands run.

    Make one with ``from_debian_base`` or ``from_base``.

    >>> image = glovebox.Image.from_debian_base(name="etl").with_pip_packages("numpy", "pandas>=2.0")
    >>> image.packages
    ('numpy', 'pandas>=2.0')
    """

    base: str | None = None
    name: str | None = None
    python_version: tuple[int, ...] | None = None
    registry: str | None = None
    registry_secret: str | None = None
    packages: tuple[str, ...] = ()
    system_packages: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    env_vars: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    allow_urls: bool = False

    @classmethod
    def from_debian_base(
        cls,
        python_version: tuple[int, ...] | None = None,
        install_glovebox: bool = True,
        registry: str | None = None,
        registry_secret: str | Secret | None = None,
        name: str | None = None,
    ) -> Image:
        """Starts with Debian and Python, gcc, g++ and make.

        Args:
            python_version: Such as ``(3, 12)``. Without it the engine decides: 3.12 where a
                registry can be reached, else the 3.11 of the Debian mirror. One that cannot be
                had is a ``BaseUnavailableError`` of the run.
            install_glovebox: Changes nothing: the library travels with the code that needs it.
            registry: Where a built image is pushed and looked for, such as ``"ghcr.io/my-org"``.
            registry_secret: The key of the stored secret ``user:password`` for it, or a ``Secret``.
            name: A name for the built image, in small letters.

        Raises:
            ValueError: A field cannot be what it is. The message names it.
        """
        del install_glovebox
        image = cls(
            name=name, python_version=_version(python_version), registry=registry, registry_secret=_key(registry_secret)
        )
        image._check()
        return image

    @classmethod
    def from_base(cls, image_uri: str) -> Image:
        """Starts with a prebuilt image. If nothing is added, nothing is built.

        Args:
            image_uri: A reference such as ``"ghcr.io/my-org/tools:1.4"``; or, in an engine on this
                machine, the path of an OCI layout or archive: ``"./image.tar"``, ``"oci:DIR"``.
        """
        _check_text("image_uri", image_uri, "python:3.12-slim")
        return cls(base=_absolute(image_uri))

    def with_pip_packages(self, *packages: str, allow_urls: bool = False) -> Image:
        """Adds Python packages, as pip names them: ``"numpy"``, ``"pandas>=2.0"``.

        They come from the package index of the engine, which honours
        ``PIP_INDEX_URL`` and pip.conf of its host. ``allow_urls`` admits
        direct references too: ``"name @ https://..."``.
        """
        added = _texts("packages", packages)
        return replace(self, packages=self.packages + added, allow_urls=self.allow_urls or allow_urls)

    def with_apt_packages(self, *packages: str) -> Image:
        """Adds Debian packages: ``"libpq-dev"``."""
        return replace(self, system_packages=self.system_packages + _texts("system packages", packages))

    def with_commands(self, commands: Sequence[str]) -> Image:
        """Adds shell commands that run as root, at the end of the build."""
        return replace(self, commands=self.commands + _texts("commands", commands))

    def with_requirements(self, file: str | os.PathLike[str]) -> Image:
        """Adds the packages of a requirements file, which is read now.

        Raises:
            ValueError: It has an option of pip, such as ``-r``, or is no .txt file. The message
                names file and line.
            OSError: It cannot be read.
        """
        return self.with_pip_packages(*_requirements(Path(file)))

    def with_env_vars(self, env_vars: Mapping[str, str]) -> Image:
        """Adds variables for the programs that run in the image. Those of a task come before them."""
        return replace(self, env_vars={**self.env_vars, **check_variables(env_vars)})

    def _spec(self) -> Json:
        """Returns the image as the engine reads it. Variables are the task's there."""
        if self.base is not None and not (self.packages or self.system_packages or self.commands):
            spec: Json = {"ref": self.base, "registry_secret": self.registry_secret}
        else:
            spec = {
                "base": self.base,
                "name": self.name,
                "python": ".".join(map(str, self.python_version or ())),
                "packages": list(self.packages),
                "system_packages": list(self.system_packages),
                "commands": list(self.commands),
                "allow_urls": self.allow_urls,
                "registry": self.registry,
                "registry_secret": self.registry_secret,
            }
        return {key: value for key, value in spec.items() if value}

    def _check(self) -> None:
        if self.name is not None:
            check_image_name("name", self.name)
        if self.registry is not None:
            _check_text("registry of the image", self.registry, "ghcr.io/my-org")
        if self.registry_secret is not None:
            _check_text("registry_secret of the image", self.registry_secret, "ghcr-credentials")


def image_of(image: object) -> Image:
    """Returns the image that an argument asks for: an Image, the reference of a prebuilt one, or the default.

    Raises:
        TypeError: It is none of these.
    """
    if image is None or image == "auto":
        return Image()
    if isinstance(image, Image):
        return image
    if isinstance(image, str):
        return Image.from_base(image)
    raise TypeError(f"image is {image!r} ({type(image).__name__}), expected an Image or the reference of one")


def image_spec(image: str | Image | None) -> Json:
    """Returns an image as the engine reads it."""
    return image_of(image)._spec()  # pyright: ignore[reportPrivateUsage]


def image_variables(image: str | Image | None) -> dict[str, str]:
    """Returns the variables that come with an image."""
    return dict(image_of(image).env_vars)


def check_image_name(where: str, name: object) -> None:
    """Refuses what is no name of an image."""
    if not isinstance(name, str) or len(name) > 128 or not _NAME.fullmatch(name):
        raise ValueError(
            f"{where} of the image is {name!r}, expected small letters and digits with single '.', '_' or '-' between"
        )


def _version(version: object) -> tuple[int, ...] | None:
    if version is None:
        return None
    parts: tuple[Any, ...] = tuple(cast("Sequence[Any]", version)) if isinstance(version, (tuple, list)) else ()
    if len(parts) not in (2, 3) or any(type(part) is not int or not 0 <= part < 100 for part in parts) or parts[0] != 3:
        raise ValueError(f"python_version is {version!r}, expected a tuple such as (3, 12)")
    return parts


def _key(secret: str | Secret | None) -> str | None:
    """Returns the name of a stored secret, which may be given as a Secret."""
    return secret.name if isinstance(secret, Secret) else secret


def _check_text(where: str, text: object, example: str) -> None:
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{where} is {text!r}, expected text such as {example!r}")


def _texts(where: str, texts: Iterable[object]) -> tuple[str, ...]:
    if isinstance(texts, str):
        raise TypeError(f"{where} is one string, {texts!r}, expected a list of strings")
    return tuple(_text(f"{where}[{i}]", text) for i, text in enumerate(texts))


def _text(where: str, text: object) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{where} is {text!r} ({type(text).__name__}), expected str")
    if not text.strip():
        raise ValueError(f"{where} is empty; leave it out")
    return text


def _absolute(ref: str) -> str:
    """Makes the path of an image absolute, because the engine has another working directory."""
    for prefix in ("oci:", "archive:"):
        if ref.startswith(prefix):
            return prefix + os.path.abspath(ref[len(prefix) :])
    return os.path.abspath(ref) if ref.startswith(("./", "../")) else ref


def _requirements(file: Path) -> list[str]:
    if file.suffix != ".txt":
        raise ValueError(f"Requirements file {file} must have a .txt extension")
    with file.open("rb") as handle:
        content = handle.read(_MOST_REQUIREMENTS + 1)
    if len(content) > _MOST_REQUIREMENTS:
        raise ValueError(f"Requirements file {file} is larger than 1 MiB")
    return [requirement for requirement in (_requirement(file, *line) for line in _joined(content)) if requirement]


def _joined(content: bytes) -> Iterator[tuple[int, str]]:
    """Yields the lines of a requirements file with their numbers. One that ends in a backslash goes on in the next."""
    begun, first = "", 1
    for number, line in enumerate(content.decode("utf-8-sig").splitlines(), 1):
        if not begun:
            first = number
        if line.endswith("\\"):
            begun += line[:-1] + " "
            continue
        yield first, begun + line
        begun = ""
    yield first, begun


def _requirement(file: Path, number: int, line: str) -> str:
    requirement = " ".join(re.sub(r"(^|\s)#.*", "", line).split())
    if requirement.startswith("-") or " --" in requirement:
        raise ValueError(f"{file}, line {number}: {requirement!r} is an option of pip; only packages may be listed")
    return requirement
