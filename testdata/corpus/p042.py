"""Retry flaky lookups with exponential backoff."""
import asyncio
from typing import Awaitable, Callable, TypeVar

T = TypeVar("T")


async def with_retry(
    func: Callable[[], Awaitable[T]],
    *,
    attempts: int = 3,
    base_delay: float = 0.001,
    retry_on: tuple[type[Exception], ...] = (ConnectionError,),
) -> T:
    """Call func until it succeeds or the attempts are used up."""
    last_error: Exception | None = None
    for attempt in range(1, attempts + 1):
        try:
            return await func()
        except retry_on as exc:
            last_error = exc
            print(f"attempt {attempt} failed: {exc}")
            if attempt < attempts:
                await asyncio.sleep(min(base_delay * 2 ** (attempt - 1), 0.01))
    raise RuntimeError(f"gave up after {attempts} attempts") from last_error


results = {}
for key in ["alpha", "beta", "gamma"]:
    results[key] = await with_retry(lambda: flaky_lookup(key))

try:
    await with_retry(lambda: flaky_lookup("delta"), attempts=1)
except RuntimeError as exc:
    results["delta"] = f"{exc} (cause: {exc.__cause__!r})"

# an error that is not retried passes through unchanged
try:
    await with_retry(lambda: fetch_order(999))
except KeyError as exc:
    results["missing_order"] = exc.args[0]

results
