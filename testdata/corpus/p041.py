"""Fetch several orders concurrently and summarize totals per customer."""
import asyncio
from collections import defaultdict

order_ids = [1, 2, 3, 4, 5, 6, 7, 8]

orders = await asyncio.gather(*(fetch_order(order_id) for order_id in order_ids))

totals: dict[str, float] = defaultdict(float)
item_counts: dict[str, int] = defaultdict(int)

for order in orders:
    rate = await exchange_rate(order["currency"], "EUR")
    totals[order["customer"]] += order["total"] * rate
    item_counts[order["customer"]] += sum(item["qty"] for item in order["items"])

report = []
for customer_id in sorted(totals, key=lambda c: totals[c], reverse=True):
    report.append(
        {
            "customer": customer_name(customer_id),
            "total_eur": round(totals[customer_id], 2),
            "items": item_counts[customer_id],
        }
    )

print(f"{'Customer':<10} {'EUR':>10} {'Items':>6}")
for row in report:
    print(f"{row['customer']:<10} {row['total_eur']:>10.2f} {row['items']:>6}")

report
