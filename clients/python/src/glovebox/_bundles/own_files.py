"""Errors of functions, with the paths and lines of the user's own files.

A cell has the modules of a bundle below ``/work``, and runs them from a few
lines around the function; an orchestrator is run by a call behind its function.
None of that means anything to the author of the function.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from .bundle import FILE, source_of
from .layout import BEGINNING

Json = dict[str, Any]

_PATH = re.compile(r"/work/([^\s\"':]+)")  # takes all that it looks at, so that no text makes it slow
_AROUND = re.compile(rf'^  File "{re.escape(FILE)}", line \d+, in <module>\n(?:    .*\n)*', re.MULTILINE)
_BEGINNING = re.compile(rf'^  File ".*", line \d+, in <module>\n    .*{re.escape(BEGINNING)}\n', re.MULTILINE)
_AT_AROUND = re.compile(rf", at {re.escape(FILE)}:\d+ in <module>")


def in_own_files(error: Mapping[str, Any]) -> Json:
    """Returns the error of a run with paths of this process, as far as its functions were bundled here."""
    mapped = dict(error)
    if isinstance(message := mapped.get("message"), str):
        mapped["message"] = _AT_AROUND.sub("", _mapped(message))
    details = _object(mapped.get("details"))
    if not details:
        return mapped
    mapped["details"] = details
    if exception := _object(details.get("exception")):
        details["exception"] = _exception(exception)
    call = _object(details.get("call"))
    if inner := _object(call.get("error")):
        details["call"] = {**call, "error": in_own_files(inner)}
    return mapped


def _exception(exception: Json) -> Json:
    if isinstance(text := exception.get("traceback"), str):
        exception["traceback"] = _mapped(_BEGINNING.sub("", _AROUND.sub("", text)))
    if isinstance(frames := exception.get("frames"), list):
        objects = [_object(frame) for frame in cast("list[object]", frames)]
        exception["frames"] = [
            {**frame, "file": _mapped(str(frame.get("file")))} for frame in objects if not _is_around(frame)
        ]
    return exception


def _is_around(frame: Json) -> bool:
    return frame.get("file") == FILE or str(frame.get("source")).endswith(BEGINNING)


def _mapped(text: str) -> str:
    return _PATH.sub(_own, text)


def _own(match: re.Match[str]) -> str:
    name, suffix, after = match[1].rpartition(".py")
    own = source_of(name + suffix) if not after[:1].isalnum() else None
    return f"{own}{after}" if own is not None else match[0]


def _object(node: object) -> Json:
    """Returns a copy of a JSON object; an empty one for anything else."""
    return dict(cast("Mapping[str, Any]", node)) if isinstance(node, Mapping) else {}
