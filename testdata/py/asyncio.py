# Sleeping orders tasks; timeouts.
import asyncio

log = []

async def w(name, d):
    log.append(("start", name))
    try:
        await asyncio.sleep(d)
    except asyncio.CancelledError:
        log.append(("cancelled", name))
        raise
    log.append(("end", name))
    return name

async def bad():
    await asyncio.sleep(.001)
    raise ValueError("bad")

async def main():
    r = await asyncio.gather(w("a", .03), w("b", .01), w("c", .02))
    print(r, log); log.clear()
    try:
        await asyncio.wait_for(w("slow", 1), timeout=.01)
    except asyncio.TimeoutError as e:
        print("timeout", repr(e), log)
    log.clear()
    print(await asyncio.wait_for(w("q", 0.001), 1))

asyncio.run(main())
# ---
# Tasks: cancel, wait, as_completed.
import asyncio

log = []

async def w(name, d):
    log.append(("start", name))
    try:
        await asyncio.sleep(d)
    except asyncio.CancelledError:
        log.append(("cancelled", name))
        raise
    log.append(("end", name))
    return name

async def bad():
    await asyncio.sleep(.001)
    raise ValueError("bad")

async def main():
    t = asyncio.create_task(w("x", 10), name="named")
    await asyncio.sleep(0)
    print(t.done(), t.get_name(), t.cancel(), t.cancelled(), type(t).__name__)
    try: await t
    except asyncio.CancelledError as e: print("c", repr(e), t.cancelled(), t.done())
    done, pending = await asyncio.wait([asyncio.create_task(w("1", .01)), asyncio.create_task(w("2", .05))], return_when=asyncio.FIRST_COMPLETED)
    print([d.result() for d in done], len(pending))
    for p in pending: p.cancel()
    print(await asyncio.gather(*pending, return_exceptions=True))
    for c in asyncio.as_completed([w("s", .03), w("t", .01)]):
        print(await c)

asyncio.run(main())
# ---
# Semaphores.
import asyncio

log = []

async def w(name, d):
    log.append(("start", name))
    try:
        await asyncio.sleep(d)
    except asyncio.CancelledError:
        log.append(("cancelled", name))
        raise
    log.append(("end", name))
    return name

async def bad():
    await asyncio.sleep(.001)
    raise ValueError("bad")

async def main():
    sem = asyncio.Semaphore(2)
    active = 0; peak = 0
    async def limited(i):
        nonlocal active, peak
        async with sem:
            active += 1; peak = max(peak, active)
            await asyncio.sleep(.001)
            active -= 1
            return i
    print(await asyncio.gather(*[limited(i) for i in range(7)]), peak)

asyncio.run(main())
# ---
# Queues.
import asyncio

log = []

async def w(name, d):
    log.append(("start", name))
    try:
        await asyncio.sleep(d)
    except asyncio.CancelledError:
        log.append(("cancelled", name))
        raise
    log.append(("end", name))
    return name

async def bad():
    await asyncio.sleep(.001)
    raise ValueError("bad")

async def main():
    q = asyncio.Queue(maxsize=2)
    async def prod():
        for i in range(5):
            await q.put(i); log.append(("put", i))
        await q.put(None)
    async def cons():
        out = []
        while (x := await q.get()) is not None:
            log.append(("got", x)); out.append(x); q.task_done()
        return out
    log.clear()
    print((await asyncio.gather(prod(), cons()))[1], log)

asyncio.run(main())
# ---
# Locks and events.
import asyncio

log = []

async def w(name, d):
    log.append(("start", name))
    try:
        await asyncio.sleep(d)
    except asyncio.CancelledError:
        log.append(("cancelled", name))
        raise
    log.append(("end", name))
    return name

async def bad():
    await asyncio.sleep(.001)
    raise ValueError("bad")

async def main():
    lock = asyncio.Lock()
    async def crit(i):
        async with lock:
            log.append(("in", i)); await asyncio.sleep(0); log.append(("out", i))
    log.clear()
    await asyncio.gather(*[crit(i) for i in range(3)])
    print(log, lock.locked())
    ev = asyncio.Event()
    async def waiter(i):
        await ev.wait(); return i
    ts = [asyncio.create_task(waiter(i)) for i in range(3)]
    await asyncio.sleep(0); ev.set()
    print(await asyncio.gather(*ts))

asyncio.run(main())
# ---
# Task groups and timeouts.
import asyncio

log = []

async def w(name, d):
    log.append(("start", name))
    try:
        await asyncio.sleep(d)
    except asyncio.CancelledError:
        log.append(("cancelled", name))
        raise
    log.append(("end", name))
    return name

async def bad():
    await asyncio.sleep(.001)
    raise ValueError("bad")

async def main():
    async with asyncio.TaskGroup() as tg:
        a = tg.create_task(w("g1", .01)); b = tg.create_task(w("g2", .02))
    print(a.result(), b.result())
    log.clear()
    try:
        async with asyncio.TaskGroup() as tg:
            tg.create_task(bad()); tg.create_task(w("victim", 5))
            await asyncio.sleep(3)
    except Exception as e:
        print(type(e).__name__, e, e.exceptions, log)
    try:
        async with asyncio.timeout(.01):
            await asyncio.sleep(1)
    except TimeoutError as e: print("TO", repr(e))
    async with asyncio.timeout(1): await asyncio.sleep(.001)
    try: await asyncio.gather(bad(), w("other", .002))
    except ValueError as e: print("gather", e)

asyncio.run(main())
# ---
# Asynchronous generators.
import asyncio

log = []

async def w(name, d):
    log.append(("start", name))
    try:
        await asyncio.sleep(d)
    except asyncio.CancelledError:
        log.append(("cancelled", name))
        raise
    log.append(("end", name))
    return name

async def bad():
    await asyncio.sleep(.001)
    raise ValueError("bad")

async def main():
    async def ag():
        try:
            for i in range(5):
                await asyncio.sleep(0)
                got = yield i
                if got: print("got", got)
        finally: print("ag closed")
    g = ag()
    print(await g.__anext__(), await g.asend("hello"), await g.asend(None))
    await g.aclose()
    print([x async for x in ag()])

asyncio.run(main())
# ---
# The loop, futures, callbacks.
import asyncio

log = []

async def w(name, d):
    log.append(("start", name))
    try:
        await asyncio.sleep(d)
    except asyncio.CancelledError:
        log.append(("cancelled", name))
        raise
    log.append(("end", name))
    return name

async def bad():
    await asyncio.sleep(.001)
    raise ValueError("bad")

async def main():
    loop = asyncio.get_running_loop()
    f = loop.create_future()
    loop.call_later(.01, f.set_result, 42)
    print(await f)
    f = loop.create_future(); f.add_done_callback(lambda f: print("cb", f.result()))
    f.set_result(1); await asyncio.sleep(0)
    try: f.set_result(2)
    except Exception as e: print(type(e).__name__, e)
    try: asyncio.create_task(w("z",10)).result()
    except Exception as e: print(type(e).__name__, e)
    print(await asyncio.to_thread(lambda a: a + 1, 2), asyncio.iscoroutinefunction(main), asyncio.iscoroutine(5), await asyncio.shield(w("sh", 0)))
    try: asyncio.run(main())
    except RuntimeError as e: print(e)
    s = set(); t1 = asyncio.create_task(w("k", 0)); s.add(t1); t1.add_done_callback(s.discard); await t1; await asyncio.sleep(0); print(len(s))

asyncio.run(main())
