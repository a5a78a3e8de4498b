# The event loop. loop.ready holds the calls to make next, from loop.at on: each
# a function, a future and something more. _more gives the object where a future
# keeps who waits for it, and a task all that it needs. The clock of the loop
# stands still while anything can run. Where the host keeps time, the host moves
# it whenever the program waited; else it jumps to the next timer then.

# run is await outside of any function. All that is awaited there is one task, so
# that a block that began in one await can end another.
def run(main):
    loop = _loop()
    if _is_future(main):
        main = await_it(main)
    task = loop.main
    if task is None:
        task = loop.main = create_task(main)
    else:
        begin_again(loop, task, main)
    while not _is_done(task):
        step(loop)
    return _outcome(task)

def begin_again(loop, task, main):
    more = _more(task)
    more.coro = main if _is_coroutine(main) else await_it(main)
    more.awaits = None
    more.must_cancel = False
    _renew(task)
    loop.tasks[more.number] = task
    loop.ready.append((advance, task, None))

# run_main is asyncio.run: what still runs at the end is cancelled.
def run_main(main):
    loop = _loop()
    if loop.current is not None:
        raise RuntimeError("asyncio.run() cannot be called from a running event loop")
    if not _is_coroutine(main) and not _is_call(main):
        raise ValueError(f"a coroutine was expected, got {_safe_repr(main)}")
    task = create_task(main)
    try:
        while not _is_done(task):
            step(loop)
    finally:
        cancel_all()
    return _outcome(task)

# run_until is run_main without an end: what still runs goes on with the next.
def run_until(main):
    loop = _loop()
    task = create_task(main)
    while not _is_done(task):
        step(loop)
    return _outcome(task)

def cancel_all():
    loop = _loop()
    left = list(loop.tasks.values())
    for t in left:
        future_cancel(t)
    for t in left:
        while not _is_done(t):
            step(loop)

# create_task makes a task of what can be awaited. The call of a tool is taken as
# a coroutine would be; other futures are what they are.
def create_task(coro):
    if _is_future(coro) and not _is_call(coro):
        return coro
    if not _is_coroutine(coro):
        if not _is_call(coro) and not _has_await(coro):
            raise TypeError(f"a coroutine was expected, got {_safe_repr(coro)}")
        coro = await_it(coro)
    loop = _loop()
    task = _new_task()
    more = _more(task)
    more.coro = coro
    more.name = f"Task-{loop.serial}"
    more.number = loop.serial
    more.awaits = None
    more.must_cancel = False
    more.message = ()
    more.cancels = 0
    outer = loop if loop.current is None else _more(loop.current)
    more.vars = outer.vars  # of contextvars: a dict that is never changed, or None
    loop.tasks[loop.serial] = task
    loop.serial += 1
    loop.ready.append((advance, task, None))
    return task

async def await_it(v):
    return await v

# pass_turn is what asyncio.sleep(0) awaits.
def pass_turn():
    yield None

def step(loop):
    ready = loop.ready
    if loop.at < len(ready):
        fn, future, extra = ready[loop.at]
        ready[loop.at] = None
        loop.at += 1
        if loop.at == len(ready):
            ready.clear()
            loop.at = 0
        elif loop.at >= 1000 and 2 * loop.at >= len(ready):
            del ready[:loop.at]
            loop.at = 0
        fn(future, extra)
    elif _keeps_time():
        step_timers(loop, loop.timers)
    elif len(loop.timers) > 0 and not _pending():
        wake(loop)
    else:
        wait(loop, None)

def step_timers(loop, timers):
    while len(timers) > 0 and timers[0][2] is None:
        heap_pop(timers)
    if len(timers) == 0:
        wait(loop, None)
    elif timers[0][0] <= loop.now:
        wake(loop)
    else:
        wait(loop, timers[0][0])

# wait pauses until a call has ended or, if until is given, the clock is there.
def wait(loop, until):
    loop.until = until
    done = _wait()
    loop.until = None
    for future in done:
        release(loop, future)

