from itertools import product


def run():
    total = 0
    for a, b, c in product(range(30), repeat=3):
        if a * a + b * b == c * c:
            total += 1
    for size, colour, kind in product("SML", ["red", "green", "blue"], range(2000)):
        total += kind
    return total


run()
