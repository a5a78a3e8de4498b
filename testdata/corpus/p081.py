"""Loan amortization schedule with extra payments, in exact decimals."""
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, getcontext

getcontext().prec = 28
CENT = Decimal("0.01")


def money(value: Decimal) -> Decimal:
    return value.quantize(CENT, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True)
class Payment:
    month: int
    interest: Decimal
    principal: Decimal
    balance: Decimal


def annuity(principal: Decimal, annual_rate: Decimal, months: int) -> Decimal:
    rate = annual_rate / 12
    return money(principal * rate / (1 - (1 + rate) ** -months))


def schedule(principal, annual_rate, months, extra=None):
    extra = extra or {}
    installment = annuity(principal, annual_rate, months)
    balance, month = principal, 0
    while balance > 0:
        month += 1
        interest = money(balance * annual_rate / 12)
        paid = min(installment - interest + extra.get(month, Decimal(0)), balance)
        if month == months:
            paid = balance
        balance -= paid
        yield Payment(month, interest, paid, balance)


loan = (Decimal("10000"), Decimal("0.06"), 12)
plain = list(schedule(*loan))
faster = list(schedule(*loan, extra={3: Decimal("2000"), 6: Decimal("1500")}))

for p in plain[:2] + plain[-1:]:
    print(f"{p.month:>3} {p.interest:>8} {p.principal:>9} {p.balance:>10}")

saved = sum(p.interest for p in plain) - sum(p.interest for p in faster)
print(f"Extra payments save {saved} and {len(plain) - len(faster)} months")
assert sum(p.principal for p in plain) == loan[0]

faster[-1]
