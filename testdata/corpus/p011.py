"""Clean scraped product titles and extract brand, size and colour attributes."""
import html
import re
import string

TITLES = [
    "  NIKE Air Zoom &amp; Pegasus 39 - Blue - Size 10.5!!! ",
    "adidas   ultraboost (black) size: 9",
    "New Balance 574 &#8211; Grey, SIZE 11",
    "Unbranded sneaker, red",
    "PUMA Suede Classic *SALE* green Size 8",
]

BRANDS = ["Nike", "Adidas", "New Balance", "Puma"]
COLOURS = {"blue", "black", "grey", "red", "green"}
NOISE = re.compile(r"\*[^*]*\*|!+")
SIZE = re.compile(r"size:?\s*(\d+(?:\.\d+)?)", re.IGNORECASE)


def extract(title: str) -> dict:
    text = html.unescape(title)
    text = NOISE.sub("", text)
    size_match = SIZE.search(text)
    size = float(size_match.group(1)) if size_match else None
    text = SIZE.sub("", text)

    lowered = text.lower()
    brand = next((b for b in BRANDS if lowered.strip().startswith(b.lower())), None)
    words = [w.strip(string.punctuation + "–") for w in lowered.split()]
    colour = next((w for w in words if w in COLOURS), None)

    brand_words = set(brand.lower().split()) if brand else set()
    model_words = [w for w in words if w and w not in COLOURS and w not in brand_words]
    return {
        "brand": brand,
        "model": " ".join(model_words).title(),
        "colour": colour,
        "size": size,
    }


items = [extract(t) for t in TITLES]
for item in items:
    print({k: v for k, v in item.items() if v is not None})

missing = {
    attribute: [i for i, item in enumerate(items) if item[attribute] is None]
    for attribute in ("brand", "model", "colour", "size")
}
missing
