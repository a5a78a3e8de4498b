"""Orchestrators: restricted Python that calls tasks and can do nothing else.

``orchestrator`` is the door: it has the task of a function and that of code in a
string. ``source`` takes the text of a function, ``discovery`` finds the tools
that it names, and ``callable_tool`` makes a tool of a plain function; ``text``,
``inputs`` and ``tools`` are what is given with code in a string. ``limits`` says
what the code may use, and ``inference`` finds the types of values without a
declared one. ``namespace`` is ``env.sandbox``.
"""
