"""Programs of images as tasks."""

from __future__ import annotations

import datetime
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .._process.tracebacks import public
from .._tasks.image import Image
from .._tasks.labels import labels_of
from .._tasks.network import Network
from .._tasks.notify import Notify, receivers
from .._tasks.policies import CacheMode, check_concurrent, check_name, check_priority
from .._tasks.resources import Resources
from .._tasks.secret import SecretRequest, secrets_of
from .._tasks.variables import check_variables
from .._values.interface import Interface, interface_of
from .._values.types import Signature
from ._declaration import Declaration, words_of
from ._names import signature_of_sandbox
from ._task import SandboxTask

if TYPE_CHECKING:
    from ..io import File

_INPUTS, _OUTPUTS = "/var/inputs", "/var/outputs"
_TEMPLATE = re.compile(r"\{\{\s*\.inputs\.(\w+)\s*\}\}")


class ContainerTask(SandboxTask):
    """A program of an image, as a task: what ``sandbox.create(command=...).as_task()`` makes, in one step.

    Inputs are the files ``/var/inputs/NAME``, and outputs what the program
    writes to ``/var/outputs/NAME``. ``{{.inputs.NAME}}`` in a word of the
    command stands for the text of a plain input; the image needs ``sh`` and
    ``cat`` then, and where a shell reads that word, it reads the text too.

    Args:
        name: Letters, digits, ``.``, ``_`` and ``-``.
        image: The image, or the reference of a prebuilt one; ``"auto"`` is the default one.
        command: Program and arguments.
        inputs: Types by name.
        arguments: Further arguments.
        outputs: Types by name.
        input_data_dir: ``/var/inputs``.
        output_data_dir: ``/var/outputs``.
        resources, env_vars, secrets, network, retries, timeout, cache: As of ``sandbox.create``.

    Raises:
        ValueError, TypeError: A parameter cannot be what it is. The message names it.

    >>> greet = ContainerTask(
    ...     name="greet",
    ...     image="alpine:3.20",
    ...     inputs={"name": str},
    ...     outputs={"greeting": str},
    ...     command=["/bin/sh", "-c", "echo 'Hello, {{.inputs.name}}' > /var/outputs/greeting"],
    ... )
    """

    __module__ = "glovebox.extras"  # where users find it

    @public
    def __init__(
        self,
        name: str,
        image: str | Image,
        command: Sequence[str],
        inputs: Mapping[str, Any] | None = None,
        arguments: Sequence[str] | None = None,
        outputs: Mapping[str, Any] | None = None,
        input_data_dir: str | os.PathLike[str] = _INPUTS,
        output_data_dir: str | os.PathLike[str] = _OUTPUTS,
        *,
        resources: Resources | None = None,
        env_vars: Mapping[str, str] | None = None,
        secrets: SecretRequest | None = None,
        network: Network | None = None,
        retries: int = 0,
        timeout: float | datetime.timedelta | None = None,
        cache: CacheMode = "disable",
        notify: Notify | Sequence[Notify] | None = None,
        labels: Mapping[str, str] | None = None,
        node_selector: Mapping[str, str] | None = None,
        priority: int = 0,
        max_concurrent: int | None = None,
    ) -> None:
        _check_directory("input_data_dir", input_data_dir, _INPUTS)
        _check_directory("output_data_dir", output_data_dir, _OUTPUTS)
        box = Declaration(
            name=None if name is None else check_name(name, "name"),
            command=words_of("command", command),
            arguments=words_of("arguments", arguments),
            inputs=dict(inputs or {}),
            outputs=dict(outputs or {}),
            image=None if image == "auto" else image,
            resources=resources,
            env_vars=None if env_vars is None else check_variables(env_vars),
            secrets=None if secrets is None else list(secrets_of(secrets)),
            network=network,
            retries=retries,
            timeout=timeout,
            cache=cache,
            notify=receivers(notify),
            labels=labels_of(labels),
            node_selector=labels_of(node_selector, "node_selector"),
            priority=check_priority(priority),
            max_concurrent=check_concurrent(max_concurrent),
            signature=signature_of_sandbox(inputs, outputs, variables=False),
        )
        declared = interface_of(box.inputs, box.outputs)
        super().__init__(box._task_name(), box.signature, box._members(None), declared)  # pyright: ignore[reportPrivateUsage]
        self._fill_in([*(box.command or ()), *(box.arguments or ())], set(box.inputs))

    @classmethod
    def _of(
        cls,
        name: str,
        signature: Signature,
        members: Mapping[str, Any],
        declared: Interface,
        script: File[Any] | None = None,
    ) -> ContainerTask:
        """Returns the task of a sandbox."""
        made = cls.__new__(cls)
        SandboxTask.__init__(made, name, signature, members, declared, script)
        return made

    def _fill_in(self, words: Sequence[str], inputs: set[str]) -> None:
        """Has a shell put inputs into the words of the command that ask for them, each as a part of one word."""
        asked = {name for word in words for name in _TEMPLATE.findall(word)}
        if unknown := sorted(asked - inputs):
            raise ValueError(
                f"command: {{{{.inputs.{unknown[0]}}}}} is no input; those declared are {sorted(inputs) or 'none'}"
            )
        if asked:
            line = "exec " + " ".join(map(_shell_word, words))
            self._members["command"] = ["/bin/sh", "-c", line]
            self._members.pop("arguments", None)


def _shell_word(word: str) -> str:
    """Returns a word for a shell that reads inputs where templates were. Line ends at their end are lost."""
    texts = _TEMPLATE.split(word)  # every other one is a name
    parts = [f'"$(cat {_INPUTS}/{text})"' if i % 2 else shlex.quote(text) for i, text in enumerate(texts) if text]
    return "".join(parts) or "''"


def _check_directory(field: str, given: object, only: str) -> None:
    if os.fspath(given) != only:  # type: ignore[call-overload]
        raise ValueError(f"{field} is {given!r}, expected {only!r}: a cell has no other place for it")
