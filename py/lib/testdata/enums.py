from enum import Enum, IntEnum, StrEnum, Flag, IntFlag, auto, unique

class C(Enum):
    A=1
    B=2
class S(str,Enum):
    X='x'
class P(Flag):
    R=auto(); W=auto(); X=auto(); RW=R|W
class IP(IntFlag):
    R=4; W=2; X=1
def show(f):
    try: print(repr(f()))
    except BaseException as e: print(type(e).__name__, e)

show(lambda: 1 in C)
show(lambda: f"{S.X}"); show(lambda: str(S.X)); show(lambda: "%s"%S.X); show(lambda: format(S.X,'>5'))
show(lambda: P(8)); show(lambda: ~P.R); show(lambda: P(0)); show(lambda: str(P(0))); show(lambda: IP(9)); show(lambda: ~IP.R); show(lambda: list(P)); show(lambda: str(P.R|P.W)); show(lambda: P.R|P.X); show(lambda: str(IP.R|IP.X)); show(lambda: 1 in P.R); show(lambda: P['Q']); show(lambda: C.Z); show(lambda: C.A.Z)
show(lambda: dict(C.__members__)); show(lambda: P); show(lambda:C(7)); show(lambda:C('a')); show(lambda: setattr(C,'A',3)); show(lambda: setattr(C.A,'value',3)); show(lambda: delattr(C,'A')); show(lambda: C.A<C.B); show(lambda: C.A.B)
def f():
    class T(Enum):
        A=auto(),'x'
        B=auto(),'y'
    return list(T)
show(f)
def f():
    class T(C): D=3
show(f)
show(lambda: Enum('Z','a b c')); show(lambda: list(Enum('Z',{'a':5}))); show(lambda: len(C)); show(lambda: C.A.name); show(lambda: IP.R+1); show(lambda: P.RW.name); show(lambda: [x for x in P.RW]); show(lambda: repr(P.R ^ P.RW)); show(lambda: P.R | 2); show(lambda: IP.R|64); show(lambda: str(IP(0))); show(lambda: repr(IP(0)));show(lambda: format(C.A,'>10')); show(lambda: f"{IP.R}")
class M(float,Enum):
    A='1.5'
show(lambda: M.A); show(lambda: M.A.value); show(lambda: M(1.5))
class I(IntEnum):
    A=1
class T(Enum):
    X=(1,2)
    Y=(3,4)
    def __init__(self,a,b): self.a=a; self.b=b
    @property
    def s(self): return self.a+self.b
show(lambda: T.X.s); show(lambda: T((1,2))); show(lambda: T(1,2)); show(lambda: T.X)
class I(IntEnum):
    A = 1
    B = 5


class Tok(StrEnum):
    ADD = auto()
    SUB = '-'


class Unhash(Enum):
    X = [1]
    Y = {}


class Color(Enum):
    RED = 'r'
    GREEN = 'g'
    CRIMSON = 'r'
    _ignore_ = ['junk']
    junk = 5

    @classmethod
    def _missing_(cls, value):
        return cls.GREEN if value == 'GRN' else None

    @property
    def shout(self):
        return self.name + '!'

    @classmethod
    def default(cls):
        return cls.RED

    def __str__(self):
        return self.value


class Planet(Enum):
    EARTH = (5.9, 6.3)
    MARS = (0.6, 3.3)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    @property
    def ratio(self):
        return self.mass / self.radius


class Coord(bytes, Enum):
    def __new__(cls, value, label):
        obj = bytes.__new__(cls, [value])
        obj._value_ = value
        obj.label = label
        return obj
    PX = (0, 'P.X')
    PY = (1, 'P.Y')


class Named(Enum):
    def _generate_next_value_(name, start, count, last_values):
        return name.title()
    NORTH = auto()
    SOUTH = auto()


class Empty(Enum):
    def hello(self):
        return 'hi ' + self.name


class Full(Empty):
    A = 1


