class InsufficientFunds(Exception):
    def __init__(self, need, have):
        super().__init__(f"need {need:.2f}, have {have:.2f}")
        self.short = need - have
class Account:
    rate = 0.01
    def __init__(self, owner, balance=0):
        self.owner, self._balance, self.history = owner, balance, []
    @property
    def balance(self): return self._balance
    def deposit(self, amount):
        if amount <= 0: raise ValueError("deposit must be positive")
        self._balance += amount
        self.history.append(("deposit", amount))
    def withdraw(self, amount):
        if amount > self._balance: raise InsufficientFunds(amount, self._balance)
        self._balance -= amount
        self.history.append(("withdraw", amount))
    def __repr__(self): return f"{type(self).__name__}({self.owner!r}, {self._balance:.2f})"
class Savings(Account):
    rate = 0.05
    def interest(self): self.deposit(self._balance * self.rate)
class Bank:
    def __init__(self): self.accounts = {}
    def open(self, kind, owner, amount=0):
        self.accounts[owner] = kind(owner, amount)
        return self.accounts[owner]
    def transfer(self, a, b, amount):
        self.accounts[a].withdraw(amount)
        self.accounts[b].deposit(amount)
bank = Bank()
bank.open(Account, "ann", 100)
bank.open(Savings, "bob", 50).interest()
for move in [("ann", "bob", 30), ("ann", "bob", 500), ("ann", "zed", 1), ("bob", "ann", -5)]:
    try:
        bank.transfer(*move)
        print("ok", *move)
    except InsufficientFunds as e: print("refused:", e, e.short)
    except KeyError as e: print("no account", e)
    except ValueError as e: print("bad:", e)
print(bank.accounts)
try: bank.accounts["ann"].balance = 5
except AttributeError as e: print(e)
sum(a.balance for a in bank.accounts.values()), bank.accounts["ann"].history
# ---
class LRU:
    def __init__(self, size): self.size, self.data, self.hits, self.misses = size, {}, 0, 0
    def __getitem__(self, k):
        if k not in self.data:
            self.misses += 1
            raise KeyError(k)
        self.hits += 1
        self.data[k] = self.data.pop(k)
        return self.data[k]
    def __setitem__(self, k, v):
        self.data.pop(k, None)
        self.data[k] = v
        while len(self.data) > self.size: del self.data[next(iter(self.data))]
    def __contains__(self, k): return k in self.data
    def __len__(self): return len(self.data)
    def get(self, k, compute):
        try: return self[k]
        except KeyError:
            v = self[k] = compute(k)
            return v
c = LRU(3)
for k in [1, 2, 3, 1, 4, 2, 1, 5, 1]: c.get(k, lambda k: k * k)
print(c.data, c.hits, c.misses, 1 in c, 2 in c, len(c))
# ---
class Light:
    table = {("red", "timer"): "green", ("green", "timer"): "yellow", ("yellow", "timer"): "red", ("*", "fault"): "blink", ("blink", "reset"): "red"}
    def __init__(self): self.state, self.log = "red", []
    def fire(self, event):
        new = self.table.get((self.state, event)) or self.table.get(("*", event))
        if new is None: raise ValueError(f"{event} is impossible in {self.state}")
        self.log.append(f"{self.state}-{event}->{new}")
        self.state = new
light = Light()
for e in ["timer", "timer", "reset", "fault", "timer", "reset"]:
    try: light.fire(e)
    except ValueError as err: light.log.append(f"! {err}")
print(*light.log, sep="\n")
# ---
class Retry:
    def __init__(self, times, errors=(Exception,), base=0.5): self.times, self.errors, self.base, self.waits = times, errors, base, []
    def __call__(self, f):
        def wrapper(*a, **k):
            last = None
            for n in range(self.times):
                try: return f(*a, **k)
                except self.errors as e:
                    last = e
                    self.waits.append(min(self.base * 2 ** n, 3))
            raise RuntimeError(f"{f.__name__} failed {self.times} times") from last
        return wrapper
calls = {"n": 0}
policy = Retry(4, (ConnectionError, TimeoutError))
@policy
def flaky(until):
    calls["n"] += 1
    if calls["n"] < until: raise TimeoutError(f"call {calls['n']}")
    return calls["n"]
print(flaky(3), policy.waits)
try: flaky(100)
except RuntimeError as e: print(e, "|", repr(e.__cause__))
@policy
def wrong(): raise KeyError("not retried")
try: wrong()
except KeyError as e: print("passed on", e)
# ---
class Events:
    def __init__(self): self.handlers = {}
    def on(self, name, priority=0):
        def deco(f):
            self.handlers.setdefault(name, []).append((priority, f))
            self.handlers[name].sort(key=lambda p: -p[0])
            return f
        return deco
    def emit(self, name, **data):
        results = []
        for _, f in self.handlers.get(name, []):
            r = f(**data)
            if r is False: break
            results.append(r)
        return results
