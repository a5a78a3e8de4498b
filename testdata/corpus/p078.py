"""Generate a Markdown changelog from conventional commit messages."""
import re
from collections import defaultdict

COMMITS = """\
a1b2c3d feat(api): add pagination to orders
b2c3d4e fix: handle empty carts (#42)
c3d4e5f chore: bump dependencies
d4e5f6a feat!: drop Python 3.7
e5f6a7b docs(readme): fix typo
f6a7b8c fix(api): correct status code for missing orders (#51)
0a1b2c3 Merge branch 'main' into feature
1b2c3d4 perf(db): cache lookups
"""

COMMIT = re.compile(
    r"^(?P<sha>[0-9a-f]{7}) (?P<type>\w+)(?:\((?P<scope>[^)]+)\))?(?P<breaking>!)?: (?P<subject>.+?)(?: \(#(?P<issue>\d+)\))?$"
)
HEADINGS = {"feat": "Features", "fix": "Bug fixes", "perf": "Performance"}


def bump(version: str, parsed: list[dict]) -> str:
    major, minor, patch = map(int, version.split("."))
    if any(c["breaking"] for c in parsed):
        return f"{major + 1}.0.0"
    if any(c["type"] == "feat" for c in parsed):
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}"


matches = [COMMIT.match(line) for line in COMMITS.splitlines()]
parsed = [m.groupdict() for m in matches if m]
ignored = sum(m is None for m in matches)

sections: defaultdict[str, list[str]] = defaultdict(list)
for c in parsed:
    scope = f"**{c['scope']}:** " if c["scope"] else ""
    issue = f" ([#{c['issue']}](../issues/{c['issue']}))" if c["issue"] else ""
    entry = f"- {scope}{c['subject']}{issue} `{c['sha']}`"
    if c["breaking"]:
        sections["⚠ Breaking changes"].append(entry)
    if heading := HEADINGS.get(c["type"]):
        sections[heading].append(entry)

version = bump("1.9.3", parsed)
lines = [f"## {version}", ""]
for heading in ["⚠ Breaking changes", *HEADINGS.values()]:
    if entries := sections.get(heading):
        lines += [f"### {heading}", *entries, ""]

changelog = "\n".join(lines).rstrip()
print(changelog)
version, ignored, bump("1.9.3", [c for c in parsed if not c["breaking"]]), bump("0.1.9", [])
