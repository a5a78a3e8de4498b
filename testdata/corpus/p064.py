"""Monte Carlo estimate of pi and of an option price, compared to closed forms."""
import math
import random
from statistics import NormalDist, fmean, stdev


def estimate_pi(samples: int, seed: int = 1) -> float:
    rng = random.Random(seed)
    inside = sum(rng.random() ** 2 + rng.random() ** 2 <= 1 for _ in range(samples))
    return 4 * inside / samples


def black_scholes_call(spot: float, strike: float, rate: float, vol: float, years: float) -> float:
    d1 = (math.log(spot / strike) + (rate + vol**2 / 2) * years) / (vol * math.sqrt(years))
    d2 = d1 - vol * math.sqrt(years)
    n = NormalDist().cdf
    return spot * n(d1) - strike * math.exp(-rate * years) * n(d2)


def simulate_call(spot, strike, rate, vol, years, samples=4000, seed=3):
    rng = random.Random(seed)
    drift = (rate - vol**2 / 2) * years
    payoffs = []
    for _ in range(samples // 2):
        z = rng.gauss(0, 1)
        # antithetic variates
        for shock in (z, -z):
            terminal = spot * math.exp(drift + vol * math.sqrt(years) * shock)
            payoffs.append(max(terminal - strike, 0.0))
    discount = math.exp(-rate * years)
    return discount * fmean(payoffs), discount * stdev(payoffs) / math.sqrt(samples)


pis = {n: estimate_pi(n) for n in (100, 1000, 5000)}
for n, value in pis.items():
    print(f"{n:>6} samples: pi ~ {value:.4f} (error {abs(value - math.pi):.4f})")

params = dict(spot=100.0, strike=105.0, rate=0.03, vol=0.2, years=1.0)
exact = black_scholes_call(**params)
price, stderr = simulate_call(**params)
print(f"call: exact {exact:.4f}, simulated {price:.4f} +/- {stderr:.4f}")

{"exact": round(exact, 4), "within_3_sigma": abs(price - exact) < 3 * stderr, "pi_ok": abs(pis[5000] - math.pi) < 0.1}
