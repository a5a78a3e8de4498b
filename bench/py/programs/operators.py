class Vec:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y


def run():
    v = Vec(0, 0)
    step = Vec(1, 2)
    same = 0
    for i in range(20000):
        v = v + step * (i % 3)
        if v == step:
            same += 1
    return v.x, v.y, same


run()
