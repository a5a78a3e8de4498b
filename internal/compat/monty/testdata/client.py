"""Drives the worker by the client of pydantic-monty: one session of each kind."""

import asyncio
import os

import pydantic_monty as monty


def plain():
    printed = monty.CollectString()
    with monty.Monty() as pool, pool.checkout() as s:
        assert s.feed_run('x = 40') is None
        assert s.feed_run('x + y', inputs={'y': 2}) == 42
        assert s.feed_run("[(1, 2.5), {'a': {1}, 3: None}, b'x', 10**30]") == [(1, 2.5), {'a': {1}, 3: None}, b'x', 10**30]
        s.feed_run("print('one')\nprint('two')", print_callback=printed)
        assert printed.output == 'one\ntwo\n', printed.output
        assert s.feed_run('add(2, b=x)', external_lookup={'add': lambda a, b: a + b}) == 42
        assert s.feed_run('limit + 1', external_lookup={'limit': 9}) == 10
        try:
            s.feed_run('def f():\n    return 1 / 0\nf()')
        except monty.MontyRuntimeError as e:
            assert isinstance(e.exception(), ZeroDivisionError)
            assert [f.line for f in e.traceback()] == [3, 2]
        else:
            raise AssertionError('no error')
        try:
            s.feed_run('1 +')
        except monty.MontySyntaxError:
            pass
        state = s.dump()
        with pool.checkout() as other:
            other.load_session(state)
            assert other.feed_run('x') == 40


def suspended():
    with monty.Monty() as pool:
        with pool.checkout() as s:
            snapshot = s.feed_start('n = 1\nask(n) + n')
            assert (snapshot.function_name, snapshot.args) == ('ask', (1,))
            assert snapshot.position.dict() == {'filename': '<python-input-0>', 'start': 6, 'end': 12}
            state = snapshot.dump()
        with pool.checkout() as s:
            assert s.load_snapshot(state).resume({'return_value': 41}).output == 42


async def concurrent():
    running = most = 0

    async def slow(n):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.02)
        running -= 1
        return n * 2

    async with monty.AsyncMonty() as pool, pool.checkout() as s:
        code = 'import asyncio\nawait asyncio.gather(slow(1), slow(2), slow(3))'
        assert await s.feed_run(code, external_lookup={'slow': slow}) == [2, 4, 6]
        assert most == 3, most


plain()
suspended()
asyncio.run(concurrent())
os._exit(0)  # the end of the interpreter aborts now and then, with its own worker too
