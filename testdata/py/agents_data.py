# Revenue by region and month, as a table.
sales = [
    {"region": "north", "month": "2024-01", "units": 12, "price": 9.99},
    {"region": "south", "month": "2024-01", "units": 7, "price": 19.5},
    {"region": "north", "month": "2024-02", "units": 3, "price": 9.99},
    {"region": "east", "month": "2024-02", "units": 21, "price": 4.25},
    {"region": "south", "month": "2024-02", "units": 14, "price": 18.75},
    {"region": "north", "month": "2024-02", "units": 8, "price": 11.0},
]

def pivot(rows):
    table = {}
    months = []
    for row in rows:
        if row["month"] not in months:
            months.append(row["month"])
        cells = table.setdefault(row["region"], {})
        cells[row["month"]] = cells.get(row["month"], 0) + row["units"] * row["price"]
    return sorted(months), table

months, table = pivot(sales)
print("region".ljust(10) + "".join(m.rjust(12) for m in months) + "total".rjust(12))
for region in sorted(table):
    cells = [table[region].get(m, 0) for m in months]
    print(f"{region:<10}" + "".join(f"{c:>12,.2f}" for c in cells) + f"{sum(cells):>12,.2f}")
best = max(table, key=lambda r: sum(table[r].values()))
{"best": best, "total": round(sum(sum(c.values()) for c in table.values()), 2)}
# ---
# CSV text to records, with types guessed and bad rows reported.
text = """id,name,score,joined
1,Ann,9.5,2023-01-05
2,Bob,,2023-02-11
3,"Smith, Jo",7,2022-12-31
x,Eve,8,2024-01-01
5,Al
"""

def split_row(line):
    out, cur, quoted = [], "", False
    for ch in line:
        if ch == '"':
            quoted = not quoted
        elif ch == "," and not quoted:
            out.append(cur)
            cur = ""
        else:
            cur += ch
    out.append(cur)
    return out

def convert(v):
    for kind in (int, float):
        try:
            return kind(v)
        except ValueError:
            pass
    return v or None

lines = text.strip().splitlines()
header = split_row(lines[0])
records, errors = [], []
for n, line in enumerate(lines[1:], start=2):
    values = [convert(v) for v in split_row(line)]
    if len(values) != len(header):
        errors.append(f"line {n}: expected {len(header)} fields, got {len(values)}")
        continue
    rec = dict(zip(header, values))
    if not isinstance(rec["id"], int):
        errors.append(f"line {n}: bad id {rec['id']!r}")
        continue
    records.append(rec)
for r in records:
    print(r)
print(*errors, sep="\n")
scores = [r["score"] for r in records if r["score"] is not None]
sum(scores) / len(scores)
# ---
# Join two lists of records, like SQL.
users = [{"id": 1, "name": "ann"}, {"id": 2, "name": "bob"}, {"id": 3, "name": "cid"}]
orders = [
    {"user": 1, "total": 30, "status": "paid"},
    {"user": 1, "total": 20, "status": "open"},
    {"user": 2, "total": 5, "status": "paid"},
    {"user": 9, "total": 1, "status": "paid"},
]
by_id = {u["id"]: u for u in users}
joined = [{**o, "name": by_id[o["user"]]["name"]} for o in orders if o["user"] in by_id]
orphans = [o for o in orders if o["user"] not in by_id]
summary = {}
for row in joined:
    s = summary.setdefault(row["name"], {"orders": 0, "paid": 0, "open": 0})
    s["orders"] += 1
    s[row["status"]] += row["total"]
for u in users:
    summary.setdefault(u["name"], None)
print(summary)
print(orphans, [n for n, s in summary.items() if s is None])
sorted(((s["paid"], n) for n, s in summary.items() if s), reverse=True)
# ---
# Flatten nested JSON into dotted paths, and build it back.
doc = {"user": {"name": "x", "tags": ["a", "b"], "address": {"city": "Y", "zip": None}}, "ok": True, "empty": {}, "list": [{"k": 1}, {"k": [2, 3]}]}

