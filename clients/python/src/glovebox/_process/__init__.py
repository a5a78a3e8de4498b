"""This process: its event loop, its forks, and the run that its code belongs to.

All input and output happens in one thread with an event loop, which
``io_thread`` has. ``loop`` is the way to it, and loads it with the first use;
its ``syncify`` makes one coroutine a function that can be called plainly and
awaited. ``context`` knows the run of the calling code, ``tracebacks`` takes the
lines of this library out of errors, ``at_exit`` waits for runs when Python
ends, ``log`` has the loggers, and ``fork`` renews what a child cannot share with
its parent.
"""
