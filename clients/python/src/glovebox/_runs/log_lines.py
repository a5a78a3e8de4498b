"""What runs print: lines of a log, each with the name of its stream."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .._link.current import Json


class Line(str):
    """A line that a run printed, with its end: a str that knows where it was printed.

    ``stream`` is ``"stdout"``, ``"stderr"``, or ``"system"`` for what Glovebox has to say, such as that the log was
    cut at its bound.

    >>> for line in run.logs():
    ...     print(line.stream, line, end="")
    """

    __module__ = "glovebox"  # where users find it

    stream: str

    def __new__(cls, text: str, stream: str) -> Line:
        made = super().__new__(cls, text)
        made.stream = stream
        return made

    def __reduce__(self) -> tuple[type[Line], tuple[str, str]]:
        return type(self), (str(self), self.stream)


class Lines:
    """Makes lines of the entries of a log, which are pieces as they came out of a pipe."""

    def __init__(self) -> None:
        self._decoders: dict[str, Any] = {}
        self._begun: dict[str, list[str]] = {}  # what has no end yet, by stream, in the order of its beginning

    def add(self, entry: Json) -> Iterator[Line]:
        """Yields the lines that the entry ends."""
        stream = str(entry.get("stream", ""))
        if stream == "system":
            if entry.get("cut"):  # anything else is not of the run itself
                yield from self.end()
                yield Line(str(entry.get("text", "")), stream)
            return
        for piece in self._text(entry, stream).splitlines(keepends=True) if entry else ():
            begun = self._begun.setdefault(stream, [])
            begun.append(piece)
            if piece.endswith("\n"):
                del self._begun[stream]
                yield Line("".join(begun), stream)

    def end(self) -> Iterator[Line]:
        """Yields what came without the end of a line."""
        begun, self._begun = self._begun, {}
        for stream, pieces in begun.items():
            yield Line("".join(pieces), stream)

    def _text(self, entry: Json, stream: str) -> str:
        # A character may begin in one entry and end in the next.
        decoder = self._decoders.setdefault(stream, codecs.getincrementaldecoder("utf-8")("replace"))
        data = entry.get("data")
        return str(decoder.decode(base64.b64decode(data) if data else str(entry.get("text", "")).encode()))


def text_of(result: Json, stream: str) -> str:
    """Returns what a result says that a run printed. Bytes that are not UTF-8 read as U+FFFD."""
    return base64.b64decode(result.get(stream) or "").decode("utf-8", "replace")
