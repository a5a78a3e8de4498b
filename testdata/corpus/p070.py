"""Matrix-free PageRank and a Markov chain stationary distribution."""
import math

LINKS = {
    "home": ["about", "blog", "shop"],
    "about": ["home"],
    "blog": ["home", "post1", "post2"],
    "post1": ["blog", "shop"],
    "post2": ["blog"],
    "shop": ["cart"],
    "cart": [],
}


def pagerank(links, damping=0.85, tol=1e-10, max_iter=200):
    n = len(links)
    rank = dict.fromkeys(links, 1 / n)
    for iteration in range(max_iter):
        dangling = sum(rank[page] for page, out in links.items() if not out)
        new = {page: (1 - damping) / n + damping * dangling / n for page in links}
        for page, out in links.items():
            for target in out:
                new[target] += damping * rank[page] / len(out)
        delta = sum(abs(new[p] - rank[p]) for p in links)
        rank = new
        if delta < tol:
            return rank, iteration
    raise RuntimeError("did not converge")


rank, iterations = pagerank(LINKS)
assert math.isclose(sum(rank.values()), 1.0)

for page, score in sorted(rank.items(), key=lambda kv: kv[1], reverse=True):
    print(f"{page:<6} {score:.4f} {'▇' * int(score * 100)}")

weather = {"sunny": {"sunny": 0.8, "rainy": 0.2}, "rainy": {"sunny": 0.4, "rainy": 0.6}}
p = {"sunny": 0.0, "rainy": 1.0}
for _ in range(100):
    p = {s: sum(p[t] * weather[t][s] for t in weather) for s in weather}

try:
    pagerank(LINKS, max_iter=2)
except RuntimeError as exc:
    print("expected failure:", exc)

{"best": max(rank, key=rank.get), "weather": {s: round(v, 6) for s, v in p.items()}}
