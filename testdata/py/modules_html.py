import html
print(html.escape("<a href=\"x\">it's & more</a>"), html.escape("\"'", quote=False), html.escape(""), html.unescape("no references"))
for s in ("&lt;b&gt;", "&amp;amp;", "&quot;&#39;&#x27;&apos;", "&eacute;&euro;&nbsp;|", "&#233;&#xE9;&#Xe9;", "&amp &lt", "&notit;", "&notin;", "&not", "&hellip;&mdash;", "&bogus;", "&", "&;", "&#;", "&#x;", "&#xg;", "&# 1;", "&#0;", "&#128;&#150;&#x80;", "&#1;|&#11;|&#127;", "&#55296;", "&#1114112;", "&#99999999999999999999;", "&#x0000041;", "a&b&c", "x&ampy", "&AMP;&LT;", "&Aacute;&aacute", "&copy2024", "&CounterClockwiseContourIntegral;", "&#65", "&#65a", "&gt&lt;", "&fjlig;&NotEqualTilde;", "tail &am", "é&eacute", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;", "&#xfffe;|&#13;|&#10;"):
    print(repr(s), ascii(html.unescape(s)))
for text in ("plain", "<&>\"'", "ü & ö", "&lt;"):
    print(html.unescape(html.escape(text)) == text)
try:
    html.escape(5)
except AttributeError as e:
    print(e)
