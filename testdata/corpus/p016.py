"""Find common free meeting slots for several people."""
from dataclasses import dataclass
from datetime import datetime, time, timedelta


@dataclass(frozen=True, order=True)
class Interval:
    start: datetime
    end: datetime

    @property
    def duration(self) -> timedelta:
        return self.end - self.start


def at(hour: int, minute: int = 0) -> datetime:
    return datetime.combine(datetime(2024, 6, 3), time(hour, minute))


calendars = {
    "ada": [Interval(at(9), at(10, 30)), Interval(at(12), at(13)), Interval(at(16), at(18))],
    "grace": [Interval(at(10), at(11, 30)), Interval(at(12, 30), at(14, 30))],
    "linus": [Interval(at(8), at(9, 30)), Interval(at(15), at(15, 30))],
}


def merge(intervals: list[Interval]) -> list[Interval]:
    merged: list[Interval] = []
    for interval in sorted(intervals):
        if merged and interval.start <= merged[-1].end:
            last = merged.pop()
            merged.append(Interval(last.start, max(last.end, interval.end)))
        else:
            merged.append(interval)
    return merged


def free_slots(busy: list[Interval], day: Interval, minimum: timedelta) -> list[Interval]:
    free = []
    cursor = day.start
    for block in merge(busy):
        if block.start - cursor >= minimum:
            free.append(Interval(cursor, block.start))
        cursor = max(cursor, block.end)
    if day.end - cursor >= minimum:
        free.append(Interval(cursor, day.end))
    return free


working_day = Interval(at(9), at(17))
all_busy = [interval for calendar in calendars.values() for interval in calendar]
slots = free_slots(all_busy, working_day, timedelta(minutes=30))

for slot in slots:
    print(f"{slot.start:%H:%M} - {slot.end:%H:%M} ({slot.duration})")

[(s.start.strftime("%H:%M"), s.duration.total_seconds() / 60) for s in slots]
