"""Linear regression and polynomial fit with hand-written matrix routines."""
from fractions import Fraction

Matrix = list[list[Fraction]]


def transpose(m: Matrix) -> Matrix:
    return [list(row) for row in zip(*m)]


def matmul(a: Matrix, b: Matrix) -> Matrix:
    columns = transpose(b)
    return [[sum(x * y for x, y in zip(row, col)) for col in columns] for row in a]


def solve(a: Matrix, b: Matrix) -> list[Fraction]:
    """Gauss-Jordan elimination with exact fractions."""
    n = len(a)
    aug = [row[:] + rhs[:] for row, rhs in zip(a, b)]
    for col in range(n):
        pivot = next((r for r in range(col, n) if aug[r][col] != 0), None)
        if pivot is None:
            raise ArithmeticError("matrix is singular")
        aug[col], aug[pivot] = aug[pivot], aug[col]
        aug[col] = [x / aug[col][col] for x in aug[col]]
        for r in range(n):
            if r != col and aug[r][col]:
                factor = aug[r][col]
                aug[r] = [x - factor * y for x, y in zip(aug[r], aug[col])]
    return [row[-1] for row in aug]


def polyfit(xs, ys, degree: int) -> list[Fraction]:
    design = [[Fraction(x) ** p for p in range(degree + 1)] for x in xs]
    target = [[Fraction(y)] for y in ys]
    dt = transpose(design)
    return solve(matmul(dt, design), matmul(dt, target))


xs = [0, 1, 2, 3, 4, 5]
ys = [1, 3, 9, 19, 33, 51]  # 1 + 2x^2
noisy = [2, 5, 7, 11, 12, 16]

quadratic = polyfit(xs, ys, 2)
line = polyfit(xs, noisy, 1)
predictions = [float(line[0] + line[1] * x) for x in xs]
residuals = [y - p for y, p in zip(noisy, predictions)]
mean = sum(noisy) / len(noisy)
r_squared = 1 - sum(r * r for r in residuals) / sum((y - mean) ** 2 for y in noisy)

print("quadratic:", " + ".join(f"{c}x^{p}" for p, c in enumerate(quadratic) if c))
print(f"line: {float(line[0]):.3f} + {float(line[1]):.3f}x, R^2 = {r_squared:.4f}")

try:
    polyfit([1, 1], [2, 3], 1)
except ArithmeticError as exc:
    print("error:", exc)

line
