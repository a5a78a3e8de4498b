def add(a, b=1, *, scale=1):
    return (a + b) * scale


def step(x):
    return add(x, 2) - 1


def run():
    x = 0
    for i in range(100000):
        x = step(x)
        x = add(x, b=-1, scale=1)
        x = step(x)
    return x


run()
