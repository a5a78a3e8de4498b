"""What the machine's native module _random does, in terms of CPython."""

import random


def mt_new(seed):
    """A Mersenne Twister seeded as CPython does with an int, float, str, bytes or bytearray."""
    return random.Random(seed)


def mt_random(state):
    return state.random()


def mt_getrandbits(state, k):
    return state.getrandbits(k)


def mt_below(state, n):
    """A number below n, from getrandbits(n.bit_length()) until one fits; 0 if n is 0."""
    return state._randbelow(n)


def mt_get(state):
    """The 625 ints of CPython's getstate()[1]."""
    return state.getstate()[1]


def mt_set(words):
    """The state of these ints, or CPython's errors for bad ones."""
    state = random.Random()
    state.setstate((3, words, None))
    return state
