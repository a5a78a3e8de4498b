def run():
    seed = 42
    values = []
    for _ in range(60000):
        seed = (seed * 1103515245 + 12345) % 2147483648
        values.append(seed)
    values.sort()
    again = sorted(values, reverse=True)
    return values[0], values[-1], again[100]


run()
