# prelude
from html.parser import HTMLParser
class Show(HTMLParser):
    def __init__(self, **options):
        super().__init__(**options)
        self.events = []
    def handle_starttag(self, tag, attrs):
        self.events.append(("start", tag, attrs, self.getpos()))
    def handle_endtag(self, tag):
        self.events.append(("end", tag))
    def handle_data(self, data):
        self.events.append(("data", data))
    def handle_comment(self, data):
        self.events.append(("comment", data))
    def handle_decl(self, decl):
        self.events.append(("decl", decl))
    def unknown_decl(self, data):
        self.events.append(("unknown", data))
    def handle_pi(self, data):
        self.events.append(("pi", data))
    def handle_entityref(self, name):
        self.events.append(("entity", name))
    def handle_charref(self, name):
        self.events.append(("char", name))
def show(*texts, **options):
    p = Show(**options)
    for text in texts:
        p.feed(text)
    p.close()
    print(p.events)
# ---
show("<!DOCTYPE html><html><body class='a b' id=x data-v=\"1 &amp; 2\"><p>Hello &amp; <b>world</b>!<br/><img src=x.png alt></p></body></html>")
show("<P>Upper</P>\n<a HREF='/x?a=1&amp;b=2'>link</a>\n\n<hr>")
show("<script>if (a < b && c > d) { x = '<b>'; }</script><style>p > a { }</style>after")
show("<!-- a comment --><p>text<!-- another -->more</p><?php echo ?>")
show("a < b and c > d", "<p", ">split</p>", "<a href='x", "'>y</a>")
show("&lt;b&gt; &eacute; &#233; &bogus;", "<i>&copy;</i>")
show("x &amp; y &#65; z", convert_charrefs=False)
show("<input disabled value=5 checked='checked'><td colspan = \"2\" >cell</td>")
show("unclosed <p>para <b>bold", "")
show("<p><![CDATA[some <data>]]>x<![if IE]>y</p>")
show("</ p><//><p/ >x</p >")
# ---
class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.text, self.depth = [], [], 0
    def handle_starttag(self, tag, attrs):
        self.depth += 1
        if tag == "a":
            self.links.append(dict(attrs).get("href"))
    def handle_endtag(self, tag):
        self.depth -= 1
    def handle_data(self, data):
        if data.strip():
            self.text.append(data.strip())
p = Links()
p.feed("""<html><body>
  <h1>Title</h1>
  <ul><li><a href="/one">One</a></li><li><a href="/two?x=1&amp;y=2">Two &mdash; more</a></li></ul>
</body></html>""")
p.close()
(p.links, p.text, p.depth, p.get_starttag_text())
