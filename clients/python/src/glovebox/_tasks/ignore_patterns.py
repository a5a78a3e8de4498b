"""The patterns of ``.dockerignore``: what a build context leaves out, as Docker and the command line read them."""

from __future__ import annotations

import posixpath
import re

Matched = tuple[bool, ...]  # which pattern matches a name, or a directory above it


class IgnorePatterns:
    """A list of patterns. The last one that matches a name, or a directory above it, decides.

    >>> patterns = IgnorePatterns("*.md\\n!keep.md")
    >>> patterns.ignores("a.md", patterns.nothing)[0], patterns.ignores("keep.md", patterns.nothing)[0]
    (True, False)
    """

    def __init__(self, text: str) -> None:
        self._patterns = [_compiled(*pattern) for line in text.split("\n") if (pattern := _pattern(line))]
        self.nothing: Matched = (False,) * len(self._patterns)  # of the directory at the top
        self.takes_back = any(back for back, _ in self._patterns)  # something below an ignored directory may not be

    def ignores(self, name: str, above: Matched) -> tuple[bool, Matched]:
        """Reports whether a name is left out, and what matched, which is ``above`` for what is in it."""
        ignored, matched = False, list(above)
        for i, (back, pattern) in enumerate(self._patterns):
            if not matched[i] and back == ignored:  # else it would change nothing
                matched[i] = pattern.fullmatch(name) is not None
            if matched[i]:
                ignored = not back
        return ignored, tuple(matched)


def _pattern(line: str) -> tuple[bool, str] | None:
    """Returns whether a line takes back what others leave out, and its pattern. A comment has none."""
    text = line.strip()
    if line.startswith("#") or not text:
        return None
    back = text.startswith("!")
    pattern = text[1:].strip() if back else text
    if not pattern:
        raise ValueError("a line is '!' alone, expected a pattern behind it")
    pattern = posixpath.normpath(pattern)
    return back, pattern.lstrip("/") or "/"


def _compiled(back: bool, pattern: str) -> tuple[bool, re.Pattern[str]]:
    try:
        return back, re.compile(_expression(pattern))
    except re.error as error:
        raise ValueError(f"{pattern!r} is no pattern: {error}") from None


_PART = re.compile(r"\*\*/?|\*|\?|\\.|\[\^?(?:\\.|[^\]\\])+\]|.", re.DOTALL)


def _expression(pattern: str) -> str:
    if pattern.startswith("**") and not re.search(r"[*?\[\\]", pattern[2:]):
        ending = pattern[2:]  # of any name
        return ".*" + re.escape(ending) if not ending.startswith("/") else "(?:.*/)?" + re.escape(ending[1:])
    return "".join(_part(match[0], last=match.end() == len(pattern)) for match in _PART.finditer(pattern))


def _part(part: str, *, last: bool) -> str:
    if part.startswith("**"):
        return ".*" if last else "(?:.*/)?"
    if part in ("*", "?"):
        return "[^/]*" if part == "*" else "[^/]"
    if len(part) > 2:  # characters in brackets, of which these mean more in Python than elsewhere
        return re.sub(r"(?<!\\)([\[&~|])", r"\\\1", "\\" + part)[1:]
    if part == "[" or part == "\\":
        raise re.error("it ends in the middle")
    return re.escape(part[-1])
