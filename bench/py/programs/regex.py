import re


def run():
    pattern = re.compile(r"(\w+)@(\w+)\.com")
    text = " ".join("user%d@host%d.com wrote to nobody at all," % (i, i % 9) for i in range(400))
    hits = {}
    for _ in range(4):
        for m in pattern.finditer(text):
            host = m.group(2)
            hits[host] = hits.get(host, 0) + 1
    cleaned = re.sub(r"\s+", " ", text)
    return sorted(hits.items())[:2], len(cleaned), len(re.findall(r"\d+", text))


run()
