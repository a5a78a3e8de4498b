"""Simulate epidemics on a random contact network (SIR) and compare vaccination levels."""
import random
from collections import Counter
from enum import Enum


class Health(str, Enum):
    SUSCEPTIBLE = "S"
    INFECTED = "I"
    RECOVERED = "R"


def build_network(n: int, mean_contacts: int, rng: random.Random) -> dict[int, set[int]]:
    network: dict[int, set[int]] = {i: set() for i in range(n)}
    for _ in range(n * mean_contacts // 2):
        a, b = rng.sample(range(n), 2)
        network[a].add(b)
        network[b].add(a)
    return network


def run(vaccinated: float, *, n: int = 150, seed: int = 11, p_infect: float = 0.15, days_ill: int = 4):
    rng = random.Random(seed)
    network = build_network(n, 6, rng)
    state = {i: Health.SUSCEPTIBLE for i in network}
    for i in rng.sample(range(n), int(vaccinated * n)):
        state[i] = Health.RECOVERED
    immune = sum(s is Health.RECOVERED for s in state.values())
    patients = [i for i in network if state[i] is Health.SUSCEPTIBLE][:3]
    ill = {i: days_ill for i in patients}
    state.update(dict.fromkeys(patients, Health.INFECTED))
    curve = []
    while ill:
        curve.append(len(ill))
        newly = {
            other
            for i in sorted(ill)
            for other in sorted(network[i])
            if state[other] is Health.SUSCEPTIBLE and rng.random() < p_infect
        }
        for i in list(ill):
            ill[i] -= 1
            if ill[i] == 0:
                del ill[i]
                state[i] = Health.RECOVERED
        for i in newly:
            ill[i] = days_ill
            state[i] = Health.INFECTED
    counts = Counter(s.value for s in state.values())
    return {"infected": counts["R"] - immune, "days": len(curve), "peak": max(curve)}


results = {level: run(level) for level in (0.0, 0.3, 0.6)}
for level, outcome in results.items():
    print(f"{level:>4.0%} vaccinated: {outcome}")

infected = [r["infected"] for r in results.values()]
infected, infected[0] > infected[-1]
