from collections import deque


def run():
    queue = deque([0])
    seen = 0
    while queue:
        n = queue.popleft()
        seen += n & 7
        if n < 20000:
            queue.append(2 * n + 1)
            queue.append(2 * n + 2)
    window = deque(maxlen=50)
    sums = 0
    for i in range(30000):
        window.append(i)
        sums += window[0] + window[-1] + len(window)
    ring = deque(range(100))
    for i in range(5000):
        ring.rotate(1)
        ring.appendleft(ring.pop())
    total = 0
    for _ in range(100):
        for item in ring:
            total += item
    return seen, sums, list(ring)[:3], total


run()
