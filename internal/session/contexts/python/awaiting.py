"""Runs code that awaits. There is one loop for all executions, because what one
of them has opened belongs to it."""

import asyncio

loop = None


def run(coroutine):
    global loop
    if loop is None or loop.is_closed():
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
    task = loop.create_task(coroutine)
    try:
        return loop.run_until_complete(task)
    finally:
        if not task.done():
            cancel(task)


def cancel(task):
    """Lets a task that was interrupted clean up."""
    task.cancel()
    try:
        loop.run_until_complete(task)
    except BaseException:
        pass
