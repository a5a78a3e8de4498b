def tokens(source):
    out = []
    i, n = 0, len(source)
    while i < n:
        c = source[i]
        if c.isspace():
            i += 1
        elif c.isdigit():
            j = i
            while j < n and source[j].isdigit():
                j += 1
            out.append(("num", int(source[i:j])))
            i = j
        elif c.isalpha() or c == "_":
            j = i
            while j < n and (source[j].isalnum() or source[j] == "_"):
                j += 1
            out.append(("name", source[i:j]))
            i = j
        else:
            out.append(("op", c))
            i += 1
    return out


def run():
    source = "total = price * 12 + tax_rate * (quantity - 3) / 100 ; " * 250
    kinds = {}
    for kind, value in tokens(source):
        kinds[kind] = kinds.get(kind, 0) + 1
    return sorted(kinds.items())


run()
