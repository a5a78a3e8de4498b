def matmul(a, b):
    n, m, p = len(a), len(b), len(b[0])
    out = []
    for i in range(n):
        row = []
        for j in range(p):
            s = 0
            for k in range(m):
                s += a[i][k] * b[k][j]
            row.append(s)
        out.append(row)
    return out


def run():
    n = 60
    a = [[i + j for j in range(n)] for i in range(n)]
    b = [[i * j % 7 for j in range(n)] for i in range(n)]
    c = matmul(a, b)
    return sum([sum(r) for r in c])


run()
