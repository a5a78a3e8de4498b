# Numbers at the edge of 64 bits, and texts of numbers that are long.
print(float('1' + '0' * 10000 + 'e-10000'), float('0.' + '0' * 10000 + '12e10001'), float('-' + '0' * 2000 + '.5e0'))
print(float('1' * 2000), float('1' * 2000 + 'e-1999'), float('0' * 2000), float('-0.' + '0' * 3000 + 'e9999999999999999999999'))
print(float('9' * 400 + '.' + '9' * 900 + 'e-399'), float('1_0' * 1000 + 'e-2999'), float('1e' + '9' * 1100), float('1e-' + '9' * 1100))
# ---
wide = range(-2**63, 2**63 - 1, 3)
print([n in wide for n in (100, 101, 102, -2**63, 2**63 - 4, 2**63 - 2, 2**63 - 1, 2**63)])
print(wide.index(-2**63 + 3), wide.count(100), wide.index(100))
down = range(2**63 - 1, -2**63, -5)
print([n in down for n in (100, 2**63 - 1, 2**63 - 6, 2, -3, -2**63)])
print(5 in range(0), 5 in range(5, 0), 5 in range(9, 0, -2), 4 in range(9, 0, -2))
# ---
def down(n):
    return 0 if n == 0 else 1 + down(n - 1)
print(down(900))
try:
    down(5000)
except RecursionError as e:
    print(type(e).__name__, str(e).split(' in ')[0])
print(down(900))
# ---
from functools import lru_cache
@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(300), fib(400))
# ---
class Node:
    def __init__(self, next): self.next = next
    def __len__(self): return 1 + (len(self.next) if self.next is not None else 0)
n = None
for i in range(400):
    n = Node(n)
print(len(n))
def endless():
    try:
        endless()
    finally:
        ends.append(1)
ends = []
try:
    endless()
except RecursionError:
    print(len(ends) > 900)
# ---
import copy
x = []
for i in range(300):
    x = [x]
y = copy.deepcopy(x)
print(y == x)
