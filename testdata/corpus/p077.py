"""Humanize sizes, numbers, durations and lists for a status page."""
from datetime import timedelta


def human_size(n: float, *, binary: bool = True) -> str:
    base = 1024 if binary else 1000
    units = ["B", "KiB", "MiB", "GiB"] if binary else ["B", "kB", "MB", "GB"]
    for unit in units[:-1]:
        if abs(n) < base:
            return f"{n:.0f} {unit}" if unit == "B" else f"{n:.1f} {unit}"
        n /= base
    return f"{n:.1f} {units[-1]}"


def human_delta(delta: timedelta, parts: int = 2) -> str:
    seconds = int(delta.total_seconds())
    if seconds == 0:
        return "now"
    sign, seconds = ("in ", seconds) if seconds > 0 else ("", -seconds)
    pieces = []
    for name, size in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            pieces.append(f"{count} {name}{'s' * (count != 1)}")
    return sign + " ".join(pieces[:parts]) + ("" if sign else " ago")


def oxford(items) -> str:
    items = list(map(str, items))
    if len(items) <= 2:
        return " and ".join(items)
    return ", ".join(items[:-1]) + f", and {items[-1]}"


def roman(n: int) -> str:
    if not 0 < n < 4000:
        raise ValueError(f"cannot write {n} in roman numerals")
    table = zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        "M CM D CD C XC L XL X IX V IV I".split(),
    )
    out = ""
    for value, letters in table:
        times, n = divmod(n, value)
        out += letters * times
    return out


print(oxford(human_size(n) for n in (0, 532, 2048, 5_300_000, 7 * 1024**3)))
print(oxford([human_size(1_500_000, binary=False), human_size(-4096)]))
for delta in (timedelta(days=3, hours=1, minutes=5), timedelta(seconds=-61), timedelta(0), -timedelta(days=1)):
    print(f"{delta!s:>20} {human_delta(delta)}")
try:
    roman(4000)
except ValueError as exc:
    print(exc)

{n: roman(n) for n in (4, 9, 14, 1994, 2024, 3999)}
