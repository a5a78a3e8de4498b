"""Errors of functions in cells, told in the user's own files.

A cell has the modules of a bundle below ``/work``, and runs them from a few
lines around the function. Neither means anything to who wrote the function.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from ._bundle import FILE, source_of

Json = dict[str, Any]

_PATH = re.compile(r"/work/([^\s\"':]+\.py)\b")
_AROUND = re.compile(rf'^  File "{re.escape(FILE)}", line \d+, in <module>\n(?:    .*\n)*', re.MULTILINE)
_AT_AROUND = re.compile(rf", at {re.escape(FILE)}:\d+ in <module>")


def in_own_files(error: Mapping[str, Any]) -> Json:
    """Returns the error of a run with paths of this process, as far as its functions were bundled here."""
    told = dict(error)
    if isinstance(message := told.get("message"), str):
        told["message"] = _AT_AROUND.sub("", _mapped(message))
    details = _object(told.get("details"))
    if not details:
        return told
    told["details"] = details
    if exception := _object(details.get("exception")):
        details["exception"] = _exception(exception)
    call = _object(details.get("call"))
    if inner := _object(call.get("error")):
        details["call"] = {**call, "error": in_own_files(inner)}
    return told


def _exception(exception: Json) -> Json:
    if isinstance(text := exception.get("traceback"), str):
        exception["traceback"] = _mapped(_AROUND.sub("", text))
    if isinstance(frames := exception.get("frames"), list):
        objects = [_object(frame) for frame in cast("list[object]", frames)]
        exception["frames"] = [
            {**frame, "file": _mapped(str(frame.get("file")))} for frame in objects if frame.get("file") != FILE
        ]
    return exception


def _mapped(text: str) -> str:
    return _PATH.sub(lambda match: str(source_of(match[1]) or match[0]), text)


def _object(node: object) -> Json:
    """Returns a copy of a JSON object; an empty one for anything else."""
    return dict(cast("Mapping[str, Any]", node)) if isinstance(node, Mapping) else {}
