def counter(start, step=1, *, scale=2):
    n = start
    def inc():
        nonlocal n
        n += step * scale
        return n
    return inc
class A(Base):
    """Doc."""
    x: int = 1
    def m(self):
        return super().m() + self.__y
