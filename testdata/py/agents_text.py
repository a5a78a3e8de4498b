# Word statistics of a text.
text = """It was the best of times, it was the worst of times, it was the age of
wisdom, it was the age of foolishness; it was the epoch of belief."""
words = [w.strip(".,;").lower() for w in text.split()]
counts = {}
for w in words:
    counts[w] = counts.get(w, 0) + 1
ranked = sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))
for word, n in ranked[:5]:
    print(f"{word:<8}{'*' * n} {n}")
lengths = {}
for w in set(words):
    lengths.setdefault(len(w), []).append(w)
print({k: sorted(v) for k, v in sorted(lengths.items())})
bigrams = {}
for a, b in zip(words, words[1:]):
    bigrams[a, b] = bigrams.get((a, b), 0) + 1
print([b for b, n in bigrams.items() if n > 2])
{"words": len(words), "unique": len(counts), "average": round(sum(map(len, words)) / len(words), 3), "longest": max(words, key=len)}
# ---
# A web server's log.
log = '''10.0.0.1 - [12/Mar/2024:10:00:01] "GET /index.html HTTP/1.1" 200 512
10.0.0.2 - [12/Mar/2024:10:00:02] "POST /login HTTP/1.1" 302 0
10.0.0.1 - [12/Mar/2024:10:00:03] "GET /img/logo.png HTTP/1.1" 404 169
bad line
10.0.0.3 - [12/Mar/2024:10:01:00] "GET /index.html HTTP/1.1" 500 10
10.0.0.1 - [12/Mar/2024:10:02:00] "GET /about HTTP/1.1" 200 2048'''
import re
pattern = re.compile(r'^(\S+) - \[([^\]]+)\] "(\w+) (\S+) [^"]*" (\d{3}) (\d+)$')
hits, status, size, bad = {}, {}, 0, []
for number, line in enumerate(log.split("\n"), 1):
    m = pattern.match(line)
    if not m:
        bad.append(number)
        continue
    ip, when, verb, path, code, n = m.groups()
    hits.setdefault(path, set()).add(ip)
    status[code[0] + "xx"] = status.get(code[0] + "xx", 0) + 1
    size += int(n)
print({p: len(s) for p, s in hits.items()}, status, f"{size / 1024:.2f} KiB", bad)
max(hits, key=lambda p: (len(hits[p]), p))
# ---
# An INI file.
source = """
; comment
[server]
host = example.org
port=8080
debug: yes
[paths]
root = /srv/%(name)s
name = data
list = a, b,c
"""
config, section = {}, None
for raw in source.splitlines():
    line = raw.strip()
    if not line or line[0] in ";#":
        continue
    if line.startswith("[") and line.endswith("]"):
        section = config.setdefault(line[1:-1], {})
        continue
    i = min(i for i in (line.find("="), line.find(":")) if i >= 0)
    key, value = line[:i].strip(), line[i + 1:].strip()
    if value.isdigit():
        value = int(value)
    elif value.lower() in ("yes", "no", "true", "false"):
        value = value.lower() in ("yes", "true")
    elif "," in value:
        value = [v.strip() for v in value.split(",")]
    section[key] = value
for s in config.values():
    for k, v in s.items():
        if isinstance(v, str) and "%(" in v:
            s[k] = v % s
config
# ---
# A template with conditions and loops.
def render(template, data):
    out = []
    for line in template.split("\n"):
        if line.startswith("% for "):
            _, _, name, _, items, body = line.split(" ", 5)
            for item in data[items]:
                out.append(body.replace("{" + name + "}", str(item)))
        elif line.startswith("% if "):
            _, _, cond, body = line.split(" ", 3)
            if data.get(cond):
                out.append(body)
        else:
            out.append(line.format(**data))
    return "\n".join(out)
