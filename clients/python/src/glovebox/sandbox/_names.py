"""Names and types of the inputs and outputs of sandboxes."""

from __future__ import annotations

import keyword
import unicodedata
from collections.abc import Mapping
from typing import Any

from .._unsupported import UnsupportedType
from .._values.annotations import type_of
from .._values.type_guards import is_mapping
from .._values.types import Param, Signature

# The name of the script of a sandbox among the inputs of its task.
SCRIPT = "_script"

_SUPPORTED = (
    "Supported types: Dir, File, bool, datetime.datetime, datetime.timedelta, float, int, str; "
    "also DataFrame, bytes, datetime.date, datetime.time, Decimal, UUID, enums, list[T], set[T], dict[K, T], "
    "tuple[...], Optional[T], Union[...], None and Any."
)


def signature_of_sandbox(
    inputs: Mapping[str, Any] | None, outputs: Mapping[str, Any] | None, *, variables: bool
) -> Signature:
    """Returns the signature that the declarations of a sandbox give.

    ``variables`` says that its names become variables of Python code; else
    they are names of files.

    Raises:
        TypeError: A type cannot cross the boundary.
        ValueError: A name cannot be used.
    """
    return Signature(_params("input", inputs, variables), _params("output", outputs, variables))


def _params(role: str, declared: object, variables: bool) -> tuple[Param, ...]:
    if declared is None:
        return ()
    if not is_mapping(declared):
        raise TypeError(f"{role}s is {declared!r} ({type(declared).__name__}), expected a dict of names and types")
    params: list[Param] = []
    for name, declared_type in declared.items():
        _check_name(role, name, variables)
        params.append(_param(role, name, declared_type))
    return tuple(params)


def _param(role: str, name: str, declared: Any) -> Param:
    try:
        return Param(name, type_of(declared, name))
    except UnsupportedType as e:
        reason = f" Here {e.reason}." if e.reason else ""
        raise TypeError(f"Unsupported {role} type for '{name}': {declared!r}. {_SUPPORTED}{reason}") from None


def _check_name(role: str, name: object, variables: bool) -> None:
    if not isinstance(name, str):
        raise TypeError(f"{role} name {name!r} is no str")
    if name == SCRIPT and role == "input":
        raise ValueError(f"input '{name}' is the script of the sandbox; give the input another name")
    problem = _file_problem(name) or (_variable_problem(name) if variables else "")
    if problem:
        raise ValueError(f"{role} name {name!r} {problem}")


def _file_problem(name: str) -> str:
    """Says why a name is not safe as that of a file, or nothing."""
    if not name:
        return "is empty"
    if name in (".", ".."):
        return "is a directory"
    if "/" in name:
        return "has a '/': it becomes the name of a file"
    if name.startswith("-"):
        return "begins with '-', which commands take for an option"
    if any(unicodedata.category(c) in ("Cc", "Cs") for c in name):
        return "has a control character: it becomes the name of a file"
    if len(name.encode()) > 255:
        return "is longer than 255 bytes: it becomes the name of a file"
    return ""


def _variable_problem(name: str) -> str:
    """Says why a name cannot be that of a variable, or nothing."""
    if keyword.iskeyword(name):
        return "is a keyword of Python, and becomes a variable"
    if name.startswith("__"):
        return "begins with '__', which Python reserves"
    # Python stores a variable under the normal form of its name, where the engine would not find it.
    if not name.isidentifier() or unicodedata.normalize("NFKC", name) != name:
        return (
            "cannot be a variable of Python: use letters, digits and _, "
            "or auto_io=False, where names are those of files"
        )
    return ""
