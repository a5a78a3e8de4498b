"""Makes plain data of the values of a user."""

import json
from math import isfinite

MANY = 100000  # values of a table
LONG = 1 << 20  # characters of a structure


def structure(value):
    """Returns a list or a dict if JSON has all of it, and it is not long."""
    size = 0
    try:
        for part in json.JSONEncoder(allow_nan=False).iterencode(value):
            size += len(part)
            if size > LONG:
                return None
    except (TypeError, ValueError, RecursionError):
        return None
    return value


def table(frame):
    """Returns the columns of a DataFrame as lists, unless there are too many values."""
    if frame.shape[0] * frame.shape[1] > MANY:
        return None
    columns = {}
    for i, name in enumerate(frame.columns):
        columns[str(name)] = [scalar(v) for v in frame.iloc[:, i].tolist()]
    return columns


def scalar(value):
    """Returns what JSON has for a value: dates are text, and what is missing is null."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if hasattr(value, "item") and hasattr(value, "dtype"):
        value = value.item()
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if hasattr(value, "isoformat"):
        return None if value != value else value.isoformat()
    return None if str(value) in ("NaT", "<NA>") else str(value)
