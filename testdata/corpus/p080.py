"""Produce HTML and CSV versions of the same report through a common interface."""
import csv
import html
import io
import json
from abc import ABC, abstractmethod

ROWS = [
    {"city": "Zürich", "population": 443_037, "note": "largest <CH>"},
    {"city": "Oslo", "population": 709_037, "note": 'the "Tiger City"'},
    {"city": "Porto", "population": 231_800, "note": "wine, bridges"},
]


class Exporter(ABC):
    registry: dict[str, type["Exporter"]] = {}

    def __init_subclass__(cls, *, fmt: str, **kwargs):
        super().__init_subclass__(**kwargs)
        Exporter.registry[fmt] = cls

    @abstractmethod
    def export(self, rows: list[dict]) -> str: ...


class CsvExporter(Exporter, fmt="csv"):
    def export(self, rows):
        buffer = io.StringIO()
        writer = csv.DictWriter(buffer, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return buffer.getvalue()


class HtmlExporter(Exporter, fmt="html"):
    def export(self, rows):
        head = "".join(f"<th>{html.escape(h)}</th>" for h in rows[0])
        body = "\n".join(
            "<tr>" + "".join(f"<td>{html.escape(str(v))}</td>" for v in row.values()) + "</tr>"
            for row in rows
        )
        return f"<table>\n<tr>{head}</tr>\n{body}\n</table>"


class JsonLinesExporter(Exporter, fmt="jsonl"):
    def export(self, rows):
        return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


try:
    Exporter()
except TypeError:
    print("Exporter is abstract")

outputs = {fmt: cls().export(ROWS) for fmt, cls in sorted(Exporter.registry.items())}
for fmt, text in outputs.items():
    print(f"--- {fmt} ---")
    print(text.rstrip("\n"))

round_trip = list(csv.DictReader(io.StringIO(outputs["csv"])))
{fmt: len(text) for fmt, text in outputs.items()} | {"round_trip": round_trip[1]}
