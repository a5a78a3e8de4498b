"""contextlib: makers of context managers."""

from functools import wraps as _wraps


class ContextDecorator:
    """A context manager that also decorates functions."""

    def _recreate_cm(self):
        return self

    def __call__(self, func):
        @_wraps(func)
        def inner(*args, **keywords):
            with self._recreate_cm():
                return func(*args, **keywords)
        return inner


class AsyncContextDecorator:
    """ContextDecorator for asynchronous functions."""

    def _recreate_cm(self):
        return self

    def __call__(self, func):
        @_wraps(func)
        async def inner(*args, **keywords):
            async with self._recreate_cm():
                return await func(*args, **keywords)
        return inner


class AbstractContextManager:
    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        return None


class AbstractAsyncContextManager:
    async def __aenter__(self):
        return self

    async def __aexit__(self, exc_type, exc_value, traceback):
        return None


class _GeneratorContextManager(ContextDecorator):
    def __init__(self, func, args, keywords):
        self.gen = func(*args, **keywords)
        self._call = func, args, keywords

    def _recreate_cm(self):
        return type(self)(*self._call)

    def __enter__(self):
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, typ, value, traceback):
        if typ is None:
            try:
                next(self.gen)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        if value is None:
            value = typ()
        try:
            self.gen.throw(value)
        except StopIteration as exc:
            return exc is not value
        except RuntimeError as exc:
            if exc is value or isinstance(value, StopIteration) and exc.__cause__ is value:
                return False
            raise
        except BaseException as exc:
            if exc is value:
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")


class _AsyncGeneratorContextManager(AsyncContextDecorator):
    def __init__(self, func, args, keywords):
        self.gen = func(*args, **keywords)
        self._again = func, args, keywords

    def _recreate_cm(self):
        return type(self)(*self._again)

    async def __aenter__(self):
        try:
            return await self.gen.__anext__()
        except StopAsyncIteration:
            raise RuntimeError("generator didn't yield") from None

    async def __aexit__(self, typ, value, traceback):
        if typ is None:
            try:
                await self.gen.__anext__()
            except StopAsyncIteration:
                return False
            raise RuntimeError("generator didn't stop")
        if value is None:
            value = typ()
        try:
            await self.gen.athrow(value)
        except StopAsyncIteration as exc:
            return exc is not value
        except RuntimeError as exc:
            if exc is value or isinstance(value, (StopIteration, StopAsyncIteration)) and exc.__cause__ is value:
                return False
            raise
        except BaseException as exc:
            if exc is value:
                return False
            raise
        raise RuntimeError("generator didn't stop after athrow()")


def contextmanager(func):
    """Decorator that turns a generator function into a maker of context managers."""
    @_wraps(func)
    def maker(*args, **keywords):
        return _GeneratorContextManager(func, args, keywords)
    return maker


def asynccontextmanager(func):
    """contextmanager for asynchronous generator functions."""
    @_wraps(func)
    def maker(*args, **keywords):
        return _AsyncGeneratorContextManager(func, args, keywords)
    return maker


class closing(AbstractContextManager):
    """Calls close of a thing at the end."""

    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *exc_info):
        self.thing.close()


class aclosing(AbstractAsyncContextManager):
    """Awaits aclose of a thing at the end."""

    def __init__(self, thing):
        self.thing = thing

    async def __aenter__(self):
        return self.thing

    async def __aexit__(self, *exc_info):
        await self.thing.aclose()


class suppress(AbstractContextManager):
    """Ends the block silently at the given exceptions."""

    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        pass

    def __exit__(self, exctype, excinst, exctb):
        return exctype is not None and issubclass(exctype, self._exceptions)


class nullcontext(AbstractContextManager, AbstractAsyncContextManager):
    """Does nothing."""

    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    async def __aenter__(self):
        return self.enter_result


class _Redirect(AbstractContextManager):
    """Sends what is written to a stream of sys to another one."""

    def __init__(self, new_target):
        self._new_target = new_target
        self._before = []

    def __enter__(self):
        from sys import _redirect
        self._before.append(_redirect(self._stream, self._new_target))
        return self._new_target

    def __exit__(self, exc_type, exc_value, traceback):
        from sys import _redirect
        _redirect(self._stream, self._before.pop())


class redirect_stdout(_Redirect):
    _stream = 'stdout'


class redirect_stderr(_Redirect):
    _stream = 'stderr'


class _Exits:
    """What stacks of context managers have in common."""

    def __init__(self):
        self._exits = []

    def pop_all(self):
        stack = type(self)()
        stack._exits, self._exits = self._exits, []
        return stack

    def push(self, exit):
        method = getattr(type(exit), '__exit__', None)
        if method is None:
            self._exits.append(exit)
        else:
            self._exits.append(lambda *details: method(exit, *details))
        return exit

    def enter_context(self, cm):
        kind = type(cm)
        enter = getattr(kind, '__enter__', None)
        leave = getattr(kind, '__exit__', None)
        if enter is None or leave is None:
            raise TypeError(f"'{kind.__module__}.{kind.__qualname__}' object does not support the context manager protocol")
        result = enter(cm)
        self._exits.append(lambda *details: leave(cm, *details))
        return result

    def callback(self, callback, /, *args, **keywords):
        def exit(*details):
            callback(*args, **keywords)
        self._exits.append(exit)
        return callback


class ExitStack(_Exits, AbstractContextManager):
    """A changing number of context managers, left in reverse order."""

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, *details):
        given = pending = details[1]
        suppressed = False
        while self._exits:
            exit = self._exits.pop()
            try:
                if pending is None:
                    exit(None, None, None)
                elif exit(type(pending), pending, None):
                    pending = None
                    suppressed = True
            except BaseException as exc:
                pending = exc
        if pending is not None and pending is not given:
            raise pending
        return suppressed and given is not None and pending is None


class _Awaited:
    """A function of a stack whose result is to be awaited."""

    def __init__(self, exit):
        self.exit = exit


class AsyncExitStack(_Exits, AbstractAsyncContextManager):
    """ExitStack for asynchronous context managers too."""

    def push_async_exit(self, exit):
        method = getattr(type(exit), '__aexit__', None)
        self._exits.append(_Awaited(exit if method is None else lambda *details: method(exit, *details)))
        return exit

    async def enter_async_context(self, cm):
        kind = type(cm)
        enter = getattr(kind, '__aenter__', None)
        leave = getattr(kind, '__aexit__', None)
        if enter is None or leave is None:
            raise TypeError(f"'{kind.__module__}.{kind.__qualname__}' object does not support the asynchronous "
                            'context manager protocol')
        result = await enter(cm)
        self._exits.append(_Awaited(lambda *details: leave(cm, *details)))
        return result

    def push_async_callback(self, callback, /, *args, **keywords):
        async def exit(*details):
            await callback(*args, **keywords)
        self._exits.append(_Awaited(exit))
        return callback

    async def aclose(self):
        await self.__aexit__(None, None, None)

    async def __aexit__(self, *details):
        given = pending = details[1]
        suppressed = False
        while self._exits:
            exit = self._exits.pop()
            try:
                facts = (None, None, None) if pending is None else (type(pending), pending, None)
                handled = await exit.exit(*facts) if isinstance(exit, _Awaited) else exit(*facts)
                if pending is not None and handled:
                    pending = None
                    suppressed = True
            except BaseException as exc:
                pending = exc
        if pending is not None and pending is not given:
            raise pending
        return suppressed and given is not None and pending is None
