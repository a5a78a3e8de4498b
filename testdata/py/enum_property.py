import enum
class Planet(enum.Enum):
    EARTH = (1, 2)
    MARS = (3, 4)
    def __init__(self, m, r): self.m = m; self.r = r
    @enum.property
    def ratio(self): return self.m / self.r
    @property
    def plain(self): return self.m
print(Planet.EARTH.ratio, Planet.MARS.plain)
try: Planet.ratio
except AttributeError as e: print(e)
try: Planet.EARTH.ratio = 3
except AttributeError as e: print(e)
class E(enum.Enum):
    A = 1
    B = 2
    @property
    def label(self): return self.name.lower()
    @classmethod
    def default(cls): return cls.A
    def __str__(self): return self.label
print(E.A.label, E.default(), f"{E.B}", E.A.name, E.A.value, E["A"], E(2), list(E), E.__members__, E.A.__class__, E.A.__doc__)
print(E.__name__, E.__mro__[1].__name__, E.A.__class__.__name__, E.__dict__["A"] if "A" in E.__dict__ else "x")
