"""The file system of a cell: which base, what is installed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from .._process import context as processes
from .dockerfile import Dockerfile, names_compose_file, names_dockerfile
from .network import network_json
from .requirements import requirements_of
from .secret import Secret
from .variables import check_variables

if TYPE_CHECKING:
    from .._link.current import Json

_NAME = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")


@dataclass(frozen=True)
class Image:
    """The declared file system of a cell. It never changes: each ``with_...`` returns another.

    An image is built when a run first needs it, inside of cells, without a
    daemon; what was built is found again by what it consists of. Whatever the
    order in which the layers are declared, system packages are installed first,
    then Python packages, then the commands run.

    Make one with ``from_debian_base``, ``from_base`` or ``from_dockerfile``.

    >>> image = glovebox.Image.from_debian_base(name="etl").with_pip_packages("numpy", "pandas>=2.0")
    >>> image.packages
    ('numpy', 'pandas>=2.0')
    """

    __module__ = "glovebox"  # where users find it

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
    index_url: str | None = None
    extra_index_urls: tuple[str, ...] = ()
    network: str | tuple[str, ...] | None = None
    dockerfile: Dockerfile | None = None

    @classmethod
    def from_debian_base(
        cls,
        python_version: tuple[int, ...] | None = None,
        install_glovebox: bool = True,
        registry: str | None = None,
        registry_secret: str | Secret | None = None,
        name: str | None = None,
    ) -> Image:
        """Starts with Debian and Python, gcc, g++, make, curl and git.

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

    @classmethod
    def from_dockerfile(
        cls,
        file: str | os.PathLike[str],
        registry: str | None = None,
        name: str | None = None,
        *,
        context: str | os.PathLike[str] | None = None,
        target: str | None = None,
        args: Mapping[str, str] | None = None,
        secrets: Mapping[str, str | Secret] | None = None,
        registry_secret: str | Secret | None = None,
        network: str | Sequence[str] | None = None,
    ) -> Image:
        """Starts with a Dockerfile, which is built without a daemon, each ``RUN`` in a cell of its own.

        The Dockerfile and what is around it are read whenever a run or a session needs them, without
        what ``.dockerignore`` leaves out, and stored with the engine by their content.

        Args:
            file: Its path.
            registry: Where the built image is pushed and looked for.
            name: A name for the built image, in small letters.
            context: The directory that ``COPY`` takes files from; by default the one that the file is in.
            target: The stage to build; by default the last.
            args: Values of its ``ARG``.
            secrets: The stored secrets that ``RUN --mount=type=secret`` shows, by their ids there.
            registry_secret: The key of the stored secret ``user:password`` for the registry, or a ``Secret``.
            network: What its ``RUN`` may reach: ``"public"``, ``"none"``, or a list of domains. By default
                what the engine allows, everything public unless its operator says otherwise.

        Raises:
            OSError: The file cannot be read, or the context is no directory.
            ValueError: A field cannot be what it is. The message names it.

        Example::

            image = glovebox.Image.from_dockerfile("app/Dockerfile", target="test", args={"VERSION": "2"})
            with glovebox.Session(image=image) as s:
                print(s.exec("app --version").stdout)
        """
        image = cls(
            dockerfile=Dockerfile.at(file, context, target, args, secrets),
            name=name,
            registry=registry,
            registry_secret=_key(registry_secret),
            network=_joined_networks(None, network),
        )
        image._check()
        return image

    @property
    def base_image(self) -> str | None:
        """What ``base`` is, by the name that it has in the library of the documents."""
        return self.base

    def clone(self, *, name: str | None = None, addl_layer: PythonWheels | None = None) -> Image:
        """Makes another image of the same layers.

        Args:
            name: Its name; by default that of this one.
            addl_layer: Wheels of this machine that are in it: those of this library.
        """
        if addl_layer is not None:
            addl_layer.check()
        image = self if name is None else replace(self, name=name)
        image._check()
        return image

    def with_pip_packages(
        self,
        *packages: str,
        index_url: str | None = None,
        extra_index_urls: str | Sequence[str] | None = None,
        allow_urls: bool = False,
    ) -> Image:
        """Adds Python packages, as pip names them: ``"numpy"``, ``"pandas>=2.0"``.

        They come from the package index of the engine, which honours
        ``PIP_INDEX_URL`` and pip.conf of its host.

        Args:
            packages: Requirements.
            index_url: The package index of the whole image, in place of those of the engine. It has no
                user and password: the engine adds those of its own settings for the same host.
            extra_index_urls: Indexes that are asked before it. The first that has a package gives it.
            allow_urls: Admits direct references too: ``"name @ https://..."``, ``"name @ git+https://..."``.

        Raises:
            ValueError: Another call named another ``index_url``.
        """
        added = _texts("packages", packages)
        if index_url is not None:
            _check_text("index_url", index_url, "https://pypi.org/simple")
            if self.index_url not in (None, index_url):
                raise ValueError(
                    f"index_url is {index_url!r}, but the image already has {self.index_url!r}: an image has one; "
                    "name further ones as extra_index_urls"
                )
        extra = [extra_index_urls] if isinstance(extra_index_urls, str) else extra_index_urls or ()
        further = dict.fromkeys(self.extra_index_urls + _texts("extra_index_urls", extra))
        return self._with(
            packages=self.packages + added,
            allow_urls=self.allow_urls or allow_urls,
            index_url=index_url or self.index_url,
            extra_index_urls=tuple(further),
        )

    def with_apt_packages(self, *packages: str) -> Image:
        """Adds Debian packages: ``"libpq-dev"``."""
        return self._with(system_packages=self.system_packages + _texts("system packages", packages))

    def with_commands(self, commands: Sequence[str], network: str | Sequence[str] | None = None) -> Image:
        """Adds shell commands that run as root, at the end of the build, under ``pipefail``.

        Args:
            commands: Such as ``["curl -sSL https://example.com/setup.sh | bash"]``.
            network: What the build of the whole image may reach: ``"public"``, ``"none"``, or a list of
                domains. By default commands reach what the engine allows, everything public unless
                its operator says otherwise. A command that is refused a host fails the build.

        Raises:
            ValueError: Another call named another network that is no list of domains.
        """
        return self._with(
            commands=self.commands + _texts("commands", commands),
            network=_joined_networks(self.network, network),
        )

    def with_requirements(
        self,
        file: str | os.PathLike[str],
        index_url: str | None = None,
        extra_index_urls: str | Sequence[str] | None = None,
        *,
        allow_urls: bool = False,
    ) -> Image:
        """Adds the packages of a requirements file, which is read now. The rest is as in ``with_pip_packages``.

        Raises:
            ValueError: It has an option of pip, such as ``-r``, or is no .txt file. The message
                names file and line.
            OSError: It cannot be read.
        """
        return self.with_pip_packages(
            *requirements_of(Path(file)), index_url=index_url, extra_index_urls=extra_index_urls, allow_urls=allow_urls
        )

    def with_env_vars(self, env_vars: Mapping[str, str]) -> Image:
        """Adds variables for the programs that run in the image. Those of a task come before them."""
        return replace(self, env_vars={**self.env_vars, **check_variables(env_vars)})

    def _with(self, **changes: Any) -> Image:
        """Returns another image with more in it."""
        if self.dockerfile is not None:
            raise ValueError(
                f"the image is that of {self.dockerfile.path}, to which nothing is added; write it there with RUN, "
                "or build the Dockerfile first, push it, and start from that with Image.from_base"
            )
        return replace(self, **changes)

    def _spec(self) -> Json:
        """Returns the image as the engine reads it. Variables are the task's there."""
        if self.dockerfile is not None:
            spec: Json = {
                "dockerfile": self.dockerfile,  # until with_stored_image stores it
                "name": self.name,
                "registry": self.registry,
                "registry_secret": self.registry_secret,
            }
        elif self.base is not None and not (self.packages or self.system_packages or self.commands):
            spec = {"ref": self.base, "registry_secret": self.registry_secret}
        else:
            spec = {
                "base": self.base,
                "name": self.name,
                "python": ".".join(map(str, self.python_version or ())),
                "packages": list(self.packages),
                "system_packages": list(self.system_packages),
                "commands": list(self.commands),
                "allow_urls": self.allow_urls,
                "index_url": self.index_url,
                "extra_index_urls": list(self.extra_index_urls),
                "registry": self.registry,
                "registry_secret": self.registry_secret,
            }
        spec = {key: value for key, value in spec.items() if value}
        if self.network is not None and "ref" not in spec:
            spec["network"] = network_json(self.network)  # even if it is empty, which is none
        return spec

    def _check(self) -> None:
        if self.dockerfile is not None and not processes.in_cell():  # where only the code of the task is
            self.dockerfile.check()
        if self.name is not None:
            check_image_name("name", self.name)
        if self.registry is not None:
            _check_text("registry of the image", self.registry, "ghcr.io/my-org")
        if self.registry_secret is not None:
            _check_text("registry_secret of the image", self.registry_secret, "ghcr-credentials")


