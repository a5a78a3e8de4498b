"""Parse an XML product feed with ElementTree and report totals."""
import xml.etree.ElementTree as ET
from decimal import Decimal

FEED = """<?xml version="1.0"?>
<catalog currency="EUR">
  <product id="p1" available="true">
    <name>Espresso machine</name>
    <price>249.00</price>
    <tags><tag>kitchen</tag><tag>coffee</tag></tags>
  </product>
  <product id="p2" available="false">
    <name>Grinder</name>
    <price discount="10">80.00</price>
    <tags><tag>coffee</tag></tags>
  </product>
  <product id="p3" available="true">
    <name>Mug &amp; saucer</name>
    <price>12.50</price>
    <tags/>
  </product>
</catalog>
"""

root = ET.fromstring(FEED)
currency = root.get("currency", "USD")


def net_price(element: ET.Element) -> Decimal:
    price = Decimal(element.text)
    discount = Decimal(element.get("discount", "0"))
    return (price * (100 - discount) / 100).quantize(Decimal("0.01"))


products = []
for node in root.iter("product"):
    products.append(
        {
            "id": node.attrib["id"],
            "name": node.findtext("name"),
            "price": net_price(node.find("price")),
            "available": node.get("available") == "true",
            "tags": [tag.text for tag in node.findall("tags/tag")],
        }
    )

for p in products:
    print(f"{p['id']}: {p['name']} {p['price']} {currency} {'/'.join(p['tags']) or '(no tags)'}")

try:
    ET.fromstring("<catalog><product></catalog>")
except ET.ParseError as exc:
    print("Malformed feed at line", exc.position[0])

by_tag: dict[str, list[str]] = {}
for p in products:
    for tag in p["tags"]:
        by_tag.setdefault(tag, []).append(p["id"])

{"available_total": sum(p["price"] for p in products if p["available"]), "by_tag": by_tag}
