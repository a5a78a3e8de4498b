"""Mask personal data in support tickets before exporting them."""
import hashlib
import re
from collections import Counter

TICKETS = [
    "Hi, my card 4111 1111 1111 1111 was charged twice. Reach me at jane.doe@mail.com.",
    "Call me on +49 170 1234567 or write to jane.doe@mail.com, order 2024-0007.",
    "My IP is 192.168.10.24 and my IBAN DE89370400440532013000.",
    "No personal data here, just a complaint!",
]

counts: Counter[str] = Counter()


def luhn_valid(number: str) -> bool:
    digits = [int(d) for d in number if d.isdigit()][::-1]
    total = sum(digits[0::2]) + sum(sum(divmod(2 * d, 10)) for d in digits[1::2])
    return total % 10 == 0


def mask_email(match: re.Match) -> str:
    counts["email"] += 1
    digest = hashlib.sha256(match.group().lower().encode()).hexdigest()[:8]
    return f"<email:{digest}>"


def mask_card(match: re.Match) -> str:
    if not luhn_valid(match.group()):
        return match.group()
    counts["card"] += 1
    return "**** **** **** " + re.sub(r"\D", "", match.group())[-4:]


def mask_simple(label: str):
    def replace(match: re.Match) -> str:
        counts[label] += 1
        return f"<{label}>"

    return replace


RULES = [
    (re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]*\w"), mask_email),
    (re.compile(r"\b(?:\d{4}[ -]?){3}\d{4}\b"), mask_card),
    (re.compile(r"\b[A-Z]{2}\d{20}\b"), mask_simple("iban")),
    (re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b"), mask_simple("ip")),
    (re.compile(r"\+\d{2}(?: \d{3,}){2}"), mask_simple("phone")),
]

masked = []
for ticket in TICKETS:
    for pattern, replacement in RULES:
        ticket = pattern.sub(replacement, ticket)
    masked.append(ticket)

print("\n".join(f"{i}. {t}" for i, t in enumerate(masked, 1)))
(masked, dict(counts))
