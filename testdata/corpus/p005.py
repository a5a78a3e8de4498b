"""Validate user sign-up records and collect every error per record."""
import re
from collections import Counter
from dataclasses import dataclass, field

EMAIL_RE = re.compile(r"^[\w.+-]+@[\w-]+(\.[\w-]+)+$")


@dataclass
class ValidationResult:
    record: dict
    errors: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.errors


def validate(record: dict) -> ValidationResult:
    result = ValidationResult(record)
    username = record.get("username", "")
    if not 3 <= len(username) <= 12:
        result.errors.append("username_length")
    if not username.isidentifier():
        result.errors.append("username_characters")
    if not EMAIL_RE.match(record.get("email", "")):
        result.errors.append("email_invalid")
    age = record.get("age")
    if not isinstance(age, int) or isinstance(age, bool):
        result.errors.append("age_type")
    elif not 18 <= age < 120:
        result.errors.append("age_range")
    password = record.get("password", "")
    checks = (str.isupper, str.islower, str.isdigit)
    if len(password) < 8 or not all(any(check(ch) for ch in password) for check in checks):
        result.errors.append("password_weak")
    return result


records = [
    {"username": "ada_l", "email": "ada@calc.org", "age": 36, "password": "Engine1843"},
    {"username": "x", "email": "x@y", "age": 17, "password": "short"},
    {"username": "grace-hopper", "email": "grace@navy.mil", "age": "85", "password": "C0bolC0bol"},
    {"username": "linus", "email": "linus+list@kernel.org", "age": 54, "password": "nodigitsHere"},
    {"email": "nobody@example.com", "age": True},
]

results = [validate(r) for r in records]
for r in results:
    status = "ok" if r.ok else ", ".join(r.errors)
    print(f"{r.record.get('username', '<none>'):<14} {status}")

error_counts = Counter(e for r in results for e in r.errors)
dict(sorted(error_counts.items(), key=lambda kv: (-kv[1], kv[0])))
