from decimal import Decimal, ROUND_HALF_UP


def run():
    total = Decimal("0")
    rate = Decimal("0.0725")
    cent = Decimal("0.01")
    big = 0
    for i in range(5000):
        price = Decimal(i) / 7 + Decimal("19.99")
        tax = (price * rate).quantize(cent, rounding=ROUND_HALF_UP)
        total += price.quantize(cent) + tax
        if tax > 2:
            big += 1
        total -= 1
    return str(total), big, str(total / 3), f"{total:,.2f}"


run()
