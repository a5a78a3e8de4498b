import asyncio
async def main():
    sem = asyncio.Semaphore(1)
    result = []
    async def c1():
        await sem.acquire()
        result.append(1)
    async def c2():
        await sem.acquire()
        result.append(2)
        sem.release()
        await sem.acquire()
        result.append(4)
    async def c3():
        await sem.acquire()
        result.append(3)
    tasks = [asyncio.create_task(f()) for f in (c1, c2, c3)]
    await asyncio.sleep(0)
    sem.release()
    sem.release()
    print(sem.locked())
    await asyncio.gather(*tasks)
    return result
asyncio.run(main())
# ---
import asyncio
async def main():
    sem = asyncio.Semaphore(0)
    out = []
    async def taker(n):
        try:
            await sem.acquire()
        except asyncio.CancelledError:
            out.append(f"cancelled {n}")
            raise
        out.append(n)
    ts = [asyncio.create_task(taker(i)) for i in range(5)]
    await asyncio.sleep(0)
    ts[0].cancel()
    sem.release()
    ts[1].cancel()
    await asyncio.sleep(0)
    sem.release()
    await asyncio.sleep(0)
    print(out, sem.locked())
    sem.release()
    ts[3].cancel()
    sem.release()
    await asyncio.gather(*ts, return_exceptions=True)
    print(out, sem.locked())
    b = asyncio.BoundedSemaphore(2)
    async with b:
        async with b:
            print(b.locked())
    try:
        b.release()
    except ValueError as e:
        print(e)
    try:
        asyncio.Semaphore(-1)
    except ValueError as e:
        print(e)
asyncio.run(main())
# ---
import asyncio
async def main():
    lock = asyncio.Lock()
    out = []
    async def holder(n):
        async with lock:
            out.append(("in", n, lock.locked()))
            await asyncio.sleep(0)
        out.append(("out", n, lock.locked()))
    ts = [asyncio.create_task(holder(i)) for i in range(4)]
    await asyncio.sleep(0)
    ts[2].cancel()
    await asyncio.gather(*ts, return_exceptions=True)
    print(out, lock.locked())
    await lock.acquire()
    waiter = asyncio.create_task(lock.acquire())
    last = asyncio.create_task(lock.acquire())
    await asyncio.sleep(0)
    lock.release()
    waiter.cancel()
    print(lock.locked(), await asyncio.gather(waiter, return_exceptions=True), lock.locked())
    print(await last, lock.locked())
    lock.release()
    try:
        lock.release()
    except RuntimeError as e:
        print(e)
