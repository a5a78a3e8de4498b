"""A payment waits for a person, who changes it, while the order that asked for it holds nothing."""

import asyncio

import glovebox

env = glovebox.TaskEnvironment(name="desk")


@env.task(requires_approval=True, approval_deadline=24 * 3600)
def pay(amount: float, to: str) -> str:
    return f"paid {amount} to {to}"


@env.sandbox.orchestrator(dialect="extended")
def order(price: float, count: int) -> str:
    try:
        answer = pay(price * count, "shop")
    except PermissionError as e:
        answer = f"not paid: {e}"
    return answer


async def asked() -> glovebox.Approval:
    """Returns what waits for a decision. A person sees it on the page, or by ``glovebox approvals``."""
    while not (waiting := await glovebox.approvals.aio()):
        await asyncio.sleep(0.05)
    return waiting[0]


async def main() -> None:
    run = asyncio.create_task(glovebox.run.aio(order, price=19.5, count=3))
    payment = await asked()
    print(payment.task, payment.arguments)
    await glovebox.approve.aio(payment, arguments={"amount": 50.0}, reason="a discount", by="Ada")
    print((await run).outputs()[0])

    run = asyncio.create_task(glovebox.run.aio(order, price=1000.0, count=3))
    await glovebox.refuse.aio(await asked(), "over the budget", by="Ada")
    print((await run).outputs()[0])


if __name__ == "__main__":
    asyncio.run(main())
