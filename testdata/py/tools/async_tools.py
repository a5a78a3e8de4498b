import asyncio
async def main():
    calls = [tool_later(i) for i in range(4)]
    print(await asyncio.gather(*calls))
    print(await asyncio.gather(*map(tool_later, "ab")), await asyncio.gather(tool_later(1), tool_later([2])))
    print(asyncio.iscoroutinefunction(tool_later), asyncio.iscoroutinefunction(tool_add))
    c = tool_later(1)
    print(asyncio.iscoroutine(c), asyncio.iscoroutine(5))
    return await c
asyncio.run(main())
# ---
import asyncio
print(asyncio.run(tool_later(5)))
async def main():
    tasks = [asyncio.create_task(tool_later(i), name=f"t{i}") for i in range(3)]
    print([t.get_name() for t in tasks], [isinstance(t, asyncio.Task) for t in tasks], [t.done() for t in tasks])
    print([await t for t in tasks], [t.result() for t in tasks])
    t = asyncio.ensure_future(tool_later("e"))
    print(type(t).__name__, await t)
    async with asyncio.TaskGroup() as tg:
        made = [tg.create_task(tool_later(i * 10), name="g") for i in range(3)]
    print([t.result() for t in made], made[0].get_name())
    done, pending = await asyncio.wait([asyncio.create_task(tool_later(i)) for i in range(3)])
    print(sorted(t.result() for t in done), pending)
    print(sorted([await f for f in asyncio.as_completed([tool_later(i) for i in range(3)])]))
    print(await asyncio.shield(tool_later("s")), await asyncio.wait_for(tool_later("w"), timeout=1000), await asyncio.wait_for(tool_later("n"), None))
    async with asyncio.timeout(1000):
        print(await tool_later("in time"))
asyncio.run(main())
# ---
import asyncio
async def safe(call):
    try:
        return await call
    except ValueError as e:
        return f"caught {e}"
async def failing(x):
    await tool_later(x)
    raise ValueError(x)
async def main():
    print(await safe(tool_later(1)), await safe(failing(2)))
    print(await asyncio.gather(safe(tool_later(3)), safe(failing(4))))
    results = await asyncio.gather(tool_later(5), failing(6), return_exceptions=True)
    print(results[0], repr(results[1]))
    sem = asyncio.Semaphore(2)
    async def limited(call):
        async with sem:
            return await call
    print(await asyncio.gather(*[limited(tool_later(i)) for i in range(6)]))
asyncio.run(main())
# ---
import asyncio
async def main():
    t = asyncio.create_task(tool_later(1))
    print(t.cancel("enough"), t.cancelled())
    try:
        await t
    except asyncio.CancelledError as e:
        print("cancelled", e.args, t.cancelled())
    try:
        await asyncio.wait_for(tool_later(5), timeout=0)
    except TimeoutError as e:
        print("too late", repr(e))
    try:
        async with asyncio.TaskGroup() as tg:
            tg.create_task(tool_later(6))
            tg.create_task(asyncio.sleep(1000))
            raise ValueError("in the group")
    except Exception as group:
        print(type(group).__name__, group)
    print(await tool_later(7))
asyncio.run(main())
# ---
import asyncio
async def main():
    return [await asyncio.to_thread(tool_add, 1, y=2), await asyncio.gather(*[asyncio.to_thread(tool_echo, i) for i in range(3)])]
asyncio.run(main())
# ---
for call in (lambda: tool_add(), lambda: tool_add(y=1), lambda: tool_fail(), lambda: tool_add(1, 2, 3), lambda: tool_add(1, z=2)):
    try:
        call()
    except TypeError as e:
        print(e)
