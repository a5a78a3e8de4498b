import asyncio

async def work(n):
    return n * 2

async def main():
    a = await work(1)
    b, c = await asyncio.gather(work(2), work(3))
    return a, b, c

asyncio.run(main())
# ---
import asyncio

log = []

async def step(name, n):
    for i in range(n):
        log.append((name, i))
        await asyncio.sleep(0)
    return name

async def main():
    return await asyncio.gather(step("a", 2), step("b", 3), step("c", 1))

print(asyncio.run(main()))
log
# ---
import asyncio

async def fails(n):
    if n % 2:
        raise ValueError(f"odd {n}")
    return n

async def main():
    results = await asyncio.gather(*(fails(i) for i in range(4)), return_exceptions=True)
    print([repr(r) for r in results])
    try:
        await asyncio.gather(fails(0), fails(1))
    except ValueError as e:
        print("caught", e)
    return sum(r for r in results if isinstance(r, int))

asyncio.run(main())
# ---
async def one():
    return 1

x = await one()
print(x, await one() + await one())
[await one() for _ in range(3)]
# ---
async def f():
    raise KeyError("k")

try:
    await f()
except KeyError as e:
    print("caught", e)
await f()
# ---
class Ctx:
    async def __aenter__(self):
        print("enter")
        return self

    async def __aexit__(self, kind, value, tb):
        print("exit", kind.__name__ if kind else None)
        return True

class Count:
    def __init__(self, n):
        self.n = n

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.n == 0:
            raise StopAsyncIteration
        self.n -= 1
        return self.n

async def agen(n):
    for i in range(n):
        yield i * i

async def main():
    async with Ctx() as c:
        async for x in Count(3):
            print(x)
        else:
            print("else")
    async with Ctx():
        raise ValueError("swallowed")
    print([x async for x in agen(4)], {x: 1 async for x in Count(2)}, [y async for y in agen(5) if y % 2])
    return sum([x async for x in agen(3)])

await main()
# ---
import asyncio

async def worker(name, queue, results):
    while queue:
        item = queue.pop(0)
        await asyncio.sleep(0)
        results.append((name, item))

async def main():
    queue, results = list(range(6)), []
    tasks = [asyncio.create_task(worker(f"w{i}", queue, results)) for i in range(2)]
    for t in tasks:
        await t
    return results

asyncio.run(main())
# ---
async def f():
    return 1

async def main():
    try:
        return f() + 1
    except TypeError as e:
        return str(e)

await main()
# ---
async def f(x):
    return x

async def main():
    for bad in [5, None, "a", [1]]:
        try:
            await bad
        except TypeError as e:
            print(e)

await main()
# ---
class Later:
    def __init__(self, v):
        self.v = v

    def __await__(self):
        return self.v
        yield

async def main():
    return await Later(42)

await main()
# ---
import asyncio

async def fetch(page):
    await asyncio.sleep(0)
    return {"page": page, "items": [page * 10 + i for i in range(3)], "next": page + 1 if page < 3 else None}

async def crawl():
    page, items = 1, []
    while page:
        data = await fetch(page)
        items.extend(data["items"])
        page = data["next"]
    return items

async def main():
    a, b = await asyncio.gather(crawl(), crawl())
    return a == b, a

await main()
# ---
import asyncio

async def slow():
    await asyncio.sleep(0)
    return "slow"

async def main():
    return await asyncio.wait_for(slow(), timeout=5)

print(await main())
t = (await asyncio.gather())
t
# ---
async def outer():
    async def inner(n):
        return n if n == 0 else n + await inner(n - 1)
    return await inner(10)

print(await outer())
result = await gather(outer(), outer())
result
