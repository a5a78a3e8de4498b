class Shape:
    def __init__(self, name):
        self.name = name

    def area(self):
        return 0

    def describe(self):
        return self.name + ":" + str(self.area())


class Rect(Shape):
    def __init__(self, w, h):
        super().__init__("rect")
        self.w = w
        self.h = h

    def area(self):
        return self.w * self.h


class Square(Rect):
    def __init__(self, w):
        super().__init__(w, w)
        self.name = "square"


def run():
    size = 0
    for i in range(8000):
        shape = Square(i % 9) if i % 2 else Rect(i % 7, 3)
        size += len(shape.describe()) + shape.area()
    return size


run()
