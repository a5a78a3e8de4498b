def parse(s):
    try:
        return int(s)
    except ValueError:
        return -1
    finally:
        pass


def run():
    values = ["12", "x", "7", "", "99", "4.5"]
    total = 0
    for i in range(20000):
        total += parse(values[i % 6])
    return total


run()
