def run():
    d = {}
    for i in range(20000):
        d[i << 16] = i
    total = 0
    for i in range(20000):
        total += d[i << 16]
    return total


run()
