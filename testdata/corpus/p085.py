"""A small rules engine for approving expense claims."""
import operator
from dataclasses import dataclass, field
from typing import Any

OPERATORS = {"==": operator.eq, ">": operator.gt, "<=": operator.le, "in": lambda a, b: a in b, "missing": lambda a, _: a is None}


@dataclass
class Rule:
    name: str
    conditions: list[tuple[str, str, Any]]
    action: str
    priority: int = 0

    def matches(self, facts: dict[str, Any]) -> bool:
        return all(OPERATORS[op](facts.get(key), value) for key, op, value in self.conditions)


@dataclass
class Decision:
    claim: str
    action: str
    reasons: list[str] = field(default_factory=list)


RULES = [
    Rule("no receipt", [("receipt", "missing", None), ("amount", ">", 25)], "reject", 100),
    Rule("alcohol", [("category", "==", "alcohol")], "reject", 90),
    Rule("small", [("amount", "<=", 50)], "approve", 50),
    Rule("travel policy", [("category", "in", {"hotel", "train"}), ("amount", "<=", 300)], "approve", 40),
    Rule("default", [], "review", 0),
]

claims = [
    {"id": "c-1", "amount": 20, "category": "lunch"},
    {"id": "c-2", "amount": 180, "category": "hotel", "receipt": "r1.pdf"},
    {"id": "c-3", "amount": 60, "category": "lunch", "receipt": None},
    {"id": "c-4", "amount": 45, "category": "alcohol", "receipt": "r2.pdf"},
    {"id": "c-5", "amount": 900, "category": "hotel", "receipt": "r3.pdf"},
    {"id": "c-6", "amount": "lots", "category": "taxi"},
]


def decide(claim: dict[str, Any]) -> Decision:
    try:
        fired = [r for r in sorted(RULES, key=lambda r: -r.priority) if r.matches(claim)]
    except TypeError as exc:
        return Decision(claim["id"], "review", [f"bad data: {type(exc).__name__}"])
    return Decision(claim["id"], fired[0].action, [r.name for r in fired])


decisions = [decide(c) for c in claims]
for d in decisions:
    print(f"{d.claim}: {d.action:<8} ({', '.join(d.reasons)})")

decisions