def flatten(v, path=""):
    if isinstance(v, dict) and v:
        for k, x in v.items():
            yield from flatten(x, f"{path}.{k}" if path else k)
    elif isinstance(v, list) and v:
        for i, x in enumerate(v):
            yield from flatten(x, f"{path}[{i}]")
    else:
        yield path, v

flat = dict(flatten(doc))
for k, v in flat.items():
    print(k, "=", v)

def unflatten(flat):
    root = {}
    for path, v in flat.items():
        parts = []
        for piece in path.split("."):
            name, _, rest = piece.partition("[")
            if name:
                parts.append(name)
            while rest:
                idx, _, rest = rest.partition("]")
                parts.append(int(idx))
                rest = rest[1:] if rest.startswith("[") else rest
        node = root
        for i, p in enumerate(parts):
            last = i == len(parts) - 1
            nxt = v if last else ([] if isinstance(parts[i + 1], int) else {})
            if isinstance(p, int):
                while len(node) <= p:
                    node.append(nxt)
                if last:
                    node[p] = v
                node = node[p]
            else:
                node = node.setdefault(p, nxt) if not last else node.update({p: v})
    return root

unflatten(flat) == doc
# ---
# Moving averages, percent change and outliers of a series.
prices = [10.0, 10.5, 10.2, 11.0, 15.0, 11.2, 11.1, 11.5, 10.9, 11.3]
def moving(values, n):
    return [round(sum(values[i - n + 1:i + 1]) / n, 3) for i in range(n - 1, len(values))]
def change(values):
    return [round((b - a) / a * 100, 2) for a, b in zip(values, values[1:])]
mean = sum(prices) / len(prices)
sd = (sum((p - mean) ** 2 for p in prices) / (len(prices) - 1)) ** 0.5
outliers = [(i, p) for i, p in enumerate(prices) if abs(p - mean) > 2 * sd]
print(moving(prices, 3), change(prices), outliers, sep="\n")
peak, low, worst = prices[0], prices[0], 0.0
for p in prices:
    peak = max(peak, p)
    worst = max(worst, (peak - p) / peak)
print(f"mean={mean:.4f} sd={sd:.4f} drawdown={worst:.2%}")
ema = prices[0]
for p in prices[1:]:
    ema = 0.3 * p + 0.7 * ema
ema
# ---
# Inventory with reservations.
class Inventory:
    def __init__(self):
        self.stock, self.reserved, self.log = {}, {}, []

    def receive(self, sku, n, cost):
        qty, avg = self.stock.get(sku, (0, 0.0))
        total = qty + n
        self.stock[sku] = (total, (qty * avg + n * cost) / total)
        self.log.append(("in", sku, n))

    def reserve(self, sku, n):
        free = self.stock.get(sku, (0, 0))[0] - self.reserved.get(sku, 0)
        if n > free:
            raise ValueError(f"only {free} of {sku} free, wanted {n}")
        self.reserved[sku] = self.reserved.get(sku, 0) + n

    def ship(self, sku, n):
        qty, avg = self.stock[sku]
        self.stock[sku] = (qty - n, avg)
        self.reserved[sku] -= n
        self.log.append(("out", sku, n))
        return round(n * avg, 2)

    def report(self):
        return {s: {"qty": q, "value": round(q * a, 2), "reserved": self.reserved.get(s, 0)} for s, (q, a) in sorted(self.stock.items())}

inv = Inventory()
inv.receive("bolt", 100, 0.10)
inv.receive("bolt", 50, 0.16)
inv.receive("nut", 10, 0.05)
inv.reserve("bolt", 120)
for sku, n in [("bolt", 40), ("gear", 1), ("nut", 10)]:
    try:
        inv.reserve(sku, n)
        print("reserved", sku, n)
    except ValueError as e:
        print("error:", e)