print(render("Hello {name}!\n% for x in items - {x}\n% if vip You are a VIP\n% if banned Go away\nTotal: {total:>8.2f}", {"name": "Ann", "items": ["a", 2, None], "vip": True, "total": 12.5}))
# ---
# Tokeniser, parser and evaluator of arithmetic.
def tokenize(s):
    i, out = 0, []
    while i < len(s):
        c = s[i]
        if c.isspace():
            i += 1
        elif c.isdigit() or c == ".":
            j = i
            while j < len(s) and (s[j].isdigit() or s[j] == "."):
                j += 1
            out.append(float(s[i:j]) if "." in s[i:j] else int(s[i:j]))
            i = j
        elif c.isalpha():
            j = i
            while j < len(s) and s[j].isalnum():
                j += 1
            out.append(s[i:j])
            i = j
        elif s.startswith("**", i):
            out.append("**")
            i += 2
        elif c in "+-*/()%,":
            out.append(c)
            i += 1
        else:
            raise SyntaxError(f"unexpected {c!r} at {i}")
    return out + [None]

class Parser:
    FUNCS = {"max": max, "min": min, "abs": abs, "sqrt": lambda x: x ** 0.5}
    def __init__(self, s, env):
        self.toks, self.i, self.env = tokenize(s), 0, env
    def peek(self): return self.toks[self.i]
    def take(self, want=None):
        t = self.toks[self.i]
        if want is not None and t != want:
            raise SyntaxError(f"expected {want!r}, got {t!r}")
        self.i += 1
        return t
    def parse(self):
        v = self.sum()
        if self.peek() is not None:
            raise SyntaxError(f"trailing {self.peek()!r}")
        return v
    def sum(self):
        v = self.product()
        while self.peek() in ("+", "-"):
            v = v + self.product() if self.take() == "+" else v - self.product()
        return v
    def product(self):
        v = self.unary()
        while self.peek() in ("*", "/", "%"):
            op = self.take()
            r = self.unary()
            v = v * r if op == "*" else v / r if op == "/" else v % r
        return v
    def unary(self):
        if self.peek() == "-":
            self.take()
            return -self.unary()
        return self.power()
    def power(self):
        v = self.atom()
        if self.peek() == "**":
            self.take()
            return v ** self.unary()
        return v
    def atom(self):
        t = self.take()
        if t == "(":
            v = self.sum()
            self.take(")")
            return v
        if isinstance(t, str) and t.isalnum():
            if self.peek() == "(":
                self.take()
                args = [self.sum()]
                while self.peek() == ",":
                    self.take()
                    args.append(self.sum())
                self.take(")")
                return self.FUNCS[t](*args)
            return self.env[t]
        if t is None or isinstance(t, str):
            raise SyntaxError(f"unexpected {t!r}")
        return t

for s in ["1 + 2 * 3", "(1+2)*3", "-2 ** 2", "2 ** 3 ** 2", "10 / 4 - 1", "x * (y - 1)", "max(1, x, 2) + sqrt(16)", "7 % 4", "1 +", "2 $ 3", "(1", "z", "1 2", "1/0"]:
    try:
        print(s, "=", Parser(s, {"x": 5, "y": 2.5}).parse())
    except (SyntaxError, KeyError, ZeroDivisionError) as e:
        print(s, "->", type(e).__name__, e)
# ---
# Markdown to HTML, the small part everyone uses.
import re
def inline(s):
    s = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", s)
    s = re.sub(r"\*(.+?)\*", r"<i>\1</i>", s)
    s = re.sub(r"`([^`]+)`", r"<code>\1</code>", s)
    return re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', s)
