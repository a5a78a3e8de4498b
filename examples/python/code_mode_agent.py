"""An agent that acts by code: its model writes Python that calls three tools, sees what came of it, and mends it.

The model is a script here, so that the program runs without a key. Yours is "anthropic/..." or "openai/...".
"""

from collections.abc import Iterator
from typing import Any

import glovebox
from glovebox.agents import Agent, AgentTool, tool

env = glovebox.TaskEnvironment(name="stocks")

FIRST = """
names = tickers()
prices = glovebox_map(fetch_prices, names)
means = {name: sum(p) / len(p) for name, p in zip(names, prices)}
best = max(means, key=means.get)
buy(best, shares=10)
"""
MENDED = FIRST.replace("shares=10", "shares=5")


@env.task
def tickers() -> list[str]:
    """Returns the symbols that there are."""
    return ["AAA", "BBB", "CCC"]


@env.task
async def fetch_prices(ticker: str) -> list[float]:
    """Returns the prices of the last days, oldest first."""
    base = 10.0 * (ord(ticker[0]) - ord("A") + 1)
    return [base, base + 1, base + 2]


@tool(requires_approval=True)
@env.task
def buy(ticker: str, shares: int) -> str:
    """Buys shares."""
    return f"bought {shares} of {ticker}"


def model() -> Iterator[str]:
    """A scripted model, which writes code until it knows the answer."""
    yield f"I compare the means.\n```python\n{FIRST}```"
    yield f"Not so many, then.\n```python\n{MENDED}```"
    yield "CCC has the highest mean, 31.0. I bought 5 shares of it."


script = model()


def ask(name: str, system: str, messages: list[dict[str, Any]], tools: list[dict[str, Any]] | None) -> str:
    return next(script)


def approve(asked: AgentTool, arguments: dict[str, Any]) -> bool:
    """Stands for a person: small orders are fine."""
    approved = bool(arguments["shares"] <= 5)
    print("approved:", asked.name, arguments["ticker"], arguments["shares"], approved)
    return approved


agent = Agent(
    name="trader",
    instructions="You buy what has the highest mean price.",
    call_llm=ask,  # without this line: model="anthropic/claude-opus-5-5", and glovebox secret set ANTHROPIC_API_KEY
    tools=[tickers, fetch_prices, buy],
    approval_callback=approve,
    code_mode=True,
)


if __name__ == "__main__":
    result = agent.run("Buy the best one.")
    print(result.summary or result.error)
    assert result.run is not None
    fetched = sum(call["task"] == "fetch_prices" for call in result.run.calls())
    print("turns:", result.attempts, "prices fetched:", fetched)  # once each: what succeeded is not done again
