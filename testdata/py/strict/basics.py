x = 1
y = x + 2
z = x * y - 3
print(x, y, z, x < y, x == 1 and y == 3, not z)
{"x": x, "y": y, "z": z}
# ---
total = 0
for i in range(1, 11):
    total = total + i
total
# ---
items = [3, 1, 2]
doubled = [i * 2 for i in items if i > 1]
items.append(7)
print(items, doubled, sorted(items), len(items), sum(items), max(items), items[0], items[-1], items[1:3])
doubled
# ---
a, b = 0, 1
while a < 100:
    a, b = b, a + b
    if a % 2 == 0:
        continue
    if a > 80:
        break
else:
    print("never")
(a, b)
# ---
def grade(score):
    if score >= 90:
        return "A"
    elif score >= 80:
        return "B"
    elif score >= 70:
        return "C"
    else:
        return "F"

[grade(s) for s in [95, 85, 75, 10, 90, 80, 70, 69]]
# ---
def fact(n):
    if n <= 1:
        return 1
    return n * fact(n - 1)

{n: fact(n) for n in [0, 1, 5, 10, 20, 25]}
# ---
def stats(values, *, digits=2, label="stats"):
    n = len(values)
    mean = sum(values) / n
    var = sum([(v - mean) ** 2 for v in values]) / n
    return {"label": label, "n": n, "mean": round(mean, digits), "sd": round(var ** 0.5, digits)}

print(stats([1, 2, 3, 4]))
print(stats([1.5, 2.5], digits=1, label="few"))
stats([10])
# ---
def helper(n):
    return later(n) + 1

def later(n):
    return n * 10

helper(4)
# ---
name = "world"
pi = 3.14159
print(f"hello {name}, {pi:.2f}, {name!r:>10}, {len(name)=}")
print("a-b-c".split("-"), "-".join(["x", "y"]), "Hello".upper(), " pad ".strip(), "abc".replace("b", "B"), "abc"[::-1], "b" in "abc")
print("%s is %d years" % ("Ann", 30), "{} and {x}".format(1, x=2))
name * 2
# ---
d = {"a": 1, "b": [1, 2, {"c": 3}]}
print(d["b"][2]["c"], d.get("zz", "none"), list(d.keys()), list(d.values()), [k for k, v in d.items()], "a" in d, len(d))
merged = {**d, "e": 5}
merged
# ---
rows = [{"name": "a", "n": 3}, {"name": "b", "n": 1}, {"name": "c", "n": 2}]
names = [r["name"] for r in sorted(rows, key=lambda r: r["n"])]
big = [r for r in rows if r["n"] > 1]
total = sum([r["n"] for r in rows])
{"names": names, "big": len(big), "total": total}
# ---
def f(x):
    if x < 0:
        raise ValueError("negative: " + str(x))
    return x ** 0.5

print(f(4))
f(-1)
# ---
raise KeyError("missing")
# ---
[1, 2][5]
# ---
{"a": 1}["b"]
# ---
1 / 0
# ---
undefined_name + 1
# ---
"a" + 1
# ---
def f(a, b):
    return a + b

f(1)
# ---
None.foo
# ---
int("abc")
# ---
async def work(x):
    return x * 2

async def main():
    a = await work(1)
    b = await work(a)
    return [a, b]

await main()
# ---
async def work(x):
    return x + 1

values = [await work(i) for i in [1, 2, 3]]
values
# ---
make = lambda n: (lambda x: x + n)
add5 = make(5)
print(add5(1), (lambda *a, **k: (a, k))(1, 2, z=3))
[f(10) for f in [make(i) for i in range(3)]]
# ---
matrix = [[1, 2, 3], [4, 5, 6]]
transposed = [[row[i] for row in matrix] for i in range(3)]
flat = [v for row in matrix for v in row if v % 2]
print(transposed, flat, list(zip(*matrix)), [*flat, *transposed[0]])
(a, *rest), last = [1, 2, 3], 4
a, rest, last
# ---
x = 5
kind = "odd" if x % 2 else "even"
y = z = x
print(kind, y, z, 1 < x < 10, x in (1, 5), x not in [2], x is None, x or 0, 0 or "d", x and "t")
pass
x: int = 7
x
# ---
big = 2 ** 100
print(big, big // 3, big % 1000007, -big, big > 10 ** 30, 7 // 2, -7 // 2, 7 % -3, 2 ** -1, 10 / 4, divmod(17, 5), abs(-3), round(2.5), round(2.675, 2), 1e16, 0.1 + 0.2)
int(str(big)) == big
# ---
nums = [5, 3, 8, 1]
def bubble(values):
    done = False
    out = [v for v in values]
    while not done:
        done = True
        nxt = []
        i = 0
        while i < len(out):
            if i + 1 < len(out) and out[i] > out[i + 1]:
                nxt.append(out[i + 1])
                nxt.append(out[i])
                done = False
                i = i + 2
            else:
                nxt.append(out[i])
                i = i + 1
        out = nxt
    return out

bubble(nums)
# ---
def outer(n):
    def inner(k):
        return n * k
    return [inner(i) for i in range(n)]

print(outer(4))
for i, (a, b) in enumerate([(1, 2), (3, 4)]):
    print(i, a, b)
for k, v in {"x": 1}.items():
    print(k, v)
else:
    print("done")
any(v > 2 for v in outer(3))
# ---
print(type(1).__name__, isinstance("a", str), isinstance(True, int), isinstance([], (list, tuple)))
print(list(map(str, [1, 2])), list(filter(None, [0, 1])), list(reversed([1, 2])), list(range(0, 10, 3)), min(3, 1), tuple([1, 2]), dict(a=1), bool([]), str(None), float("1.5"), int(2.9), repr("q"), chr(97), ord("a"), hex(255))
print("a", "b", sep="-", end="!\n")
print()
# ---
match_like = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b}
steps = [("add", 1, 2), ("mul", 3, 4), ("sub", 1, 1)]
out = []
for op, a, b in steps:
    fn = match_like.get(op)
    out.append(fn(a, b) if fn else None)
out
