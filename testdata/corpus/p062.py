"""Root finding with bisection, Newton and the secant method."""
import math
from typing import Callable

Func = Callable[[float], float]


def bisect(f: Func, lo: float, hi: float, tol: float = 1e-10) -> tuple[float, int]:
    if f(lo) * f(hi) > 0:
        raise ValueError("interval does not bracket a root")
    steps = 0
    while hi - lo > tol:
        steps += 1
        mid = (lo + hi) / 2
        if f(lo) * f(mid) <= 0:
            hi = mid
        else:
            lo = mid
    return (lo + hi) / 2, steps


def newton(f: Func, x: float, tol: float = 1e-12, max_steps: int = 50) -> tuple[float, int]:
    h = 1e-6
    for step in range(1, max_steps + 1):
        derivative = (f(x + h) - f(x - h)) / (2 * h)
        if derivative == 0:
            raise ZeroDivisionError(f"flat derivative at {x}")
        x, previous = x - f(x) / derivative, x
        if abs(x - previous) < tol:
            return x, step
    raise RuntimeError(f"no convergence after {max_steps} steps")


def secant(f: Func, a: float, b: float, tol: float = 1e-12) -> tuple[float, int]:
    steps = 0
    while abs(b - a) > tol and f(b) != f(a):
        a, b = b, b - f(b) * (b - a) / (f(b) - f(a))
        steps += 1
    return b, steps


problems: dict[str, Func] = {
    "x^2 - 2": lambda x: x * x - 2,
    "cos x - x": lambda x: math.cos(x) - x,
    "x^3 - x - 2": lambda x: x**3 - x - 2,
}

table = {}
for name, f in problems.items():
    (rb, nb), (rn, nn), (rs, ns) = bisect(f, 0, 2), newton(f, 1.5), secant(f, 0.5, 2)
    assert math.isclose(rb, rn, abs_tol=1e-8) and math.isclose(rn, rs, abs_tol=1e-8)
    table[name] = round(rn, 8)
    print(f"{name:<12} root={rn:.8f}  bisection converged={nb > 20} newton<=10 {nn <= 10} secant<=15 {ns <= 15}")

for bad in (lambda: bisect(lambda x: x * x + 1, -1, 1), lambda: newton(lambda x: 3.0, 0)):
    try:
        bad()
    except (ValueError, ArithmeticError) as exc:
        print(type(exc).__name__, "-", exc)

table
