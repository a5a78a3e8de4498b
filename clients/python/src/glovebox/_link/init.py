"""``glovebox.init`` and its like, which say which engine this process uses, and the file that can say so."""

from __future__ import annotations

import configparser
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .._process import context
from .._process.log import logger
from .._process.loop import syncify
from .address import parse_address
from .settings import Place, use

CONFIG_VARIABLE = "GLOVEBOX_CONFIG"

_KEYS = {"server": ("url", "token", "token_file", "ca_file"), "engine": ("home",)}
_MAX_FILE = 1 << 20  # bytes of a configuration, or of a token
_logger = logger("glovebox")


@dataclass(frozen=True)
class Config(Place):
    """What an engine is found, or started, by. ``init_from_config`` takes one in place of a file."""

    @classmethod
    def auto(cls, path: str | os.PathLike[str] | None = None) -> Config:
        """Reads a configuration file: the one given, or the one that is found as ``init_from_config`` says."""
        file = _find(path)
        return _read(file) if file is not None else cls()


@syncify
async def init(
    *,
    url: str | None = None,
    token: str | None = None,
    home: str | os.PathLike[str] | None = None,
    endpoint: str | None = None,
    api_key: str | None = None,
    ca_cert_file_path: str | os.PathLike[str] | None = None,
    root_dir: str | os.PathLike[str] | None = None,
    log_level: int | str | None = None,
    org: str | None = None,
    project: str | None = None,
    domain: str | None = None,
) -> None:
    """Says which engine is used from now on. Without it, and without arguments, the environment counts.

    An engine that is in use already finishes its requests; later calls go to
    the one that is named here.

    Args:
        url: The address of an engine: ``unix:///path/to/socket``, ``http://127.0.0.1:port`` or ``https://host:port``.
            By default ``GLOVEBOX_URL``, and without that a child of this process.
        token: What a server asks for; by default ``GLOVEBOX_TOKEN``.
        home: The directory in which a child keeps everything; by default ``GLOVEBOX_HOME``.
        endpoint: Another name of url.
        api_key: Another name of token.
        ca_cert_file_path: A file with the certificates of authorities to trust, in PEM, for https.
        root_dir: The directory of the project: modules that go into cells are looked for there, too, and
            ``include`` of environments is relative to it. By default where the module of a task is found.
        log_level: The level of the logger ``glovebox``, such as ``logging.DEBUG``.
        org: Accepted and not used, as project and domain: an engine has none.

    Raises:
        ValueError: An argument cannot be used.

    Example::

        glovebox.init(url="https://box.example.com:8700")
    """
    config = Config(
        url=_either("url", url, "endpoint", endpoint),
        token=_either("token", token, "api_key", api_key),
        home=os.fspath(home) if home is not None else None,
        ca_file=os.fspath(ca_cert_file_path) if ca_cert_file_path is not None else None,
    )
    _use(config, root_dir, log_level, {"org": org, "project": project, "domain": domain})


@syncify
async def init_from_config(
    path_or_config: str | os.PathLike[str] | Config | None = None,
    root_dir: str | os.PathLike[str] | None = None,
    log_level: int | str | None = None,
    *,
    org: str | None = None,
    project: str | None = None,
    domain: str | None = None,
) -> None:
    """Says which engine is used from now on, as a file has it.

    Without a path it is the first of: the file that ``GLOVEBOX_CONFIG`` names,
    ``.glovebox/config.ini`` here, and ``glovebox/config.ini`` in
    ``$XDG_CONFIG_HOME`` or ``~/.config``. Where there is none, the environment
    counts, and without that a child of this process is the engine. The file
    names a server::

        [server]
        url = https://box.example.com:8700
        token_file = ~/.config/glovebox/token

    or the home of a child, with ``[engine]`` and ``home = ~/boxes``.

    Args:
        path_or_config: A file, or a ``Config``.
        root_dir: The directory of the project: modules that go into cells are looked for there, too, and
            ``include`` of environments is relative to it. By default where the module of a task is found.
        log_level: The level of the logger ``glovebox``, such as ``logging.DEBUG``.
        org: Accepted and not used, as project and domain: an engine has none.

    Raises:
        FileNotFoundError: The file is not there.
        ValueError: It cannot be used; the message has file, line and key.

    >>> glovebox.init_from_config()
    """
    config = path_or_config if isinstance(path_or_config, Config) else Config.auto(path_or_config)
    _use(config, root_dir, log_level, {"org": org, "project": project, "domain": domain})


