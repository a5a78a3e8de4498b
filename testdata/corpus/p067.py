"""Number theory helpers: sieve, factorization, totients and modular arithmetic."""
import math
from collections import Counter
from functools import cache, reduce
from itertools import count, islice, takewhile


def sieve(limit: int) -> list[int]:
    flags = bytearray([1]) * (limit + 1)
    flags[0:2] = b"\x00\x00"
    for n in range(2, math.isqrt(limit) + 1):
        if flags[n]:
            flags[n * n :: n] = bytes(len(range(n * n, limit + 1, n)))
    return [n for n, is_prime in enumerate(flags) if is_prime]


PRIMES = sieve(1000)


def factorize(n: int) -> Counter:
    factors = Counter()
    for p in takewhile(lambda p: p * p <= n, PRIMES):
        while n % p == 0:
            factors[p] += 1
            n //= p
    if n > 1:
        factors[n] += 1
    return factors


@cache
def totient(n: int) -> int:
    return reduce(lambda acc, p: acc // p * (p - 1), factorize(n), n)


def chinese_remainder(pairs: list[tuple[int, int]]) -> int:
    modulus = math.prod(m for _, m in pairs)
    total = 0
    for remainder, m in pairs:
        partial = modulus // m
        total += remainder * partial * pow(partial, -1, m)
    return total % modulus


def perfect_numbers():
    for n in count(2):
        divisor_sum = math.prod((p ** (e + 1) - 1) // (p - 1) for p, e in factorize(n).items())
        if divisor_sum == 2 * n:
            yield n


for n in (97, 360, 997 * 991, 2**10 * 81):
    print(n, "=", " * ".join(f"{p}^{e}" if e > 1 else str(p) for p, e in factorize(n).items()))

try:
    pow(6, -1, 9)
except ValueError as exc:
    print("no inverse:", exc)

{
    "primes": len(PRIMES),
    "twins": [(p, q) for p, q in zip(PRIMES, PRIMES[1:]) if q - p == 2][-3:],
    "totients": [totient(n) for n in (1, 10, 36, 97)],
    "crt": chinese_remainder([(2, 3), (3, 5), (2, 7)]),
    "perfect": list(islice(perfect_numbers(), 3)),
}
