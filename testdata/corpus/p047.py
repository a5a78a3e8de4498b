"""Producer/consumer pipeline with an asyncio queue."""
import asyncio
from collections import Counter

NUM_WORKERS = 3


async def producer(queue: asyncio.Queue, ids) -> None:
    for order_id in ids:
        await queue.put(order_id)
    for _ in range(NUM_WORKERS):
        await queue.put(None)


async def worker(queue: asyncio.Queue, results: dict, errors: list) -> int:
    handled = 0
    while (order_id := await queue.get()) is not None:
        try:
            order = await fetch_order(order_id)
            results[order_id] = {
                "customer": customer_name(order["customer"]),
                "units": sum(item["qty"] for item in order["items"]),
            }
        except KeyError as exc:
            errors.append(exc.args[0])
        finally:
            handled += 1
            queue.task_done()
    queue.task_done()
    return handled


async def main():
    queue: asyncio.Queue = asyncio.Queue(maxsize=4)
    results: dict[int, dict] = {}
    errors: list[int] = []
    workers = [asyncio.create_task(worker(queue, results, errors)) for _ in range(NUM_WORKERS)]
    await producer(queue, [*range(1, 9), 50, 60])
    await queue.join()
    handled = await asyncio.gather(*workers)
    return results, sorted(errors), sum(handled)


results, errors, handled = asyncio.run(main())
units = Counter()
for order_id in sorted(results):
    units[results[order_id]["customer"]] += results[order_id]["units"]

print(f"handled {handled} jobs, {len(errors)} errors: {errors}")
units.most_common()
