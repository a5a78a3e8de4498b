"""Auto-IO mode: inputs are variables of the code, and outputs are taken from its variables.

A script awaits inside a coroutine; a notebook can await directly.
"""

import asyncio


async def main() -> None:
    import glovebox
    import glovebox.sandbox

    sandbox = glovebox.sandbox.create(
        name="double",
        code="result = x * 2",
        inputs={"x": int},
        outputs={"result": int},
    )

    result = await sandbox.run.aio(x=21)  # returns 42

    print("awaited:", result)

    result = await sandbox.run.aio(x=21)

    print("from the cache:", result)

    result = sandbox.run(x=21)

    print("called:", result)

    import datetime

    _stats_code = """\
import numpy as np
nums = np.array([float(v) for v in values.split(",")])
mean = float(np.mean(nums))
std  = float(np.std(nums))

window_end = dt + delta
"""

    stats_sandbox = glovebox.sandbox.create(
        name="numpy-stats",
        code=_stats_code,
        inputs={
            "values": str,
            "dt": datetime.datetime,
            "delta": datetime.timedelta,
        },
        outputs={"mean": float, "std": float, "window_end": datetime.datetime},
        packages=["numpy"],
    )

    mean, std, window_end = await stats_sandbox.run.aio(
        values="1,2,3,4,5",
        dt=datetime.datetime(2024, 1, 1),
        delta=datetime.timedelta(days=1),
    )

    print("statistics:", mean, std, window_end.isoformat())


if __name__ == "__main__":
    asyncio.run(main())
