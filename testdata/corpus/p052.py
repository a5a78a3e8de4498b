"""A retry decorator and a circuit breaker around an unreliable service."""
import asyncio
import functools


class CircuitOpen(Exception):
    """Too many failures in a row."""


def retry(times: int, delay: float = 0.001):
    def decorator(func):
        @functools.wraps(func)
        async def wrapper(*args, **kwargs):
            for attempt in range(times):
                try:
                    return await func(*args, **kwargs)
                except ConnectionError as exc:
                    if attempt + 1 == times:
                        raise
                    await asyncio.sleep(delay * (attempt + 1))
        return wrapper
    return decorator


class CircuitBreaker:
    def __init__(self, threshold: int) -> None:
        self.threshold = threshold
        self.failures = 0

    async def call(self, func, *args):
        if self.failures >= self.threshold:
            raise CircuitOpen(f"circuit open after {self.failures} failures")
        try:
            result = await func(*args)
        except Exception:
            self.failures += 1
            raise
        self.failures = 0
        return result


@retry(times=2)
async def reliable_lookup(key: str) -> str:
    """Look up with one retry."""
    return await flaky_lookup(key)


async def attempt(breaker: CircuitBreaker, func, key: str) -> str:
    try:
        return await breaker.call(func, key)
    except (ConnectionError, CircuitOpen) as exc:
        return f"{type(exc).__name__}: {exc}"


async def main():
    breaker = CircuitBreaker(threshold=2)
    log = []
    for key in ["a", "a", "b", "c", "d"]:
        log.append(await attempt(breaker, flaky_lookup, key))
    breaker.failures = 0
    log.append(await attempt(breaker, reliable_lookup, "e"))
    return log


log = asyncio.run(main())
print(reliable_lookup.__name__, "-", reliable_lookup.__doc__)
log
