"""Parse dates in mixed formats and report which rows could not be read."""
from datetime import date, datetime

RAW_DATES = [
    "2024-03-01",
    "03/15/2024",
    "15.04.2024",
    "May 5, 2024",
    "7 Jun 2024",
    "20240712",
    "yesterday",
    "2024-13-40",
    "",
]

FORMATS = ("%Y-%m-%d", "%m/%d/%Y", "%d.%m.%Y", "%B %d, %Y", "%d %b %Y", "%Y%m%d")


def parse_date(text: str) -> date | None:
    """Try each of the known formats in turn."""
    for fmt in FORMATS:
        try:
            return datetime.strptime(text.strip(), fmt).date()
        except ValueError:
            continue
    return None


parsed: dict[str, date] = {}
failed: list[str] = []

for raw in RAW_DATES:
    value = parse_date(raw)
    if value is None:
        failed.append(raw)
    else:
        parsed[raw] = value

for raw, value in parsed.items():
    print(f"{raw!r:>16} -> {value.isoformat()} ({value:%A})")
print("Failed:", failed)

earliest, latest = min(parsed.values()), max(parsed.values())
gaps = [(b - a).days for a, b in zip(sorted(parsed.values()), sorted(parsed.values())[1:])]

{
    "parsed": len(parsed),
    "failed": failed,
    "range": (earliest, latest),
    "span_days": (latest - earliest).days,
    "gaps": gaps,
}