print(inv.ship("bolt", 120), inv.log[-1])
inv.report()
# ---
# Deduplicate by a normalised key, keep the newest.
contacts = [
    ("Ann Lee", "ANN@x.com ", 3), ("ann lee", "ann@x.com", 7), ("Bob", "bob@y.org", 1),
    ("Bobby", " Bob@Y.org", 5), ("Cid", None, 2), ("Cid", None, 9),
]
newest, skipped = {}, 0
for name, mail, version in contacts:
    if not mail:
        skipped += 1
        continue
    key = mail.strip().lower()
    if key not in newest or newest[key][1] < version:
        newest[key] = (name.title(), version)
for mail, (name, version) in newest.items():
    print(f"{mail:>12} -> {name} (v{version})")
skipped, len(newest)
# ---
# A histogram drawn with characters.
values = [3, 7, 7, 8, 12, 12, 12, 13, 19, 21, 22, 22, 25, 28, 29]
width, buckets = 10, {}
for v in values:
    lo = v // width * width
    buckets[lo] = buckets.get(lo, 0) + 1
top = max(buckets.values())
for lo in range(0, max(buckets) + width, width):
    n = buckets.get(lo, 0)
    print(f"{lo:>3}-{lo + width - 1:<3}|{'#' * (n * 20 // top):<20}| {n:>2} {n / len(values):6.1%}")
quart = [sorted(values)[int(len(values) * q)] for q in (0.25, 0.5, 0.75)]
quart
# ---
# Tax by brackets, in cents with integers.
BRACKETS = [(10_000_00, 0), (40_000_00, 20), (100_000_00, 40), (None, 45)]
def tax(cents):
    due, floor = 0, 0
    for limit, rate in BRACKETS:
        top = cents if limit is None else min(cents, limit)
        if top > floor:
            due += (top - floor) * rate // 100
            floor = top
        if limit is None or cents <= limit:
            break
    return due
for income in [0, 5000, 10_000, 25_000, 40_000, 99_999.99, 250_000]:
    cents = round(income * 100)
    due = tax(cents)
    rate = due / cents if cents else 0
    print(f"{income:>12,.2f} {due / 100:>12,.2f} {rate:>7.2%}")
# ---
# A diff of two configurations.
old = {"host": "a", "port": 80, "tls": {"on": False, "ver": [1, 2]}, "gone": 1}
new = {"host": "a", "port": 443, "tls": {"on": True, "ver": [1, 2, 3]}, "added": {"x": None}}
def diff(a, b, path=()):
    for k in sorted(a.keys() | b.keys()):
        here = path + (k,)
        name = "/".join(here)
        if k not in a:
            yield "+", name, b[k]
        elif k not in b:
            yield "-", name, a[k]
        elif isinstance(a[k], dict) and isinstance(b[k], dict):
            yield from diff(a[k], b[k], here)
        elif a[k] != b[k]:
            yield "~", name, (a[k], b[k])
