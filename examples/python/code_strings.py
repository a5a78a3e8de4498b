"""Orchestrators from code strings, as templates or models write them."""

import asyncio

import glovebox
import glovebox.sandbox

env = glovebox.TaskEnvironment(name="code-string-demo")

@env.task
def add(x: int, y: int) -> int:
    return x + y

@env.task
def multiply(x: int, y: int) -> int:
    return x * y

# Create a reusable task from a code string
compute_pipeline = glovebox.sandbox.orchestrator_from_str(
    """
    partial = add(x, y)
    multiply(partial, scale)
    """,
    inputs={"x": int, "y": int, "scale": int},
    output=int,
    tasks=[add, multiply],
    name="compute-pipeline",
)

# glovebox.run(compute_pipeline, x=2, y=3, scale=4) → 20


async def once() -> None:
    result = await glovebox.sandbox.orchestrate_local(
        "add(x, y) * 2",
        inputs={"x": 1, "y": 2},
        tasks=[add],
    )
    # result → 6

    print("once:", result)


def make_reducer(operation: str) -> glovebox.sandbox.CodeTaskTemplate:
    """Create a sandboxed task that reduces a list using the given operation."""
    if operation == "sum":
        body = """
            acc = 0
            for v in values:
                acc = acc + v
            acc
        """
    elif operation == "product":
        body = """
            acc = 1
            for v in values:
                acc = acc * v
            acc
        """
    else:
        raise ValueError(f"Unknown operation: {operation}")

    return glovebox.sandbox.orchestrator_from_str(
        body,
        inputs={"values": list},
        output=int,
        name=f"reduce-{operation}",
    )

sum_task = make_reducer("sum")
product_task = make_reducer("product")


if __name__ == "__main__":
    r = glovebox.run(compute_pipeline, x=2, y=3, scale=4)
    print("template:", r.outputs()[0])
    asyncio.run(once())
    print("sum:", sum_task(values=[1, 2, 3, 4]))
    print("product:", product_task(values=[1, 2, 3, 4]))
