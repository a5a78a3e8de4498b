from itertools import combinations


def run():
    items = list(range(26))
    best = 0
    for a, b, c, d in combinations(items, 4):
        if a + b == c + d:
            best += 1
    return best, len(list(combinations("abcdefghijklmnop", 5)))


run()
