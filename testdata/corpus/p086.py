"""Split shared expenses and settle debts with few transfers."""
from collections import defaultdict

expenses = [
    ("Ana", 9000, ["Ana", "Ben", "Cleo"], "hotel"),
    ("Ben", 4550, ["Ana", "Ben", "Cleo", "Dov"], "dinner"),
    ("Cleo", 1001, ["Ben", "Dov"], "taxi"),
    ("Dov", 2400, ["Ana", "Ben", "Cleo", "Dov"], "museum"),
]


def split_cents(amount: int, people: list[str]) -> dict[str, int]:
    """Split without losing a cent: the first ones pay the remainder."""
    share, remainder = divmod(amount, len(people))
    return {p: share + (i < remainder) for i, p in enumerate(people)}


def settle(balances: dict[str, int]) -> list[tuple[str, str, int]]:
    balances = {p: b for p, b in balances.items() if b}
    transfers = []
    while balances:
        debtor = min(balances, key=balances.__getitem__)
        creditor = max(balances, key=balances.__getitem__)
        amount = min(-balances[debtor], balances[creditor])
        transfers.append((debtor, creditor, amount))
        for person, change in ((debtor, amount), (creditor, -amount)):
            balances[person] += change
            if balances[person] == 0:
                del balances[person]
    return transfers


balance: defaultdict[str, int] = defaultdict(int)
for payer, cents, people, what in expenses:
    balance[payer] += cents
    shares = split_cents(cents, people)
    assert sum(shares.values()) == cents, what
    for person, share in shares.items():
        balance[person] -= share

assert sum(balance.values()) == 0
for person, cents in sorted(balance.items()):
    print(f"{person:<5} {cents / 100:>+8.2f}")

transfers = settle(dict(balance))
for debtor, creditor, cents in transfers:
    print(f"{debtor} pays {creditor} {cents / 100:.2f}")

transfers
