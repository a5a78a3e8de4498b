"""Fetch orders, tolerating unknown ids, and split results from errors."""
import asyncio


async def main() -> dict:
    wanted = [3, 99, 5, 100, 12]
    outcomes = await asyncio.gather(
        *[fetch_order(i) for i in wanted],
        return_exceptions=True,
    )

    found: list[dict] = []
    missing: list[int] = []
    for order_id, outcome in zip(wanted, outcomes):
        if isinstance(outcome, KeyError):
            missing.append(order_id)
        elif isinstance(outcome, BaseException):
            raise outcome
        else:
            found.append(outcome)

    for order in found:
        skus = ", ".join(f"{item['qty']}x {item['sku']}" for item in order["items"])
        print(f"#{order['id']:>3}  {order['total']:>8.2f} {order['currency']}  {skus}")
    print(f"missing: {missing}")

    return {
        "found": [order["id"] for order in found],
        "missing": missing,
        "largest": max(found, key=lambda o: o["total"])["id"],
        "success_rate": len(found) / len(wanted),
    }


result = asyncio.run(main())
result
