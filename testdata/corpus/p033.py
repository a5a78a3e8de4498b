"""Parse an indented outline into a tree and render it back with box characters."""
from __future__ import annotations

from dataclasses import dataclass, field

OUTLINE = """\
Company
    Engineering
        Backend
        Frontend
            Web
            Mobile
    Sales
        EMEA
    Legal
"""


@dataclass
class Node:
    title: str
    children: list[Node] = field(default_factory=list)

    def render(self, prefix: str = "", is_last: bool = True, root: bool = True) -> list[str]:
        connector = "" if root else ("└── " if is_last else "├── ")
        lines = [prefix + connector + self.title]
        child_prefix = prefix if root else prefix + ("    " if is_last else "│   ")
        for i, child in enumerate(self.children):
            lines += child.render(child_prefix, i == len(self.children) - 1, root=False)
        return lines

    def depth(self) -> int:
        return 1 + max((c.depth() for c in self.children), default=0)

    def leaves(self):
        if not self.children:
            yield self.title
        for child in self.children:
            yield from child.leaves()


def parse_outline(text: str, indent: int = 4) -> Node:
    stack: list[tuple[int, Node]] = []
    root: Node | None = None
    for number, line in enumerate(text.splitlines(), 1):
        spaces = len(line) - len(line.lstrip(" "))
        level, remainder = divmod(spaces, indent)
        if remainder or (stack and level > stack[-1][0] + 1):
            raise IndentationError(f"bad indentation on line {number}")
        node = Node(line.strip())
        while stack and stack[-1][0] >= level:
            stack.pop()
        if stack:
            stack[-1][1].children.append(node)
        else:
            root = node
        stack.append((level, node))
    return root


tree = parse_outline(OUTLINE)
print("\n".join(tree.render()))

try:
    parse_outline("a\n      b")
except IndentationError as exc:
    print("error:", exc)

tree.depth(), list(tree.leaves())
