"""A guard for the repr of containers that may contain themselves."""

_running = []


def guarded(obj, again, render):
    """render(obj), or again if the repr of obj is what asks."""
    for other in _running:
        if other is obj:
            return again
    _running.append(obj)
    try:
        return render(obj)
    finally:
        for index, other in enumerate(_running):
            if other is obj:
                del _running[index]
                break
