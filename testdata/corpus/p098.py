"""An event-sourced inventory: commands, events, handlers and replay."""
from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import Callable, ClassVar


@dataclass(frozen=True)
class Event:
    sku: str
    quantity: int
    kind: ClassVar[str] = "event"


class Received(Event):
    kind = "received"


class Shipped(Event):
    kind = "shipped"


@dataclass(frozen=True)
class Adjusted(Event):
    reason: str = "count"
    kind: ClassVar[str] = "adjusted"


class EventBus:
    def __init__(self) -> None:
        self._handlers: defaultdict[type, list[Callable]] = defaultdict(list)

    def on(self, *types: type):
        def register(handler):
            for t in types:
                self._handlers[t].append(handler)
            return handler
        return register

    def publish(self, event: Event) -> None:
        for t in type(event).__mro__:
            for handler in self._handlers[t]:
                handler(event)


bus = EventBus()
stock: Counter[str] = Counter()
alerts: list[str] = []
log: list[Event] = []


@bus.on(Received, Shipped, Adjusted)
def update_stock(event: Event) -> None:
    stock[event.sku] += -event.quantity if isinstance(event, Shipped) else event.quantity


@bus.on(Shipped, Adjusted)
def alert_low(event: Event) -> None:
    if stock[event.sku] < 3:
        alerts.append(f"{event.sku} low: {stock[event.sku]} ({getattr(event, 'reason', event.kind)})")


bus.on(Event)(log.append)
for event in [Received("mug", 10), Shipped("mug", 6), Received("pen", 4), Adjusted("mug", -2, reason="broken"), Shipped("pen", 1)]:
    bus.publish(event)

replayed = sum((Counter({e.sku: e.quantity * (-1 if e.kind == "shipped" else 1)}) if e.quantity > 0 and e.kind != "shipped" else Counter() for e in log), Counter())
print(alerts)
print("received in total:", dict(replayed))
for e in log:
    print(f"{e.kind:<9} {asdict(e)}")

dict(stock), log[3]
