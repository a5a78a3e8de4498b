"""Find groups and bridges in a friendship network: union-find, BFS distance, MST."""
from collections import deque
from itertools import combinations

EDGES = [
    ("ann", "bob", 3), ("bob", "cid", 1), ("ann", "cid", 4), ("cid", "dee", 2),
    ("eve", "fay", 5), ("fay", "gus", 1), ("hal", "hal", 0),
]


class UnionFind:
    def __init__(self):
        self.parent = {}
        self.size = {}

    def find(self, x):
        self.parent.setdefault(x, x)
        self.size.setdefault(x, 1)
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b) -> bool:
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        return True

    def groups(self):
        result = {}
        for x in self.parent:
            result.setdefault(self.find(x), set()).add(x)
        return sorted((sorted(g) for g in result.values()), key=lambda g: (-len(g), g))


def components(edges):
    uf = UnionFind()
    for a, b, _ in edges:
        uf.union(a, b)
    return uf.groups()


def distance(edges, start, goal):
    seen, queue = {start}, deque([(start, 0)])
    while queue:
        node, d = queue.popleft()
        if node == goal:
            return d
        nexts = {b if a == node else a for a, b, _ in edges if node in (a, b)} - seen
        seen |= nexts
        queue.extend((n, d + 1) for n in nexts)
    return None


uf = UnionFind()
mst = [(a, b, w) for a, b, w in sorted(EDGES, key=lambda e: e[2]) if uf.union(a, b)]
groups = components(EDGES)
nodes = {n for g in groups for n in g}
bridges = [
    e for e in EDGES
    if e[0] != e[1] and len(components([x for x in EDGES if x != e] + [(n, n, 0) for n in sorted(nodes)])) > len(groups)
]
for group in groups:
    longest = max((distance(EDGES, a, b) for a, b in combinations(group, 2)), default=0)
    print(f"{', '.join(group):<20} diameter {longest}")

print("ann -> gus:", distance(EDGES, "ann", "gus"))
{"groups": groups, "mst_weight": sum(w for *_, w in mst), "bridges": [f"{a}-{b}" for a, b, _ in bridges]}
