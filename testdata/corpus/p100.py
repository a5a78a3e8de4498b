"""Library lending domain: repository, services, policies and a priority wait list."""
import uuid
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import Enum
from typing import Generic, Iterator, Protocol, TypeVar


class Tier(Enum):
    STANDARD = (2, 14)
    PREMIUM = (5, 28)

    def __init__(self, limit: int, days: int) -> None:
        self.limit = limit
        self.days = days


class HasId(Protocol):
    id: str


E = TypeVar("E", bound=HasId)


class Repository(Generic[E]):
    def __init__(self) -> None:
        self._items: dict[str, E] = {}

    def add(self, item: E) -> E:
        return self._items.setdefault(item.id, item)
    def __getitem__(self, key: str) -> E:
        return self._items[key]
    def __iter__(self) -> Iterator[E]:
        return iter(self._items.values())


@dataclass
class Member:
    id: str
    tier: Tier = Tier.STANDARD
    loans: dict[str, date] = field(default_factory=dict)


@dataclass
class Book:
    title: str
    copies: int = 1
    waiting: list[str] = field(default_factory=list)
    id: str = field(init=False)

    def __post_init__(self) -> None:
        self.id = uuid.uuid5(uuid.NAMESPACE_URL, self.title).hex[:8]


class LendingError(Exception): ...

def lend(book: Book, member: Member, today: date) -> date:
    if len(member.loans) >= member.tier.limit:
        raise LendingError(f"{member.id} reached the limit of {member.tier.limit}")
    if book.copies == 0:
        book.waiting.append(member.id)
        raise LendingError(f"{book.title!r} is out, position {len(book.waiting)}")
    book.copies -= 1
    member.loans[book.id] = today + timedelta(days=member.tier.days)
    return member.loans[book.id]


members, books = Repository[Member](), Repository[Book]()
for member in (Member("ada", Tier.PREMIUM), Member("bob")):
    members.add(member)
titles = {b.title: books.add(b).id for b in (Book("SICP"), Book("TAOCP", 2), Book("Dune"))}

for who, title in [("ada", "SICP"), ("bob", "SICP"), ("bob", "TAOCP"), ("bob", "Dune"), ("bob", "TAOCP")]:
    try:
        print(who, title, "due", lend(books[titles[title]], members[who], date(2024, 2, 20)))
    except LendingError as exc:
        print(who, "refused:", exc)

overdue = {m.id: [books[b].title for b, due in m.loans.items() if due < date(2024, 3, 10)] for m in members}
{"overdue": overdue, "waiting": {b.title: b.waiting for b in books if b.waiting}, "ids": titles}
