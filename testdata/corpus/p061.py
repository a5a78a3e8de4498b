"""Simulate a bank queue with several tellers."""
import heapq
import random
import statistics

random.seed(42)
NUM_CUSTOMERS = 200
TELLERS = 3

arrivals = []
clock = 0.0
for _ in range(NUM_CUSTOMERS):
    clock += random.expovariate(1 / 2.0)
    arrivals.append(clock)


def simulate(tellers: int, mean_service: float = 5.0) -> dict[str, float]:
    rng = random.Random(7)
    free_at = [0.0] * tellers
    heapq.heapify(free_at)
    waits, busy = [], 0.0
    for arrival in arrivals:
        available = heapq.heappop(free_at)
        start = max(arrival, available)
        service = rng.expovariate(1 / mean_service)
        busy += service
        waits.append(start - arrival)
        heapq.heappush(free_at, start + service)
    end = max(free_at)
    return {
        "mean_wait": round(statistics.fmean(waits), 3),
        "p95_wait": round(statistics.quantiles(waits, n=20)[-1], 3),
        "waited": sum(w > 0 for w in waits),
        "utilization": round(busy / (tellers * end), 3),
    }


results = {n: simulate(n) for n in range(2, 6)}
for n, stats in results.items():
    print(f"{n} tellers: " + ", ".join(f"{k}={v}" for k, v in stats.items()))

enough = next(n for n, s in results.items() if s["mean_wait"] < 1.5)
{"recommended_tellers": enough, **results[enough]}
