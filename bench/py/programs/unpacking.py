def run():
    pairs = [(i, i * 2, str(i)) for i in range(10000)]
    total = 0
    for (a, b, s), k in zip(pairs, range(10000)):
        x, y = b, a
        first, *rest = (x, y, k)
        total += first + rest[1] + len(s)
    for i, (a, _, _) in enumerate(pairs):
        total -= i - a
    return total


run()