asyncio.run(main())
# ---
import asyncio
async def main():
    cond = asyncio.Condition()
    out = []
    async def waits(n):
        try:
            async with cond:
                out.append(f"waits {n}")
                await cond.wait()
                out.append(f"woken {n} {cond.locked()}")
        except asyncio.CancelledError:
            out.append(f"cancelled {n} {cond.locked()}")
    ts = [asyncio.create_task(waits(i)) for i in range(4)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    ts[0].cancel()
    await asyncio.sleep(0)
    async with cond:
        cond.notify()
        ts[1].cancel()
        out.append("notified")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    async with cond:
        cond.notify(1)
    await asyncio.sleep(0)
    async with cond:
        cond.notify_all()
    await asyncio.gather(*ts)
    print(out)
    for act in (cond.notify, cond.notify_all):
        try:
            act()
        except RuntimeError as e:
            print(e)
    try:
        await cond.wait()
    except RuntimeError as e:
        print(e)
    n = 0
    async def counts():
        nonlocal n
        for _ in range(3):
            async with cond:
                n += 1
                cond.notify()
            await asyncio.sleep(0)
    async with cond:
        t = asyncio.create_task(counts())
        print(await cond.wait_for(lambda: n == 3 and "three"), n)
    await t
asyncio.run(main())
# ---
import asyncio
async def main():
    event = asyncio.Event()
    out = []
    async def waits(n):
        try:
            out.append((n, await event.wait()))
        except asyncio.CancelledError:
            out.append((n, "cancelled"))
    a, b = asyncio.create_task(waits("a")), asyncio.create_task(waits("b"))
    await asyncio.sleep(0)
    event.set()
    event.clear()
    a.cancel()
    c = asyncio.create_task(waits("c"))
    await asyncio.gather(a, b)
    print(out, c.done(), event.is_set())
    event.set()
    await c
    print(out)
asyncio.run(main())
# ---
import asyncio
async def main():
    barrier = asyncio.Barrier(3)
    out = []
    async def party(name):
        out.append(f"{name} comes {barrier.n_waiting}")
        async with barrier as position:
            out.append(f"{name} passes {position}")
        await asyncio.sleep(0)
        out.append(f"{name} again {await barrier.wait()}")
    await asyncio.gather(*map(party, "abc"))
    print(out)
    print(barrier.parties, barrier.n_waiting, barrier.broken)
    async def tries():
        try:
            return await barrier.wait()
        except asyncio.BrokenBarrierError as e:
            return repr(e)
    ts = [asyncio.create_task(tries()) for _ in range(2)]
    await asyncio.sleep(0)
    print(barrier.n_waiting)
    await barrier.reset()
    print(await asyncio.gather(*ts), barrier.broken, barrier.n_waiting)
    ts = [asyncio.create_task(tries()) for _ in range(2)]
    await asyncio.sleep(0)
    await barrier.abort()
    print(await asyncio.gather(*ts), barrier.broken, await tries())
    await barrier.reset()
    ts = [asyncio.create_task(tries()) for _ in range(2)]
    await asyncio.sleep(0)
    ts[0].cancel()
    await asyncio.sleep(0)
    print(barrier.n_waiting, barrier.broken)
    print(await asyncio.gather(*ts, tries(), tries(), return_exceptions=True))
    try:
        asyncio.Barrier(0)
    except ValueError as e:
        print(e)
asyncio.run(main())
# ---
import asyncio
async def main():
    barrier = asyncio.Barrier(2)
    out = []
    async def party(n):
        out.append((n, await barrier.wait()))
    await asyncio.gather(*[party(n) for n in range(8)])
    return out
asyncio.run(main())
# ---
import asyncio
async def child():
    try:
        await asyncio.sleep(1000)
    finally:
        print("child ends")
async def first():
    global left
    left = asyncio.create_task(child())
    await asyncio.sleep(0)
    return "first"
async def second():
    return left.done()
with asyncio.Runner() as runner:
    print(runner.run(first()))
    print(runner.run(second()))
    print(runner.get_loop().is_running())
print(left.cancelled())
try:
    runner.run(5)
except ValueError as e:
    print(e)
try:
    runner.get_loop()
except RuntimeError as e:
    print(e)
# ---
import asyncio
try:
    loop = asyncio.get_running_loop()
except RuntimeError as e:
    print(e)
async def main():
    return asyncio.get_running_loop().is_running()
print(asyncio.run(main()))
# ---
import asyncio, contextlib
class Thing:
    async def aclose(self):
        print("closed")
@contextlib.asynccontextmanager
async def span(name):
    print("enter", name)
    try:
        yield name
    finally:
        print("leave", name)
@span("decorated")
async def work(x):
    return x * 2
async def numbers():
    try:
        for i in range(5):
            yield i
    finally:
        print("numbers closed")
async def main():
    async with contextlib.aclosing(Thing()) as t:
        print(type(t).__name__)
    async with contextlib.aclosing(numbers()) as items:
        async for i in items:
            if i == 2:
                break
    print(await work(2), await work(3))
    async with span("plain") as s:
        print(s)
asyncio.run(main())
# ---
import asyncio
async def main():
    q = asyncio.Queue(maxsize=1)
    out = []
    async def consumer(n):
        try:
            while True:
                out.append((n, await q.get()))
                q.task_done()
        except asyncio.CancelledError:
            out.append((n, "stopped"))
            raise
    cs = [asyncio.create_task(consumer(n)) for n in "xy"]
    for i in range(5):
        await q.put(i)
    await q.join()
    for c in cs:
        c.cancel()
    await asyncio.gather(*cs, return_exceptions=True)
    print(out, q.empty())
    g = asyncio.create_task(q.get())
    h = asyncio.create_task(q.get())
    await asyncio.sleep(0)
    q.put_nowait("v")
    g.cancel()
    print(await asyncio.gather(g, return_exceptions=True), await h)
asyncio.run(main())
