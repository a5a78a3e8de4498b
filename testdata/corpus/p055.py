"""Batch processing with progress, chunks and a final audit."""
import asyncio
from itertools import islice


def chunked(iterable, size):
    iterator = iter(iterable)
    while chunk := list(islice(iterator, size)):
        yield chunk


async def process(key: str) -> tuple[str, str | None, int]:
    """Return (key, value or None, attempts)."""
    for attempt in (1, 2, 3):
        try:
            return key, await asyncio.wait_for(flaky_lookup(key), timeout=1), attempt
        except ConnectionError:
            await asyncio.sleep(0.001 * attempt)
    return key, None, 3


keys = [f"item-{n:02d}" for n in range(10)] + ["item-03"]
audit = []
values: dict[str, str] = {}

for number, chunk in enumerate(chunked(keys, 4), start=1):
    outcomes = await asyncio.gather(*[process(key) for key in chunk])
    for key, value, attempts in outcomes:
        if value is not None:
            values[key] = value
        audit.append((number, key, attempts))
    done = len(audit) / len(keys)
    print(f"chunk {number}: [{'#' * int(done * 20):<20}] {done:4.0%}")

first_try = [key for _, key, attempts in audit if attempts == 1]
total_attempts = sum(attempts for *_, attempts in audit)
{"values": len(values), "first_try": first_try, "total_attempts": total_attempts, "sample": values["item-07"]}
