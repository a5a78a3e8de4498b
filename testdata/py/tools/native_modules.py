import re
print(re.sub("é|b", lambda m: tool_echo(m.group().upper()) + str(m.start()), "aéxbéb"))
print(re.subn(r"(\w)(\d)?", lambda m: str(tool_add(len(m.groups()))), "a1 b c2", count=2))
print([(tool_add(m.start()), m.group(1), m.span(), m.lastgroup) for m in re.finditer(r"(?P<n>\d+)|x*", "éé12 x345")])
p = re.compile("(?i)K(.)")
m = p.search("Éakékb")
tool_echo(1)
print(m, p, m[1], m.start(), m.string, m.re is p, p.flags)
s = re.finditer(b"a*", b"baac")
print(next(s), tool_echo(2), list(s))
# ---
import json
class T:
    def __init__(self, v):
        self.v = v
d = {"b": T([T(1), T({"z": T(2), "a": T(None)})]), "a": [T("é"), 1.5]}
print(json.dumps(d, default=lambda o: tool_echo(o.v) if not isinstance(o.v, T) and not isinstance(o.v, (list, dict)) else o.v))
def slow(o):
    tool_add(1)
    return o.v
print(json.dumps(d, default=slow, indent=1, sort_keys=True, ensure_ascii=False))
def hook(o):
    tool_add(1)
    return sorted(o.items())
print(json.loads('[{"a": {"b": [1, 2.5, {"c": null}]}}, {"d": "é"}, NaN]', object_hook=hook))
print(json.loads('{"a": [1, -2, {"b": 1e3}]}', parse_int=lambda s: tool_add(int(s)), object_pairs_hook=lambda p: [tool_echo(k) for k, v in p] + p))
try:
    json.loads('[1, 2, "\\x"]', parse_int=lambda s: tool_add(int(s)))
except json.JSONDecodeError as e:
    tool_echo(1)
    print(e, e.pos, e.doc)
# ---
from decimal import Decimal, getcontext
x = Decimal("1.10") / 3
inf = [Decimal("-Infinity"), Decimal("NaN12"), Decimal("-0E+5"), Decimal("1e400")]
tool_echo(1)
print(x, x * 3, inf, getcontext().prec)
# ---
from datetime import datetime, timedelta, timezone
when = datetime(2024, 2, 29, 13, 5, 9, 1234, timezone(timedelta(minutes=-90)))
tool_echo(1)
print(when, tool_echo(when) + timedelta(hours=1), tool_echo(timedelta(days=-1, microseconds=5)))
print(datetime.strptime("2024-03-01 +0530", "%Y-%m-%d %z"), tool_echo(when) == when)
