"""Solve Sudoku with constraint propagation and N-queens with backtracking generators."""
from typing import Iterator

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def peers(cell: int) -> set[int]:
    r, c = divmod(cell, 9)
    row = {r * 9 + i for i in range(9)}
    col = {i * 9 + c for i in range(9)}
    br, bc = r // 3 * 3, c // 3 * 3
    box = {(br + i) * 9 + bc + j for i in range(3) for j in range(3)}
    return (row | col | box) - {cell}


PEERS = [peers(i) for i in range(81)]
guesses = 0


def solve(grid: str) -> str | None:
    global guesses
    best = None
    for cell, char in enumerate(grid):
        if char != ".":
            continue
        options = set("123456789") - {grid[p] for p in PEERS[cell]}
        if not options:
            return None
        if best is None or len(options) < len(best[1]):
            best = (cell, options)
            if len(options) == 1:
                break
    if best is None:
        return grid
    cell, options = best
    for digit in sorted(options):
        guesses += len(options) > 1
        if solution := solve(grid[:cell] + digit + grid[cell + 1 :]):
            return solution
    return None


def queens(n: int, placed: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    row = len(placed)
    if row == n:
        yield placed
        return
    for col in range(n):
        if all(col != c and abs(col - c) != row - r for r, c in enumerate(placed)):
            yield from queens(n, (*placed, col))


solution = solve(PUZZLE)
rows = [solution[i : i + 9] for i in range(0, 81, 9)]
for i, row in enumerate(rows):
    if i and i % 3 == 0:
        print("------+-------+------")
    print(" | ".join(" ".join(row[j : j + 3]) for j in (0, 3, 6)))
assert all(set(row) == set("123456789") for row in rows)

{"first_row": rows[0], "guesses": guesses, "queens": {n: sum(1 for _ in queens(n)) for n in range(1, 7)}, "first_6": next(queens(6))}
