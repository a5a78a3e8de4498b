"""Writes the .golden file of each expression file here: what CPython makes of
each expression after the line "# ---", following the definitions above it."""
import pathlib

for path in sorted(pathlib.Path(__file__).parent.glob("*.txt")):
    head, _, body = path.read_text().partition("# ---\n")
    out = []
    for line in body.splitlines():
        names = {"__name__": "__main__"}
        exec(head, names)
        try:
            result = repr(eval(line, names))
        except Exception as e:
            module = type(e).__module__
            prefix = "" if module in ("builtins", "__main__") else module + "."
            result = f"{prefix}{type(e).__name__}: {e}".replace("\n", "\\n")
        out.append(result)
    path.with_suffix(".golden").write_text("\n".join(out) + "\n")
