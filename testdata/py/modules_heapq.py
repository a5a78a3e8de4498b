import heapq
def gen(n):
    x = 7
    for _ in range(n):
        x = (x * 1103515245 + 12345) % 2147483648
        yield x % 1000
for n in (0, 1, 3, 10, 500, -1):
    print(heapq.nlargest(n, gen(200))[:12], heapq.nsmallest(n, gen(200))[:12])
rows = [("a", 3), ("b", 1), ("c", 3), ("d", 2), ("e", 1), ("f", 3)]
for n in range(8):
    print(heapq.nlargest(n, iter(rows), key=lambda r: r[1]), heapq.nsmallest(n, iter(rows), key=lambda r: r[1]), heapq.nlargest(n, rows, key=lambda r: r[1]))
print(heapq.nlargest(3, {"x": 1, "y": 2}), heapq.nsmallest(2, "hello"), heapq.nlargest(2, iter([])), heapq.nsmallest(1, iter([5, 3])), heapq.nlargest(2, range(10)))
def broken():
    yield 1
    yield "a"
    yield 2
try:
    heapq.nlargest(2, broken())
except TypeError as e:
    print(e)
# ---
# only what is asked for is kept
import heapq
print(heapq.nlargest(2, (i * 37 % 100003 for i in range(300000))), heapq.nsmallest(1, (i for i in range(300000))))
