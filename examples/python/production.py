"""Three ways to an orchestrator of an environment: decorated, from code, and with limits of its own."""

from glovebox import TaskEnvironment

env = TaskEnvironment(name="production-env")

@env.sandbox.orchestrator
def calculate_total(price: float, quantity: int) -> float:
    return price * quantity


# Example based on tests/glovebox/sandbox/test_code_task.py
t = env.sandbox.orchestrator(
    "x + y",
    inputs={"x": int, "y": int},
    output=int,
    name="dynamic_add"
)


@env.sandbox.orchestrator(
    timeout_ms=5000,
    max_memory=10 * 1024 * 1024 # 10 MB
)
def lightweight_task(x: int) -> int:
    return x + 1


if __name__ == "__main__":
    print("total:", calculate_total(2.5, 4))
    print("added:", t(x=1, y=2))
    print("next:", lightweight_task(41))
