def run():
    n = 200000
    sieve = [True] * (n + 1)
    sieve[0] = sieve[1] = False
    i = 2
    while i * i <= n:
        if sieve[i]:
            for j in range(i * i, n + 1, i):
                sieve[j] = False
        i += 1
    primes = [i for i, p in enumerate(sieve) if p]
    return len(primes), primes[-1]


run()
