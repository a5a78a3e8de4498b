"""Inventory reordering: reorder points, economic order quantity and ABC classes."""
import math
from dataclasses import dataclass
from itertools import accumulate


@dataclass(kw_only=True)
class Product:
    sku: str
    annual_demand: int
    unit_cost: float
    lead_days: int
    on_hand: int
    order_cost: float = 40.0
    holding_rate: float = 0.25

    @property
    def annual_value(self) -> float:
        return self.annual_demand * self.unit_cost

    @property
    def eoq(self) -> int:
        return round(math.sqrt(2 * self.annual_demand * self.order_cost / (self.unit_cost * self.holding_rate)))

    @property
    def reorder_point(self) -> int:
        daily = self.annual_demand / 365
        safety = 1.65 * math.sqrt(daily * self.lead_days)
        return math.ceil(daily * self.lead_days + safety)


def abc_classes(products: list[Product]) -> dict[str, str]:
    ranked = sorted(products, key=lambda p: p.annual_value, reverse=True)
    total = sum(p.annual_value for p in ranked)
    shares = [c / total for c in accumulate(p.annual_value for p in ranked)]
    return {p.sku: "A" if s <= 0.8 else "B" if s <= 0.95 else "C" for p, s in zip(ranked, shares)}


products = [
    Product(sku="bolt", annual_demand=12_000, unit_cost=0.12, lead_days=10, on_hand=900),
    Product(sku="motor", annual_demand=300, unit_cost=85.0, lead_days=30, on_hand=20),
    Product(sku="panel", annual_demand=1_100, unit_cost=22.5, lead_days=14, on_hand=75),
    Product(sku="cable", annual_demand=4_000, unit_cost=1.8, lead_days=7, on_hand=60),
]

classes = abc_classes(products)
orders = {p.sku: p.eoq for p in products if p.on_hand <= p.reorder_point}
for p in sorted(products, key=lambda p: (classes[p.sku], p.sku)):
    action = f"order {orders[p.sku]}" if p.sku in orders else "ok"
    print(f"{classes[p.sku]} {p.sku:<6} on hand {p.on_hand:>4} / reorder at {p.reorder_point:>4}: {action}")

try:
    Product("nut", 1, 1.0, 1, 1)
except TypeError as exc:
    print(type(exc).__name__)

{"classes": classes, "orders": orders}