bus = Events()
@bus.on("save")
def log(**d): return f"log {sorted(d)}"
@bus.on("save", priority=5)
def check(size=0, **_): return size < 10 and "ok"
@bus.on("save", priority=1)
def audit(who="?", **_): return who.upper()
print(bus.emit("save", who="x", size=3), bus.emit("save", size=50), bus.emit("none"))
# ---
class Scheduler:
    def __init__(self): self.now, self.queue, self.n = 0, [], 0
    def at(self, when, action, *args):
        import heapq
        self.n += 1
        heapq.heappush(self.queue, (when, self.n, action, args))
    def run(self, until):
        import heapq
        while self.queue and self.queue[0][0] <= until:
            self.now, _, action, args = heapq.heappop(self.queue)
            action(*args)
s, log, waiting, busy = Scheduler(), [], [], False
def arrive(i):
    global busy
    log.append(f"{s.now:>2} arrive {i}")
    if busy: waiting.append(i)
    else: serve(i)
def serve(i):
    global busy
    busy = True
    s.at(s.now + 3 + i % 2, leave, i)
def leave(i):
    global busy
    log.append(f"{s.now:>2} leave  {i}")
    busy = False
    if waiting: serve(waiting.pop(0))
for i, t in enumerate([0, 1, 2, 9, 10]): s.at(t, arrive, i)
s.run(100)
print("\n".join(log))
s.now
# ---
def run(program, inputs=()):
    stack, out, inputs, pc, steps, labels = [], [], list(inputs), 0, 0, {}
    code = []
    for line in program.strip().splitlines():
        line = line.split("#")[0].strip()
        if line.endswith(":"): labels[line[:-1]] = len(code)
        elif line: code.append(line.split())
    while pc < len(code):
        steps += 1
        if steps > 1000: raise RuntimeError("too many steps")
        op, *args = code[pc]
        pc += 1
        match op, args:
            case "push", [n]: stack.append(int(n))
            case "read", []: stack.append(inputs.pop(0))
            case "add" | "sub" | "mul" | "mod" as f, []:
                b, a = stack.pop(), stack.pop()
                stack.append({"add": a + b, "sub": a - b, "mul": a * b, "mod": a % b if b else None}[f])
            case "dup", []: stack.append(stack[-1])
            case "swap", []: stack[-1], stack[-2] = stack[-2], stack[-1]
            case "drop", []: stack.pop()
            case "jz", [label]:
                if stack.pop() == 0: pc = labels[label]
            case "jmp", [label]: pc = labels[label]
            case "print", []: out.append(stack.pop())
            case _: raise ValueError(f"bad instruction: {op} {' '.join(args)}".strip())
    return out, steps
print(run("""
    read
    push 1      # accumulator
    swap
loop:
    dup
    jz end
    dup
    push -1
    add
    swap
    drop
    swap
    push 2
    mul
    swap
    jmp loop
end:
    drop
    print
""", [5]))
for bad in ["oops 1", "x:\njmp x", "add", "jmp nowhere"]:
    try: print(run(bad))
    except Exception as e: print(type(e).__name__, e)
# ---
class Matrix:
    def __init__(self, rows): self.rows = [list(r) for r in rows]
    @classmethod
    def identity(cls, n): return cls([[int(i == j) for j in range(n)] for i in range(n)])
    @property
    def shape(self): return len(self.rows), len(self.rows[0])
    @property
    def T(self): return Matrix(zip(*self.rows))
    def __getitem__(self, k): return self.rows[k[0]][k[1]] if isinstance(k, tuple) else self.rows[k]
    def __setitem__(self, k, v): self.rows[k[0]][k[1]] = v
    def __matmul__(self, o):
        if self.shape[1] != o.shape[0]: raise ValueError(f"shapes {self.shape} and {o.shape} do not fit")
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __add__(self, o): return Matrix([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, o.rows)])
    def __mul__(self, k): return Matrix([[a * k for a in r] for r in self.rows])
    __rmul__ = __mul__
    def __pow__(self, n):
        out = Matrix.identity(len(self.rows))
        for _ in range(n): out = out @ self
        return out
    def __eq__(self, o): return self.rows == o.rows
    def __str__(self): return "\n".join(" ".join(f"{v:>4}" for v in r) for r in self.rows)
    def __iter__(self): return (v for r in self.rows for v in r)
