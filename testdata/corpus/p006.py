"""Flatten nested JSON API records into flat rows with dotted column names."""
import json
from typing import Any, Iterator

PAYLOAD = """
[
  {"id": 1, "user": {"name": "Ann", "address": {"city": "Oslo", "zip": "0150"}}, "tags": ["a", "b"]},
  {"id": 2, "user": {"name": "Bo", "address": null}, "tags": [], "score": 4.5},
  {"id": 3, "user": {"name": "Cy", "address": {"city": "Bergen"}}, "active": true}
]
"""


def walk(value: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict) and value:
        for key, child in value.items():
            yield from walk(child, f"{prefix}.{key}" if prefix else key)
    elif isinstance(value, list) and value:
        for index, child in enumerate(value):
            yield from walk(child, f"{prefix}[{index}]")
    else:
        yield prefix, value


def flatten_all(records: list[dict]) -> tuple[list[str], list[list[Any]]]:
    flat = [dict(walk(record)) for record in records]
    columns: list[str] = []
    for row in flat:
        for column in row:
            if column not in columns:
                columns.append(column)
    rows = [[row.get(column) for column in columns] for row in flat]
    return columns, rows


records = json.loads(PAYLOAD)
columns, rows = flatten_all(records)

print(" | ".join(columns))
for row in rows:
    print(" | ".join("" if cell is None else str(cell) for cell in row))

completeness = {
    column: round(sum(row[i] is not None for row in rows) / len(rows), 2)
    for i, column in enumerate(columns)
}
completeness
