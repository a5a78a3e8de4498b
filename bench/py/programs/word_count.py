def run():
    text = "it was the best of times it was the worst of times it was the age of wisdom it was the age of foolishness " * 300
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    letters = {}
    for ch in text[:20000]:
        if ch.isalpha():
            letters[ch] = letters.get(ch, 0) + 1
    top = sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[:4]
    return top, max(letters, key=lambda c: (letters[c], c))


run()