@dataclass(frozen=True, kw_only=True)
class PythonWheels:
    """Wheels of a package, in a directory of this machine, as a layer of an image.

    The one package that can be named is this library, which needs no wheel: it
    travels with the code that uses it.
    """

    wheel_dir: str | os.PathLike[str]
    package_name: str

    def check(self) -> None:
        """Refuses wheels that would be missing in the image."""
        if self.package_name not in ("glovebox", "glovebox-sandbox"):
            raise ValueError(
                f"addl_layer: the wheels of {self.package_name!r} are on this machine, and an image is built from "
                "package indexes; publish them to one, and name it with index_url of with_pip_packages"
            )


def image_of(image: object) -> Image:
    """Returns the image that an argument asks for: an Image, the reference of a prebuilt one, or the default.

    Raises:
        TypeError: It is none of these.
        ValueError: It is the path of a compose file.
    """
    if image is None or image == "auto":
        return Image()
    if isinstance(image, Image):
        return image
    if isinstance(image, str):
        if names_compose_file(image):
            raise ValueError(
                f"image is the compose file {image}, which this client does not read; use the command line or the Go "
                "SDK, or name its Dockerfile"
            )
        return Image.from_dockerfile(image) if names_dockerfile(image) else Image.from_base(image)
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


def _joined_networks(
    first: str | tuple[str, ...] | None, second: str | Sequence[str] | None
) -> str | tuple[str, ...] | None:
    """Returns what two calls ask for together: lists of domains are joined."""
    network_json(second)  # refuses what is neither
    if second is None or second == first:
        return first
    added = second if second in ("public", "none") else (second,) if isinstance(second, str) else tuple(second)
    if first is None:
        return added
    if isinstance(first, str) or isinstance(added, str):
        raise ValueError(f"network is {second!r}, but the image already has {first!r}: the build has one network")
    return tuple(dict.fromkeys(first + added))


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
