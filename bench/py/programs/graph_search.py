def run():
    n = 100
    graph = {}
    for x in range(n):
        for y in range(n):
            out = []
            for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                a, b = x + dx, y + dy
                if 0 <= a < n and 0 <= b < n and (a * 7 + b * 3) % 5 != 0:
                    out.append((a, b))
            graph[(x, y)] = out
    seen = {(0, 0): 0}
    queue = [(0, 0)]
    at = 0
    while at < len(queue):
        node = queue[at]
        at += 1
        for other in graph[node]:
            if other not in seen:
                seen[other] = seen[node] + 1
                queue.append(other)
    return len(seen), max(seen.values())


run()
