"""Convert a recurring meeting across time zones and detect off-hours attendees."""
from datetime import date, datetime, time, timedelta, timezone

OFFICES = {
    "Lisbon": timezone(timedelta(hours=0), "WET"),
    "Bangalore": timezone(timedelta(hours=5, minutes=30), "IST"),
    "New York": timezone(-timedelta(hours=5), "EST"),
    "Tokyo": timezone(timedelta(hours=9), "JST"),
}
WORK_START, WORK_END = time(8), time(18)


def occurrences(first: datetime, every: timedelta, until: date):
    when = first
    while when.date() <= until:
        yield when
        when += every


def in_office_hours(moment: datetime) -> bool:
    return WORK_START <= moment.time() < WORK_END and moment.weekday() < 5


def best_hour(day: date) -> tuple[int, list[str]]:
    scored = []
    for hour in range(24):
        moment = datetime.combine(day, time(hour), tzinfo=timezone.utc)
        attending = [city for city, tz in OFFICES.items() if in_office_hours(moment.astimezone(tz))]
        scored.append((len(attending), -hour, attending))
    count, negative_hour, attending = max(scored)
    return -negative_hour, attending


first = datetime(2024, 1, 8, 14, 30, tzinfo=timezone.utc)
off_hours: dict[str, int] = dict.fromkeys(OFFICES, 0)
for when in occurrences(first, timedelta(weeks=1), date(2024, 1, 31)):
    print(when.isoformat())
    for city, tz in OFFICES.items():
        local = when.astimezone(tz)
        flag = "" if in_office_hours(local) else "  (off hours)"
        off_hours[city] += bool(flag)
        print(f"    {city:<10} {local:%a %H:%M} {local.tzname()}{flag}")

hour, attending = best_hour(date(2024, 1, 8))
{"off_hours": off_hours, "best_utc_hour": hour, "attending": attending}
