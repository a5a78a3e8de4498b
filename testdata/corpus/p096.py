"""Order life cycle as a state machine with enums and guarded transitions."""
from dataclasses import dataclass, field
from enum import Enum, Flag, auto


class State(Enum):
    DRAFT = "draft"
    PLACED = "placed"
    PAID = "paid"
    SHIPPED = "shipped"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        return self in {State.SHIPPED, State.CANCELLED}


class Permission(Flag):
    CUSTOMER = auto()
    STAFF = auto()
    ADMIN = CUSTOMER | STAFF


TRANSITIONS = {
    ("place", State.DRAFT): (State.PLACED, Permission.CUSTOMER),
    ("pay", State.PLACED): (State.PAID, Permission.CUSTOMER),
    ("ship", State.PAID): (State.SHIPPED, Permission.STAFF),
    ("cancel", State.PLACED): (State.CANCELLED, Permission.CUSTOMER | Permission.STAFF),
    ("cancel", State.PAID): (State.CANCELLED, Permission.STAFF),
}


class InvalidTransition(Exception):
    pass


@dataclass
class Order:
    number: int
    state: State = State.DRAFT
    history: list[State] = field(default_factory=list, repr=False)

    def apply(self, action: str, who: Permission) -> "Order":
        try:
            target, allowed = TRANSITIONS[action, self.state]
        except KeyError:
            raise InvalidTransition(f"cannot {action} a {self.state.value} order") from None
        if not who & allowed:
            raise PermissionError(f"{who.name} may not {action}")
        self.history.append(self.state)
        self.state = target
        return self


order = Order(1).apply("place", Permission.CUSTOMER).apply("pay", Permission.ADMIN)
attempts = [("ship", Permission.CUSTOMER), ("pay", Permission.STAFF), ("ship", Permission.STAFF), ("cancel", Permission.ADMIN)]
for action, who in attempts:
    try:
        order.apply(action, who)
        print(f"{action}: now {order.state.name}")
    except (InvalidTransition, PermissionError) as exc:
        print(f"{action}: {exc}")

assert State("paid") is State.PAID and State["DRAFT"] in State
order, [s.value for s in order.history], order.state.final
