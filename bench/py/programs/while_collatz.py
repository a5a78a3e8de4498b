def run():
    longest, start = 0, 0
    for n in range(1, 3000):
        steps, x = 0, n
        while x != 1:
            if x % 2 == 0:
                x = x // 2
            else:
                x = 3 * x + 1
            steps += 1
        if steps > longest:
            longest, start = steps, n
    return longest, start


run()
