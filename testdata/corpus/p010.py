"""Clean survey answers: free text to Likert scale, with summary statistics per question."""
import statistics
from collections import defaultdict
from enum import IntEnum


class Likert(IntEnum):
    STRONGLY_DISAGREE = 1
    DISAGREE = 2
    NEUTRAL = 3
    AGREE = 4
    STRONGLY_AGREE = 5

    @classmethod
    def from_text(cls, text: str) -> "Likert":
        key = text.strip().upper().replace(" ", "_").replace("-", "_")
        aliases = {"SD": "STRONGLY_DISAGREE", "SA": "STRONGLY_AGREE", "N/A": "NEUTRAL"}
        key = aliases.get(key, key)
        if key.isdigit():
            return cls(int(key))
        return cls[key]


responses = [
    ("q1", "Agree"), ("q1", "strongly agree"), ("q1", "4"), ("q1", "meh"),
    ("q2", "SD"), ("q2", "disagree"), ("q2", "Strongly-Disagree"), ("q2", "9"),
    ("q3", "n/a"), ("q3", " neutral "), ("q3", "SA"), ("q3", "5"),
]

by_question: dict[str, list[Likert]] = defaultdict(list)
rejected: list[tuple[str, str]] = []
for question, text in responses:
    try:
        by_question[question].append(Likert.from_text(text))
    except (KeyError, ValueError) as exc:
        rejected.append((text, type(exc).__name__))

summary = {}
for question, answers in by_question.items():
    summary[question] = {
        "n": len(answers),
        "mean": round(statistics.mean(answers), 2),
        "median": statistics.median(answers),
        "mode": statistics.mode(answers).name,
        "top_box": sum(a >= Likert.AGREE for a in answers) / len(answers),
    }
    print(f"{question}: {[a.name.title() for a in answers]}")

print("Rejected:", rejected)
summary
