def run():
    memo = {}

    def ways(n, k):
        if n == 0:
            return 1
        if n < 0 or k == 0:
            return 0
        if (n, k) in memo:
            return memo[(n, k)]
        r = ways(n - k, k) + ways(n, k - 1)
        memo[(n, k)] = r
        return r

    return ways(120, 120)


run()
