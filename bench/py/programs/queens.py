def place(n, row, columns, diag1, diag2):
    if row == n:
        return 1
    found = 0
    for c in range(n):
        if columns[c] or diag1[row + c] or diag2[row - c + n]:
            continue
        columns[c] = diag1[row + c] = diag2[row - c + n] = True
        found += place(n, row + 1, columns, diag1, diag2)
        columns[c] = diag1[row + c] = diag2[row - c + n] = False
    return found


def run():
    n = 8
    return place(n, 0, [False] * n, [False] * (2 * n), [False] * (2 * n))


run()
