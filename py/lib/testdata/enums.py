from enum import *
import warnings; warnings.simplefilter("ignore")
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
