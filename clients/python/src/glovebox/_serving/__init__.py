"""Functions of this process, offered to an engine that calls them.

``offer`` is the door: it offers the function of a task. ``workers`` has as many
workers at an engine as its calls need. A ``worker`` speaks the protocol of
docs/WORKER.md over a ``stream`` of messages, and has an ``execution`` for each
call, in one of the ``threads``. ``output`` copies what a call prints to its run,
``failure`` describes what it raised, and ``async_slots`` bounds how many event
loops there are.
"""
