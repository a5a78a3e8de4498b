out.append(x)
out.append(f(x))
", ".join(str(i) for i in out)
f(1, *a, k=2, **b)
a.b[1:2] += g(x=1)
x, y = y, x + y
print(f"{x}: {y!r:>{w}} and {z}")
1 < x <= 3 and not y or [1, *z]