# sleep_alone is time.sleep: nothing else of the program runs meanwhile.
def sleep_alone(seconds):
    loop = _loop()
    until = loop.now + seconds
    if not _keeps_time():
        loop.now = until
    while loop.now < until:
        wait(loop, until)

# wake lets the clock jump to the next timer that was not cancelled.
def wake(loop):
    timers = loop.timers
    woken = False
    while len(timers) > 0 and (not woken or timers[0][0] <= loop.now):
        when, serial, fn, future, extra = heap_pop(timers)
        if fn is not None:
            if when > loop.now:
                loop.now = when
            loop.ready.append((fn, future, extra))
            woken = True

def call_soon(fn, future, extra):
    _loop().ready.append((fn, future, extra))

def call_at(when, fn, future, extra):
    loop = _loop()
    timer = [when, loop.serial, fn, future, extra]
    loop.serial += 1
    heap_push(loop.timers, timer)
    return timer

def cancel_timer(timer):
    timer[2] = None

def heap_push(heap, item):
    heap.append(item)
    i = len(heap) - 1
    while i > 0:
        parent = (i - 1) // 2
        if not item < heap[parent]:
            break
        heap[i] = heap[parent]
        i = parent
    heap[i] = item

def heap_pop(heap):
    last = heap.pop()
    n = len(heap)
    if n == 0:
        return last
    first = heap[0]
    i = 0
    while 2 * i + 1 < n:
        child = 2 * i + 1
        if child + 1 < n and heap[child + 1] < heap[child]:
            child = child + 1
        if not heap[child] < last:
            break
        heap[i] = heap[child]
        i = child
    heap[i] = last
    return first

# advance runs a task up to where it waits again. failure is raised in it.
def advance(task, failure):
    if _is_done(task):
        return
    loop = _loop()
    more = _more(task)
    if more.must_cancel:
        more.must_cancel = False
        if not isinstance(failure, CancelledError):
            failure = CancelledError(*more.message)
    more.awaits = None
    outer = loop.current
    loop.current = task
    try:
        if failure is None:
            wanted = more.coro.send(None)
        else:
            wanted = more.coro.throw(failure)
    except StopIteration as e:
        loop.current = outer
        if more.must_cancel:
            settle(task, True, CancelledError(*more.message))
        else:
            settle(task, False, e.value)
    except (KeyboardInterrupt, SystemExit) as e:
        loop.current = outer
        settle(task, True, e)
        raise
    except BaseException as e:
        loop.current = outer
        settle(task, True, e)
    else:
        loop.current = outer
        if wanted is None:
            loop.ready.append((advance, task, None))
        elif wanted is task:
            loop.ready.append((advance, task, RuntimeError(f"Task cannot await on itself: {_safe_repr(task)}")))
        elif _is_future(wanted):
            more.awaits = wanted
            add_waiter(wanted, wakeup, task)
            if more.must_cancel and future_cancel(wanted):
                more.must_cancel = False
        else:
            loop.ready.append((advance, task, RuntimeError(f"Task got bad yield: {_safe_repr(wanted)}")))

# wakeup goes on with a task after the future that it awaits, if it still does.
def wakeup(future, task):
    if _more(task).awaits is future:
        advance(task, None)

def add_waiter(future, fn, extra):
    if _is_done(future):
        call_soon(fn, future, extra)
    else:
        _more(future).waiters.append((fn, extra))

def settle(future, failed, value):
    if failed:
        _reject(future, value)
    else:
        _resolve(future, value)
    loop = _loop()
    more = _more(future)
    if more.coro is not None:
        del loop.tasks[more.number]
    release(loop, future)

def release(loop, future):
    more = _more(future)
    waiters = more.waiters
    more.waiters = []
    for fn, extra in waiters:
        loop.ready.append((fn, future, extra))

def call_back(future, fn):
    try:
        fn(future)
    except Exception:
        pass
