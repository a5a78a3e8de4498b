"""Parse URL query strings and route them to handlers."""
import re
from typing import Callable
from urllib.parse import parse_qs, quote, urlencode, urlsplit

Handler = Callable[..., str]
ROUTES: list[tuple[re.Pattern, Handler]] = []


def route(pattern: str) -> Callable[[Handler], Handler]:
    regex = re.sub(
        r"<(\w+)(:int)?>",
        lambda m: f"(?P<{m[1]}>{r'[0-9]+' if m[2] else '[^/]+'})",
        pattern,
    )

    def decorator(func: Handler) -> Handler:
        ROUTES.append((re.compile(f"^{regex}$"), func))
        return func

    return decorator


@route("/users/<user_id:int>")
def show_user(query, user_id):
    return f"user {int(user_id)} fields={','.join(query.get('fields', ['*']))}"


@route("/search")
def search(query):
    terms = query.get("q", [])
    page = int(query.get("page", ["1"])[0])
    return f"search {terms} page {page}"


@route("/files/<name>/download")
def download(query, name):
    return f"download {quote(name)} as {query.get('as', ['raw'])[-1]}"


def dispatch(url: str) -> tuple[int, str]:
    parts = urlsplit(url)
    for pattern, handler in ROUTES:
        if match := pattern.match(parts.path):
            try:
                return 200, handler(parse_qs(parts.query), **match.groupdict())
            except ValueError as exc:
                return 400, str(exc)
    return 404, f"no route for {parts.path}"


urls = [
    "https://api.example.com/users/42?fields=name&fields=email",
    "https://api.example.com/users/abc",
    "/search?" + urlencode({"q": ["python & co", "async"], "page": 2}, doseq=True),
    "/search?q=x&page=two",
    "/files/annual report.pdf/download?as=pdf&as=zip",
]

responses = [dispatch(url) for url in urls]
for url, (status, body) in zip(urls, responses):
    print(status, url, "->", body)

[status for status, _ in responses]
