"""Numerically integrate a predator-prey model with Runge-Kutta."""
from dataclasses import dataclass
from typing import Iterator


@dataclass(frozen=True)
class State:
    prey: float
    predators: float

    def __add__(self, other: "State") -> "State":
        return State(self.prey + other.prey, self.predators + other.predators)

    def __mul__(self, factor: float) -> "State":
        return State(self.prey * factor, self.predators * factor)

    __rmul__ = __mul__


def derivative(s: State, a=1.1, b=0.4, c=0.1, d=0.4) -> State:
    return State(a * s.prey - b * s.prey * s.predators, c * s.prey * s.predators - d * s.predators)


def rk4(s: State, dt: float) -> State:
    k1 = derivative(s)
    k2 = derivative(s + dt / 2 * k1)
    k3 = derivative(s + dt / 2 * k2)
    k4 = derivative(s + dt * k3)
    return s + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def trajectory(start: State, dt: float, steps: int) -> Iterator[tuple[float, State]]:
    state = start
    for i in range(steps + 1):
        yield i * dt, state
        state = rk4(state, dt)


points = list(trajectory(State(10.0, 5.0), dt=0.05, steps=400))
for t, s in points[::40]:
    print(f"t={t:5.1f} prey={s.prey:7.3f} {'o' * round(s.prey):<30} predators={s.predators:6.3f}")

peaks = [
    round(t1, 2)
    for (_, a), (t1, b), (_, c) in zip(points, points[1:], points[2:])
    if a.prey < b.prey > c.prey
]
final = points[-1][1]
State(round(final.prey, 4), round(final.predators, 4)), peaks
