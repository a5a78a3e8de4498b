def run():
    text = "The quick brown fox, jumps over the lazy dog; again and again. "
    n = 0
    for i in range(6000):
        t = text.lower().replace("fox", "cat").strip()
        parts = t.split(" ")
        if t.startswith("the") and "lazy" in t:
            n += len(" ".join(parts)) + t.find("dog") + t.count("a")
        n += len(parts[i % len(parts)].upper().rstrip(".,;").title())
    return n


run()
