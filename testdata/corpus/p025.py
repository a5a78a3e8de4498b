"""Select non-overlapping ad bookings with maximal revenue (weighted interval scheduling)."""
import bisect
from functools import lru_cache
from typing import NamedTuple


class Booking(NamedTuple):
    client: str
    start: int
    end: int
    revenue: int


bookings = sorted(
    [
        Booking("Acme", 1, 4, 120),
        Booking("Globex", 3, 5, 20),
        Booking("Initech", 0, 6, 100),
        Booking("Hooli", 4, 7, 210),
        Booking("Umbrella", 3, 8, 300),
        Booking("Stark", 5, 9, 160),
        Booking("Wayne", 6, 10, 120),
        Booking("Wonka", 8, 11, 200),
    ],
    key=lambda b: b.end,
)
ends = [b.end for b in bookings]


@lru_cache(maxsize=None)
def best(i: int) -> tuple[int, tuple[int, ...]]:
    """Best revenue and choice among the first i bookings."""
    if i == 0:
        return 0, ()
    current = bookings[i - 1]
    compatible = bisect.bisect_right(ends, current.start, hi=i - 1)
    revenue, chosen = best(compatible)
    take = (revenue + current.revenue, chosen + (i - 1,))
    skip = best(i - 1)
    return max(take, skip, key=lambda option: option[0])


revenue, indices = best(len(bookings))
selected = [bookings[i] for i in indices]

timeline = [["."] * max(ends) for _ in selected]
for line, booking in zip(timeline, selected):
    line[booking.start : booking.end] = "#" * (booking.end - booking.start)
    print(f"{booking.client:<9}|{''.join(line)}| {booking.revenue:>4}")

print(f"Total revenue: {revenue} (cache: {best.cache_info().currsize} entries)")
assert all(a.end <= b.start for a, b in zip(selected, selected[1:]))

selected
