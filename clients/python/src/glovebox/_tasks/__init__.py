"""Tasks and what they are made of.

``task`` is the door: Task has a name, a signature and policies, and a call of it
is a run. ``environment`` makes function tasks (``function``) with common
settings: ``image``, ``resources``, ``network``, ``secret`` and ``variables``,
which ``cell_spec`` puts together, and ``policies``. ``submission`` makes a run
of a task, waits for its end and decodes the outputs, with ``failure`` for runs
that failed. ``deploy`` keeps tasks in versions.
"""
