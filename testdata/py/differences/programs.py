# differs: characters are not named by \N
"\N{BULLET}"
# ---
# differs: names are not normalised
ª = 1
a
# ---
# differs: statements of Python 3.12
type X = int
X is int
# ---
# differs: f-strings of Python 3.12
f"{"a"}"
# ---
# differs: annotations of parameters are not evaluated
def f(x: undefined):
    return x
f(1)
# ---
# differs: comprehensions have no frame
class C:
    def f(self):
        return [super().__str__ is not None for _ in range(1)]
C().f()
# ---
# differs: the size of ints
2 ** (2 ** 23 + 10) > 0
# ---
# differs: no complex numbers
isinstance((-8) ** 0.5, float)
# ---
# differs: range takes 64 bits
len(range(10 ** 30, 10 ** 30 + 3))
# ---
# differs: the last digit of some functions
import math
math.cbrt(3.3)
# ---
# differs: the order of sets
list({5, 3, 9})
# ---
# differs: no addresses
class A:
    pass
"0x" in repr(A())
# ---
# differs: objects do not notice their end
class A:
    def __del__(self):
        print("deleted")
a = A()
a = None
# ---
# differs: a generator that is given up is not closed
def g():
    try:
        yield 1
    finally:
        print("closed")
for x in g():
    break
print("end")
# ---
# differs: only the codecs of Unicode, ASCII and Latin-1
"é".encode("cp1252")
# ---
# differs: errors of codecs have only their message
try:
    b"\xff".decode()
except UnicodeDecodeError as e:
    print(e.start)
# ---
# differs: the handler namereplace
"é".encode("ascii", "namereplace")
# ---
# differs: no backreferences
import re
re.match(r"(a)\1", "aa").group()
# ---
# differs: no atomic groups
import re
re.match(r"(?>a)b", "ab").group()
# ---
# differs: no possessive quantifiers
import re
re.match(r"a++b", "aab").group()
# ---
# differs: no conditional groups
import re
re.match(r"(a)?(?(1)b|c)", "ab").group()
# ---
# differs: the size of patterns
import re
re.match(r"(?:ab){40000}", "ab")
# ---
# differs: no clock unless the host grants one
import time
time.time() > 0
# ---
# differs: no clock unless the host grants one
import datetime
datetime.datetime.now().year > 0
# ---
# differs: no randomness unless the host grants it
import random
random.random() < 1
# ---
# differs: iterators of itertools
import itertools
c = itertools.count()
iter(c) is c
# ---
# differs: lru_cache gives a function
import functools
@functools.lru_cache
def f(x):
    return x
type(f).__name__
# ---
# differs: names of enum can be used twice
import enum
class C(enum.Enum):
    A = 1
    A = 2
# ---
# differs: private names of modules
import random
random._inst is not None
# ---
# differs: no import *
from math import *
# ---
# differs: the hash of nan
hash(float("nan")) == 0
# ---
# differs: the precision of decimal
import decimal
decimal.getcontext().prec = 10 ** 6 + 1
len(str(decimal.Decimal(1) / 3))
# ---
# differs: private names of modules
import functools
hasattr(functools, "_CacheInfo")
# ---
# differs: equal numbers are one object
x = float("nan")
float("nan") in [x]
# ---
# differs: equal numbers are one object
int("1000") is int("1000")
# ---
# differs: a method is looked up after its arguments are evaluated
try:
    (1).nope(1 / 0)
except Exception as e:
    print(e)
# ---
# differs: floats have no identity
nan = float("nan")
[nan] == [float("nan")]
# ---
# differs: entities of a document are not read
import xml.etree.ElementTree as ET
laughs = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><a>&b;</a>'
try:
    print(ET.fromstring(laughs).text)
except ET.ParseError as e:
    print(e)
