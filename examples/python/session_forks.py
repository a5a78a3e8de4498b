"""Five forks of one session race, each with another way; the first that is right wins, and the others are ended."""

import asyncio

import glovebox

CHECK = "python3 -c 'from solution import total; assert total(10**6) == 499999500000'"

ATTEMPTS = {
    "wrong": "def total(n): return n * n // 2",
    "broken": "def total(n): return sum(range(n)",
    "asleep": "import time; time.sleep(60)\ndef total(n): return n * (n - 1) // 2",
    "endless": "def total(n):\n    while True: pass",
    "right": "def total(n): return n * (n - 1) // 2",
}


async def attempt(fork: glovebox.Session, name: str, source: str) -> str | None:
    """Returns the name of an attempt that passes the check."""
    async with fork:
        await fork.files.write.aio("solution.py", source)
        checked = await fork.exec.aio(CHECK, timeout=30)
        return name if checked.exit_code == 0 else None


async def race(forks: list[glovebox.Session]) -> str | None:
    """Returns the name of the first that passes."""
    tries = [asyncio.create_task(attempt(fork, *each)) for fork, each in zip(forks, ATTEMPTS.items())]
    try:
        for done in asyncio.as_completed(tries):
            if winner := await done:
                return winner
        return None
    finally:
        for each in tries:  # which ends its command, and its fork
            each.cancel()
        await asyncio.gather(*tries, return_exceptions=True)


async def main() -> None:
    async with glovebox.Session() as s:
        # All that the attempts share is made once.
        await s.files.write.aio("notes.txt", "n is at most a million")
        forks = await s.fork.aio(len(ATTEMPTS), files_only=True)
        print("the notes are in each:", {(await fork.files.read_text.aio("notes.txt")) for fork in forks})
        print("winner:", await race(forks))
        print("the others:", {await fork.state.aio() for fork in forks})


if __name__ == "__main__":
    asyncio.run(main())
