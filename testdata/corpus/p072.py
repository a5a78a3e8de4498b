"""Monthly sales report with bar chart, shares and month-over-month growth."""
from itertools import pairwise

SALES = {
    "Jan": 12_400, "Feb": 11_050, "Mar": 15_980, "Apr": 15_980,
    "May": 18_320, "Jun": 9_870,
}
WIDTH = 30


def bar(value: float, maximum: float, width: int = WIDTH) -> str:
    full, rest = divmod(round(value / maximum * width * 2), 2)
    return "█" * full + "▌" * rest


def growth(previous: float, current: float) -> str:
    change = (current - previous) / previous
    arrow = "▲" if change > 0 else "▼" if change < 0 else "="
    return f"{arrow} {abs(change):.1%}"


total = sum(SALES.values())
peak = max(SALES.values())
changes = {b[0]: growth(a[1], b[1]) for a, b in pairwise(SALES.items())}

print("SALES REPORT".center(60))
print("=" * 60)
for month, amount in SALES.items():
    print(f"{month} {bar(amount, peak):<{WIDTH}} {amount:>8,} {amount / total:>6.1%} {changes.get(month, ''):>9}")
print("=" * 60)
print(f"{'Total':<34} {total:>8,}")

cumulative = []
running = 0
for month, amount in SALES.items():
    running += amount
    cumulative.append((month, running))

half = next(month for month, value in cumulative if value >= total / 2)
print(f"Half of the revenue was reached in {half}.")

{"total": total, "changes": changes, "half": half, "best_month": max(SALES, key=SALES.get)}
