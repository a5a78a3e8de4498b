"""Inverted index with boolean queries, TF-IDF ranking and prefix suggestions (trie)."""
import math
import re
from collections import Counter, defaultdict

DOCS = {
    1: "Python generators make lazy pipelines simple",
    2: "Async Python: coroutines, tasks and event loops",
    3: "Lazy evaluation in Haskell and Python",
    4: "Event sourcing with simple databases",
}


class Trie:
    def __init__(self, words=()):
        self.root: dict = {}
        for word in words:
            node = self.root
            for char in word:
                node = node.setdefault(char, {})
            node["$"] = word

    def complete(self, prefix: str) -> list[str]:
        node = self.root
        for char in prefix:
            if (node := node.get(char)) is None:
                return []
        found, stack = [], [node]
        while stack:
            current = stack.pop()
            for key, child in current.items():
                if key == "$":
                    found.append(child)
                else:
                    stack.append(child)
        return sorted(found)


def tokens(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())


index: dict[str, set[int]] = defaultdict(set)
frequencies = {doc: Counter(tokens(text)) for doc, text in DOCS.items()}
for doc, counter in frequencies.items():
    for term in counter:
        index[term].add(doc)


def search(query: str) -> list[int]:
    """Terms are combined with AND; -term excludes."""
    result = set(DOCS)
    for word in query.lower().split():
        result = result - index.get(word[1:], set()) if word[0] == "-" else result & index.get(word, set())
    return sorted(result)


def rank(query: str) -> list[tuple[int, float]]:
    scores: Counter = Counter()
    for term in tokens(query):
        for doc in index.get(term, ()):
            idf = math.log(len(DOCS) / len(index[term]))
            scores[doc] += frequencies[doc][term] / frequencies[doc].total() * idf
    return [(doc, round(score, 4)) for doc, score in sorted(scores.items(), key=lambda kv: (-kv[1], kv[0]))]


trie = Trie(index)
for query in ("python", "python lazy", "python -lazy", "rust"):
    print(f"{query:<14} {search(query)}")
print(trie.complete("e"), trie.complete("co"), trie.complete("zzz"))
rank("lazy event python")
