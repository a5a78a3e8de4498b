"""Word frequency and readability report of a text."""
import re
import textwrap
from collections import Counter

TEXT = """
It was the best of times, it was the worst of times, it was the age of wisdom,
it was the age of foolishness, it was the epoch of belief, it was the epoch of
incredulity. We had everything before us. We had nothing before us! Were we all
going direct to Heaven? We were all going direct the other way.
"""

STOPWORDS = set("it was the of we had us to were all".split())


def sentences(text: str) -> list[str]:
    return [s.strip() for s in re.split(r"(?<=[.!?])\s+", text.strip()) if s.strip()]


def count_syllables(word: str) -> int:
    groups = re.findall(r"[aeiouy]+", word.lower())
    count = len(groups)
    if word.lower().endswith("e") and count > 1 and not word.lower().endswith("le"):
        count -= 1
    return max(count, 1)


words = re.findall(r"[A-Za-z']+", TEXT)
frequency = Counter(w.lower() for w in words)
content = Counter({w: n for w, n in frequency.items() if w not in STOPWORDS})
sents = sentences(TEXT)
syllables = sum(map(count_syllables, words))
flesch = 206.835 - 1.015 * len(words) / len(sents) - 84.6 * syllables / len(words)

print(textwrap.fill(" ".join(TEXT.split()), width=60, initial_indent="  ", subsequent_indent="  "))
print()
for word, n in sorted(content.items(), key=lambda kv: (-kv[1], kv[0]))[:5]:
    print(f"{word:>12} {'*' * n} {n}")
print(textwrap.shorten(sents[0], width=40, placeholder=" [...]"))

lengths = Counter(map(len, words))
longest = sorted((w for w in frequency if len(w) == max(lengths)), key=str.lower)

{
    "words": words.__len__(),
    "unique": len(frequency),
    "sentences": len(sents),
    "flesch": round(flesch, 1),
    "longest": longest,
    "lengths": dict(sorted(lengths.items())),
}
