from decimal import Decimal


def run():
    prices = [Decimal(f"{i % 97}.{i % 89:02d}") for i in range(10000)]
    total = sum(prices, Decimal(0))
    doubled = [p * 2 for p in prices]
    high = max(prices)
    ordered = sorted(prices)[:3]
    return str(total), str(sum(doubled)), str(high), [str(p) for p in ordered], total == sum(prices)


run()
