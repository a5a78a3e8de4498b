def make_counter(step):
    count = 0

    def bump(n):
        nonlocal count
        count += step * n
        return count

    return bump


def compose(f, g):
    return lambda x: g(f(x))


def run():
    counter = make_counter(3)
    h = compose(lambda x: x + 1, lambda x: x * 2)
    total = 0
    for i in range(60000):
        counter(1)
        total += h(i)
    return counter(0), total


run()
