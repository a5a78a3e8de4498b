"""Format a table with alignment, separators and totals."""
from typing import Any, Sequence


class TextTable:
    def __init__(self, *headers: str, align: str = ""):
        self.headers = headers
        self.align = align.ljust(len(headers), "<")
        self.rows: list[tuple[Any, ...]] = []

    def add(self, *cells: Any) -> "TextTable":
        if len(cells) != len(self.headers):
            raise ValueError(f"expected {len(self.headers)} cells, got {len(cells)}")
        self.rows.append(cells)
        return self

    @staticmethod
    def _text(cell: Any) -> str:
        match cell:
            case None:
                return "-"
            case bool():
                return "yes" if cell else "no"
            case float():
                return f"{cell:,.2f}"
            case int():
                return f"{cell:,}"
            case _:
                return str(cell)

    def __str__(self) -> str:
        body = [[self._text(c) for c in row] for row in self.rows]
        widths = [max(map(len, column)) for column in zip(self.headers, *body)]

        def line(cells: Sequence[str], sep: str = " | ") -> str:
            return sep.join(f"{c:{a}{w}}" for c, a, w in zip(cells, self.align, widths)).rstrip()

        rule = "-+-".join("-" * w for w in widths)
        return "\n".join([line(self.headers), rule, *map(line, body)])


table = TextTable("Region", "Units", "Revenue", "Target met", align="<>>^")
table.add("North", 1200, 35999.5, True).add("South", 85, 2100.0, False).add("East", None, 0.0, None)
print(table)

try:
    table.add("West", 1)
except ValueError as exc:
    print(f"\nError: {exc}")

text = str(table)
{"lines": len(text.splitlines()), "width": max(map(len, text.splitlines())), "first_row": text.splitlines()[2]}
