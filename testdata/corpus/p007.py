"""Deduplicate company names with fuzzy matching."""
import difflib
import re
import unicodedata

NAMES = [
    "Acme Corporation", "ACME Corp.", "Acme, Inc.", "Globex GmbH", "Globex Gmbh.",
    "Initech", "Initech LLC", "Umbrella Café Ltd", "Umbrella Cafe Limited", "Hooli",
    "Stark Industries", "Stark Industires",
]

SUFFIXES = {"corporation", "corp", "inc", "gmbh", "llc", "ltd", "limited", "co"}


def normalize(name: str) -> str:
    ascii_name = (
        unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    )
    words = re.findall(r"[a-z0-9]+", ascii_name)
    return " ".join(w for w in words if w not in SUFFIXES)


def similarity(a: str, b: str) -> float:
    return difflib.SequenceMatcher(None, a, b).ratio()


def cluster(names: list[str], cutoff: float = 0.85) -> list[list[str]]:
    clusters: list[tuple[str, list[str]]] = []
    for name in names:
        key = normalize(name)
        for cluster_key, members in clusters:
            if similarity(key, cluster_key) >= cutoff:
                members.append(name)
                break
        else:
            clusters.append((key, [name]))
    return [members for _, members in clusters]


groups = cluster(NAMES)
canonical = {}
for group in groups:
    best = max(group, key=len)
    for member in group:
        canonical[member] = best
    print(f"{best:<25} <- {len(group)} variant(s)")

score = round(similarity(normalize("Stark Industries"), normalize("Stark Industires")), 3)
{"clusters": len(groups), "canonical": canonical, "stark_similarity": score}
