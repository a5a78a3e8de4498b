"""Writes golden.txt: what CPython 3.11 draws after each seed.

    python3 generate.py > golden.txt
"""
import random

SEEDS = [0, 1, 42, -42, 2**32, 2**63, 2**64 + 5, 10**100, 7**9000, 0.0, 1.5, -2.75, 1e300,
         "", "glovebox", "ü€😀", b"", b"\x00\x01\xff" * 100]
ENCODE = {str: lambda s: s.encode().hex(), bytes: bytes.hex, float: lambda f: str(hash(f)), int: hex}

for seed in SEEDS:
    r = random.Random(seed)
    draws = [hex(r.getrandbits(k)) for k in (0, 1, 31, 32, 33, 53, 64, 65, 96, 1000)]
    draws += [hex(r.randrange(n)) for n in (1, 2, 3, 1000, 2**40 + 1)]
    r.getrandbits(32 * 1300)  # well beyond the first words of the state
    print(type(seed).__name__, ENCODE[type(seed)](seed) or "-", "=", r.random().hex(), *draws)
