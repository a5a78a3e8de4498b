# An asynchronous generator is run by these: each is what one await of it does.
# It yields items in tuples of one; everything else it passes on from what it
# awaits itself.

def agen_step(agen, value, failed):
    if failed:
        v = _agen_throw(agen, value)
    else:
        v = _agen_send(agen, value)
    while True:
        if _is_tuple(v):
            return v[0]
        try:
            value = yield v
        except BaseException as e:
            value = e
            failed = True
        else:
            failed = False
        if failed:
            v = _agen_throw(agen, value)
        else:
            v = _agen_send(agen, value)

def agen_close(agen):
    if _is_idle(agen):
        _close(agen)
        return
    try:
        yield from agen_step(agen, GeneratorExit(), True)
    except (StopAsyncIteration, GeneratorExit):
        return
    raise RuntimeError("async generator ignored GeneratorExit")

def agen_next(self):
    return agen_step(self, None, False)

def agen_send(self, value):
    return agen_step(self, value, False)

def agen_throw(self, exc):
    if isinstance(exc, type):
        exc = exc()
    return agen_step(self, exc, True)
