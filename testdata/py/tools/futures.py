# prelude
from concurrent.futures import ThreadPoolExecutor, ProcessPoolExecutor, as_completed, wait, Future, FIRST_EXCEPTION
import concurrent.futures
def t(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
with ThreadPoolExecutor(max_workers=3) as pool:
    fs = [pool.submit(tool_add, i, y=10) for i in range(7)]
    print([f.result() for f in fs], fs[0].done(), fs[0].running(), fs[0].cancel(), fs[0].cancelled(), fs[0].exception())
    print(list(pool.map(tool_add, [1, 2, 3], [4, 5, 6])), list(pool.map(tool_echo, "abc", chunksize=1)))
    print(sorted(f.result() for f in as_completed([pool.submit(tool_add, i) for i in range(5)])))
    bad = pool.submit(tool_fail, "no")
    t(bad.result)
    print(repr(bad.exception()), pool.submit(tool_add, 1, 2).exception())
    done, rest = wait([pool.submit(tool_add, i) for i in range(4)])
    print(len(done), len(rest), sorted(f.result() for f in done))
    r = wait([])
    print(r.done, r.not_done)
    urls = {pool.submit(tool_echo, u): u for u in ("a", "b")}
    print(sorted((urls[f], f.result()) for f in as_completed(urls)))
t(pool.submit, tool_add, 1)
# ---
def square(x):
    return x * x
def broken(x):
    raise KeyError(x)
with ProcessPoolExecutor() as pool:
    print(list(pool.map(max, [1, 5], [4, 2])))
with ThreadPoolExecutor(2) as pool:
    f = pool.submit(square, 7)
    print(f.result(timeout=5), f.done(), list(pool.map(square, range(4))))
    g = pool.submit(broken, "k")
    t(g.result)
    def both(x):
        return tool_add(x, 1) * 2
    print(list(pool.map(both, range(3))))
    seen = []
    f.add_done_callback(lambda f: seen.append(f.result()))
    print(seen)
    h = pool.submit(tool_add, 1, 1)
    h.result()
    h.add_done_callback(lambda f: seen.append(f.result()))
    print(seen)
    it = pool.map(broken, [1])
    t(next, it)
t(ThreadPoolExecutor, 0)
f = Future()
print(f.done(), f.cancel(), f.cancelled(), f.cancel())
t(f.result)
t(f.result, 0)
f = Future()
f.set_result(3)
print(f.result(), f.done())
t(Future().result, 0)
t(Future().exception, timeout=0)
print(concurrent.futures.TimeoutError is TimeoutError, issubclass(concurrent.futures.CancelledError, Exception))
