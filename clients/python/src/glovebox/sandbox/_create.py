"""sandbox.create: declares a sandbox and checks the declaration."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from .._bundles.preload import preload_json
from .._process.tracebacks import public
from .._tasks.image import Image
from .._tasks.labels import labels_of
from .._tasks.network import Network
from .._tasks.notify import Notify, receivers
from .._tasks.policies import CacheMode, check_concurrent, check_flag, check_name, check_priority
from .._tasks.resources import Resources
from .._tasks.secret import SecretRequest, secrets_of
from .._tasks.variables import check_variables
from .._values.types import Signature
from ._code import check_syntax
from ._config import ImageConfig
from ._declaration import words_of
from ._names import signature_of_sandbox
from ._sandbox import Sandbox


@public
def create(
    name: str | None = None,
    *,
    code: str | None = None,
    inputs: Mapping[str, Any] | None = None,
    outputs: Mapping[str, Any] | None = None,
    command: Sequence[str] | None = None,
    arguments: Sequence[str] | None = None,
    packages: Sequence[str] | None = None,
    system_packages: Sequence[str] | None = None,
    additional_commands: Sequence[str] | None = None,
    resources: Resources | None = None,
    image_config: ImageConfig | None = None,
    image_name: str | None = None,
    image: str | Image | None = None,
    auto_io: bool = True,
    retries: int = 0,
    timeout: float | datetime.timedelta | None = None,
    env_vars: Mapping[str, str] | None = None,
    secrets: SecretRequest | None = None,
    cache: CacheMode = "auto",
    network: Network | None = None,
    preload: Sequence[str] | None = None,
    stdin: str | None = None,
    durable: bool = True,
    report: bool = False,
    notify: Notify | Sequence[Notify] | None = None,
    labels: Mapping[str, str] | None = None,
    node_selector: Mapping[str, str] | None = None,
    priority: int = 0,
    max_concurrent: int | None = None,
) -> Sandbox:
    """Declares a sandbox: a program that runs in a cell of its own, fresh each time, without a network.

    Nothing is built or started before ``.run()``. There are three modes:

    - *auto-IO*, with ``code``: inputs are variables of the code, and the variables that are
      declared as outputs are taken from it. A ``File`` input is its path, as a str; a ``File``
      output is what the code writes to ``/var/outputs/NAME``.
    - *verbatim*, with ``code`` and ``auto_io=False``: the script runs as written. Inputs are the
      files ``/var/inputs/NAME`` and the arguments ``--NAME VALUE``; outputs are the files
      ``/var/outputs/NAME``.
    - *command*, with ``command``: any program, with the same files. With neither code nor
      command, the entrypoint of the image runs.

    Args:
        name: Letters, digits, ``.``, ``_`` and ``-``; the task has it too.
        code: Python source. It may be indented as a whole.
        inputs: Types by name: int, float, str, bool, bytes, datetime, timedelta, date, time, Decimal,
            UUID, an Enum, ``File``, ``Dir``, ``DataFrame``, lists, sets, dicts and tuples of these, Optional, Union
            and Any.
        outputs: The same for outputs. ``exit_code`` is the status of the program if it writes no file
            of that name.
        command: Program and arguments. No shell reads them.
        arguments: Further arguments of a command or of a verbatim script.
        packages: Python packages, as pip names them.
        system_packages: Debian packages. gcc, g++, make, curl and git are there in any case.
        additional_commands: Shell commands that run as root at the end of the build.
        resources: Limits of the cell. Default 1 core and 1Gi of memory.
        image_config: Registry and Python version of the image that is built.
        image_name: A name for it; by default one that follows from what is in it.
        image: A prebuilt image. Then nothing is built, and what packages and commands declare
            is taken to be in it.
        auto_io: False for verbatim mode.
        retries: Further attempts after a failed one.
        timeout: Seconds, or a timedelta, that one attempt may take, the build of the image not counted.
            Default an hour.
        env_vars: Environment variables of the program.
        secrets: Stored secrets that the program is given: ``Secret`` objects, or keys.
        cache: ``"auto"`` takes the result of an earlier run that was the same in everything that can
            change it, ``"override"`` runs and replaces it, ``"disable"`` runs.
        network: What the program may reach: ``"none"``, the default, ``"public"``, or a list of
            domains such as ``["pypi.org", "*.example.com"]``.
        preload: Modules that are imported before the code starts, ahead of time where cells are kept
            ready: see ``glovebox.warm``. Only with ``code``.
        stdin: The name of an input, a ``File``, str or bytes, that a command or a verbatim script also
            finds as standard input. Without, that is empty.
        durable: False keeps nothing of ``run`` and ``execute``: there is no run, and no disk is waited for. Files,
            retries, a cache, receivers and labels cannot be had then. Within a run, and called as a task, it is a run
            all the same.
        report: The program may write a page of HTML for people, ``/var/outputs/report.html``, which is kept
            with the run: see ``glovebox.report``.
        notify: Receivers that hear of the end of its runs.
        labels: Those of each of its runs, by which ``glovebox.runs`` finds them.
        node_selector: Labels that a node has to have to carry its runs out; see ``glovebox serve --label``.
        priority: That of its runs among those that wait, from -10 to 10: the higher is first. Each step is worth
            30 seconds of waiting.
        max_concurrent: How many of its runs work at the same time, on all nodes together. None is any number.

    Raises:
        ValueError, TypeError: A parameter cannot be what it is. The message names it.
        SyntaxError: The code is not Python. It has the line.

    Example::

        double = glovebox.sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int})
        assert double.run(x=21) == 42
    """
    if code is not None and command is not None:
        raise ValueError("'code' and 'command' are mutually exclusive.")
    _check(name, code, image_config)
    for flag, given in (("auto_io", auto_io), ("durable", durable), ("report", report)):
        check_flag(flag, given)
    variables = code is not None and auto_io
    signature = signature_of_sandbox(inputs, outputs, variables=variables)
    if arguments and variables:
        raise ValueError(
            "arguments are for command and verbatim mode: auto-IO code gets its inputs as variables; "
            "declare an input, or set auto_io=False"
        )
    if not durable and (notify or labels or node_selector or priority or max_concurrent or report):
        raise ValueError(
            "durable=False keeps nothing: it has no labels and no report, selects no node, waits for nothing, and "
            "tells nobody; leave these out"
        )
    if stdin is not None:
        _check_stdin(stdin, signature, variables=variables)
    if preload and code is None:
        raise ValueError("preload is for Python: it names modules that are imported before 'code'")
    sandbox = Sandbox(
        name=name,
        code=code,
        inputs=dict(inputs or {}),
        outputs=dict(outputs or {}),
        command=words_of("command", command),
        arguments=words_of("arguments", arguments),
        packages=_list("packages", packages),
        system_packages=_list("system_packages", system_packages),
        additional_commands=_list("additional_commands", additional_commands),
        resources=resources,
        image_config=image_config,
        image_name=image_name,
        image=image,
        auto_io=auto_io,
        retries=retries,
        timeout=timeout,
        env_vars=None if env_vars is None else check_variables(env_vars),
        secrets=None if secrets is None else list(secrets_of(secrets)),
        cache=cache,
        network=network,
        preload=preload_json(preload),
        stdin=stdin,
        durable=durable,
        report=report,
        notify=receivers(notify),
        labels=labels_of(labels),
        node_selector=labels_of(node_selector, "node_selector"),
        priority=check_priority(priority),
        max_concurrent=check_concurrent(max_concurrent),
        signature=signature,
    )
    sandbox._members(None)  # pyright: ignore[reportPrivateUsage] # which checks the rest
    if code is not None and image is None:  # the Python of a prebuilt image is unknown
        version = image_config.python_version if image_config else None
        check_syntax(code, f"{name or 'sandbox'}.py", auto_io=auto_io, python_version=version)
    return sandbox


def _check(name: object, code: object, config: object) -> None:
    if name is not None:
        check_name(name, "name")
    if config is not None and not isinstance(config, ImageConfig):
        raise TypeError(f"image_config is {config!r} ({type(config).__name__}), expected sandbox.ImageConfig(...)")
    if code is None:
        return
    if not isinstance(code, str):
        raise TypeError(f"code is {code!r} ({type(code).__name__}), expected Python source as str")
    if not code.strip():
        raise ValueError("code is empty; leave it out to run a command, or the entrypoint of the image")


def _check_stdin(stdin: object, signature: Signature, *, variables: bool) -> None:
    if variables:
        raise ValueError(
            "stdin is for command and verbatim mode: auto-IO code gets its inputs as variables; "
            "leave it out, or set auto_io=False"
        )
    kinds = {param.name: param.type.kind for param in signature.inputs}
    if not isinstance(stdin, str) or stdin not in kinds:
        raise ValueError(f"stdin is {stdin!r}, expected the name of an input: {', '.join(kinds) or 'there is none'}")
    if kinds[stdin] not in ("File", "str", "bytes"):
        raise ValueError(f"stdin is {stdin!r}, an input of type {kinds[stdin]}, expected a File, str or bytes")


def _list(field: str, entries: Sequence[str] | None) -> list[str]:
    if isinstance(entries, (str, bytes)):
        raise TypeError(f"{field} is {entries!r}, expected a list of strings")
    return list(entries or ())
