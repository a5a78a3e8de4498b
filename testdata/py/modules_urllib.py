# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
from urllib.parse import urlparse, urlsplit, urlunparse, urlunsplit, urldefrag
u = urlparse("https://user:pa%20ss@Example.COM:8080/a/b;p=1/c;x=y?q=1&r=a+b#frag")
print(u)
print(u.scheme, u.netloc, u.path, u.params, u.query, u.fragment, u.username, u.password, u.hostname, u.port, u.geturl())
print(u[1], u._replace(path="/new", query="").geturl(), u == tuple(u), len(u), isinstance(u, tuple))
for url in ("", "http://h", "//h/p", "/p?q", "mailto:a@b.c", "h:80/x", "http://[::1]:80/", "HTTP://H/P", "http://h/?a?b#c#d", "file:///etc/x", "path;a;b", "http://h:/p", "?q", "#f", "javascript:alert(1)", "http://h/p;x", " http://h/ ", "ht\ntp://h", "1http://x", "http://u@h", "tel:+1;x=1", "urn:isbn:1", "http://é.x/ü?ß", "http://h\\x", "a:b:c", "s3://bucket/key"):
    p, s = urlparse(url), urlsplit(url)
    print(tuple(p), tuple(s), p.hostname, p.port, p.username, p.geturl(), s.geturl())
print(urlsplit("http://h/p;x?y#z"), urlparse("//x/y", scheme="ftp"), urlparse("x#y", allow_fragments=False), urldefrag("http://h/a?b#c"), urldefrag("x"))
print(urlunparse(("http", "h", "p", "a", "b", "c")), urlunparse(["", "", "p", "", "", ""]), urlunsplit(("https", "h", "/p", "q", "")), urlunsplit(("file", "", "/p", "", "")), urlunsplit(("", "h", "", "", "")))
print(urlparse(b"http://h:1/p?q"), urlparse(b"http://H:1/p").hostname, urlparse("http://h/p").encode(), urlparse(b"http://h/p").decode())
t(lambda: urlparse("http://h:x/").port)
t(lambda: urlparse("http://h:99999/").port)
t(lambda: urlparse("http://[::1/"))
t(lambda: urlparse("http://h", b"x"))
t(lambda: urlparse(5))
t(lambda: urlunparse(("a", "b")))
d = {u: 1}
print(d[u], sorted([urlparse("b"), urlparse("a")])[0].path)
# ---
from urllib.parse import urljoin
import urllib.parse
base = "http://a/b/c/d;p?q"
for rel in ("g:h", "g", "./g", "g/", "/g", "//g", "?y", "g?y", "#s", "g#s", "g?y#s", ";x", "g;x", "g;x?y#s", "", ".", "./", "..", "../", "../g", "../..", "../../", "../../g", "../../../g", "../../../../g", "/./g", "/../g", "g.", ".g", "..g", "g..", "./../g", "./g/.", "g/./h", "g/../h", "g;x=1/./y", "g;x=1/../y", "g?y/./x", "g#s/../x", "http:g", "https://x/y"):
    print(repr(rel), urljoin(base, rel))
print(urljoin("http://h", "x"), urljoin("http://h/a/", "b"), urljoin("http://h/a", "b"), urljoin("", "x"), urljoin("x/y", "z"), urljoin("/a/b", "../c"), urljoin("mailto:a", "b"), urljoin(b"http://h/a", b"b"), urllib.parse.urljoin("http://h/a/b?x", "?y"), urljoin("http://h/a//b/", "c"), urljoin("http://h/a", "b//c"))
# ---
from urllib.parse import quote, quote_plus, unquote, unquote_plus, quote_from_bytes, unquote_to_bytes
print(quote("a b/c?d=é&~_.-"), quote("a/b", safe=""), quote("", safe=""), quote(b"\xff a"), quote("€"), quote("a+b:c@d", safe=":@+"), quote("%41"), quote_plus("a b+c/é&="), quote_plus("a/b", safe="/"), quote_plus(b"a b"), quote("ü", encoding="latin-1"), quote("\x00\x7f"))
print(unquote("a%20b%2Fc%C3%A9+%zz%4"), unquote_plus("a+b%2B"), unquote("%FF"), unquote("é%20ß%C3"), unquote(b"a%20b"), unquote("%E9", "latin-1"), unquote_to_bytes("a%20%ff€"), unquote_to_bytes(b"%41%4"), unquote(""), unquote("%C3%A9%20%E2%82%AC"))
t(lambda: quote(5))
t(lambda: quote(None))
t(lambda: quote_from_bytes("x"))
t(lambda: quote(b"x", encoding="utf-8"))
t(lambda: quote("\ud800"))
# ---
from urllib.parse import urlencode, parse_qs, parse_qsl, quote
print(urlencode({"a": 1, "b": "x y", "c": "é&=", "d": None, "e": True, "f": 1.5}), urlencode([("a", "1"), ("a", "2")]), urlencode({}), urlencode([]), urlencode({"a": [1, 2]}), urlencode({"a": [1, "x y"], "b": "str", "c": 5, "d": (1,), "e": []}, doseq=True), urlencode({"a b": "c d"}, quote_via=quote), urlencode({b"k": b"v w"}), urlencode({"p": "/x"}, safe="/"), urlencode({"b": b"x"}, doseq=True))
t(lambda: urlencode("abc"))
t(lambda: urlencode(5))
t(lambda: urlencode([1, 2]))
print(parse_qs("a=1&b=2&a=3&c=&d&e=x+y%21"), parse_qs("a=1&c=&d", keep_blank_values=True), parse_qsl("b=2&a=1&b=3"), parse_qs(""), parse_qs("a=1;b=2"), parse_qs("a=1;b=2", separator=";"), parse_qsl("=x&a=b=c&&"), parse_qs(b"a=1&b=x"), parse_qsl("k=%C3%A9"))
t(lambda: parse_qs("a", strict_parsing=True))
t(lambda: parse_qs("a=1&b=2", max_num_fields=1))
t(lambda: parse_qs("a=1", separator=""))
# ---
import urllib.parse
from urllib import parse
from urllib.parse import ParseResult
print(parse is urllib.parse, ParseResult("http", "h", "/p", "", "q=1", "").geturl(), isinstance(parse.urlparse("x"), ParseResult))
links = ["/about", "https://other.example/x?utm=1", "page.html#top", "mailto:me@example.com"]
page = "https://example.com/docs/index.html"
for link in links:
    full = parse.urljoin(page, link)
    parts = parse.urlsplit(full)
    print(full, parts.netloc or "-", dict(parse.parse_qsl(parts.query)))
url = parse.urlsplit("https://api.example.com/v1/items?page=1")
query = dict(parse.parse_qsl(url.query), page="2", q="tea & milk")
url._replace(query=parse.urlencode(query)).geturl()
