"""Tokenize and evaluate arithmetic expressions with a recursive descent parser."""
import math
import re
from typing import Iterator, NamedTuple


Token = NamedTuple("Token", [("kind", str), ("text", str)])


TOKEN_RE = re.compile(r"\s*(?:(?P<number>\d+\.?\d*)|(?P<name>[a-z]+)|(?P<op>\*\*|[-+*/(),]))")


def tokenize(source: str) -> Iterator[Token]:
    position = 0
    while position < len(source.rstrip()):
        match = TOKEN_RE.match(source, position)
        if not match:
            raise SyntaxError(f"unexpected character {source[position]!r} at {position}")
        yield Token(match.lastgroup, match.group(match.lastgroup))
        position = match.end()
    yield Token("end", "")


class Parser:
    FUNCTIONS = {"sqrt": math.sqrt, "max": max, "abs": abs}

    def __init__(self, source: str):
        self.tokens = list(tokenize(source))
        self.index = 0

    def accept(self, *texts: str) -> str | None:
        token = self.tokens[self.index]
        if token.kind == "op" and token.text in texts:
            self.index += 1
            return token.text
        return None

    def expression(self) -> float:
        value = self.term()
        while op := self.accept("+", "-"):
            value = value + self.term() if op == "+" else value - self.term()
        return value

    def term(self) -> float:
        value = self.unary()
        while op := self.accept("*", "/"):
            value = value * self.unary() if op == "*" else value / self.unary()
        return value

    def unary(self) -> float:
        if self.accept("-"):
            return -self.unary()
        base = self.atom()
        return base ** self.unary() if self.accept("**") else base

    def atom(self) -> float:
        token = self.tokens[self.index]
        self.index += 1
        if token.kind == "number":
            return float(token.text) if "." in token.text else int(token.text)
        if token.kind == "name" and self.accept("("):
            args = [self.expression()]
            while self.accept(","):
                args.append(self.expression())
            if not self.accept(")"):
                raise SyntaxError("expected )")
            return self.FUNCTIONS[token.text](*args)
        if token.text == "(" and (value := self.expression(), self.accept(")"))[1]:
            return value
        raise SyntaxError(f"unexpected {token.text or 'end'!r}")


def evaluate(source: str):
    try:
        return Parser(source).expression()
    except (SyntaxError, ZeroDivisionError, KeyError) as exc:
        return f"{type(exc).__name__}: {exc}"


[(s, evaluate(s)) for s in ["1 + 2 * 3", "-(2 + 3) ** 2", "2 ** 3 ** 2", "sqrt(16) / max(1, 8, 3)", "1 / 0", "2 * (3", "4 $ 4", "sin(1)"]]