@syncify
async def init_in_cluster(
    *,
    org: str | None = None,
    project: str | None = None,
    domain: str | None = None,
    api_key: str | None = None,
    endpoint: str | None = None,
) -> None:
    """Prepares a process that an engine may have started: there it uses that engine, elsewhere that of the environment.

    Args:
        org: Accepted and not used, as project and domain: an engine has none.
        api_key: What a server asks for; by default ``GLOVEBOX_TOKEN``.
        endpoint: The address of an engine; by default ``GLOVEBOX_URL``.

    Raises:
        ValueError: An argument, or what the environment says, cannot be used.

    >>> glovebox.init_in_cluster()
    """
    _use(Config(url=endpoint, token=api_key), None, None, {"org": org, "project": project, "domain": domain})


def _use(
    config: Config, root: str | os.PathLike[str] | None, log_level: int | str | None, unused: Mapping[str, str | None]
) -> None:
    if log_level is not None:
        _logger.setLevel(log_level)
    for name, value in unused.items():
        if value is not None:
            _logger.debug("%s=%r is not used: an engine has none", name, value)
    _check(config)
    if root is not None and not Path(root).is_dir():
        raise ValueError(f"root_dir is {os.fspath(root)!r}, expected a directory that exists")
    if context.in_cell():  # its engine is the one that it belongs to
        return
    use(config, Path(root).resolve() if root is not None else None)


def _check(config: Config) -> None:
    if config.url is not None and config.home is not None:
        raise ValueError(
            "url and home are both given: home is that of an engine of this process, and url names another one"
        )
    if config.url is not None:
        parse_address(config.url)
    if config.ca_file is not None and not os.path.isfile(config.ca_file):
        raise ValueError(f"ca_file is {config.ca_file!r}, expected a file with certificates in PEM")


def _either(name: str, value: str | None, other_name: str, other: str | None) -> str | None:
    if value is not None and other is not None:
        raise ValueError(f"{name} and {other_name} mean the same: give one of them")
    return value if value is not None else other


def _find(path: str | os.PathLike[str] | None) -> Path | None:
    named = path if path is not None else os.environ.get(CONFIG_VARIABLE) or None
    if named is not None:
        file = Path(named).expanduser()
        if not file.is_file():
            source = "" if path is not None else f", which {CONFIG_VARIABLE} names,"
            raise FileNotFoundError(
                f"the configuration {str(file)!r}{source} is not there; expected a file with [server] or [engine]"
            )
        return file
    user = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    places = (Path(".glovebox") / "config.ini", user / "glovebox" / "config.ini")
    return next((place for place in places if place.is_file()), None)


def _read(file: Path) -> Config:
    parser = configparser.ConfigParser(interpolation=None, default_section="")
    try:
        parser.read_string(_text(file), source=str(file))
    except configparser.Error as error:
        raise ValueError(f"the configuration cannot be read: {error}") from None
    for section in parser.sections():
        if section not in _KEYS:
            raise ValueError(f"{file}: there is no section [{section}]; expected {_listed(_KEYS)}")
        for key in parser[section]:
            if key not in _KEYS[section]:
                line = _line_of(file, key)
                raise ValueError(
                    f"{file}, line {line}: there is no key {key!r} in [{section}]; expected {_listed(_KEYS[section])}"
                )
    return _config_of(file, {key: value for section in parser.sections() for key, value in parser[section].items()})


def _config_of(file: Path, values: Mapping[str, str]) -> Config:
    for key, value in values.items():
        if not value:
            raise ValueError(f"{file}, line {_line_of(file, key)}: {key} is empty; give it a value or leave it out")
    token = values.get("token")
    if "token_file" in values:
        if token is not None:
            raise ValueError(f"{file}, line {_line_of(file, 'token_file')}: token and token_file are both given")
        try:
            token = _text(_path(file, values["token_file"])).strip()
        except OSError as error:
            raise ValueError(
                f"{file}, line {_line_of(file, 'token_file')}: token_file cannot be read: {error}"
            ) from None
    config = Config(
        values.get("url"),
        token,
        *(str(_path(file, values[key])) if key in values else None for key in ("home", "ca_file")),
    )
    try:
        _check(config)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    return config


def _path(file: Path, text: str) -> Path:
    """Returns a path of the file, which is relative to the directory of that."""
    return (file.parent / Path(text).expanduser()).absolute()


def _text(file: Path) -> str:
    with file.open("rb") as stream:
        data = stream.read(_MAX_FILE + 1)
    if len(data) > _MAX_FILE:
        raise ValueError(f"{file} is larger than {_MAX_FILE} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise ValueError(f"{file} is not UTF-8") from None


def _line_of(file: Path, key: str) -> int:
    """Returns the line of a key, counted from 1; 1 if it is written in an unusual way."""
    for number, line in enumerate(_text(file).splitlines(), 1):
        if line.strip().lower().startswith(key):
            return number
    return 1


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
