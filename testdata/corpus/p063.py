"""Conway's Game of Life on a sparse grid."""
from collections import Counter
from itertools import product

Cell = tuple[int, int]

GLIDER = """
.#.
..#
###
"""
BLINKER = "###"


def parse(pattern: str, dx: int = 0, dy: int = 0) -> set[Cell]:
    return {
        (x + dx, y + dy)
        for y, line in enumerate(pattern.strip().splitlines())
        for x, char in enumerate(line)
        if char == "#"
    }


def step(cells: set[Cell]) -> set[Cell]:
    neighbours = Counter(
        (x + dx, y + dy)
        for x, y in cells
        for dx, dy in product((-1, 0, 1), repeat=2)
        if (dx, dy) != (0, 0)
    )
    return {cell for cell, n in neighbours.items() if n == 3 or (n == 2 and cell in cells)}


def draw(cells: set[Cell], width: int = 12, height: int = 8) -> str:
    return "\n".join(
        "".join("#" if (x, y) in cells else "." for x in range(width)) for y in range(height)
    )


world = parse(GLIDER) | parse(BLINKER, dx=8, dy=5)
history = [world]
for generation in range(12):
    world = step(world)
    history.append(world)

for generation in (0, 4, 12):
    print(f"generation {generation}: {len(history[generation])} cells")
    print(draw(history[generation]))

blinker = parse(BLINKER, 3, 3)
glider = parse(GLIDER)
moved = glider
for _ in range(4):
    moved = step(moved)

{
    "blinker_period_2": step(step(blinker)) == blinker != step(blinker),
    "glider_moves_diagonally": moved == {(x + 1, y + 1) for x, y in glider},
    "populations": [len(w) for w in history],
}
