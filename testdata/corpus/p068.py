"""Elevator simulation as a state machine with an event log."""
from collections import deque
from enum import Enum, auto


class Direction(Enum):
    UP = auto()
    DOWN = auto()
    IDLE = auto()


class Elevator:
    def __init__(self, floors: int, start: int = 0):
        self.floors = range(floors)
        self.floor = start
        self.direction = Direction.IDLE
        self.stops: set[int] = set()
        self.log: list[str] = []
        self.travelled = 0

    def request(self, floor: int) -> None:
        if floor not in self.floors:
            raise ValueError(f"no floor {floor}")
        self.stops.add(floor)

    def tick(self) -> None:
        if self.floor in self.stops:
            self.stops.discard(self.floor)
            self.log.append(f"open@{self.floor}")
            return
        if not self.stops:
            self.direction = Direction.IDLE
            return
        above = any(s > self.floor for s in self.stops)
        below = any(s < self.floor for s in self.stops)
        if self.direction is Direction.UP and not above:
            self.direction = Direction.DOWN
        elif self.direction is Direction.DOWN and not below:
            self.direction = Direction.UP
        elif self.direction is Direction.IDLE:
            self.direction = Direction.UP if above else Direction.DOWN
        self.floor += 1 if self.direction is Direction.UP else -1
        self.travelled += 1


requests = deque([(0, 3), (1, 7), (2, 1), (5, 5), (6, 9), (20, 0), (21, 12)])
elevator = Elevator(floors=10, start=2)

for now in range(40):
    while requests and requests[0][0] <= now:
        _, floor = requests.popleft()
        try:
            elevator.request(floor)
        except ValueError as exc:
            elevator.log.append(f"error: {exc}")
    elevator.tick()

print(" | ".join(elevator.log))
print(f"at floor {elevator.floor}, {elevator.direction.name.lower()}, travelled {elevator.travelled}")
(elevator.floor, elevator.direction, elevator.log)
