"""Side-by-side diff report of two versions of a document."""
import difflib

OLD = """\
Terms of service
1. Be kind.
2. Do not share passwords.
3. We store data for 30 days.
4. Contact: help@example.com
""".splitlines()

NEW = """\
Terms of service (updated)
1. Be kind.
2. Never share passwords.
2a. Use two factors.
3. We store data for 90 days.
""".splitlines()


def side_by_side(old: list[str], new: list[str], width: int = 32):
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        left, right = old[i1:i2], new[j1:j2]
        height = max(len(left), len(right))
        left += [""] * (height - len(left))
        right += [""] * (height - len(right))
        symbol = {"equal": " ", "replace": "~", "delete": "-", "insert": "+"}[tag]
        for a, b in zip(left, right):
            yield f"{a[:width]:<{width}} {symbol} {b[:width]}".rstrip()


print(*side_by_side(OLD, NEW), sep="\n")

unified = list(difflib.unified_diff(OLD, NEW, "v1", "v2", lineterm="", n=0))
added = [line[1:] for line in unified if line.startswith("+") and not line.startswith("+++")]
removed = [line[1:] for line in unified if line.startswith("-") and not line.startswith("---")]
ratio = difflib.SequenceMatcher(None, OLD, NEW).ratio()
suggestion = difflib.get_close_matches("pasword", ["password", "passport", "keyword"], n=2)

print(f"\n{len(added)} added, {len(removed)} removed, similarity {ratio:.2f}")
{"added": added, "removed": removed, "suggestion": suggestion}
