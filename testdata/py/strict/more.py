def partial(x, y):
    return x + y

def multiply(a, b):
    return a * b

x, y, scale = 2, 3, 4
p = partial(x, y)
multiply(p, scale)
# ---
values = [3, 5, 2]
acc = 0
for v in values:
    acc = acc + v
acc
# ---
values = [3, 5, 2]
acc = 1
for v in values:
    acc = acc * v
acc
# ---
def count_words(text):
    words = text.lower().split()
    unique = []
    for w in words:
        if w not in unique:
            unique.append(w)
    return {w: words.count(w) for w in unique}

counts = count_words("the cat the dog the end")
top = sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))
top[:2]
# ---
def sieve(n):
    primes = []
    for c in range(2, n):
        is_prime = True
        for p in primes:
            if p * p > c:
                break
            if c % p == 0:
                is_prime = False
                break
        if is_prime:
            primes.append(c)
    return primes

sieve(60)
# ---
def flatten(v):
    if isinstance(v, list):
        return [x for item in v for x in flatten(item)]
    return [v]

flatten([1, [2, [3, [4, []]]], 5])
# ---
def hanoi(n, a, b, c):
    if n == 0:
        return []
    return hanoi(n - 1, a, c, b) + [(a, c)] + hanoi(n - 1, b, a, c)

moves = hanoi(4, "A", "B", "C")
print(len(moves))
moves[:3]
# ---
def collatz(n):
    steps = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps.append(n)
    return steps

[len(collatz(i)) for i in range(1, 20)]
# ---
inventory = [("apple", 3, 0.5), ("pear", 0, 0.75), ("plum", 12, 0.2)]
report = []
for name, qty, price in inventory:
    if qty == 0:
        report.append(f"{name}: out of stock")
        continue
    report.append(f"{name:<8}{qty:>4} @ {price:.2f} = {qty * price:>6.2f}")
print("\n".join(report))
sum([q * p for _, q, p in inventory])
# ---
def binary_search(values, wanted):
    lo, hi = 0, len(values) - 1
    while lo <= hi:
        mid = (lo + hi) // 2
        if values[mid] == wanted:
            return mid
        if values[mid] < wanted:
            lo = mid + 1
        else:
            hi = mid - 1
    return -1

data = [i * i for i in range(50)]
[binary_search(data, w) for w in [0, 49, 50, 2401, 2400, -1]]
# ---
def quicksort(v):
    if len(v) <= 1:
        return v
    p = v[len(v) // 2]
    return quicksort([x for x in v if x < p]) + [x for x in v if x == p] + quicksort([x for x in v if x > p])

quicksort([3, 6, 1, 8, 2, 9, 2, 3, 3])
# ---
def caesar(text, shift):
    out = []
    for ch in text:
        if ch.isalpha():
            base = ord("A") if ch.isupper() else ord("a")
            out.append(chr((ord(ch) - base + shift) % 26 + base))
        else:
            out.append(ch)
    return "".join(out)

secret = caesar("Hello, World!", 3)
print(secret, caesar(secret, -3))
# ---
def group(rows, key):
    names = []
    for r in rows:
        if r[key] not in names:
            names.append(r[key])
    return {n: [r for r in rows if r[key] == n] for n in names}

rows = [{"team": "a", "v": 1}, {"team": "b", "v": 2}, {"team": "a", "v": 3}]
{k: sum([r["v"] for r in v]) for k, v in group(rows, "team").items()}
# ---
def retry(f, times):
    for attempt in range(times):
        ok, value = f(attempt)
        if ok:
            return {"attempt": attempt, "value": value}
    return None

print(retry(lambda n: (n >= 2, n * 10), 5), retry(lambda n: (False, 0), 2))
# ---
def process(order):
    if order["qty"] <= 0:
        raise ValueError(f"order {order['id']}: quantity must be positive, got {order['qty']}")
    return order["qty"] * order["price"]

print(process({"id": 1, "qty": 2, "price": 1.5}))
process({"id": 2, "qty": -1, "price": 1.0})
# ---
def level1(x):
    return level2(x)

def level2(x):
    return x["key"]["inner"]

level1({"key": None})
# ---
a = [1, 2, 3]
b = a
b.append(4)
c = a[:]
c.append(5)
print(a, b, c, a is b, a == c[:4])
def change(v):
    v.append("changed")
    v = ["new"]
    return v
print(change(a), a)
# ---
x = 10
def shadow():
    x = 20
    def inner():
        return x
    return inner()
print(shadow(), x)
def default(v, acc=[]):
    acc.append(v)
    return acc
print(default(1), default(2))
funcs = [lambda: i for i in range(3)]
[f() for f in funcs]
# ---
async def fetch(n):
    return {"id": n, "name": "item" + str(n)}

async def main():
    results = await gather(fetch(1), fetch(2), fetch(3))
    return [r["name"] for r in results]

await main()
# ---
print(1, 2.0, "three", None, True, [1, "a"], {"k": (1,)}, sep=" | ")
print(*[1, 2, 3])
print(*"abc", sep="")
"last"
# ---
for i in range(3):
    for j in range(3):
        if j == 1:
            continue
        if i == 2:
            break
        print(i, j)
    else:
        print("inner done", i)
else:
    print("outer done")
i, j
# ---
def fizz(n):
    return "fizz" * (n % 3 == 0) + "buzz" * (n % 5 == 0) or str(n)

" ".join([fizz(i) for i in range(1, 16)])
# ---
result = None
for candidate in range(100, 200):
    digits = [int(c) for c in str(candidate)]
    if sum([d ** 3 for d in digits]) == candidate:
        result = candidate
result
# ---
(lambda n: n + undefined)(1)
# ---
def f():
    print(v)
    v = 1

f()
# ---
[x for x in 5]
# ---
len(3)
# ---
{"a": 1}.foo
# ---
[].append(1, 2)
# ---
a, b = [1, 2, 3]
# ---
raise ValueError
# ---
raise RuntimeError("boom", 42)
# ---
for x in None:
    pass
# ---
if True
    pass
# ---
x = (1, 2
# ---
def f(:
    pass
# ---
return 5
# ---
  x = 1
# ---
x = 1
    y = 2
# ---
"unterminated
# ---
f"{1 +}"
# ---
1 = x
# ---
while True print(1)
# ---
x == 1 = 2
# ---
break
