"""gc: memory is the host's business; these functions do nothing."""


def collect(generation=2):
    return 0


def enable():
    pass


def disable():
    pass


def isenabled():
    return True