def html(md):
    out, items, para = [], [], []
    def flush():
        nonlocal items, para
        if items:
            out.append("<ul>" + "".join(f"<li>{i}</li>" for i in items) + "</ul>")
        if para:
            out.append("<p>" + " ".join(para) + "</p>")
        items, para = [], []
    for line in md.splitlines():
        if m := re.match(r"(#{1,6})\s+(.*)", line):
            flush()
            n = len(m.group(1))
            out.append(f"<h{n}>{inline(m.group(2))}</h{n}>")
        elif line.startswith("- "):
            if para: flush()
            items.append(inline(line[2:]))
        elif not line.strip():
            flush()
        else:
            if items: flush()
            para.append(inline(line))
    flush()
    return "\n".join(out)
print(html("# Title *x*\n\nHello **bold** and `code`\nmore\n- one\n- [two](http://x)\n\n## Sub\nend"))
# ---
# Roman numerals, both ways.
PAIRS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
def to_roman(n):
    if not 0 < n < 4000:
        raise ValueError(f"{n} has no roman numeral")
    out = ""
    for value, sign in PAIRS:
        k, n = divmod(n, value)
        out += sign * k
    return out
def from_roman(s):
    values = dict((b, a) for a, b in PAIRS if len(b) == 1)
    total = 0
    for a, b in zip(s, s[1:] + " "):
        total += -values[a] if values.get(b, 0) > values[a] else values[a]
    return total
print([to_roman(n) for n in [1, 4, 9, 14, 40, 90, 400, 1994, 2024, 3999]])
try:
    to_roman(0)
except ValueError as e:
    print(e)
all(from_roman(to_roman(n)) == n for n in range(1, 4000, 7))
# ---
# Ciphers: Caesar, Vigenere, run lengths, base conversion, check digits.
def caesar(s, k):
    return "".join(chr((ord(c) - 65 + k) % 26 + 65) if c.isupper() else chr((ord(c) - 97 + k) % 26 + 97) if c.islower() else c for c in s)
def vigenere(s, key, sign=1):
    out, i = [], 0
    for c in s:
        if c.isalpha():
            out.append(caesar(c, sign * (ord(key[i % len(key)].lower()) - 97)))
            i += 1
        else:
            out.append(c)
    return "".join(out)
def rle(s):
    out, i = [], 0
    while i < len(s):
        j = i
        while j < len(s) and s[j] == s[i]:
            j += 1
        out.append(f"{j - i}{s[i]}" if j - i > 1 else s[i])
        i = j
    return "".join(out)
def unrle(s):
    out, n = "", ""
    for c in s:
        if c.isdigit():
            n += c
        else:
            out += c * int(n or 1)
            n = ""
    return out
def base(n, b):
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    if n == 0: return "0"
    out = ""
    while n:
        n, r = divmod(n, b)
        out = digits[r] + out
    return out
def luhn(s):
    total = 0
    for i, c in enumerate(reversed(s)):
        d = int(c) * (1 + i % 2)
        total += d - 9 * (d > 9)
    return total % 10 == 0
msg = "Attack at Dawn!"
print(caesar(msg, 3), caesar(caesar(msg, 3), -3) == msg, vigenere(msg, "Lemon"), vigenere(vigenere(msg, "Lemon"), "Lemon", -1), rle("aaabccddddd"), unrle(rle("aaabccddddd")), base(255, 16), base(2**70, 36), int(base(2**70, 36), 36) == 2**70, luhn("4539578763621486"), luhn("1234567890123456"))
# ---
# Align columns of any text.
rows = [["Name", "Qty", "Price"], ["apple", 3, 1.5], ["watermelon", 12, 0.333], ["", None, -2]]
def cell(v):
    if v is None: return "-"
    if isinstance(v, float): return f"{v:.2f}"
    return str(v)
cells = [[cell(v) for v in r] for r in rows]
widths = [max(len(r[i]) for r in cells) for i in range(len(cells[0]))]
numeric = [all(isinstance(r[i], (int, float, type(None))) for r in rows[1:]) for i in range(3)]
for n, r in enumerate(cells):
    print("| " + " | ".join(c.rjust(w) if right else c.ljust(w) for c, w, right in zip(r, widths, numeric)) + " |")
    if n == 0:
        print("|" + "|".join("-" * (w + 2) for w in widths) + "|")
