"""What the machine's native module _itertools does, in terms of CPython."""

from itertools import combinations, combinations_with_replacement, permutations
from itertools import product as _product


def product(pools):
    return _product(*pools)
