"""Limit concurrency with a semaphore and record the maximum number in flight."""
import asyncio


class Limiter:
    def __init__(self, limit: int):
        self._semaphore = asyncio.Semaphore(limit)
        self.active = 0
        self.peak = 0

    async def __aenter__(self):
        await self._semaphore.acquire()
        self.active += 1
        self.peak = max(self.peak, self.active)
        return self

    async def __aexit__(self, exc_type, exc, tb):
        self.active -= 1
        self._semaphore.release()
        return False


limiter = Limiter(3)


async def fetch_limited(order_id: int) -> dict | None:
    async with limiter:
        try:
            return await fetch_order(order_id)
        except KeyError:
            print(f"order {order_id} does not exist")
            return None


orders = await asyncio.gather(*map(fetch_limited, range(0, 13)))
valid = [o for o in orders if o is not None]

by_currency: dict[str, list[int]] = {}
for order in valid:
    by_currency.setdefault(order["currency"], []).append(order["id"])

print(f"peak concurrency: {limiter.peak}, still active: {limiter.active}")
assert limiter.peak <= 3

{"by_currency": by_currency, "total": round(sum(o["total"] for o in valid), 2)}
