def f(path):
    with open(path) as a, lock:
        return a.read()
async def g(xs):
    async for x in xs:
        await tool(x)
    return await gather(*[tool(i) for i in xs])