a = Matrix([[1, 2], [3, 4]])
print(a @ a, a.T, a + a == 2 * a, a ** 5, a[1, 0], a[0], sum(a), a.shape, sep="\n")
a[0, 0] = 9
print(list(a))
try: a @ Matrix([[1, 2]])
except ValueError as e: print(e)
# ---
from dataclasses import dataclass, field
from enum import Enum
class Kind(Enum):
    BUY, SELL = "buy", "sell"
@dataclass(order=True)
class Order:
    sort: tuple = field(init=False, repr=False)
    id: int = 0
    kind: Kind = field(default=Kind.BUY, compare=False)
    price: float = 0.0
    qty: int = field(default=0, compare=False)
    def __post_init__(self): self.sort = (-self.price if self.kind is Kind.BUY else self.price, self.id)
class Book:
    def __init__(self): self.buys, self.sells, self.trades = [], [], []
    def submit(self, o):
        others = self.sells if o.kind is Kind.BUY else self.buys
        while o.qty and others:
            best = others[0]
            if (o.price < best.price) if o.kind is Kind.BUY else (o.price > best.price): break
            n = min(o.qty, best.qty)
            self.trades.append((n, best.price, o.id, best.id))
            o.qty -= n
            best.qty -= n
            if not best.qty: others.pop(0)
        if o.qty:
            mine = self.buys if o.kind is Kind.BUY else self.sells
            mine.append(o)
            mine.sort()
book = Book()
for i, (k, p, q) in enumerate([("sell", 10.5, 5), ("sell", 10.0, 3), ("buy", 9.0, 4), ("buy", 10.2, 4), ("sell", 8.5, 10), ("buy", 11, 1)], 1):
    book.submit(Order(id=i, kind=Kind(k), price=p, qty=q))
print(book.trades, book.buys, book.sells, sep="\n")
# ---
import random
rng = random.Random(2024)
def walk(n):
    x = y = 0
    for _ in range(n):
        dx, dy = rng.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
        x, y = x + dx, y + dy
    return abs(x) + abs(y)
print([walk(20) for _ in range(8)], sum(1 for _ in range(2000) if rng.random() ** 2 + rng.random() ** 2 < 1) * 4 / 2000)
deck = [r + s for s in "SHDC" for r in "23456789TJQKA"]
rng.shuffle(deck)
hands = [sorted(deck[i::4][:5]) for i in range(4)]
print(*hands, sep="\n")
# ---
class Todo:
    def __init__(self): self.items, self.next = {}, 1
    def do(self, line):
        match line.split(maxsplit=1):
            case ["add", text]:
                self.items[self.next] = {"text": text, "done": False}
                self.next += 1
                return f"added #{self.next - 1}"
            case ["done", n] if n.isdigit() and int(n) in self.items:
                self.items[int(n)]["done"] = True
                return f"done #{n}"
            case ["done" | "rm", n]: return f"no item {n!r}"
            case ["list"]: return "\n".join(f"[{'x' if i['done'] else ' '}] {k}. {i['text']}" for k, i in self.items.items()) or "(empty)"
            case [cmd, *_]: return f"unknown command {cmd}"
            case []: return ""
t = Todo()
for line in ["list", "add buy milk", "add write  tests", "done 2", "done 9", "list", "fly", ""]: print(">", line, "\n" + t.do(line))
# ---
def pipeline(*stages):
    def run(value):
        trail = []
        for stage in stages:
            try: value = stage(value)
            except Exception as e:
                trail.append(f"{stage.__name__}: {type(e).__name__}: {e}")
                return None, trail
            trail.append(f"{stage.__name__}: {value!r}")
        return value, trail
    return run
def parse(s): return [float(x) for x in s.split(",")]
def normalise(v):
    lo, hi = min(v), max(v)
    return [round((x - lo) / (hi - lo), 3) for x in v]
def top(v): return max(enumerate(v), key=lambda p: p[1])
run = pipeline(parse, normalise, top)
for s in ["1,2,3", "5,5", "a,b", ""]: print(*run(s), sep="\n  ")
# ---
class Query:
    def __init__(self, rows): self.rows, self.steps = rows, []
    def _with(self, step):
        q = Query(self.rows)
        q.steps = self.steps + [step]
        return q
    def where(self, **conds):
        ops = {"gt": lambda a, b: a > b, "lt": lambda a, b: a < b, "in": lambda a, b: a in b, "eq": lambda a, b: a == b}
        def keep(r): return all(ops[op or "eq"](r[f], v) for k, v in conds.items() for f, _, op in [k.partition("__")])
        return self._with(lambda rows: (r for r in rows if keep(r)))
    def select(self, *names): return self._with(lambda rows: ({n: r[n] for n in names} for r in rows))
    def order(self, key): return self._with(lambda rows: iter(sorted(rows, key=lambda r: r[key.lstrip("-")], reverse=key[0] == "-")))
    def limit(self, n): return self._with(lambda rows: (r for r, _ in zip(rows, range(n))))
    def __iter__(self):
        rows = iter(self.rows)
        for step in self.steps: rows = step(rows)
        return rows
