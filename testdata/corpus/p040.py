"""Parse ISO 8601 style durations and sum up a time sheet."""
import re
from datetime import timedelta

DURATION = re.compile(
    r"^P(?:(?P<weeks>\d+)W)?(?:(?P<days>\d+)D)?"
    r"(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?$"
)
HUMAN = re.compile(r"(\d+(?:\.\d+)?)\s*(h|m|s|d)[a-z]*", re.I)
UNITS = {"d": "days", "h": "hours", "m": "minutes", "s": "seconds"}


def parse_duration(text: str) -> timedelta:
    """Understands 'PT1H30M' as well as '1h 30min'."""
    text = text.strip()
    if m := DURATION.match(text):
        parts = {k: float(v) for k, v in m.groupdict().items() if v is not None}
        if parts:
            return timedelta(**parts)
    elif pairs := HUMAN.findall(text):
        return sum((timedelta(**{UNITS[u.lower()]: float(n)}) for n, u in pairs), timedelta())
    raise ValueError(f"not a duration: {text!r}")


def format_duration(delta: timedelta) -> str:
    total = int(delta.total_seconds())
    hours, rest = divmod(total, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"


timesheet = [
    ("alpha", "PT1H30M"),
    ("beta", "45 min"),
    ("alpha", "2.5 hours"),
    ("gamma", "P1DT2H"),
    ("beta", "PT90.5S"),
    ("beta", "soon"),
    ("gamma", "P"),
    ("alpha", "1h 5m 30s"),
]

totals: dict[str, timedelta] = {}
errors: list[str] = []
for project, text in timesheet:
    try:
        delta = parse_duration(text)
    except ValueError as exc:
        errors.append(str(exc))
        continue
    totals[project] = totals.get(project, timedelta(0)) + delta

grand_total = sum(totals.values(), timedelta())
for project, delta in sorted(totals.items(), key=lambda item: item[1], reverse=True):
    print(f"{project:<6} {format_duration(delta):>9} {delta / grand_total:6.1%}")
print("errors:", errors)

{"total": grand_total, "formatted": format_duration(grand_total), "longest": max(totals, key=totals.get)}
