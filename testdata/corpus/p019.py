"""Compute the next run times of simple cron expressions."""
from datetime import datetime, timedelta


def parse_field(text: str, low: int, high: int) -> frozenset[int]:
    values: set[int] = set()
    for part in text.split(","):
        step = 1
        if "/" in part:
            part, step_text = part.split("/")
            step = int(step_text)
        if part == "*":
            start, stop = low, high
        elif "-" in part:
            start, stop = map(int, part.split("-"))
        else:
            start = stop = int(part)
        if not low <= start <= stop <= high:
            raise ValueError(f"field {text!r} out of range {low}-{high}")
        values.update(range(start, stop + 1, step))
    return frozenset(values)


class Cron:
    RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))

    def __init__(self, expression: str) -> None:
        fields = expression.split()
        if len(fields) != 5:
            raise ValueError(f"expected 5 fields, got {len(fields)}")
        self.expression = expression
        self.minutes, self.hours, self.days, self.months, self.weekdays = (
            parse_field(f, *r) for f, r in zip(fields, self.RANGES)
        )

    def matches(self, when: datetime) -> bool:
        return (
            when.minute in self.minutes
            and when.hour in self.hours
            and when.day in self.days
            and when.month in self.months
            and (when.weekday() + 1) % 7 in self.weekdays
        )

    def upcoming(self, after: datetime, n: int):
        when = after.replace(second=0, microsecond=0)
        found = 0
        while found < n:
            when += timedelta(minutes=1)
            if self.matches(when):
                found += 1
                yield when


now = datetime(2024, 2, 28, 22, 50)
result = {}
for expr in ("*/15 * * * *", "0 9-17/4 * * 1-5", "30 23 28,29 * *", "0 0 * *", "99 * * * *"):
    try:
        result[expr] = [t.strftime("%a %d %b %H:%M") for t in Cron(expr).upcoming(now, 3)]
    except ValueError as error:
        result[expr] = f"invalid: {error}"
    print(expr.ljust(20), result[expr])

result
