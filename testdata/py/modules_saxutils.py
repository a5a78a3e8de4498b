from xml.sax.saxutils import escape, unescape, quoteattr
import xml.sax.saxutils as su
print(escape('a < b & c > "d"'), escape('"x" \'y\'', {'"': '&quot;', "'": '&apos;'}))
print(unescape('&lt;a&gt; &amp;lt; &quot;'), unescape('&quot;x&quot; &amp;quot;', {'&quot;': '"'}))
print(quoteattr('plain'), quoteattr('say "hi"'), quoteattr("it's \"x\""), quoteattr('a\n\tb & <c>'), quoteattr('é', {'é': '&eacute;'}))
print(su.escape(''), su.quoteattr(''), su.unescape('&amp;amp;'))
