from dataclasses import dataclass, field


def run():
    made = 0
    for i in range(60):
        @dataclass
        class Item:
            name: str
            price: float = 0.0
            tags: list = field(default_factory=list)

        @dataclass(frozen=True, order=True)
        class Key:
            group: str
            number: int

        made += len(Item("a").tags) + (Key("a", 1) < Key("a", 2))
    return made


run()
