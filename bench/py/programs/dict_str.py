def run():
    keys = [f"user_{i}" for i in range(20000)]
    d = {}
    for k in keys:
        d[k] = len(k)
    total = 0
    for _ in range(3):
        for k in keys:
            total += d[k]
    missing = [k for k in keys if "x" + k in d]
    return total, len(missing)


run()
