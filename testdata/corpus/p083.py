"""Progressive income tax with brackets and marginal rates."""
from itertools import pairwise
from typing import NamedTuple


class Bracket(NamedTuple):
    lower: float
    rate: float


BRACKETS = [Bracket(0, 0.0), Bracket(11_000, 0.1), Bracket(30_000, 0.2), Bracket(80_000, 0.35), Bracket(200_000, 0.45)]


def tax_breakdown(income: float) -> list[tuple[Bracket, float]]:
    if income < 0:
        raise ValueError("income must not be negative")
    uppers = [b.lower for b in BRACKETS[1:]] + [float("inf")]
    return [
        (bracket, (min(income, upper) - bracket.lower) * bracket.rate)
        for bracket, upper in zip(BRACKETS, uppers)
        if income > bracket.lower
    ]


def tax(income: float) -> float:
    return round(sum(amount for _, amount in tax_breakdown(income)), 2)


def gross_for_net(net: float, *, tolerance: float = 0.005) -> float:
    lo, hi = net, net * 3
    while hi - lo > tolerance:
        mid = (lo + hi) / 2
        if mid - tax(mid) < net:
            lo = mid
        else:
            hi = mid
    return round(hi, 2)


incomes = [0, 11_000, 25_000, 60_000, 120_000, 350_000]
table = {}
for income in incomes:
    owed = tax(income)
    effective = owed / income if income else 0
    marginal = next((b.rate for b in reversed(BRACKETS) if income > b.lower), 0.0)
    table[income] = (owed, round(effective, 4), marginal)
    print(f"{income:>9,} tax {owed:>11,.2f} effective {effective:>6.2%} marginal {marginal:>4.0%}")

assert all(tax(a) <= tax(b) for a, b in pairwise(incomes))
try:
    tax(-1)
except ValueError as exc:
    print("error:", exc)

{"table": table, "gross_for_50k": round(gross_for_net(50_000))}
