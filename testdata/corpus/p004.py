"""Clean a CSV export of products: types, currencies, stock flags and duplicates."""
import csv
import io
from decimal import Decimal, InvalidOperation

CSV_TEXT = """\
sku,title,price,stock,active
A-100,"Desk lamp, small",$24.99,12,yes
A-101,Desk lamp large,"1,249.50",0,Yes
A-102,  Notebook  ,3.2,n/a,no
A-100,"Desk lamp, small",$24.99,12,yes
,Mystery item,9.99,1,yes
A-103,"Pen ""Classic"" blue",free,200,TRUE
A-104,Stapler,€7.80,15,0
"""

TRUTHY = {"yes", "y", "true", "1"}


def parse_price(text: str) -> Decimal | None:
    stripped = text.strip().lstrip("$€£").replace(",", "")
    try:
        return Decimal(stripped).quantize(Decimal("0.01"))
    except InvalidOperation:
        return None


def parse_int(text: str, default: int = 0) -> int:
    try:
        return int(text)
    except ValueError:
        return default


products = {}
problems = []
for line_no, row in enumerate(csv.DictReader(io.StringIO(CSV_TEXT)), start=2):
    sku = row["sku"].strip()
    if not sku:
        problems.append((line_no, "missing sku"))
        continue
    if sku in products:
        problems.append((line_no, f"duplicate sku {sku}"))
        continue
    price = parse_price(row["price"])
    if price is None:
        problems.append((line_no, f"bad price {row['price']!r}"))
    products[sku] = {
        "title": row["title"].strip(),
        "price": price,
        "stock": parse_int(row["stock"]),
        "active": row["active"].strip().lower() in TRUTHY,
    }

inventory_value = sum(
    (p["price"] * p["stock"] for p in products.values() if p["price"] is not None),
    start=Decimal("0"),
)
for line_no, message in problems:
    print(f"line {line_no}: {message}")

products, inventory_value
