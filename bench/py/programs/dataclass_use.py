from dataclasses import asdict, dataclass, field, replace


@dataclass
class Item:
    name: str
    price: float = 0.0
    tags: list = field(default_factory=list)


@dataclass(frozen=True, order=True)
class Key:
    group: str
    number: int


def run():
    items = [Item("n" + str(i), i * 0.5) for i in range(10000)]
    total = sum(item.price for item in items)
    keys = sorted([Key("g" + str(i % 7), i) for i in range(3000)])
    same = sum(1 for a, b in zip(items, items[1:]) if a == b)
    counts = {k: k.number for k in keys}
    text = [repr(item) for item in items[:2000]]
    plain = [asdict(item) for item in items[:1000]]
    other = [replace(item, price=1.0) for item in items[:1000]]
    return total, keys[0], same, len(counts), text[3], plain[4], other[1]


run()
