"""Finds Python in pages of plain text that do not mark it, and compares it by its tokens.

A page may have lost the indentation of its code and the line breaks after it.
So a block begins at a line that only code begins with, and goes on as long as
what follows is Python.
"""

from __future__ import annotations

import ast
import builtins
import io
import re
import textwrap
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

_LONGEST = 60  # lines of a statement
_BEGINS = re.compile(r"import |from \w|@\w|(async )?def \w|class \w|[\w.]+(, [\w.]+)* = |# |if __name__")
_GLUED = re.compile(r"([)\]}])(?=[A-Z][a-z])")  # the end of code, with the beginning of the next paragraph
_CLAUSE = re.compile(r"(elif|else|except|finally)\b")
_CLAIMS = (
    re.compile(r"# (?P<code>.+?) → (?P<value>-?\d+)"),
    re.compile(r"^(?P<code>\w+) = .*# returns (?P<value>\d+)"),
)
_LAYOUT = frozenset((
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
    tokenize.ENCODING,
))  # fmt: skip


@dataclass(frozen=True)
class Token:
    """A token that counts, and the lines that it is on, from 0."""

    text: str
    first: int
    last: int


@dataclass(frozen=True)
class Block:
    """A piece of code of a page."""

    page: str
    line: int  # from 1
    text: str

    @property
    def name(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def claims(self) -> list[tuple[str, str]]:
        """What its comments say: expressions and their values."""
        found = (claim.search(line) for line in self.text.splitlines() for claim in _CLAIMS)
        return [(match["code"], match["value"]) for match in found if match]

    @property
    def quotes_source(self) -> bool:
        """Whether it is a piece of the source of the library that the page describes, and no use of it."""
        return self.text.startswith("# From src/")

    @property
    def is_program(self) -> bool:
        """Whether it is a file of its own, that somebody starts."""
        return 'if __name__ == "__main__":' in self.text


def blocks_of(page: str, text: str) -> list[Block]:
    """Returns the blocks of a page, in their order."""
    lines = _lines(text)
    blocks: list[Block] = []
    at = 0
    while at < len(lines):
        end = _end_of_block(lines, at)
        if end > at:
            blocks.append(Block(page, at + 1, "\n".join(lines[at:end]).strip("\n") + "\n"))
        at = max(end, at + 1)
    return [block for block in blocks if tokens_of(block.text)]


def _lines(text: str) -> list[str]:
    return _GLUED.sub(r"\1\n", text).splitlines()


def forgotten(text: str, blocks: list[Block]) -> list[str]:
    """Returns the lines that are a statement by themselves and in no block."""
    kept = {line.strip() for block in blocks for line in block.text.splitlines()}
    lines = (line.strip() for line in _lines(text))
    return [line for line in lines if line not in kept and not line.startswith("#") and _is_code(line)]


def _end_of_block(lines: list[str], begin: int) -> int:
    """Returns the line after a block that begins at a line, or that line if none does."""
    if not _BEGINS.match(lines[begin]):
        return begin
    end = at = begin
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        after = _end_of_statement(lines, at)
        if after == at:
            break
        end = at = after
    return end


def _end_of_statement(lines: list[str], begin: int) -> int:
    for end in range(begin + 1, min(begin + _LONGEST, len(lines)) + 1):
        if _is_code("\n".join(lines[begin:end])):
            return end
    return begin


def _is_code(text: str) -> bool:
    """Reports whether text is one statement, the head of one, or a comment. Headings such as f() are none."""
    indented, text = text.startswith(" "), text.strip()
    if text.startswith("# ") and "\n" not in text:
        return True
    head = f"if 0: pass\n{text} pass" if _CLAUSE.match(text) else text
    for form in (head, f"{head} pass", f"{head}\ndef f(): pass"):
        try:
            body = ast.parse(form).body
        except (SyntaxError, ValueError):
            continue
        return bool(body) and (indented or not _is_prose(body[0]))
    return False


def _is_prose(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None
    if not isinstance(statement, ast.Expr):
        return False
    value = statement.value
    if isinstance(value, ast.Call):
        return not (value.args or value.keywords)
    return not isinstance(value, ast.Await) and not (isinstance(value, ast.Constant) and isinstance(value.value, str))


def tokens_of(text: str) -> list[Token]:
    """Returns the tokens of code, without layout and comments. Indentation in strings does not count either."""
    return list(_tokens(text))


def _tokens(text: str) -> Iterator[Token]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _LAYOUT:
            lines = token.string.splitlines() or [""]
            yield Token("\n".join(line.strip() for line in lines), token.start[0] - 1, token.end[0] - 1)


def cut_out(block: Block, program: str) -> str | None:
    """Returns the lines of a program that have the tokens of a block, or None if it has them nowhere."""
    wanted = [token.text for token in tokens_of(block.text)]
    given = tokens_of(program)
    texts = [token.text for token in given]
    for at in range(len(given) - len(wanted) + 1):
        if texts[at : at + len(wanted)] == wanted:
            lines = program.splitlines()[given[at].first : given[at + len(wanted) - 1].last + 1]
            indent = len(lines[0]) - len(lines[0].lstrip())
            return "".join(line.removeprefix(" " * indent) + "\n" for line in lines)
    return None


def compiles(text: str) -> bool:
    try:
        compile(text, "block", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        return False
    return True


def needs(text: str) -> set[str]:
    """Returns the names that code uses and does not make."""
    used: set[str] = set()
    made = set(dir(builtins)) | {"__name__"}
    for node in ast.walk(ast.parse(textwrap.dedent(text))):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            made.add(node.name)
        elif isinstance(node, ast.arg):
            made.add(node.arg)
        elif isinstance(node, ast.alias):
            made.add((node.asname or node.name).partition(".")[0])
    return used - made


def makes(text: str) -> set[str]:
    """Returns the names that are there after code has run."""
    made: set[str] = set()
    for node in ast.parse(textwrap.dedent(text)).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            made.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            made |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.Assign):
            made |= {name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    return made
