"""Values and types: what may cross the boundary of a task, and how it is written.

Begin with ``types`` (Type, Param, Signature) and ``codec`` (``encode`` and
``decode`` between Python and JSON). ``annotations`` makes types of annotations,
``value`` says what a value is, ``conversion`` which type of a union it fits.
``encode`` and ``decode`` walk through a value as its type says; ``json_text``,
``integers`` and ``times`` are the forms of what is inside.

Nothing here knows of an engine, a task or a run.
"""
