"""Describes samples, in a cell. It gets `request`, JSON, and gives `description`.

A request has samples ({"name", "input", "form"}), mode ("rows", "masked" or "schema") and rows. Nothing of a value is
in the description unless the mode is "rows": else it has the names and types of columns, and how many rows there are.
"""

import csv
import datetime
import io
import itertools
import json
import re
import statistics
from collections import Counter

MOST_ROWS = 10_000  # that are looked at
MOST_COLUMNS = 200
MOST_TEXT = 200  # characters of a value that is shown
MOST_LINE = 500
CATEGORIES = 20
EMPTY = ("", "na", "n/a", "nan", "null", "none")


def cells_of_csv(path, delimiter):
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        head = file.read(64 << 10)
        if "\0" in head:
            raise ValueError("no text")
        if delimiter is None:
            try:
                delimiter = csv.Sniffer().sniff(head, ",;\t|").delimiter
            except csv.Error:
                delimiter = ","
        file.seek(0)
        rows = csv.reader(file, delimiter=delimiter)
        first = next(rows, [])
        rows = [row for row in itertools.islice(rows, MOST_ROWS) if row]
        if any(type_of([name]) != "str" for name in first):  # no names of columns but values, which may be secret
            return [f"column {i + 1}" for i in range(len(first))], [first, *rows]
        return [name.strip() for name in first], rows


def cells_of_json(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read(64 << 20)
    try:
        items = json.loads(text)
    except ValueError:
        items = [json.loads(line) for line in itertools.islice(io.StringIO(text), MOST_ROWS) if line.strip()]
    if isinstance(items, dict):
        items = [items]
    if not all(isinstance(item, dict) for item in items):
        raise ValueError("no table")
    items = items[:MOST_ROWS]
    header = list(dict.fromkeys(name for item in items for name in item))
    return header, [[shown(item.get(name)) for name in header] for item in items]


def shown(value):
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def cells_of_frame(path, form):
    import pandas

    frame = pandas.read_parquet(path) if form in (".parquet", ".pq") else pandas.read_excel(path)
    text = frame.head(MOST_ROWS).to_csv(index=False)
    rows = csv.reader(io.StringIO(text))
    return next(rows, []), [row for row in rows if row]


def type_of(values):
    for name, check in (("int", int), ("float", float), ("bool", boolean), ("datetime", moment)):
        try:
            for value in values:
                check(value)
        except ValueError:
            continue
        return name
    return "str"


def boolean(text):
    if text.lower() not in ("true", "false"):
        raise ValueError


def moment(text):
    if not re.match(r"\d{4}-\d\d-\d\d", text):
        raise ValueError
    datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def column(name, values, rows, mode):
    present = [value for value in values if value.strip().lower() not in EMPTY]
    made = {"name": name[:MOST_TEXT], "type": type_of(present) if present else "str", "nullable": len(present) < rows}
    if mode != "rows":
        return made
    made["nulls"] = rows - len(present)
    counts = Counter(present)
    made["unique"] = len(counts)
    if made["type"] in ("int", "float") and present:
        numbers = [float(value) for value in present]
        made["min"], made["max"] = min(numbers), max(numbers)
        made["mean"], made["median"] = statistics.fmean(numbers), statistics.median(numbers)
    elif made["type"] == "datetime" and present:
        made["min"], made["max"] = min(present)[:MOST_TEXT], max(present)[:MOST_TEXT]
    elif 0 < len(counts) <= CATEGORIES:
        made["top"] = [[value[:MOST_TEXT], count] for value, count in counts.most_common(5)]
    return made


def masked(text):
    """Makes up a value in the form of one. Nothing of it but its form decides about it."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d.*", text):
        digits = itertools.cycle("20010203040506")
    else:
        digits = itertools.cycle("17382945")
    letters = itertools.cycle("abcdefgh")

    def of(char):
        if char.isdigit():
            return next(digits)
        if char.isalpha():
            made = next(letters)
            return made.upper() if char.isupper() else made
        return char

    return "".join(map(of, text))


def show(text, mode):
    if text.strip().lower() in EMPTY or text.lower() in ("true", "false"):
        return text
    return text if mode == "rows" else masked(text)


def table(header, rows, mode, most):
    header = header[:MOST_COLUMNS]
    rows = [(row + [""] * len(header))[: len(header)] for row in rows]
    columns = [column(name, [row[i] for row in rows], len(rows), mode) for i, name in enumerate(header)]
    made = {"kind": "table", "rows": len(rows), "more": len(rows) == MOST_ROWS, "columns": columns}
    if mode == "rows" and rows:
        made["duplicates"] = len(rows) - len(set(map(tuple, rows)))
        ids = [c["name"] for c in columns if c["unique"] == len(rows)]
        made["id"] = ids[0] if ids else ""
    if mode != "schema":
        step = max(1, len(rows) // most)  # from all of it, and the same rows each time
        some = rows if len(rows) <= most else rows[::step][:most]
        made["sample"] = [[show(value[:MOST_TEXT], mode) for value in row] for row in some]
    return made


def text(path, mode, most):
    with open(path, "rb") as file:
        head = file.read(1 << 20)
    if b"\0" in head:
        return {"kind": "binary"}
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [line.rstrip("\n")[:MOST_LINE] for line in itertools.islice(file, MOST_ROWS)]
    made = {"kind": "text", "rows": len(lines), "more": len(lines) == MOST_ROWS}
    if mode != "schema":
        made["lines"] = [show(line, mode) for line in lines[:most]]
    return made


def describe(sample, mode, most):
    path, form = sample["path"], sample["form"]
    try:
        if form in (".csv", ".tsv"):
            return table(*cells_of_csv(path, "\t" if form == ".tsv" else None), mode, most)
        if form in (".json", ".jsonl", ".ndjson"):
            return table(*cells_of_json(path), mode, most)
        if form in (".parquet", ".pq", ".xlsx", ".xls"):
            return table(*cells_of_frame(path, form), mode, most)
    except Exception:  # it is not what its name says
        pass
    return text(path, mode, most)


asked = json.loads(request)  # noqa: F821
files = globals()
made = []
for sample in asked["samples"]:
    sample["path"] = files[sample["input"]]
    made.append({"name": sample["name"], "form": sample["form"], **describe(sample, asked["mode"], asked["rows"])})
description = json.dumps(made)
