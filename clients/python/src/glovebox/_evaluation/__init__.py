"""The light path: orchestrators that are evaluated by a child of this process, which keeps nothing.

``docs/EVALUATION.md`` describes what is spoken with the child.
"""
