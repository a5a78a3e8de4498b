"""Run a dependent workflow: steps declare what they need, and run as soon as they can."""
import asyncio
from dataclasses import dataclass, field
from typing import Any, Awaitable, Callable


@dataclass
class Step:
    name: str
    run: Callable[[dict[str, Any]], Awaitable[Any]]
    needs: list[str] = field(default_factory=list)


async def load_order(ctx):
    return await fetch_order(5)


async def load_customer(ctx):
    return customer_name(ctx["order"]["customer"])


async def load_rate(ctx):
    return await exchange_rate(ctx["order"]["currency"], "USD")


async def check_fraud(ctx):
    return await slow_echo("clear", 0.005)


async def build_invoice(ctx):
    amount = round(ctx["order"]["total"] * ctx["rate"], 2)
    return f"{ctx['customer']} owes {amount} USD (fraud check: {ctx['fraud']})"


class Workflow:
    def __init__(self, steps: list[Step]):
        self.steps = {s.name: s for s in steps}
        unknown = {n for s in steps for n in s.needs} - self.steps.keys()
        if unknown:
            raise ValueError(f"unknown steps: {sorted(unknown)}")

    async def execute(self) -> dict[str, Any]:
        context: dict[str, Any] = {}
        events = {name: asyncio.Event() for name in self.steps}

        async def run_step(step: Step) -> None:
            await asyncio.gather(*(events[n].wait() for n in step.needs))
            context[step.name] = await step.run(context)
            events[step.name].set()

        await asyncio.gather(*map(run_step, self.steps.values()))
        return context


steps = [
    Step("invoice", build_invoice, ["order", "customer", "rate", "fraud"]),
    Step("customer", load_customer, ["order"]),
    Step("rate", load_rate, ["order"]),
    Step("fraud", check_fraud),
    Step("order", load_order),
]
context = await Workflow(steps).execute()

try:
    Workflow([Step("a", load_order, ["zzz"])])
except ValueError as exc:
    print(exc)

print(context["invoice"])
sorted(context)
