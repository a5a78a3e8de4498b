def run():
    total = 0
    for _ in range(10):
        squares = [x * x for x in range(10000)]
        even = [x for x in squares if x % 2 == 0]
        pairs = [(i, v) for i, v in enumerate(even)]
        total += sum([a + b for a, b in pairs])
    return total


run()
