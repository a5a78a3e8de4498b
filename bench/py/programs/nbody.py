def run():
    bodies = [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.47],
        [4.84, -1.16, -0.10, 0.60, 2.81, -0.02, 0.037],
        [8.34, 4.12, -0.4, -1.01, 1.82, 0.008, 0.011],
        [12.89, -15.11, -0.22, 1.08, 0.86, -0.01, 0.0017],
    ]
    for _ in range(1500):
        for i in range(4):
            a = bodies[i]
            for j in range(i + 1, 4):
                b = bodies[j]
                dx, dy, dz = a[0] - b[0], a[1] - b[1], a[2] - b[2]
                d2 = dx * dx + dy * dy + dz * dz
                mag = 0.01 / (d2 * d2 ** 0.5)
                a[3] -= dx * b[6] * mag
                a[4] -= dy * b[6] * mag
                a[5] -= dz * b[6] * mag
                b[3] += dx * a[6] * mag
                b[4] += dy * a[6] * mag
                b[5] += dz * a[6] * mag
        for b in bodies:
            b[0] += 0.01 * b[3]
            b[1] += 0.01 * b[4]
            b[2] += 0.01 * b[5]
    return round(bodies[1][0], 6), round(bodies[2][1], 6)


run()
