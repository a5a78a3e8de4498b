"""Runs: started, listed, waited for, looked at.

``run`` is the door: Run is one execution of a task, and ``start_run`` makes one.
``start`` has ``glovebox.run`` and ``glovebox.start``, ``listing`` has
``glovebox.runs`` and ``glovebox.rerun``, and ``map`` and ``warm`` what they are
named after. A ``result`` has the ``outputs`` of a run and what it printed, of
which ``log_lines`` makes lines.
"""
