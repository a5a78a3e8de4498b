def run():
    size = 0
    for i in range(20000):
        name = f"item-{i:05d}"
        line = f"{name:<12}|{i * 1.5:>10.2f}|{i % 7!r:^5}|{i:,}"
        size += len(line)
    return size, line


run()
