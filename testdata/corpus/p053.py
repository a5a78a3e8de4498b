"""Page through orders with an async generator and stop early."""
import asyncio
from typing import AsyncIterator


async def iter_orders(page_size: int = 4) -> AsyncIterator[dict]:
    """Yield all orders, one page at a time, until a page comes back short."""
    start = 1
    while True:
        page = await asyncio.gather(
            *(fetch_order(i) for i in range(start, start + page_size)),
            return_exceptions=True,
        )
        orders = [o for o in page if not isinstance(o, Exception)]
        print(f"page from {start}: {len(orders)} orders")
        for order in orders:
            yield order
        if len(orders) < page_size:
            return
        start += page_size


async def take_while_total(limit: float) -> list[int]:
    taken, running = [], 0.0
    async for order in iter_orders(page_size=3):
        running += order["total"]
        if running > limit:
            break
        taken.append(order["id"])
    return taken


usd_orders = [order["id"] async for order in iter_orders(5) if order["currency"] == "USD"]
within_budget = await take_while_total(250)
quantities = {o["id"]: sum(i["qty"] for i in o["items"]) async for o in iter_orders()}

best = max(quantities, key=lambda k: (quantities[k], k))
{"usd": usd_orders, "within_budget": within_budget, "best": best, "count": len(quantities)}
