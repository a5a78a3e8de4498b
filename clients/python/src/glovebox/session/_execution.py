"""What comes of code that a session executes."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._tasks.failure import failure_of
from .._values.json_text import dump
from .._values.type_guards import object_in

if TYPE_CHECKING:
    from .._link.current import Json

_CHART = "application/vnd.glovebox.chart+json"
_TABLE = "application/vnd.glovebox.table+json"
_SUFFIXES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".svg": "image/svg+xml",
    ".pdf": "application/pdf",
    ".html": "text/html",
    ".md": "text/markdown",
    ".tex": "text/latex",
    ".json": "application/json",
    ".js": "application/javascript",
    ".txt": "text/plain",
}


@dataclass(frozen=True)
class Result:
    """One thing that code showed, in every form that it has: ``data``, by MIME type.

    ``main`` says that it is the value of the last expression. A notebook shows its picture or its text. It shows
    nothing of HTML and of SVG, which come from unreviewed code and would run as code of the notebook:
    ``IPython.display.HTML(result.html)`` does where you trust it.
    """

    __module__ = "glovebox.session"  # where users find it

    data: Mapping[str, Any]
    main: bool = False

    @property
    def formats(self) -> list[str]:
        """The MIME types of its forms."""
        return list(self.data)

    @property
    def text(self) -> str | None:
        """Its ``repr``."""
        return self._text("text/plain")

    @property
    def html(self) -> str | None:
        """It as HTML."""
        return self._text("text/html")

    @property
    def markdown(self) -> str | None:
        """It as Markdown."""
        return self._text("text/markdown")

    @property
    def latex(self) -> str | None:
        """It as LaTeX."""
        return self._text("text/latex")

    @property
    def svg(self) -> str | None:
        """It as a drawing in SVG."""
        return self._text("image/svg+xml")

    @property
    def javascript(self) -> str | None:
        """It as JavaScript."""
        return self._text("application/javascript")

    @property
    def png(self) -> bytes | None:
        """It as a picture in PNG."""
        return self._bytes("image/png")

    @property
    def jpeg(self) -> bytes | None:
        """It as a picture in JPEG."""
        return self._bytes("image/jpeg")

    @property
    def pdf(self) -> bytes | None:
        """It as PDF."""
        return self._bytes("application/pdf")

    @property
    def json(self) -> Any:
        """It as JSON: dicts and lists have that form."""
        return self.data.get("application/json")

    @property
    def chart(self) -> Any:
        """The data of a matplotlib figure."""
        return self.data.get(_CHART)

    @property
    def table(self) -> Any:
        """A DataFrame as a list of values for each column."""
        return self.data.get(_TABLE)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the form of it that the suffix of the path names, such as ``.png`` or ``.html``, to a file."""
        content = self._content(suffix_of(path))
        if content is None:
            raise ValueError(
                f"it cannot be saved as {os.fspath(path)!r}; its forms are {', '.join(self.data) or 'none'}"
            )
        Path(path).write_bytes(content)

    def _content(self, mime: str) -> bytes | None:
        form = self.data.get(mime)
        if form is None:
            return None
        if mime == "application/json":
            return dump(form).encode()
        return self._bytes(mime) if is_binary(mime) else str(form).encode()

    def _text(self, mime: str) -> str | None:
        form = self.data.get(mime)
        return form if isinstance(form, str) else None

    def _bytes(self, mime: str) -> bytes | None:
        try:
            return base64.b64decode(self._text(mime) or "") or None
        except binascii.Error:
            return None

    def _repr_png_(self) -> bytes | None:
        return self.png

    def _repr_jpeg_(self) -> bytes | None:
        return self.jpeg

    def __repr__(self) -> str:
        return self.text if self.text is not None else f"<Result {', '.join(self.data)}>"


@dataclass(frozen=True)
class ExecutionError:
    """The exception that ended code: the name of its class, ``str()`` of it, and a traceback with lines of the code."""

    __module__ = "glovebox.session"  # where users find it

    name: str
    value: str
    traceback: str = field(repr=False)


@dataclass
class Execution:
    """What came of code: ``results``, what it printed, and the ``error`` that ended it, or None.

    ``count`` says which execution of its context it was.

    >>> out = s.run("import math; math.tau")
    >>> out.text, out.error
    ('6.283185307179586', None)
    """

    __module__ = "glovebox.session"  # where users find it

    results: list[Result] = field(default_factory=list[Result])
    stdout: str = ""
    stderr: str = ""
    error: ExecutionError | None = None
    count: int = 0

    @property
    def text(self) -> str | None:
        """The ``repr`` of the last expression; None if it has no value."""
        return next((result.text for result in self.results if result.main), None)

    def check(self) -> Execution:
        """Returns itself, and raises the exception of the code if there was one.

        Raises:
            PythonExceptionError: The code raised. An exception of a built-in class is caught as that, too.
        """
        if self.error is None:
            return self
        exception = {"type": self.error.name, "message": self.error.value, "traceback": self.error.traceback}
        message = f"{self.error.name}: {self.error.value}" if self.error.value else self.error.name
        raise failure_of({"code": "python_exception", "message": message, "details": {"exception": exception}})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the last result that has the form of the suffix, such as ``.png``, to a file."""
        mime = suffix_of(path)
        found = [result for result in self.results if mime in result.data]
        if not found:
            forms = sorted({form for result in self.results for form in result.data})
            raise ValueError(f"no result can be saved as {os.fspath(path)!r}; there are {', '.join(forms) or 'none'}")
        found[-1].save(path)

    def _repr_png_(self) -> bytes | None:
        return next((result.png for result in reversed(self.results) if result.png), None)


def suffix_of(path: str | os.PathLike[str]) -> str:
    """Returns the MIME type that the suffix of a path names."""
    suffix = Path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        raise ValueError(f"{os.fspath(path)!r} ends in none of {', '.join(_SUFFIXES)}")
    return _SUFFIXES[suffix]


def is_binary(mime: str) -> bool:
    """Reports whether the form of a type is bytes, which travel in base64."""
    return mime == "application/pdf" or mime.startswith("image/") and mime != "image/svg+xml"


def result_of(entry: Json) -> Result:
    """Reads a result of a stream."""
    return Result(dict(object_in(entry, "data")), bool(entry.get("main")))


def error_of(entry: Json) -> ExecutionError:
    """Reads the error of a stream."""
    error = object_in(entry, "error")
    return ExecutionError(*(str(error.get(name) or "") for name in ("name", "value", "traceback")))
