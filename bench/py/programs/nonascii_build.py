def run():
    words = ["naïve", "café", "plain", "Ω", "日本語", "x"]
    parts = []
    for i in range(20000):
        word = words[i % 6]
        parts.append(word.upper() + str(i % 10))
    text = " ".join(parts)
    counts = {}
    for c in text:
        counts[c] = counts.get(c, 0) + 1
    return len(text), text.count("É"), text.find("日本語9"), counts["ï".upper()], text[::-1][:5]


run()
