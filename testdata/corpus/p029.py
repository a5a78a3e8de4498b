"""Convert a subset of Markdown to HTML."""
import html
import re

MARKDOWN = """\
# Release *notes*

Version **1.2** is out & about.
See [docs](https://example.com/docs) for details.

## Changes
- Added `render()`
- Fixed **many** bugs
- Removed <blink>

1. first
2. second

```
if a < b:
    print("hi")
```

Done.
"""

INLINE = [
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*(.+?)\*"), r"<em>\1</em>"),
    (re.compile(r"\[([^\]]+)\]\(([^)]+)\)"), r'<a href="\2">\1</a>'),
]


def inline(text: str) -> str:
    text = html.escape(text, quote=False)
    for pattern, replacement in INLINE:
        text = pattern.sub(replacement, text)
    return text


def render_block(block: str) -> str:
    lines = block.split("\n")
    if heading := re.match(r"(#{1,6}) (.*)", lines[0]):
        level = len(heading[1])
        first = f"<h{level}>{inline(heading[2])}</h{level}>"
        return "\n".join([first, *([render_block("\n".join(lines[1:]))] if lines[1:] else [])])
    if block.startswith("```"):
        return "<pre>" + html.escape("\n".join(lines[1:-1])) + "</pre>"
    for tag, marker in (("ul", r"- "), ("ol", r"\d+\. ")):
        if all(re.match(marker, line) for line in lines):
            items = "".join(f"<li>{inline(re.sub('^' + marker, '', line))}</li>" for line in lines)
            return f"<{tag}>{items}</{tag}>"
    return f"<p>{inline(' '.join(lines))}</p>"


def to_html(markdown: str) -> str:
    blocks = re.split(r"\n\s*\n", markdown.strip())
    return "\n".join(map(render_block, blocks))


output = to_html(MARKDOWN)
print(output)

re.findall(r"<(\w+)[ >]", output)
