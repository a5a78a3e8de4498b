"""Shortest routes in a city network with Dijkstra."""
import heapq
import math
from collections import defaultdict

ROADS = """
A B 4
A C 2
B C 1
B D 5
C D 8
C E 10
D E 2
D F 6
E F 3
X Y 1
"""

Graph = dict[str, dict[str, int]]


def build(text: str) -> Graph:
    graph: Graph = defaultdict(dict)
    for line in text.strip().splitlines():
        a, b, km = line.split()
        graph[a][b] = graph[b][a] = int(km)
    return dict(graph)


def dijkstra(graph: Graph, source: str) -> tuple[dict[str, float], dict[str, str]]:
    distances = {node: math.inf for node in graph}
    distances[source] = 0
    previous: dict[str, str] = {}
    queue = [(0, source)]
    while queue:
        distance, node = heapq.heappop(queue)
        if distance > distances[node]:
            continue
        for neighbour, weight in graph[node].items():
            candidate = distance + weight
            if candidate < distances[neighbour]:
                distances[neighbour] = candidate
                previous[neighbour] = node
                heapq.heappush(queue, (candidate, neighbour))
    return distances, previous


def path_to(previous: dict[str, str], target: str) -> list[str]:
    path = [target]
    while path[-1] in previous:
        path.append(previous[path[-1]])
    return path[::-1]


graph = build(ROADS)
distances, previous = dijkstra(graph, "A")
for node, distance in sorted(distances.items()):
    route = " -> ".join(path_to(previous, node)) if math.isfinite(distance) else "unreachable"
    print(f"{node} {distance:>4} {route}")

{"distances": distances, "farthest": max((d, n) for n, d in distances.items() if d < math.inf)}
