"""Parse fixed-width bank statement records and verify the control total."""
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

STATEMENT = (
    "H20240131ACME BANK           \n"
    "T20240102Salary              +000250000\n"
    "T20240105Rent                -000095050\n"
    "T20240117Groceries           -000012345\n"
    "T20240120Refund shoes        +000004999\n"
    "F0004+000147604\n"
)


@dataclass(slots=True, frozen=True)
class Transaction:
    booked: date
    text: str
    amount: Decimal

    @classmethod
    def from_line(cls, line: str) -> "Transaction":
        return cls(
            booked=date(int(line[1:5]), int(line[5:7]), int(line[7:9])),
            text=line[9:29].rstrip(),
            amount=parse_amount(line[29:39]),
        )


def parse_amount(field: str) -> Decimal:
    sign = {"+": 1, "-": -1}[field[0]]
    return sign * Decimal(int(field[1:])).scaleb(-2)


def parse_statement(text: str) -> tuple[str, list[Transaction]]:
    bank, transactions = "", []
    for line in text.splitlines():
        match line[0]:
            case "H":
                bank = line[9:].strip()
            case "T":
                transactions.append(Transaction.from_line(line))
            case "F":
                expected_count, expected_total = int(line[1:5]), parse_amount(line[5:])
                if expected_count != len(transactions):
                    raise ValueError(f"expected {expected_count} records, got {len(transactions)}")
                total = sum(t.amount for t in transactions)
                if total != expected_total:
                    raise ValueError(f"control total {expected_total} != {total}")
            case other:
                raise ValueError(f"unknown record type {other!r}")
    return bank, transactions


bank, transactions = parse_statement(STATEMENT)
balance = Decimal("1000.00")
print(bank)
for t in transactions:
    balance += t.amount
    print(f"{t.booked:%d.%m.%Y} {t.text:<20} {t.amount:>10,.2f} {balance:>10,.2f}")

for broken in (STATEMENT.replace("F0004", "F0005"), STATEMENT.replace("012345", "012346"), "X"):
    try:
        parse_statement(broken)
    except ValueError as exc:
        print("rejected:", exc)

balance
