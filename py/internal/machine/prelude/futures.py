# Futures, as the program sees them, and what waits for many of them.

def future_done(self):
    return _is_done(self)

def future_cancelled(self):
    return _is_done(self) and isinstance(_failure(self), CancelledError)

def future_result(self):
    if not _is_done(self):
        raise InvalidStateError("Result is not set." if _more(self).coro is not None else "Result is not ready.")
    return _outcome(self)

def future_exception(self):
    if not _is_done(self):
        raise InvalidStateError("Exception is not set.")
    e = _failure(self)
    if isinstance(e, CancelledError):
        raise e
    return e

# future_cancel asks a task to end. A call of a tool ends at once: nobody will see
# its answer, and the host is told.
def future_cancel(self, msg=None):
    if _is_done(self):
        return False
    message = () if msg is None else (msg,)
    if _is_call(self):
        _give_up(self)
        settle(self, True, CancelledError(*message))
        return True
    more = _more(self)
    if more.children is not None:
        some = False
        for c in more.children:
            if future_cancel(c, msg):
                some = True
        more.cancelled = some
        return some
    if more.coro is None:
        settle(self, True, CancelledError(*message))
        return True
    more.cancels += 1
    awaits = more.awaits
    if awaits is not None:
        if future_cancel(awaits, msg):
            return True
    more.must_cancel = True
    more.message = message
    return True

def future_uncancel(self):
    more = _more(self)
    if more.cancels > 0:
        more.cancels -= 1
    return more.cancels

def future_cancelling(self):
    return _more(self).cancels

def future_add_done_callback(self, fn, *, context=None):
    add_waiter(self, call_back, fn)

def future_remove_done_callback(self, fn):
    more = _more(self)
    before = len(more.waiters)
    more.waiters = [w for w in more.waiters if not (w[0] is call_back and w[1] == fn)]
    return before - len(more.waiters)

def future_set_result(self, result):
    check_settable(self)
    settle(self, False, result)

def future_set_exception(self, exception):
    check_settable(self)
    if isinstance(exception, type):
        exception = exception()
    settle(self, True, exception)

def check_settable(future):
    if _is_done(future) or _is_call(future):
        raise InvalidStateError("invalid state")
    if _more(future).coro is not None:
        raise RuntimeError("Task does not support set_result operation")

def future_get_name(self):
    more = _more(self)
    if more.coro is None:
        raise AttributeError("'Future' object has no attribute 'get_name'")
    return more.name

def future_set_name(self, name):
    _more(self).name = _str(name)

def future_get_coro(self):
    return _more(self).coro

def gather(*awaitables, return_exceptions=False):
    outer = _new_future()
    more = _more(outer)
    if len(awaitables) == 0:
        _resolve(outer, [])
        return outer
    children = []
    for a in awaitables:
        if _is_future(a):
            children.append(a)
        else:
            children.append(create_task(a) if _is_coroutine(a) or _has_await(a) else _done_with(a))
    more.children = children
    more.left = len(children)
    more.keep = return_exceptions
    more.cancelled = False
    for c in children:
        add_waiter(c, gathered, outer)
    return outer

# gathered notes that one of the futures of a gather is done.
def gathered(child, outer):
    if _is_done(outer):
        return
    more = _more(outer)
    if not more.keep:
        e = _failure(child)
        if e is not None:
            settle(outer, True, e)
            return
    more.left -= 1
    if more.left > 0:
        return
    if more.cancelled:
        settle(outer, True, CancelledError())
        return
    results = []
    for c in more.children:
        e = _failure(c)
        if isinstance(e, CancelledError) and len(e.args) == 0:
            e = CancelledError("")
        results.append(_outcome(c) if e is None else e)
    settle(outer, False, results)

def glovebox_map(tool, *iterables, concurrency=0, group_name=None, return_exceptions=True):
    if len(iterables) == 0:
        raise TypeError("glovebox_map() needs a tool and at least one iterable")
    call = _tool_named(tool)
    todo = list(zip(*iterables))
    if not isinstance(concurrency, int) or concurrency < 0:
        raise ValueError("glovebox_map: concurrency must be 0 (no bound) or a positive int")
    if concurrency == 0:
        concurrency = max(1, len(todo))
    futures = []
    running = []
    for args in todo:
        while len(running) >= concurrency:
            wait_calls()
            running = [f for f in running if not _is_done(f)]
        try:
            f = _start_tool(call, args)
        except Exception as e:
            if not return_exceptions:
                raise
            f = _failed_with(e)
        futures.append(f)
        if not _is_done(f):
            running.append(f)
        elif not return_exceptions:
            _outcome(f)
    results = []
    for f in futures:
        while not _is_done(f):
            wait_calls()
        try:
            results.append(_outcome(f))
        except Exception as e:
            if not return_exceptions:
                raise
            results.append(e)
    return results

def wait_calls():
    wait(_loop(), None)
