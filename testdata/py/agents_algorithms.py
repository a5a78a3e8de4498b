import heapq
graph = {"a": {"b": 7, "c": 9, "f": 14}, "b": {"a": 7, "c": 10, "d": 15}, "c": {"a": 9, "b": 10, "d": 11, "f": 2}, "d": {"b": 15, "c": 11, "e": 6}, "e": {"d": 6, "f": 9}, "f": {"a": 14, "c": 2, "e": 9}, "z": {}}
def dijkstra(graph, start):
    dist, prev, queue = {start: 0}, {}, [(0, start)]
    while queue:
        d, node = heapq.heappop(queue)
        if d > dist[node]:
            continue
        for other, w in graph[node].items():
            if other not in dist or d + w < dist[other]:
                dist[other], prev[other] = d + w, node
                heapq.heappush(queue, (d + w, other))
    return dist, prev
def path(prev, end):
    out = [end]
    while out[-1] in prev:
        out.append(prev[out[-1]])
    return out[::-1]
dist, prev = dijkstra(graph, "a")
print(dist, path(prev, "e"), "z" in dist)
# ---
from collections import deque
maze = ["S.#.....", "..#.###.", ".##.#...", "......#E"]
def solve(maze):
    cells = {(r, c): ch for r, row in enumerate(maze) for c, ch in enumerate(row)}
    start = next(p for p, ch in cells.items() if ch == "S")
    queue, came = deque([start]), {start: None}
    while queue:
        p = queue.popleft()
        if cells[p] == "E":
            out = []
            while p:
                out.append(p)
                p = came[p]
            return out[::-1]
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            q = p[0] + dr, p[1] + dc
            if cells.get(q, "#") != "#" and q not in came:
                came[q] = p
                queue.append(q)
route = solve(maze)
grid = [list(row) for row in maze]
for r, c in route[1:-1]:
    grid[r][c] = "*"
print("\n".join("".join(row) for row in grid))
print(len(route), solve(["S#E"]))
# ---
tasks = {"deploy": ["test", "build"], "test": ["build", "lint"], "build": ["fetch"], "lint": ["fetch"], "fetch": [], "docs": ["build"]}
def order(tasks):
    done, out, path = set(), [], []
    def visit(name):
        if name in done:
            return
        if name in path:
            raise ValueError("cycle: " + " -> ".join(path[path.index(name):] + [name]))
        path.append(name)
        for dep in tasks.get(name, []):
            visit(dep)
        path.pop()
        done.add(name)
        out.append(name)
    for name in sorted(tasks):
        visit(name)
    return out
print(order(tasks))
try:
    order({"a": ["b"], "b": ["c"], "c": ["a"]})
except ValueError as e:
    print(e)