show(lambda: str(I.A)); show(lambda: repr(I.A)); show(lambda: I.A + 1); show(lambda: I(5)); show(lambda: I(9)); show(lambda: I.A < I.B); show(lambda: sorted([I.B, I.A])); show(lambda: [10, 20][I.A])
show(lambda: I.A == 1); show(lambda: {1: 'x'}[I.A]); show(lambda: f'{I.A:03d} {I.B}'); show(lambda: isinstance(I.A, int)); show(lambda: I.A.name); show(lambda: list(I)); show(lambda: max(I)); show(lambda: hash(I.A) == hash(1)); show(lambda: I.A is I(1)); show(lambda: I['A'])
show(lambda: Tok.ADD); show(lambda: str(Tok.ADD)); show(lambda: Tok.SUB + 'x'); show(lambda: Tok('-')); show(lambda: Tok('q')); show(lambda: f'{Tok.ADD:>5}'); show(lambda: Tok.ADD == 'add'); show(lambda: Tok.ADD.upper()); show(lambda: ','.join(Tok)); show(lambda: {'add': 1}[Tok.ADD])
show(lambda: Unhash([1])); show(lambda: Unhash({})); show(lambda: Unhash([2])); show(lambda: list(Unhash))
show(lambda: Color.CRIMSON); show(lambda: list(Color)); show(lambda: Color('GRN')); show(lambda: Color('zzz')); show(lambda: Color.RED.shout); show(lambda: Color.default()); show(lambda: str(Color.RED)); show(lambda: f'{Color.RED}'); show(lambda: list(Color.__members__)); show(lambda: Color.RED in Color); show(lambda: C.A in Color); show(lambda: Color.CRIMSON is Color.RED); show(lambda: len(Color)); show(lambda: hasattr(Color, 'junk'))
show(lambda: Planet.EARTH.ratio); show(lambda: Planet((0.6, 3.3))); show(lambda: Planet.MARS.value); show(lambda: [p.name for p in Planet]); show(lambda: Coord.PY.label); show(lambda: Coord.PX.value); show(lambda: list(Named)); show(lambda: Full.A.hello()); show(lambda: list(reversed(Color)))
show(lambda: ~P.RW); show(lambda: bool(P(0))); show(lambda: P.R in P.RW); show(lambda: P.X in P.RW); show(lambda: len(P.RW)); show(lambda: P(-1)); show(lambda: P('x')); show(lambda: IP(-2)); show(lambda: ~IP(9)); show(lambda: P.R | P.W is P.RW); show(lambda: P.R & P.W); show(lambda: [str(m) for m in P]); show(lambda: IP.R & 4); show(lambda: 4 | IP.W); show(lambda: IP.R ^ IP.W); show(lambda: IP.R == 4); show(lambda: P.RW == P.R | P.W); show(lambda: hash(P.R | P.W) == hash(P.RW)); show(lambda: {P.R: 1}[P(1)]); show(lambda: IP.R - 1); show(lambda: isinstance(IP.R | IP.W, IP)); show(lambda: IP(0)); show(lambda: list(IP(7))); show(lambda: P.RW.value)
show(lambda: C(None)); show(lambda: C()); show(lambda: I(3.5)); show(lambda: C.A != C.B); show(lambda: C.A == 1); show(lambda: isinstance(hash(C.A), int)); show(lambda: {C.A: 1}[C.A]); show(lambda: type(C.A).__name__); show(lambda: isinstance(C.A, C)); show(lambda: issubclass(C, Enum)); show(lambda: C.A.name.lower()); show(lambda: bool(C)); show(lambda: bool(C.A)); show(lambda: C['A']); show(lambda: repr(C)); show(lambda: str(C.A)); show(lambda: '%s %r' % (C.A, C.A)); show(lambda: [m.value for m in C])


def dup():
    @unique
    class U(Enum):
        A = 1
        B = 1
        D = 1
    return U


def fine():
    @unique
    class U(Enum):
        A = 1
        B = 2
    return list(U)


def mixed():
    class U(Flag):
        A = auto()
        B = auto()
        D = auto()
        AB = A | B
        ALL = A | B | D
        NOT = ALL & ~A
    return list(U), U.ALL, U.NOT, U.AB | U.D is U.ALL, U.A | U.D


def offset():
    class U(Enum):
        A = 10
        B = auto()
        D = auto()
    return list(U)


show(dup); show(fine); show(mixed); show(offset)
show(lambda: list(Enum('Animal', 'ANT BEE'))); show(lambda: list(IntEnum('N', ['a', 'b'], start=5))); show(lambda: list(Enum('T', [('x', 1), ('y', 2)]))); show(lambda: list(Flag('F', 'a b c'))); show(lambda: Enum('M', {'a': 'x'}, type=str).a == 'x'); show(lambda: list(StrEnum('SE', 'Ab Cd')))
match C(1):
    case C.A:
        print('is A')
import copy
print(copy.copy(C.A) is C.A, copy.deepcopy([C.A])[0] is C.A)


class Data(str, Enum):
    A = 'a'
    B = 'b'


print(Data.A == 'a', Data('b'), Data.A.value, Data.A.upper(), Data.A + 'x', {'a': 1}[Data.A], sorted([Data.B, Data.A]), 'a' in [Data.A])
