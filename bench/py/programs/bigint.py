def run():
    product = 1
    for i in range(1, 2000):
        product = product * i
    a, b = 0, 1
    for _ in range(15000):
        a, b = b, a + b
    power = pow(3, 20000) % (10 ** 50 + 7)
    return product % 1000000007, a % 1000000007, power, len(str(b))


run()