people = Query([{"name": n, "age": a, "city": c} for n, a, c in [("ann", 31, "x"), ("bob", 25, "y"), ("cid", 40, "x"), ("dan", 19, "z")]])
adults = people.where(age__gt=20)
print(list(adults.order("-age").select("name").limit(2)), list(adults.where(city__in=["x"])), [r["name"] for r in people.order("age")])
# ---
class Vm:
    """Brainf*** in twenty lines."""
    def __init__(self, code):
        self.code, self.jump, stack = code, {}, []
        for i, c in enumerate(code):
            if c == "[": stack.append(i)
            elif c == "]":
                if not stack: raise SyntaxError(f"unmatched ] at {i}")
                self.jump[i] = stack.pop()
                self.jump[self.jump[i]] = i
        if stack: raise SyntaxError(f"unmatched [ at {stack.pop()}")
    def run(self):
        tape, p, pc, out = {}, 0, 0, []
        while pc < len(self.code):
            c = self.code[pc]
            if c == ">": p += 1
            elif c == "<": p -= 1
            elif c in "+-": tape[p] = (tape.get(p, 0) + (1 if c == "+" else -1)) % 256
            elif c == ".": out.append(chr(tape.get(p, 0)))
            elif c == "[" and not tape.get(p, 0) or c == "]" and tape.get(p, 0): pc = self.jump[pc]
            pc += 1
        return "".join(out)
print(Vm("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.").run())
for bad in ["[", "]"]:
    try: Vm(bad)
    except SyntaxError as e: print(e)
# ---
def game(moves):
    board = [" "] * 9
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    def winner():
        return next((board[a] for a, b, c in lines if board[a] == board[b] == board[c] != " "), None)
    def best(player):
        w = winner()
        if w: return (1 if w == "X" else -1), None
        free = [i for i in range(9) if board[i] == " "]
        if not free: return 0, None
        scores = []
        for i in free:
            board[i] = player
            scores.append((best("O" if player == "X" else "X")[0], i))
            board[i] = " "
        return max(scores, key=lambda s: s[0]) if player == "X" else min(scores, key=lambda s: s[0])
    for n, m in enumerate(moves): board[m] = "XO"[n % 2]
    player = "XO"[len(moves) % 2]
    while not winner() and " " in board:
        board[best(player)[1]] = player
        player = "O" if player == "X" else "X"
    return "\n-+-+-\n".join("|".join(board[i:i + 3]) for i in (0, 3, 6)), winner()
text, who = game([0, 4, 8, 2])
print(text)
who
# ---
class Shape:
    registry = {}
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Shape.registry[cls.__name__.lower()] = cls
    @classmethod
    def make(cls, text):
        name, *nums = text.split()
        try: return cls.registry[name](*map(float, nums))
        except KeyError: raise ValueError(f"unknown shape {name!r}; known: {', '.join(sorted(cls.registry))}") from None
        except TypeError as e: raise ValueError(f"{name}: {e}") from e
    def __lt__(self, o): return self.area < o.area
class Circle(Shape):
    def __init__(self, r): self.r = r
    @property
    def area(self): return 3.14159 * self.r ** 2
class Rect(Shape):
    def __init__(self, w, h): self.w, self.h = w, h
    @property
    def area(self): return self.w * self.h
shapes = []
for text in ["circle 1", "rect 2 3", "hexagon 1", "rect 1", "circle x"]:
    try: shapes.append(Shape.make(text))
    except ValueError as e: print(e)
print([(type(s).__name__, round(s.area, 2)) for s in sorted(shapes)])
# ---
def memoize(f):
    seen = {}
    def g(*a):
        if a not in seen: seen[a] = f(*a)
        return seen[a]
    g.seen = seen
    return g
@memoize
def paths(r, c): return 1 if not r or not c else paths(r - 1, c) + paths(r, c - 1)
@memoize
def collatz(n): return 1 if n == 1 else 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)
def compose(*fs):
    from functools import reduce
    return reduce(lambda f, g: lambda x: g(f(x)), fs)
def curry(f, n, *got): return f(*got) if len(got) >= n else lambda x: curry(f, n, *got, x)
print(paths(16, 16), len(paths.seen), max(range(1, 500), key=collatz), compose(str, len, lambda n: n * 2)(12345), curry(lambda a, b, c: a * b + c, 3)(2)(3)(4))
