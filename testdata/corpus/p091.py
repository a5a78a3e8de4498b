"""Dynamic programming classics: knapsack, edit distance and longest common subsequence."""
from functools import cache


def knapsack(items: dict[str, tuple[int, int]], capacity: int) -> tuple[int, list[str]]:
    names = list(items)
    table = [[0] * (capacity + 1) for _ in range(len(names) + 1)]
    for i, name in enumerate(names, 1):
        weight, value = items[name]
        for c in range(capacity + 1):
            table[i][c] = table[i - 1][c]
            if weight <= c:
                table[i][c] = max(table[i][c], table[i - 1][c - weight] + value)
    chosen, c = [], capacity
    for i in range(len(names), 0, -1):
        if table[i][c] != table[i - 1][c]:
            chosen.append(names[i - 1])
            c -= items[names[i - 1]][0]
    return table[-1][-1], chosen[::-1]


def edit_distance(a: str, b: str) -> int:
    previous = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        current = [i]
        for j, cb in enumerate(b, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (ca != cb)))
        previous = current
    return previous[-1]


def lcs(a: str, b: str) -> str:
    @cache
    def solve(i: int, j: int) -> str:
        if i == len(a) or j == len(b):
            return ""
        if a[i] == b[j]:
            return a[i] + solve(i + 1, j + 1)
        return max(solve(i + 1, j), solve(i, j + 1), key=len)

    return solve(0, 0)


gear = {"tent": (7, 60), "stove": (3, 35), "camera": (2, 30), "book": (1, 8), "axe": (5, 25), "rope": (4, 40)}
value, packed = knapsack(gear, 12)
print(f"value {value}: {', '.join(packed)} ({sum(gear[p][0] for p in packed)} kg)")

vocabulary = ["kitten", "sitting", "mitten", "knitting", "bitten"]
typo = "kiten"
ranking = sorted(vocabulary, key=lambda w: (edit_distance(typo, w), w))
print(f"did you mean {ranking[0]!r}?", {w: edit_distance(typo, w) for w in ranking})

{"knapsack": (value, packed), "edit": edit_distance("sunday", "saturday"), "lcs": lcs("AGGTABQWERTY", "GXTXAYBWRT")}