changes = list(diff(old, new))
for sign, name, v in changes:
    print(sign, name, v)
{s: sum(1 for c in changes if c[0] == s) for s in "+-~"}
# ---
# Cohorts: users by the month they joined, how many came back.
events = [("u%d" % (i % 7), "2024-%02d" % (1 + (i * 5 + i // 7) % 4)) for i in range(40)]
first = {}
for user, month in sorted(events, key=lambda e: e[1]):
    first.setdefault(user, month)
cohorts = {}
for user, month in events:
    cohorts.setdefault(first[user], {}).setdefault(month, set()).add(user)
for start in sorted(cohorts):
    size = len(cohorts[start][start])
    print(start, size, [f"{m}:{len(us) / size:.0%}" for m, us in sorted(cohorts[start].items())])
sorted(first.items())
# ---
# Pagination and filters, as an API client would see them.
DB = [{"id": i, "kind": "abc"[i % 3], "score": (i * 37) % 101} for i in range(1, 24)]
def query(kind=None, min_score=0, sort="-score", page=1, size=4):
    rows = [r for r in DB if (kind is None or r["kind"] == kind) and r["score"] >= min_score]
    desc, field = sort.startswith("-"), sort.lstrip("-")
    rows.sort(key=lambda r: r[field], reverse=desc)
    start = (page - 1) * size
    return {"rows": rows[start:start + size], "page": page, "pages": -(-len(rows) // size), "total": len(rows)}
def all_rows(**kw):
    page = 1
    while True:
        r = query(page=page, **kw)
        yield from r["rows"]
        if page >= r["pages"]:
            return
        page += 1
print(query(kind="a"), query(sort="id", page=2, size=3)["rows"], query(min_score=1000), sep="\n")
[r["id"] for r in all_rows(kind="b", sort="score")]
# ---
# A budget from a bank statement, by rules.
rules = [("rent", ["LANDLORD"]), ("food", ["MARKET", "CAFE", "BAKERY"]), ("travel", ["RAIL", "FUEL"])]
statement = """2024-03-01;LANDLORD LTD;-900.00
2024-03-02;CORNER MARKET 12;-34.10
2024-03-02;RAIL TICKETS;-18.50
2024-03-05;SALARY;2500.00
2024-03-09;CAFE NERO;-4.75
2024-03-11;MYSTERY;-12.00
2024-03-15;MARKET HALL;-41.05"""
totals, other = {}, []
for line in statement.split("\n"):
    day, who, amount = line.split(";")
    amount = float(amount)
    for name, words in rules:
        if any(w in who for w in words):
            totals[name] = totals.get(name, 0) + amount
            break
    else:
        (other.append((who, amount)) if amount < 0 else totals.update(income=totals.get("income", 0) + amount))
spent = -sum(v for v in totals.values() if v < 0)
for name, v in sorted(totals.items(), key=lambda kv: kv[1]):
    print(f"{name:.<15}{v:>10.2f}" + (f" {-v / spent:>6.1%}" if v < 0 else ""))
print(other)
round(sum(totals.values()) + sum(a for _, a in other), 2)
# ---
# Linear regression and correlation by hand.
points = [(1, 2.1), (2, 3.9), (3, 6.2), (4, 7.8), (5, 10.1), (6, 12.2)]
n = len(points)
mx, my = (sum(p[i] for p in points) / n for i in (0, 1))
sxy = sum((x - mx) * (y - my) for x, y in points)
sxx = sum((x - mx) ** 2 for x, _ in points)
syy = sum((y - my) ** 2 for _, y in points)
slope = sxy / sxx
icept = my - slope * mx
r = sxy / (sxx * syy) ** 0.5
resid = [round(y - (slope * x + icept), 3) for x, y in points]
print(f"y = {slope:.3f}x {icept:+.3f}, r={r:.5f}", resid)
{"predict": round(slope * 10 + icept, 2), "sse": round(sum(e * e for e in resid), 4)}
# ---
# Validate records against a small schema, with all errors.
SCHEMA = {"name": {"type": str, "min": 1}, "age": {"type": int, "min": 0, "max": 150}, "tags": {"type": list, "items": str, "optional": True}, "role": {"choices": ("admin", "user")}}
def check(rec):
    errs = []
    for field, rule in SCHEMA.items():
        if field not in rec:
            if not rule.get("optional"):
                errs.append(f"{field}: required")
            continue
        v = rec[field]
        if "type" in rule and (not isinstance(v, rule["type"]) or isinstance(v, bool)):
            errs.append(f"{field}: expected {rule['type'].__name__}, got {type(v).__name__}")
            continue
        size = len(v) if isinstance(v, (str, list)) else v
        if "min" in rule and size < rule["min"]:
            errs.append(f"{field}: below {rule['min']}")
        if "max" in rule and size > rule["max"]:
            errs.append(f"{field}: above {rule['max']}")
        if "items" in rule:
            errs += [f"{field}[{i}]: expected {rule['items'].__name__}" for i, x in enumerate(v) if not isinstance(x, rule["items"])]
        if "choices" in rule and v not in rule["choices"]:
            errs.append(f"{field}: {v!r} is not one of {', '.join(rule['choices'])}")
    errs += [f"{k}: unknown" for k in rec if k not in SCHEMA]
    return errs
for rec in [{"name": "a", "age": 3, "role": "user"}, {"name": "", "age": 200, "role": "root", "x": 1}, {"age": True, "tags": ["a", 2]}, {}]:
    print(check(rec))
