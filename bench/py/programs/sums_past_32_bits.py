def run():
    total = 0
    for i in range(300000):
        total += i * 1000003
        total ^= i << 20
    return total


run()
