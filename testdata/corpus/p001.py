"""Normalize a messy contact list and merge duplicates."""
import re

contacts = [
    {"name": "  alice JOHNSON ", "email": "Alice.Johnson@Example.com", "phone": "(555) 123-4567"},
    {"name": "Bob Smith", "email": "bob@example.com", "phone": "555.987.6543"},
    {"name": "Alice Johnson", "email": "alice.johnson@example.com ", "phone": None},
    {"name": "carol o'neil", "email": "", "phone": "+1 555 222 3333"},
    {"name": "BOB SMITH", "email": "bob@example.com", "phone": "555-987-6543 x12"},
    {"name": "", "email": "ghost@example.com", "phone": "n/a"},
]


def clean_name(raw: str) -> str:
    collapsed = re.sub(r"\s+", " ", raw).strip()
    return " ".join(part.capitalize() for part in collapsed.split(" ")) if collapsed else "Unknown"


def clean_phone(raw: str | None) -> str | None:
    if not raw:
        return None
    digits = re.sub(r"\D", "", raw.split("x")[0])
    if len(digits) == 11 and digits.startswith("1"):
        digits = digits[1:]
    if len(digits) != 10:
        return None
    return f"{digits[:3]}-{digits[3:6]}-{digits[6:]}"


def clean_email(raw: str) -> str | None:
    email = raw.strip().lower()
    return email or None


merged: dict[str, dict] = {}
for contact in contacts:
    record = {
        "name": clean_name(contact["name"]),
        "email": clean_email(contact["email"]),
        "phone": clean_phone(contact["phone"]),
    }
    key = record["email"] or record["name"]
    if key in merged:
        existing = merged[key]
        for field, value in record.items():
            if existing[field] is None and value is not None:
                existing[field] = value
    else:
        merged[key] = record

result = sorted(merged.values(), key=lambda r: r["name"])
print(f"{len(contacts)} raw contacts -> {len(result)} unique")
for row in result:
    print(f"{row['name']:<15} {row['email'] or '-':<28} {row['phone'] or '-'}")

result
