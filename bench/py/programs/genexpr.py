def run():
    total = 0
    for n in range(200):
        total += sum(x * n for x in range(500) if x % 3)
        if any(x > 480 for x in range(500)):
            total += max(x % 17 for x in range(300))
    return total


run()
