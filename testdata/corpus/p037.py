"""Parse a chess game in PGN-like notation: tags, moves and comments."""
import re
from collections import Counter

PGN = """
[Event "Casual Game"]
[White "Anderssen, Adolf"]
[Black "Kieseritzky, Lionel"]
[Result "1-0"]
[Date "1851.06.21"]

1. e4 e5 2. f4 exf4 3. Bc4 {King's bishop gambit} Qh4+ 4. Kf1 b5 5. Bxb5 Nf6
6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 {pressure} 10. g4 Nf6 11. Rg1 cxb5 1-0
"""

TAG = re.compile(r'^\[(\w+) "([^"]*)"\]$', re.MULTILINE)
MOVE = re.compile(r"^(?P<piece>[KQRBN]?)(?P<origin>[a-h]?)(?P<capture>x?)(?P<target>[a-h][1-8])(?P<check>[+#]?)$")
PIECES = {"": "pawn", "K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight"}

tags = dict(TAG.findall(PGN))
body = TAG.sub("", PGN).strip()
comments = re.findall(r"\{([^}]*)\}", body)
body = re.sub(r"\{[^}]*\}", " ", body)
tokens = [t for t in body.split() if not re.fullmatch(r"\d+\.|1-0|0-1|1/2-1/2", t)]

moves = []
for ply, token in enumerate(tokens):
    m = MOVE.match(token)
    if m is None:
        raise ValueError(f"cannot parse move {token!r}")
    moves.append(
        {
            "number": ply // 2 + 1,
            "side": ("white", "black")[ply % 2],
            "piece": PIECES[m["piece"]],
            "target": m["target"],
            "capture": bool(m["capture"]),
            "check": m["check"] == "+",
        }
    )

usage = Counter((m["side"], m["piece"]) for m in moves)
captures = [f"{m['number']}{'.' if m['side'] == 'white' else '...'} {m['target']}" for m in moves if m["capture"]]

surname = {side: tags[side.title()].split(",")[0] for side in ("white", "black")}
for (side, piece), n in sorted(usage.items()):
    print(f"{surname[side]:<12} {piece:<7} {'*' * n}")

{
    "players": surname,
    "year": int(tags["Date"].split(".")[0]),
    "moves": (len(moves) + 1) // 2,
    "captures": captures,
    "checks": sum(m["check"] for m in moves),
    "comments": comments,
}
