def run():
    d = {}
    for i in range(30000):
        d[i * 0.5] = i
    total = 0
    for i in range(30000):
        total += d[i * 0.5]
    return total, len(d)


run()
