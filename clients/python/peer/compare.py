"""Compares this library with the one whose documents it follows.

compare.py PEER            prints what differs without a reason, and reasons that nothing needs
compare.py PEER FILE       and fails if the lists in FILE are not those of now
compare.py PEER FILE -w    writes them
"""

from __future__ import annotations

import fnmatch
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cases
import document
import reasons
from difference import Difference, Explained, Reason

HERE = Path(__file__).resolve().parent
THIS = "glovebox"
MORE = Reason("", (), "", "more", "")


def observe(library: str) -> dict[str, Any]:
    """Returns what ``observe.py`` sees of a library, in a process of its own."""
    command = [sys.executable, "-W", "ignore", str(HERE / "observe.py"), library]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500)
    if done.returncode:
        sys.exit(f"{library} could not be observed:\n{done.stderr}")
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


def differences(theirs: dict[str, Any], ours: dict[str, Any]) -> Iterator[Difference]:
    """Yields what differs, in the order of the lists."""
    for source, names in theirs["namespaces"].items():
        yield from _names(source, names, ours["namespaces"][source])
    for source, parameters in theirs["callables"].items():
        yield from _parameters(source, parameters, ours["callables"][source])
    for table, gives in ((cases.BAD_INPUT, False), (cases.BEHAVIOUR, True)):
        for source in (source for sources in table.values() for source in sources):
            yield from _outcomes(source, theirs["outcomes"][source], ours["outcomes"][source], gives)


def _names(source: str, theirs: list[str] | None, ours: list[str] | None) -> Iterator[Difference]:
    for name in sorted({*(theirs or ())} ^ {*(ours or ())}):
        yield Difference("name", source, name, *(("has", "") if name in (theirs or ()) else ("", "has")))


def _parameters(source: str, theirs: Any, ours: Any) -> Iterator[Difference]:
    if theirs is None or ours is None:
        if theirs != ours:
            yield Difference("callable", source, "", *(("has", "") if ours is None else ("", "has")))
        return
    there, here = ({parameter["name"]: parameter for parameter in found} for found in (theirs, ours))
    for name in [*there, *(name for name in here if name not in there)]:
        if name not in here:
            yield Difference("parameter", source, name, "has", "")
            continue
        if name not in there:
            yield Difference("parameter", source, name, "", "required" if here[name]["default"] is None else "has")
            continue
        a, b = there[name], here[name]
        if _way(a, theirs) != _way(b, ours):
            yield Difference("way", source, name, _way(a, theirs), _way(b, ours))
        if a["default"] != b["default"]:
            yield Difference("default", source, name, a["default"] or "required", b["default"] or "required")


def _way(parameter: dict[str, Any], among: list[dict[str, Any]]) -> str:
    """Says how a parameter is given: by keyword, or at which place."""
    if parameter["kind"] not in ("positional-only", "positional or keyword"):
        return str(parameter["kind"])
    place = f"place {among.index(parameter) + 1}"
    return place if parameter["kind"] == "positional or keyword" else f"{place}, not by name"


def is_harmless(difference: Difference) -> bool:
    """Reports whether no code for the other library can notice: a name or an optional parameter that it has not."""
    if difference.kind == "way":
        return difference.theirs == "keyword-only" and "not by name" not in difference.ours
    return difference.kind in ("name", "callable", "parameter") and difference.ours == "has"


def _outcomes(source: str, there: dict[str, Any], here: dict[str, Any], gives: bool) -> Iterator[Difference]:
    """Compares what became of an entry; what it gave only if ``gives``.

    An error of a class below that of the other library is caught like it.
    """
    if "raises" in there and "raises" in here:
        if there["raises"][0] not in here["raises"]:
            yield Difference("class", source, "", there["raises"][0], _error(here))
        elif there["text"] != here["text"]:
            yield Difference("text", source, "", there["text"], _error(here))
    elif "raises" in here:
        yield Difference("refused", source, "", there["gives"] if gives else "accepted", _error(here))
    elif "raises" in there:
        yield Difference("accepted", source, "", there["raises"][0], here["gives"])
    elif gives and there["gives"] != here["gives"]:
        yield Difference("value", source, "", there["gives"], here["gives"])


def _error(outcome: dict[str, Any]) -> str:
    return f"{outcome['raises'][0]}: {outcome['text']}"


def explain(found: list[Difference]) -> tuple[list[Explained], list[str]]:
    """Gives each difference its reason. Returns them, and what is wrong: no reason, or a reason without one."""
    explained: list[Explained] = []
    problems: list[str] = []
    needed: set[int] = set()
    for difference in found:
        if is_harmless(difference):
            explained.append(Explained(difference, MORE))
            continue
        at = next((i for i, reason in enumerate(reasons.REASONS) if _covers(reason, difference)), None)
        if at is None:
            problems.append(f"no reason: {difference}")
            continue
        needed.add(at)
        explained.append(Explained(difference, reasons.REASONS[at]))
    problems += [f"nothing needs: {reason}" for i, reason in enumerate(reasons.REASONS) if i not in needed]
    return explained, problems


def _covers(reason: Reason, difference: Difference) -> bool:
    return (
        difference.kind in reason.kinds.split()
        and any(fnmatch.fnmatchcase(difference.subject, _literal(subject)) for subject in reason.subjects)
        and any(fnmatch.fnmatchcase(difference.name, name) for name in reason.names.split() or [""])
    )


def _literal(pattern: str) -> str:
    """Lets brackets, which entries have, stand for themselves."""
    return pattern.replace("[", "[[]")


def main() -> int:
    """Prints what is wrong and returns whether anything is."""
    peer, *rest = sys.argv[1:]
    theirs, ours = observe(peer), observe(THIS)
    explained, problems = explain(list(differences(theirs, ours)))
    for problem in problems:
        print(problem)
    if not rest or problems:
        return bool(problems)
    file = Path(rest[0])
    written = file.read_text()
    now = document.with_lists(written, explained)
    if rest[1:] == ["-w"]:
        file.write_text(now)
    elif now != written:
        print(f"{file} is stale; run make peer UPDATE=-w")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
