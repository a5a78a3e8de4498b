# Sorting and extremes by keys and comparisons of the program.

def sorted_list(items, key, reverse):
    if key is None:
        return _sort(items, None, reverse)
    keys = [key(x) for x in items]
    return _sort(items, keys, reverse)

def sort_in_place(target, key, reverse):
    items = _take(target)
    try:
        items = sorted_list(items, key, reverse)
    finally:
        changed = _give_back(target, items)
    if changed:
        raise ValueError("list modified during sort")

# merge_sort sorts by comparisons of the program: stable, n log n.
def merge_sort(items, keys, reverse):
    n = len(items)
    order = list(range(n))
    if reverse:
        order.reverse()
    width = 1
    while width < n:
        out = []
        lo = 0
        while lo < n:
            mid = min(lo + width, n)
            hi = min(lo + 2 * width, n)
            i = lo
            j = mid
            while i < mid and j < hi:
                if keys[order[j]] < keys[order[i]]:
                    out.append(order[j])
                    j = j + 1
                else:
                    out.append(order[i])
                    i = i + 1
            while i < mid:
                out.append(order[i])
                i = i + 1
            while j < hi:
                out.append(order[j])
                j = j + 1
            lo = hi
        order = out
        width = 2 * width
    if reverse:
        order.reverse()
    return [items[i] for i in order]

def extreme(items, key, largest, default, name):
    found = False
    best = None
    best_key = None
    for x in items:
        k = x if key is None else key(x)
        if not found:
            found = True
            best = x
            best_key = k
        elif largest:
            if k > best_key:
                best = x
                best_key = k
        elif k < best_key:
            best = x
            best_key = k
    if not found:
        if len(default) == 1:
            return default[0]
        raise ValueError(f"{name}() arg is an empty sequence")
    return best

def extreme_rest(best, x, it, largest):
    while True:
        if x > best if largest else x < best:
            best = x
        for x in it:
            break
        else:
            return best
