"""Send order confirmations and collect a delivery report."""
import asyncio
from dataclasses import dataclass
from enum import Enum


class Status(Enum):
    SENT = "sent"
    REJECTED = "rejected"
    NO_ADDRESS = "no address"


@dataclass
class Notification:
    order_id: int
    customer: str
    status: Status


ADDRESSES = {"Ada": "ada@example.com", "Grace": "grace@example.com", "Edsger": "edsger.example.com"}

BODY = """Dear {name},

your order #{id} over {total:.2f} {currency} has shipped:
{lines}
"""


async def notify(order_id: int) -> Notification:
    order = await fetch_order(order_id)
    name = customer_name(order["customer"])
    address = ADDRESSES.get(name)
    if address is None:
        return Notification(order_id, name, Status.NO_ADDRESS)
    lines = "\n".join(f"  * {item['qty']} x {item['sku'].upper()}" for item in order["items"])
    body = BODY.format(name=name, lines=lines, **order)
    accepted = send_email(to=address, subject=f"Order {order_id}", body=body)
    if order_id == 2:
        print(body)
    return Notification(order_id, name, Status.SENT if accepted else Status.REJECTED)


notifications = [await notify(i) for i in range(1, 9)]

report: dict[Status, list[int]] = {status: [] for status in Status}
for n in notifications:
    report[n.status].append(n.order_id)

for status, ids in report.items():
    print(f"{status.value:<12} {ids}")

notifications[-1]
