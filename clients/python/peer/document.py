"""The lists of docs/FLYTE.md. Values and class names of the other library are shown, and none of its texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cases
import surface
from difference import Difference, Explained

BEGIN, END = "<!-- written by make peer: begin -->\n", "<!-- written by make peer: end -->\n"
_LONGEST = 160
_LEFT_OUT = ("name", "callable", "parameter")
_OUTCOMES = ("refused", "accepted", "class", "text", "value")


def with_lists(document: str, explained: list[Explained]) -> str:
    """Returns the document with new lists between its marks."""
    before, _, rest = document.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"the document has no lines {BEGIN.strip()} and {END.strip()}")
    return before + BEGIN + "\n".join(_lists(explained)) + END + after


def _lists(explained: list[Explained]) -> Iterator[str]:
    different = {e.difference.subject for e in explained if e.difference.kind in _OUTCOMES}
    tried = list(cases.everything())
    kinds = {kind: sum(e.difference.kind == kind for e in explained) for kind in _OUTCOMES}
    yield f"{len(surface.CALLABLES)} signatures and the names of {len(surface.NAMESPACES)} modules and classes are"
    yield f"compared, and {len(tried)} entries are tried: {len(tried) - len(different)} have the same outcome in both,"
    yield f"{kinds['refused']} are refused only here, {kinds['accepted']} are accepted only here, {kinds['class']} fail"
    yield f"with another class, {kinds['text']} with another text, {kinds['value']} give another value.\n"
    yield from _missing(explained)
    yield from _other_parameters(explained)
    yield from _other_outcomes(explained)
    yield "### The same in both\n"
    for table in (cases.BAD_INPUT, cases.BEHAVIOUR):
        for title, entries in table.items():
            same = [entry for entry in entries if entry not in different]
            if same:
                what = "errors" if table is cases.BAD_INPUT else "values"
                yield f"{title}, {what}:\n"
                yield from (f"- {_code(entry)}" for entry in same)
                yield ""


def _missing(explained: list[Explained]) -> Iterator[str]:
    yield "### Names and parameters that are not here\n"
    rows: dict[tuple[str, str, str], list[str]] = {}
    for e in explained:
        if e.difference.kind in _LEFT_OUT and e.difference.theirs:
            where = e.difference.subject or "glovebox"
            rows.setdefault((e.reason.why, e.reason.verdict, where), []).append(e.difference.name)
    # names that have one reason in several places are one row
    merged: dict[tuple[str, str, str], list[str]] = {}
    for (why, verdict, where), names in rows.items():
        merged.setdefault((why, verdict, ", ".join(_code(name) for name in dict.fromkeys(names))), []).append(where)
    yield from _table(
        ("where", "what", "", "why"),
        ((", ".join(map(_code, places)), names, verdict, why) for (why, verdict, names), places in merged.items()),
    )


def _other_parameters(explained: list[Explained]) -> Iterator[str]:
    yield "### Parameters that are given in another way\n"
    rows: dict[tuple[str, str, str], list[str]] = {}
    for e in explained:
        if e.difference.kind in ("way", "default") and e.reason.why:
            rows.setdefault((e.difference.subject, e.reason.verdict, e.reason.why), []).append(_change(e.difference))
    yield from _table(
        ("where", "what", "", "why"),
        ((_code(where), "; ".join(changes), verdict, why) for (where, verdict, why), changes in rows.items()),
    )


def _change(difference: Difference) -> str:
    if difference.kind == "default":
        return f"{_code(difference.name)} by default {_code(difference.theirs)}, here {_code(difference.ours)}"
    return f"{_code(difference.name)} {difference.theirs}, here {difference.ours}"


def _other_outcomes(explained: list[Explained]) -> Iterator[str]:
    titles = {
        "refused": ("Refused here only", ("entry", "here")),
        "accepted": ("Accepted here only", ("entry", "there", "here")),
        "class": ("Another class of error", ("entry", "there", "here")),
        "text": ("The same class of error with another text", ("entry", "here")),
        "value": ("Another value", ("entry", "there", "here")),
    }
    for kind, (title, columns) in titles.items():
        yield f"### {title}\n"
        groups: dict[tuple[str, str], list[Difference]] = {}
        for e in explained:
            if e.difference.kind == kind:
                groups.setdefault((e.reason.verdict, e.reason.why), []).append(e.difference)
        for (verdict, why), found in groups.items():
            yield f"*{verdict}*: {why}\n"
            yield from _table(columns, (_row(d, len(columns)) for d in found))


def _row(difference: Difference, columns: int) -> tuple[str, ...]:
    there = (_code(_short(difference.theirs)),) if columns == 3 else ()
    return (_code(difference.subject), *there, _code(_short(difference.ours)))


def _short(text: str) -> str:
    """Returns the first line, cut to what fits into a table."""
    line = text.partition("\n")[0]
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "..."


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|{' --- |' * len(columns)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""


def _code(text: str) -> str:
    """Returns text as code that may be in a table."""
    shown = text.replace("\n", "\\n").replace("|", "\\|")
    return f"`` {shown} ``" if "`" in shown else f"`{shown}`"
