def run():
    inside = 0
    for row in range(60):
        for column in range(80):
            cr, ci = column / 40.0 - 1.5, row / 30.0 - 1.0
            x = y = 0.0
            n = 0
            while x * x + y * y <= 4.0 and n < 50:
                x, y = x * x - y * y + cr, 2.0 * x * y + ci
                n += 1
            if n == 50:
                inside += 1
    return inside


run()
