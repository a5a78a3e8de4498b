"""Cache concurrent lookups so that each key is only requested once."""
import asyncio


class AsyncCache:
    """Shares in-flight requests between callers and remembers the answers."""

    def __init__(self, loader, max_attempts: int = 2):
        self._loader = loader
        self._max_attempts = max_attempts
        self._tasks: dict[str, asyncio.Task] = {}
        self.stats = {"hits": 0, "misses": 0, "retries": 0}

    async def _load(self, key: str) -> str:
        for attempt in range(self._max_attempts):
            try:
                return await self._loader(key)
            except ConnectionError:
                if attempt == self._max_attempts - 1:
                    raise
                self.stats["retries"] += 1
                await asyncio.sleep(0.001)
        raise AssertionError("unreachable")

    async def get(self, key: str) -> str:
        if key in self._tasks:
            self.stats["hits"] += 1
        else:
            self.stats["misses"] += 1
            self._tasks[key] = asyncio.create_task(self._load(key))
        return await self._tasks[key]


cache = AsyncCache(flaky_lookup)
words = "to be or not to be that is the question to be".split()
upper = await asyncio.gather(*(cache.get(w) for w in words))
print(" ".join(upper))

again = await cache.get("question")
print(again, cache.stats)

impatient = AsyncCache(flaky_lookup, max_attempts=1)
outcomes = await asyncio.gather(impatient.get("new"), impatient.get("be"), return_exceptions=True)

{"stats": cache.stats, "outcomes": [o if isinstance(o, str) else type(o).__name__ for o in outcomes]}
