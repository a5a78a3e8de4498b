"""Print a month calendar with events, using the calendar module and format specs."""
import calendar
from collections import defaultdict
from datetime import date

EVENTS = [
    (date(2024, 2, 14), "Valentine's day"),
    (date(2024, 2, 29), "Leap day"),
    (date(2024, 2, 14), "Release 2.0"),
    (date(2024, 3, 1), "Not this month"),
    (date(2024, 2, 5), "Sprint start"),
]


def ordinal(n: int) -> str:
    suffix = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"


def render_month(year: int, month: int, marked: set[int]) -> str:
    cal = calendar.Calendar(firstweekday=calendar.MONDAY)
    title = f"{calendar.month_name[month]} {year}"
    lines = [f"{title:^27}", " ".join(f"{name:>3}" for name in calendar.day_abbr)]
    for week in cal.monthdayscalendar(year, month):
        cells = []
        for day in week:
            if day == 0:
                cells.append("   ")
            elif day in marked:
                cells.append(f"{day:>2}*")
            else:
                cells.append(f"{day:>2} ")
        lines.append(" ".join(cells).rstrip())
    return "\n".join(lines)


by_day: defaultdict[int, list[str]] = defaultdict(list)
for when, title in EVENTS:
    if (when.year, when.month) == (2024, 2):
        by_day[when.day].append(title)

text = render_month(2024, 2, set(by_day))
print(text)
print()
for day in sorted(by_day):
    print(f"{ordinal(day):>5}: {'; '.join(sorted(by_day[day]))}")

{
    "leap": calendar.isleap(2024),
    "weeks": len(text.splitlines()) - 2,
    "ordinals": [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 101, 111)],
}
