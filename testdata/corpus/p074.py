"""Render an invoice as text with wrapped descriptions and tax lines."""
import textwrap
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from string import Template

D = Decimal
WIDTH = 56


@dataclass
class Line:
    description: str
    quantity: int
    unit_price: Decimal
    tax_rate: Decimal = D("0.20")

    @property
    def net(self) -> Decimal:
        return self.quantity * self.unit_price


lines = [
    Line("Consulting on the migration of the reporting database, including travel", 12, D("95.00")),
    Line("Technical handbook", 3, D("29.90"), tax_rate=D("0.05")),
    Line("Hosting (monthly)", 1, D("49.99")),
]

issued = date(2024, 1, 31)
head = Template("INVOICE $number\nIssued $issued, due $due\n")
out = [head.substitute(number="2024-017", issued=issued, due=issued + timedelta(days=30))]

for line in lines:
    first, *rest = textwrap.wrap(line.description, 30)
    out.append(f"{first:<30} {line.quantity:>4} x {line.unit_price:>7} {line.net:>10,.2f}")
    out += [f"  {r}" for r in rest]

taxes: dict[Decimal, Decimal] = {}
for line in lines:
    taxes[line.tax_rate] = taxes.get(line.tax_rate, D(0)) + line.net * line.tax_rate

net = sum(line.net for line in lines)
gross = net
out.append("-" * WIDTH)
out.append(f"{'Net':<{WIDTH - 12}}{net:>12,.2f}")
for rate, tax in sorted(taxes.items()):
    tax = tax.quantize(D("0.01"))
    gross += tax
    out.append(f"{f'Tax {rate:.0%}':<{WIDTH - 12}}{tax:>12,.2f}")
out.append(f"{'TOTAL':.<{WIDTH - 12}}{gross:.>12,.2f}")

print("\n".join(out))
try:
    Template("$missing").substitute(number=1)
except KeyError as exc:
    print("missing placeholder:", exc)

gross
