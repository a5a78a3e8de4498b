def attempt(label, f):
    try:
        print(label, f())
    except RuntimeError as e:
        print(label, "RuntimeError:", e)


def replace_other():
    d = {i: i for i in range(10)}
    seen = []
    for k in d:
        seen.append(k)
        if k == 2:
            for gone in (4, 8, 5):
                del d[gone]
            for new in (20, 21, 22):
                d[new] = new
    return seen


def replace_many():
    d = {i: i for i in range(100)}
    seen = []
    for k, v in d.items():
        seen.append(k)
        if k == 40:
            for i in range(0, 40):
                del d[i]
            for i in range(200, 240):
                d[i] = i
    return seen


def literal():
    d = {0: 0, 1: 1, 2: 2}
    seen = []
    try:
        for k in d:
            seen.append(k)
            if k == 0:
                d.pop(0)
                d[9] = 9
    except RuntimeError as e:
        seen.append(str(e))
    return seen


def backwards():
    d = {i: i for i in range(8)}
    seen = []
    for k in reversed(d):
        seen.append(k)
        if k == 4:
            del d[1]
            del d[6]
            d[20] = 0
            d[21] = 0
    return seen


def rename_one():
    d = {"a": 1}
    for k in d:
        d[k.upper()] = d.pop(k)
    return d


def temporary():
    d = {i: i for i in range(20)}
    seen = []
    for k in d:
        d["tmp"] = 1
        del d["tmp"]
        seen.append(k)
    return seen


def pop_items():
    d = {i: i for i in range(6)}
    seen = []
    for k in d:
        seen.append(k)
        if k < 3:
            d.popitem()
            d[k + 100] = 1
    return seen


def last_to_new():
    d = {"a": 1, "b": 2, "z": 3}
    for k in d:
        if k == "z":
            d["zz"] = d.pop("z")
    return d


def twice():
    d = {i: i for i in range(6)}
    a, b = iter(d), iter(d)
    next(a), next(a), next(b)
    del d[0], d[3]
    d[7] = d[8] = 0
    return list(a), list(b)


for f in (replace_other, replace_many, literal, backwards, rename_one, temporary, pop_items, last_to_new, twice):
    attempt(f.__name__, f)
