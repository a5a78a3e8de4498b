from itertools import combinations_with_replacement, permutations


def run():
    found = 0
    for p in permutations(range(8)):
        if p[0] < p[7]:
            found += 1
    return found, len(list(permutations("abcdefg", 5))), sum(1 for _ in combinations_with_replacement(range(20), 4))


run()
