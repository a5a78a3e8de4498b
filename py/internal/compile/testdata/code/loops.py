def count(items, limit):
    total = 0
    for i, item in enumerate(items):
        if item is None or i % 2 == 0 and not item > 3:
            continue
        total += item * 2
    while total > limit:
        total -= 1
    for k in range(3):
        if k == total:
            break
    else:
        total = -1
    return total
