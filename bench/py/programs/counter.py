from collections import Counter, defaultdict


def run():
    words = ("the quick brown fox jumps over the lazy dog " * 2000).split()
    counts = Counter(words)
    for word in words[:5000]:
        counts[word] += 1
    groups = defaultdict(list)
    for i, word in enumerate(words):
        groups[len(word)].append(i)
    letters = Counter()
    for word in words[:3000]:
        letters.update(word)
    return counts.most_common(3), {k: len(v) for k, v in sorted(groups.items())}, letters["o"], sum((counts + letters).values())


run()
