"""Solve a maze with breadth-first search and A*, comparing visited cells."""
import heapq
from collections import deque

MAZE = """\
##########
#S.....#.#
#.####.#.#
#.#....#.#
#.#.####.#
#.#......#
#.######.#
#........#
####.###E#
##########""".splitlines()

Point = tuple[int, int]


def find(char: str) -> Point:
    return next((r, c) for r, row in enumerate(MAZE) for c, ch in enumerate(row) if ch == char)


def neighbours(p: Point):
    r, c = p
    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        if MAZE[r + dr][c + dc] != "#":
            yield r + dr, c + dc


def unwind(parents, goal):
    path, node = [], goal
    while node is not None:
        path.append(node)
        node = parents[node]
    return path[::-1]


def bfs(start: Point, goal: Point):
    parents: dict[Point, Point | None] = {start: None}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        if node == goal:
            return unwind(parents, goal), len(parents)
        for n in neighbours(node):
            if n not in parents:
                parents[n] = node
                queue.append(n)
    raise LookupError("no way out")


def a_star(start: Point, goal: Point):
    h = lambda p: abs(p[0] - goal[0]) + abs(p[1] - goal[1])
    parents, cost = {start: None}, {start: 0}
    heap = [(h(start), start)]
    while heap:
        _, node = heapq.heappop(heap)
        if node == goal:
            return unwind(parents, goal), len(parents)
        for n in neighbours(node):
            if cost[node] + 1 < cost.get(n, float("inf")):
                cost[n], parents[n] = cost[node] + 1, node
                heapq.heappush(heap, (cost[n] + h(n), n))
    raise LookupError("no way out")


start, goal = find("S"), find("E")
(bfs_path, bfs_seen), (star_path, star_seen) = bfs(start, goal), a_star(start, goal)
canvas = [list(row) for row in MAZE]
for r, c in star_path[1:-1]:
    canvas[r][c] = "*"
print("\n".join("".join(row) for row in canvas))

{"length": len(bfs_path) - 1, "same": len(bfs_path) == len(star_path), "seen": (bfs_seen, star_seen), "turns": sum((a[0] - b[0], a[1] - b[1]) != (b[0] - c[0], b[1] - c[1]) for a, b, c in zip(star_path, star_path[1:], star_path[2:]))}
