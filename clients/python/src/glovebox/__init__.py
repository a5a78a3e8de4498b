"""Glovebox runs code that nobody has reviewed, safely and fast.

Code sandboxes, ``glovebox.sandbox.create``, run any Python or command in a
disposable cell. Orchestrators, ``@env.sandbox.orchestrator``, run restricted
Python that can only call the tasks it was given. Tasks, ``@env.task``, are
functions of your own.

>>> import glovebox
>>> double = glovebox.sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int})
>>> double.run(x=21)
42
"""
