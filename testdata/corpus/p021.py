"""Plan business-day delivery dates, skipping weekends and holidays."""
import calendar
from datetime import date, timedelta

HOLIDAYS = {
    date(2024, 12, 25): "Christmas",
    date(2024, 12, 26): "Boxing Day",
    date(2025, 1, 1): "New Year",
}


def is_business_day(day: date) -> bool:
    return day.weekday() < calendar.SATURDAY and day not in HOLIDAYS


def add_business_days(start: date, days: int) -> date:
    step = timedelta(days=1 if days >= 0 else -1)
    current, remaining = start, abs(days)
    while remaining:
        current += step
        if is_business_day(current):
            remaining -= 1
    return current


def business_days_between(start: date, end: date) -> int:
    return sum(is_business_day(start + timedelta(n)) for n in range((end - start).days))


def last_friday(year: int, month: int) -> date:
    last = date(year, month, calendar.monthrange(year, month)[1])
    return last - timedelta(days=(last.weekday() - calendar.FRIDAY) % 7)


orders = [
    ("standard", date(2024, 12, 20), 5),
    ("express", date(2024, 12, 24), 1),
    ("backorder", date(2024, 12, 30), 10),
    ("return by", date(2024, 12, 27), -3),
]

deliveries = {}
for label, placed, lead in orders:
    due = add_business_days(placed, lead)
    deliveries[label] = due
    print(f"{label:<10} {placed:%a %d %b} {lead:+3d} -> {due:%a %d %b %Y}, week {due.isocalendar().week}")

december = business_days_between(date(2024, 12, 1), date(2025, 1, 1))
print("Business days in December:", december)
print("Payroll dates:", *(last_friday(2025, m).isoformat() for m in (1, 2, 3)))

max(deliveries.values())
