"""Subscription billing with proration, plan changes and credits."""
import calendar
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

PRICES = {"basic": Decimal("9.00"), "pro": Decimal("29.00"), "team": Decimal("99.00")}


@dataclass(frozen=True)
class Subscription:
    customer: str
    plan: str
    since: date

    def __post_init__(self):
        if self.plan not in PRICES:
            raise ValueError(f"unknown plan {self.plan!r}, choose from {', '.join(PRICES)}")


def month_days(day: date) -> int:
    return calendar.monthrange(day.year, day.month)[1]


def prorate(price: Decimal, start: date) -> Decimal:
    days = month_days(start)
    remaining = days - start.day + 1
    return (price * remaining / days).quantize(Decimal("0.01"), ROUND_HALF_UP)


def change_plan(sub: Subscription, plan: str, when: date) -> tuple[Subscription, Decimal]:
    """The new subscription and the amount due (negative for a credit)."""
    new = replace(sub, plan=plan, since=when)
    return new, prorate(PRICES[plan], when) - prorate(PRICES[sub.plan], when)


sub = Subscription("Ada", "basic", date(2024, 2, 1))
ledger = [(sub.since, "basic", prorate(PRICES[sub.plan], sub.since))]
for plan, when in [("pro", date(2024, 2, 15)), ("team", date(2024, 2, 29)), ("gold", date(2024, 3, 1)), ("basic", date(2024, 3, 10))]:
    try:
        sub, due = change_plan(sub, plan, when)
    except ValueError as exc:
        print(f"{when}: {exc}")
    else:
        ledger.append((when, plan, due))

for when, plan, due in ledger:
    print(f"{when:%d %b} {plan:<6} {due:>8}{' (credit)' if due < 0 else ''}")

balance = sum(due for *_, due in ledger)
sub, balance
