"""Parse and compare semantic version constraints from a requirements file."""
import operator
import re
from functools import total_ordering

REQUIREMENTS = """
requests>=2.28,<3      # http
numpy==1.26.4
pydantic~=2.1
flask!=2.3.0,>=2.2
invalid line here!!
"""

AVAILABLE = {
    "requests": ["2.27.1", "2.31.0", "3.0.0-beta", "3.0.0"],
    "numpy": ["1.26.3", "1.26.4", "2.0.0"],
    "pydantic": ["2.0.9", "2.1.1", "2.7.0", "3.1.0"],
    "flask": ["2.1.0", "2.2.5", "2.3.0"],
}


@total_ordering
class Version:
    def __init__(self, text: str) -> None:
        number, _, self.pre = text.partition("-")
        self.parts = tuple(int(p) for p in number.split("."))

    @property
    def _key(self):
        return (self.parts + (0, 0, 0))[:3], self.pre == "", self.pre

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self._key == other._key

    def __lt__(self, other: "Version") -> bool:
        return self._key < other._key

    def __repr__(self) -> str:
        return f"Version({'.'.join(map(str, self.parts))}{'-' + self.pre if self.pre else ''})"


def compatible(version: Version, bound: Version) -> bool:
    return version >= bound and version.parts[: len(bound.parts) - 1] == bound.parts[:-1]


OPERATORS = {
    ">=": operator.ge, "<=": operator.le, "==": operator.eq, "!=": operator.ne,
    ">": operator.gt, "<": operator.lt, "~=": compatible,
}

resolved = {}
for line in filter(None, (l.split("#")[0].strip() for l in REQUIREMENTS.splitlines())):
    name_match = re.fullmatch(r"([\w-]+)((?:(?:[<>=!~]=|[<>])[\d.]+,?)+)", line)
    if name_match is None:
        print(f"cannot parse: {line}")
        continue
    name, spec = name_match.groups()
    checks = [(OPERATORS[op], Version(v)) for op, v in re.findall(r"([<>=!~]=|[<>])([\d.]+)", spec)]
    candidates = [v for v in map(Version, AVAILABLE[name]) if all(fn(v, bound) for fn, bound in checks)]
    resolved[name] = max(candidates, default=None)
    print(f"{name:<9} {spec:<14} -> {candidates}")

resolved
