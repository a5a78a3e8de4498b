# prelude
import heapq
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
for n in (0, -1, 2, 9, 0.0, 2.5, 9.5, -0.5, "a", None, True):
    for items in ([], [3, 1, 2]):
        t(lambda: heapq.nsmallest(n, items))
        t(lambda: heapq.nlargest(n, iter(items)))
