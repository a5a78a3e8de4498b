"""Reconcile two exports of the same customer table and describe the differences."""
from typing import NamedTuple


class Change(NamedTuple):
    key: int
    column: str
    old: object
    new: object


old_rows = [
    {"id": 1, "name": "Ada", "plan": "pro", "seats": 5},
    {"id": 2, "name": "Grace", "plan": "basic", "seats": 1},
    {"id": 3, "name": "Edsger", "plan": "basic", "seats": 2},
    {"id": 5, "name": "Barbara", "plan": "pro", "seats": 8},
]
new_rows = [
    {"id": 1, "name": "Ada", "plan": "enterprise", "seats": 25},
    {"id": 3, "name": "Edsger", "plan": "basic", "seats": 2},
    {"id": 4, "name": "Donald", "plan": "pro", "seats": 3},
    {"id": 5, "name": "Barbara L.", "plan": "pro", "seats": 8},
]


def index_by(rows: list[dict], key: str) -> dict:
    indexed = {row[key]: row for row in rows}
    if len(indexed) != len(rows):
        raise ValueError("duplicate keys")
    return indexed


def diff(old: dict[int, dict], new: dict[int, dict]) -> tuple[set[int], set[int], list[Change]]:
    added = new.keys() - old.keys()
    removed = old.keys() - new.keys()
    changes = [
        Change(key, column, old[key][column], new[key][column])
        for key in sorted(old.keys() & new.keys())
        for column in old[key]
        if old[key][column] != new[key][column]
    ]
    return added, removed, changes


added, removed, changes = diff(index_by(old_rows, "id"), index_by(new_rows, "id"))

print(f"Added: {sorted(added)}, removed: {sorted(removed)}")
for change in changes:
    print(f"#{change.key} {change.column}: {change.old!r} -> {change.new!r}")

try:
    index_by(old_rows + old_rows[:1], "id")
except ValueError as exc:
    print("Check failed as expected:", exc)

changes
