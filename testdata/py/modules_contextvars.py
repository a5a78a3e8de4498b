# prelude
from contextvars import ContextVar, Context, Token, copy_context
import asyncio
def t(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__)
# ---
user = ContextVar("user", default="nobody")
bare = ContextVar("bare")
print(user.get(), user.name, bare.get("x"), user.get("given"))
t(bare.get)
token = user.set("ann")
print(user.get(), token.old_value is Token.MISSING, token.var is user)
second = user.set("bob")
print(second.old_value, user.get())
user.reset(second)
print(user.get())
user.reset(token)
print(user.get())
t(user.reset, token)
t(user.reset, 5)
t(bare.reset, user.set("z"))
t(ContextVar, 5)
async def work(name, delay):
    user.set(name)
    await asyncio.sleep(delay)
    return user.get()
async def helper():
    user.set("changed by helper")
async def main():
    user.set("main")
    print(await asyncio.gather(work("a", 0.02), work("b", 0.01), work("c", 0)), user.get())
    task = asyncio.create_task(work("d", 0))
    user.set("main later")
    print(await task, user.get())
    inherited = asyncio.create_task(asyncio.sleep(0, "r"))
    await inherited
    await helper()
    print(user.get())
    async def show():
        return user.get()
    first = asyncio.create_task(show())
    user.set("after")
    print(await first, await asyncio.create_task(show()))
asyncio.run(main())
# ---
v = ContextVar("v", default=0)
v.set(1)
context = copy_context()
def change():
    v.set(v.get() + 1)
    return v.get()
print(context.run(change), context.run(change), v.get(), context[v], v in context, len(context) >= 1, context.get(v), [x for k, x in context.items() if k is v])
print(Context().run(v.get), Context().get(v), copy_context().copy()[v])
t(lambda: Context()[v])
t(lambda: context.run(context.run, change))