# ---
def solve(board):
    def ok(r, c, d):
        return all(board[r][i] != d and board[i][c] != d for i in range(4)) and all(board[r // 2 * 2 + i][c // 2 * 2 + j] != d for i in range(2) for j in range(2))
    for r in range(4):
        for c in range(4):
            if not board[r][c]:
                for d in range(1, 5):
                    if ok(r, c, d):
                        board[r][c] = d
                        if solve(board):
                            return True
                        board[r][c] = 0
                return False
    return True
b = [[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]
print(solve(b))
for row in b:
    print(*row)
# ---
def queens(n):
    def place(row, cols, d1, d2):
        if row == n:
            yield cols
            return
        for c in range(n):
            if c not in cols and row + c not in d1 and row - c not in d2:
                yield from place(row + 1, cols + (c,), d1 | {row + c}, d2 | {row - c})
    return place(0, (), frozenset(), frozenset())
print(next(queens(6)), sum(1 for _ in queens(5)))
for c in next(queens(5)):
    print("." * c + "Q" + "." * (4 - c))
# ---
def matmul(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]
def det(m):
    if len(m) == 1:
        return m[0][0]
    return sum((-1) ** j * m[0][j] * det([row[:j] + row[j + 1:] for row in m[1:]]) for j in range(len(m)))
def power(m, n):
    r = [[int(i == j) for j in range(len(m))] for i in range(len(m))]
    while n:
        if n & 1:
            r = matmul(r, m)
        m = matmul(m, m)
        n >>= 1
    return r
from fractions import Fraction
def solve(a, b):
    m = [[Fraction(x) for x in row] + [Fraction(y)] for row, y in zip(a, b)]
    n = len(m)
    for i in range(n):
        p = next(r for r in range(i, n) if m[r][i])
        m[i], m[p] = m[p], m[i]
        m[i] = [x / m[i][i] for x in m[i]]
        for r in range(n):
            if r != i:
                m[r] = [x - m[r][i] * y for x, y in zip(m[r], m[i])]
    return [row[-1] for row in m]
print(matmul([[1, 2], [3, 4]], [[5, 6], [7, 8]]), det([[2, 0, 1], [1, 3, 2], [1, 1, 1]]), power([[1, 1], [1, 0]], 90)[0][1], [str(x) for x in solve([[2, 1], [1, 3]], [3, 5])], list(zip(*[[1, 2], [3, 4]])))
# ---
class Node:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None
class Tree:
    def __init__(self, keys=()):
        self.root = None
        for k in keys:
            self.add(k)
    def add(self, key):
        if self.root is None:
            self.root = Node(key)
            return
        n = self.root
        while True:
            side = "left" if key < n.key else "right"
            child = getattr(n, side)
            if child is None:
                setattr(n, side, Node(key))
                return
            n = child
    def __iter__(self):
        def walk(n):
            if n:
                yield from walk(n.left)
                yield n.key
                yield from walk(n.right)
        return walk(self.root)
    def __contains__(self, key):
        n = self.root
        while n and n.key != key:
            n = n.left if key < n.key else n.right
        return n is not None
    def height(self, n="root"):
        n = self.root if n == "root" else n
        return 0 if n is None else 1 + max(self.height(n.left), self.height(n.right))
t = Tree([50, 30, 70, 20, 40, 60, 80, 30])
print(list(t), 60 in t, 65 in t, t.height(), list(Tree()), min(t), sum(t))
# ---
def knapsack(items, cap):
    best = [(0, ())] * (cap + 1)
    for name, w, v in items:
        best = [max(best[c], (best[c - w][0] + v, best[c - w][1] + (name,))) if c >= w else best[c] for c in range(cap + 1)]
    return best[cap]
def coins(amount, kinds):
    ways = [1] + [0] * amount
    least = [0] + [None] * amount
    for k in kinds:
        for a in range(k, amount + 1):
            ways[a] += ways[a - k]
    for a in range(1, amount + 1):
        opts = [least[a - k] for k in kinds if k <= a and least[a - k] is not None]
        least[a] = min(opts) + 1 if opts else None
    return ways[amount], least[amount]
def lis(v):
    import bisect
    tails = []
    for x in v:
        i = bisect.bisect_left(tails, x)
        tails[i:i + 1] = [x]
    return len(tails)
print(knapsack([("a", 2, 3), ("b", 3, 4), ("c", 4, 5), ("d", 5, 6)], 5), coins(100, [1, 5, 10, 25, 50]), coins(3, [2]), lis([10, 9, 2, 5, 3, 7, 101, 18]))
# ---
def merge_sort(v):
    if len(v) < 2: return v
    mid = len(v) // 2
    a, b, out = merge_sort(v[:mid]), merge_sort(v[mid:]), []
    while a and b:
        out.append((a if a[0] <= b[0] else b).pop(0))
    return out + a + b
def quick(v): return v if len(v) < 2 else quick([x for x in v[1:] if x < v[0]]) + v[:1] + quick([x for x in v[1:] if x >= v[0]])
def heap(v):
    v = v[:]
    def sift(i, n):
        while (c := 2 * i + 1) < n:
            if c + 1 < n and v[c + 1] > v[c]: c += 1
            if v[i] >= v[c]: return
            v[i], v[c] = v[c], v[i]
            i = c
    for i in range(len(v) // 2 - 1, -1, -1): sift(i, len(v))
    for n in range(len(v) - 1, 0, -1):
        v[0], v[n] = v[n], v[0]
        sift(0, n)
    return v
def insertion(v):
    v = list(v)
    for i in range(1, len(v)):
        x, j = v[i], i
        while j > 0 and v[j - 1] > x:
            v[j] = v[j - 1]
            j -= 1
        v[j] = x
    return v
def counting(v):
    counts = [0] * (max(v) + 1)
    for x in v: counts[x] += 1
    return [x for x, n in enumerate(counts) for _ in range(n)]
data = [(i * 7919) % 103 for i in range(60)]
want = sorted(data)
print([f.__name__ for f in (merge_sort, quick, heap, insertion, counting) if f(data) == want], data[:5])
# ---
def life(cells, steps):
    for _ in range(steps):
        near = {}
        for x, y in cells:
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    if dx or dy:
                        near[x + dx, y + dy] = near.get((x + dx, y + dy), 0) + 1
        cells = {p for p, n in near.items() if n == 3 or n == 2 and p in cells}
    return cells
def show(cells):
    return "\n".join("".join("#" if (x, y) in cells else "." for x in range(6)) for y in range(6))
glider = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
print(show(glider), show(life(glider, 4)), sep="\n\n")
print(sorted(life(glider, 4)) == sorted((x + 1, y + 1) for x, y in glider), sorted(life({(0, 1), (1, 1), (2, 1)}, 1)))
# ---
def primes(n):
    sieve = bytes([1]) * (n + 1)
    sieve = list(sieve)
    sieve[:2] = [0, 0]
    for i in range(2, int(n ** 0.5) + 1):
        if sieve[i]:
            sieve[i * i::i] = [0] * len(range(i * i, n + 1, i))
    return [i for i, p in enumerate(sieve) if p]
def factor(n):
    out, p = {}, 2
    while p * p <= n:
        while n % p == 0:
            out[p] = out.get(p, 0) + 1
            n //= p
        p += 1
    if n > 1: out[n] = out.get(n, 0) + 1
    return out
def miller(n):
    if n < 2: return False
    for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        if n % p == 0: return n == p
    d, s = n - 1, 0
    while d % 2 == 0: d, s = d // 2, s + 1
    for a in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        x = pow(a, d, n)
        if x in (1, n - 1): continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1: break
        else: return False
    return True
def egcd(a, b):
    if not b: return a, 1, 0
    g, x, y = egcd(b, a % b)
    return g, y, x - a // b * y
print(primes(50), factor(360360), factor(97), [miller(n) for n in (2**61 - 1, 2**89 - 1, 2**67 - 1, 561, 1)], egcd(240, 46), pow(3, -1, 11), sum(primes(2000)), [n for n in range(2, 500) if sum(d for d in range(1, n) if n % d == 0) == n])
# ---
def perms(v):
    if not v: return [[]]
    return [[x] + p for i, x in enumerate(v) for p in perms(v[:i] + v[i + 1:])]
def subsets(v):
    return [[x for i, x in enumerate(v) if mask >> i & 1] for mask in range(1 << len(v))]
def hanoi(n, a="A", b="B", c="C"):
    return [] if n == 0 else hanoi(n - 1, a, c, b) + [a + c] + hanoi(n - 1, b, a, c)
def pascal(n):
    row = [1]
    for _ in range(n):
        yield row
        row = [a + b for a, b in zip([0] + row, row + [0])]
def gray(n): return [f"{i ^ i >> 1:0{n}b}" for i in range(1 << n)]
def parens(n, o=0, c=0, s=""):
    if len(s) == 2 * n: yield s
    if o < n: yield from parens(n, o + 1, c, s + "(")
    if c < o: yield from parens(n, o, c + 1, s + ")")
print(perms([1, 2, 3]), subsets("abc"), hanoi(3), *pascal(5), gray(3), list(parens(3)), sep="\n")
# ---
def spiral(m):
    out = []
    while m:
        out += m[0]
        m = [list(r) for r in zip(*m[1:])][::-1]
    return out
def rotate(m): return [list(r) for r in zip(*m[::-1])]
def islands(grid):
    cells = {(r, c) for r, row in enumerate(grid) for c, v in enumerate(row) if v == "1"}
    n = 0
    while cells:
        n += 1
        stack = [cells.pop()]
        while stack:
            r, c = stack.pop()
            for p in [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]:
                if p in cells:
                    cells.remove(p)
                    stack.append(p)
    return n
m = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
print(spiral(m), rotate(m), rotate(rotate(rotate(rotate(m)))) == m, islands(["11000", "11000", "00100", "00011"]), [sum(m[i][i] for i in range(3)), sum(m[i][~i] for i in range(3))])
# ---
class UnionFind:
    def __init__(self, items): self.parent = {x: x for x in items}
    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x
    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b: return False
        self.parent[a] = b
        return True
edges = [(4, "a", "b"), (8, "a", "h"), (8, "b", "c"), (11, "b", "h"), (7, "c", "d"), (4, "c", "f"), (2, "c", "i"), (9, "d", "e"), (14, "d", "f"), (10, "e", "f"), (2, "f", "g"), (1, "g", "h"), (6, "g", "i"), (7, "h", "i")]
uf = UnionFind("abcdefghi")
mst = [(w, a, b) for w, a, b in sorted(edges) if uf.union(a, b)]
print(sum(w for w, _, _ in mst), mst)
# ---
class Trie:
    def __init__(self, words=()):
        self.root = {}
        for w in words: self.add(w)
    def add(self, word):
        node = self.root
        for c in word: node = node.setdefault(c, {})
        node["$"] = word
    def complete(self, prefix):
        node = self.root
        for c in prefix:
            if c not in node: return []
            node = node[c]
        out, stack = [], [node]
        while stack:
            n = stack.pop()
            for k, v in n.items():
                if k == "$": out.append(v)
                else: stack.append(v)
        return sorted(out)
t = Trie("car card care cat dog do".split())
print(t.complete("car"), t.complete("d"), t.complete("x"), t.complete(""))
# ---
def bisect(f, lo, hi, eps=1e-12):
    if f(lo) * f(hi) > 0: raise ValueError("no sign change")
    while hi - lo > eps:
        mid = (lo + hi) / 2
        lo, hi = (mid, hi) if f(lo) * f(mid) > 0 else (lo, mid)
    return (lo + hi) / 2
def newton(f, x, h=1e-6):
    for i in range(50):
        d = (f(x + h) - f(x - h)) / (2 * h)
        nxt = x - f(x) / d
        if abs(nxt - x) < 1e-12: return nxt, i
        x = nxt
def simpson(f, a, b, n=100):
    h = (b - a) / n
    return h / 3 * (f(a) + f(b) + sum((4 if i % 2 else 2) * f(a + i * h) for i in range(1, n)))
def pi(n):
    total = 0.0
    for k in range(n): total += (-1) ** k / (2 * k + 1)
    return 4 * total
print(round(bisect(lambda x: x * x - 2, 0, 2), 9), round(newton(lambda x: x ** 3 - 5, 2.0)[0], 9), round(simpson(lambda x: x * x, 0, 3), 9), round(pi(1000), 6), f"{sum(1 / 2 ** i for i in range(50)):.15f}")
try: bisect(lambda x: x * x + 1, 0, 1)
except ValueError as e: print(e)
