"""The way to an engine: which one, how it is reached, and what can be asked of it.

``current`` is the door: ``current_engine()`` returns the engine of
``glovebox.init``, of ``GLOVEBOX_URL``, or a child process that ``child`` starts.
``engine`` has one method for each request of the HTTP API, over ``http``, which
keeps connections (``connection``) and tries again where that does no harm;
``documents`` checks answers, and ``events`` reads streams of them.
"""
