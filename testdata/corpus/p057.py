"""A typed API client with custom exceptions and a context manager for its session."""
from contextlib import asynccontextmanager
from dataclasses import dataclass


class ApiError(Exception):
    """Base class of the client's errors."""


class NotFound(ApiError):
    def __init__(self, kind: str, key: object):
        super().__init__(f"{kind} {key!r} not found")
        self.key = key


class Unavailable(ApiError):
    pass


@dataclass(frozen=True)
class Order:
    id: int
    customer: str
    total: float

    @classmethod
    def from_api(cls, data: dict) -> "Order":
        return cls(data["id"], customer_name(data["customer"]), data["total"])


class Client:
    def __init__(self) -> None:
        self.requests = 0
        self.closed = False

    async def order(self, order_id: int) -> Order:
        self._check()
        try:
            return Order.from_api(await fetch_order(order_id))
        except KeyError as exc:
            raise NotFound("order", order_id) from exc

    async def label(self, key: str) -> str:
        self._check()
        try:
            return await flaky_lookup(key)
        except ConnectionError as exc:
            raise Unavailable(str(exc)) from exc

    def _check(self) -> None:
        if self.closed:
            raise ApiError("client is closed")
        self.requests += 1


@asynccontextmanager
async def session():
    client = Client()
    try:
        yield client
    finally:
        client.closed = True
        print(f"session closed after {client.requests} requests")


errors = []
async with session() as api:
    orders = [await api.order(i) for i in (2, 7)]
    for call in (api.order(77), api.label("x"), api.label("x")):
        try:
            print("ok:", await call)
        except ApiError as exc:
            errors.append((type(exc).__name__, str(exc), type(exc.__cause__).__name__))

try:
    await api.order(1)
except ApiError as exc:
    errors.append((type(exc).__name__, str(exc), None))

orders, errors
