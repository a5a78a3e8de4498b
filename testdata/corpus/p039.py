"""Parse a template language with variables, filters, loops and conditionals."""
import re

TEMPLATE = """Hello {{ user.name | title }}!
{% for item in items %}- {{ item.sku }} x{{ item.qty }}{% if item.gift %} (gift){% endif %}
{% endfor %}Total: {{ total | money }}{% if note %} Note: {{ note }}{% endif %}"""

FILTERS = {
    "title": str.title,
    "money": lambda v: f"${v:,.2f}",
    "upper": str.upper,
}
TAG = re.compile(r"({{.*?}}|{%.*?%})")


def lookup(path: str, context: dict):
    value = context
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else getattr(value, part, None)
    return value


def parse(tokens: list[str], stop: str | None = None) -> list:
    nodes = []
    while tokens:
        token = tokens.pop(0)
        if token.startswith("{{"):
            path, *filters = (p.strip() for p in token[2:-2].split("|"))
            nodes.append(("var", path, filters))
        elif token.startswith("{%"):
            words = token[2:-2].split()
            if words[0] == stop:
                return nodes
            if words[0] == "for":
                nodes.append(("for", words[1], words[3], parse(tokens, "endfor")))
            elif words[0] == "if":
                nodes.append(("if", words[1], parse(tokens, "endif")))
            else:
                raise SyntaxError(f"unexpected tag {words[0]!r}")
        elif token:
            nodes.append(("text", token))
    if stop:
        raise SyntaxError(f"missing {stop}")
    return nodes


def render(nodes: list, context: dict) -> str:
    out = []
    for node in nodes:
        match node:
            case ("text", text):
                out.append(text)
            case ("var", path, filters):
                value = lookup(path, context)
                for name in filters:
                    value = FILTERS[name](value)
                out.append(str(value))
            case ("for", name, path, body):
                out.extend(render(body, {**context, name: item}) for item in lookup(path, context))
            case ("if", path, body) if lookup(path, context):
                out.append(render(body, context))
    return "".join(out)


context = {"user": {"name": "ada lovelace"}, "items": [{"sku": "A1", "qty": 2}, {"sku": "B7", "qty": 1, "gift": True}], "total": 1234.5}
try:
    parse(TAG.split("{% for x in y %}never closed"))
except SyntaxError as exc:
    print("template error:", exc)
render(parse(TAG.split(TEMPLATE)), context)
