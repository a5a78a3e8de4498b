"""Standardize units of a list of measurements to SI."""
import re
from collections import defaultdict

MEASUREMENTS = [
    "12 km", "3.5mi", "800 m", "72 in", "5'11\"", "150 lb", "70kg", "900 g",
    "98.6 F", "37 C", "310.15 K", "12 parsecs", "fast",
]

LENGTH = {"m": 1.0, "km": 1000.0, "mi": 1609.344, "in": 0.0254, "ft": 0.3048}
MASS = {"kg": 1.0, "g": 0.001, "lb": 0.45359237}
TEMPERATURE = {
    "K": lambda v: v,
    "C": lambda v: v + 273.15,
    "F": lambda v: (v - 32) * 5 / 9 + 273.15,
}

PATTERN = re.compile(r"^\s*(?P<value>-?\d+(?:\.\d+)?)\s*(?P<unit>[A-Za-z]+)\s*$")
FEET_INCHES = re.compile(r"^(?P<feet>\d+)'(?P<inches>\d+)\"$")


class UnknownUnit(ValueError):
    pass


def to_si(text: str) -> tuple[str, float]:
    if match := FEET_INCHES.match(text):
        feet, inches = int(match["feet"]), int(match["inches"])
        return "length", feet * LENGTH["ft"] + inches * LENGTH["in"]
    match = PATTERN.match(text)
    if match is None:
        raise ValueError(f"cannot parse {text!r}")
    value, unit = float(match.group("value")), match.group("unit")
    if unit in LENGTH:
        return "length", value * LENGTH[unit]
    if unit in MASS:
        return "mass", value * MASS[unit]
    if unit in TEMPERATURE:
        return "temperature", TEMPERATURE[unit](value)
    raise UnknownUnit(unit)


grouped: defaultdict[str, list[float]] = defaultdict(list)
errors = []
for text in MEASUREMENTS:
    try:
        kind, si = to_si(text)
    except UnknownUnit as exc:
        errors.append(f"unknown unit: {exc}")
    except ValueError as exc:
        errors.append(str(exc))
    else:
        grouped[kind].append(round(si, 4))

print(*errors, sep="\n")
{kind: {"values": values, "max": max(values)} for kind, values in grouped.items()}
