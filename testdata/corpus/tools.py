import asyncio
ORDERS = {i: {"id": i, "customer": f"c{i % 4}", "total": round(19.9 * i + 0.05, 2), "currency": "EUR" if i % 3 else "USD", "items": [{"sku": f"s{j}", "qty": j + 1} for j in range(i % 3 + 1)]} for i in range(1, 13)}
CALLS = {}
async def fetch_order(order_id: int) -> dict:
    """Fetch an order; raises KeyError for unknown ids."""
    await asyncio.sleep(0.001)
    return ORDERS[order_id]
async def flaky_lookup(key: str) -> str:
    """Look a key up; the first call for each key fails with ConnectionError, later ones answer."""
    CALLS[key] = CALLS.get(key, 0) + 1
    await asyncio.sleep(0.001)
    if CALLS[key] == 1:
        raise ConnectionError(f"temporary failure for {key}")
    return key.upper()
async def slow_echo(value: str, seconds: float) -> str:
    """Answer value after some seconds."""
    await asyncio.sleep(seconds)
    return value
async def exchange_rate(base: str, quote: str) -> float:
    """Rate of two currencies; raises ValueError for unknown ones."""
    rates = {("USD", "EUR"): 0.92, ("EUR", "USD"): 1.09, ("EUR", "EUR"): 1.0, ("USD", "USD"): 1.0}
    if (base, quote) not in rates:
        raise ValueError(f"no rate for {base}/{quote}")
    return rates[base, quote]
def customer_name(customer_id: str) -> str:
    """Name of a customer."""
    return {"c0": "Ada", "c1": "Grace", "c2": "Edsger", "c3": "Barbara"}[customer_id]
def send_email(to: str, subject: str, body: str = "") -> bool:
    """Send an email; True when it was accepted."""
    return "@" in to
