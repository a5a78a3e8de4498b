"""Shopping cart with stacked discount rules."""
from dataclasses import dataclass
from decimal import Decimal
from typing import Callable


@dataclass(frozen=True)
class Item:
    sku: str
    price: Decimal
    quantity: int = 1
    category: str = "general"

    @property
    def subtotal(self) -> Decimal:
        return self.price * self.quantity


Cart = list[Item]
Rule = Callable[[Cart, Decimal], Decimal]


def buy_n_get_one(sku: str, n: int) -> Rule:
    def rule(cart: Cart, _total: Decimal) -> Decimal:
        return sum((i.price * (i.quantity // (n + 1)) for i in cart if i.sku == sku), Decimal(0))
    rule.__name__ = f"buy {n} {sku} get one"
    return rule


def category_percent(category: str, percent: int) -> Rule:
    def rule(cart: Cart, _total: Decimal) -> Decimal:
        return sum((i.subtotal for i in cart if i.category == category), Decimal(0)) * percent / 100
    rule.__name__ = f"{percent}% off {category}"
    return rule


def threshold(minimum: str, off: str) -> Rule:
    def rule(_cart: Cart, total: Decimal) -> Decimal:
        return Decimal(off) if total >= Decimal(minimum) else Decimal(0)
    rule.__name__ = f"{off} off above {minimum}"
    return rule


def checkout(cart: Cart, rules: list[Rule]) -> tuple[Decimal, list[tuple[str, Decimal]]]:
    total = sum((item.subtotal for item in cart), Decimal(0))
    applied = []
    for rule in rules:
        if discount := rule(cart, total):
            discount = round(discount, 2)
            total -= discount
            applied.append((rule.__name__, discount))
    return total, applied


cart = [
    Item("mug", Decimal("7.50"), 5),
    Item("novel", Decimal("12.99"), 2, "books"),
    Item("lamp", Decimal("39.00")),
]
rules = [buy_n_get_one("mug", 2), category_percent("books", 15), threshold("90", "10"), threshold("500", "80")]
total, applied = checkout(cart, rules)
for name, discount in applied:
    print(f"{name:<22} -{discount:>6}")

{"total": total, "applied": dict(applied)}
