def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def run():
    total = 0
    for a in range(1, 300):
        for b in range(1, 100):
            total += gcd(a * 7, b * 21)
    return total


run()
