"""Compute FIFO capital gains for a portfolio of trades."""
from collections import defaultdict, deque
from datetime import date
from decimal import Decimal as D


class InsufficientShares(Exception):
    def __init__(self, symbol: str, missing: int):
        self.symbol, self.missing = symbol, missing
        super().__init__(f"cannot sell {missing} more {symbol}")


TRADES = [
    (date(2023, 1, 10), "buy", "ACME", 10, D("20.00")),
    (date(2023, 3, 1), "buy", "ACME", 5, D("24.50")),
    (date(2023, 4, 2), "buy", "INIT", 100, D("1.25")),
    (date(2023, 9, 9), "sell", "ACME", 12, D("30.00")),
    (date(2024, 5, 20), "sell", "ACME", 2, D("18.00")),
    (date(2024, 6, 1), "sell", "INIT", 40, D("2.00")),
    (date(2024, 7, 1), "sell", "INIT", 70, D("2.00")),
]

lots: dict[str, deque] = defaultdict(deque)
gains = []


def sell(when: date, symbol: str, quantity: int, price: D) -> None:
    available = sum(q for _, q, _ in lots[symbol])
    if available < quantity:
        raise InsufficientShares(symbol, quantity - available)
    while quantity:
        bought, lot_quantity, cost = lots[symbol].popleft()
        taken = min(quantity, lot_quantity)
        if lot_quantity > taken:
            lots[symbol].appendleft((bought, lot_quantity - taken, cost))
        gains.append((when.year, symbol, taken * (price - cost), (when - bought).days > 365))
        quantity -= taken


for when, side, symbol, quantity, price in TRADES:
    if side == "buy":
        lots[symbol].append((when, quantity, price))
        continue
    try:
        sell(when, symbol, quantity, price)
    except InsufficientShares as exc:
        print(f"{when}: {exc} (missing {exc.missing})")

summary: dict[tuple[int, str], D] = defaultdict(D)
for year, symbol, gain, long_term in gains:
    summary[year, "long" if long_term else "short"] += gain

for (year, term), gain in sorted(summary.items()):
    print(f"{year} {term:>5}: {gain:>+9}")

{"gains": dict(summary), "open": {s: [(q, c) for _, q, c in d] for s, d in lots.items() if d}}
