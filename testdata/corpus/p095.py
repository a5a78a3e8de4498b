"""Bank accounts with a class hierarchy, operators and custom exceptions."""
from __future__ import annotations

from abc import ABC, abstractmethod
from decimal import Decimal


class BankError(Exception):
    """Base class for errors of accounts."""


class InsufficientFunds(BankError):
    def __init__(self, account: Account, amount: Decimal) -> None:
        super().__init__(f"{account.owner} lacks {amount - account.available} for a withdrawal of {amount}")


class Account(ABC):
    _next_number = 1000

    def __init__(self, owner: str, balance: str | int = 0) -> None:
        self.owner = owner
        self._balance = Decimal(balance)
        self.number = Account._next_number
        Account._next_number += 1
        self.history: list[tuple[str, Decimal]] = []

    @property
    def balance(self) -> Decimal:
        return self._balance

    @property
    @abstractmethod
    def available(self) -> Decimal: ...

    def deposit(self, amount: Decimal) -> None:
        if amount <= 0:
            raise BankError("amount must be positive")
        self._balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount: Decimal) -> None:
        if amount > self.available:
            raise InsufficientFunds(self, amount)
        self._balance -= amount
        self.history.append(("withdraw", amount))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.number} {self.owner}: {self.balance:.2f}>"


class Checking(Account):
    def __init__(self, owner: str, balance=0, overdraft: int = 100) -> None:
        super().__init__(owner, balance)
        self.overdraft = overdraft

    @property
    def available(self) -> Decimal:
        return self.balance + self.overdraft


class Savings(Account):
    available = property(lambda self: max(self.balance - 10, Decimal(0)))

    def add_interest(self, rate: str) -> None:
        self.deposit(self.balance * Decimal(rate))


ada, grace = Checking("Ada", "50.00"), Savings("Grace", 200)
for action in (lambda: ada.withdraw(Decimal(120)), lambda: ada.withdraw(Decimal(50)), lambda: grace.withdraw(Decimal(195)),
               lambda: grace.add_interest("0.025"), lambda: ada.deposit(Decimal(-5)), lambda: Account("x")):
    try:
        action()
    except (BankError, TypeError) as exc:
        print(f"{type(exc).__name__}: {exc}" if isinstance(exc, BankError) else "TypeError")

[ada, grace, ada.history + grace.history]
