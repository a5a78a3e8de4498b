"""Join orders with customers (left join) and build a tidy pivot by country and month."""
from collections import defaultdict

customers = {
    "C1": {"name": "Nordic AS", "country": "NO"},
    "C2": {"name": "Alpen AG", "country": "CH"},
    "C3": {"name": "Fjord AB", "country": "SE"},
}
orders = [
    ("O1", "C1", "2024-01-12", "120.50"),
    ("O2", "C2", "2024-01-30", "80"),
    ("O3", "C1", "2024-02-02", "99.99"),
    ("O4", "C9", "2024-02-14", "10.00"),
    ("O5", "C3", "2024-03-01", "not available"),
    ("O6", "C2", "2024-03-09", "45.25"),
    ("O7", "C3", "2024-03-10", "300"),
]


def safe_float(text, default=None):
    try:
        return float(text)
    except (TypeError, ValueError):
        return default


joined = []
for order_id, customer_id, day, amount in orders:
    customer = customers.get(customer_id, {})
    joined.append(
        {
            "order": order_id,
            "country": customer.get("country", "??"),
            "month": day[:7],
            "amount": safe_float(amount, 0.0),
        }
    )

pivot = defaultdict(lambda: defaultdict(float))
for row in joined:
    pivot[row["country"]][row["month"]] += row["amount"]

months = sorted({row["month"] for row in joined})
header = "country" + "".join(f"{m:>10}" for m in months) + f"{'total':>10}"
print(header)
print("-" * len(header))
for country in sorted(pivot):
    cells = [pivot[country].get(m, 0.0) for m in months]
    print(f"{country:<7}" + "".join(f"{c:>10.2f}" for c in cells) + f"{sum(cells):>10.2f}")

matrix = [[round(pivot[c].get(m, 0.0), 2) for m in months] for c in sorted(pivot)]
column_totals = [round(sum(column), 2) for column in zip(*matrix)]
dict(zip(months, column_totals)) | {"unmatched": [r["order"] for r in joined if r["country"] == "??"]}
