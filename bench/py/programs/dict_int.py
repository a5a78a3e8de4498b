def run():
    d = {}
    for i in range(100000):
        d[i] = i * 2
    total = 0
    for i in range(100000):
        total += d[i]
    for i in range(0, 100000, 3):
        if i in d:
            total -= d.get(i, 0)
    return total, len(d)


run()