# ---
# Anagrams, palindromes, longest common subsequence and edit distance.
words = "listen silent enlist google elgoog abc cab bca xyz level noon".split()
groups = {}
for w in words:
    groups.setdefault("".join(sorted(w)), []).append(w)
print([g for g in groups.values() if len(g) > 1], [w for w in words if w == w[::-1]])
def lcs(a, b):
    t = [[""] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            t[i + 1][j + 1] = t[i][j] + x if x == y else max(t[i][j + 1], t[i + 1][j], key=len)
    return t[-1][-1]
def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        prev, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            prev, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, prev + (x != y))
    return row[-1]
print(lcs("AGGTAB", "GXTXAYB"), lcs("nematode knowledge", "empty bottle"), distance("kitten", "sitting"), distance("", "abc"), distance("same", "same"))
def closest(word, options):
    return sorted(options, key=lambda o: (distance(word, o), o))[:2]
closest("comit", ["commit", "comet", "push", "submit", "vomit"])
# ---
# URLs and query strings.
def parse_url(url):
    scheme, _, rest = url.partition("://")
    rest, _, fragment = rest.partition("#")
    rest, _, query = rest.partition("?")
    host, slash, path = rest.partition("/")
    host, _, port = host.partition(":")
    params = {}
    for pair in filter(None, query.split("&")):
        k, _, v = pair.partition("=")
        params.setdefault(unquote(k), []).append(unquote(v))
    return {"scheme": scheme, "host": host.lower(), "port": int(port) if port else {"http": 80, "https": 443}.get(scheme), "path": slash + path, "params": params, "fragment": fragment or None}
def unquote(s):
    out, i = b"", 0
    while i < len(s):
        if s[i] == "%" and i + 2 < len(s) + 0:
            out += bytes([int(s[i + 1:i + 3], 16)])
            i += 3
        else:
            out += b" " if s[i] == "+" else s[i].encode()
            i += 1
    return out.decode()
for url in ["https://Example.org/a/b?q=caf%C3%A9+x&q=2&e=#top", "http://h:8080", "ftp://f/x%20y"]:
    print(parse_url(url))
# ---
# A search index with ranking.
docs = {1: "the quick brown fox", 2: "the lazy dog sleeps", 3: "quick quick dog", 4: "fox and dog and fox"}
index = {}
for id, text in docs.items():
    for pos, word in enumerate(text.split()):
        index.setdefault(word, {}).setdefault(id, []).append(pos)
def search(q):
    scores = {}
    for term in q.lower().split():
        hits = index.get(term, {})
        for id, places in hits.items():
            scores[id] = scores.get(id, 0) + len(places) / len(docs[id].split()) * (1 + len(docs) / len(hits))
    return [(id, round(s, 4)) for id, s in sorted(scores.items(), key=lambda kv: (-kv[1], kv[0]))]
print(search("quick fox"), search("dog"), search("none"), index["dog"])
def phrase(q):
    terms = q.split()
    return [id for id in docs if any(all(p + i in index.get(t, {}).get(id, []) for i, t in enumerate(terms)) for p in index.get(terms[0], {}).get(id, []))]
phrase("quick dog"), phrase("the lazy"), phrase("dog lazy")
# ---
# Numbers to words.
SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
def words(n):
    if n < 0: return "minus " + words(-n)
    if n < 20: return SMALL[n]
    if n < 100: return TENS[n // 10 - 2] + ("-" + SMALL[n % 10] if n % 10 else "")
    for size, name in [(10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")]:
        if n >= size:
            rest = n % size
            return words(n // size) + " " + name + ((" and " if size == 100 else " ") + words(rest) if rest else "")
for n in [0, 13, 21, 80, 100, 342, 1000, 12345, 1000001, -7, 9876543210]:
    print(n, words(n))
