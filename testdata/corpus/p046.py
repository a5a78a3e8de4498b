"""Process orders with a TaskGroup and handle an exception group."""
import asyncio


async def invoice(order_id: int) -> str:
    order = await fetch_order(order_id)
    rate = await exchange_rate(order["currency"], "EUR")
    name = customer_name(order["customer"])
    return f"{name}: {order['total'] * rate:.2f} EUR"


async def invoice_batch(ids: list[int]) -> list[str]:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(invoice(i), name=f"invoice-{i}") for i in ids]
    return [task.result() for task in tasks]


async def main():
    summary = {}
    for label, batch in {"good": [1, 2, 3], "bad": [4, 404], "mixed": [6, 7]}.items():
        try:
            summary[label] = await invoice_batch(batch)
        except* KeyError as group:
            summary[label] = [f"unknown order {exc.args[0]}" for exc in group.exceptions]
        except* ValueError as group:
            summary[label] = [str(exc) for exc in group.exceptions]
    return summary


summary = asyncio.run(main())
for label, lines in summary.items():
    print(f"[{label}]")
    for line in lines:
        print("  -", line)

summary
