# prelude
import copy, io
import xml.etree.ElementTree as ET
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring
library = '''<?xml version="1.0"?>
<!-- a catalog -->
<catalog xmlns:dc="http://purl.org/dc/elements/1.1/">
  <book id="bk101" lang="en">
    <author>Gambardella, Matthew</author>
    <title>XML Developer's Guide</title>
    <price currency="USD">44.95</price>
    <dc:date>2000-10-01</dc:date>
  </book>
  <book id="bk102">
    <author>Ralls, Kim</author>
    <title>Midnight Rain</title>
    <price currency="EUR">5.95</price>
    <notes><p>One <b>bold</b> and <i>italic</i>.</p></notes>
  </book>
  <magazine id="m1"><title>News &amp; Views &#8212; &lt;weekly&gt;</title></magazine>
</catalog>'''
def attempt(f, *args, **kw):
    try:
        return f(*args, **kw)
    except Exception as e:
        return type(e).__name__, str(e)
# ---
root = fromstring(library)
print(root.tag, root.attrib, len(root), [c.tag for c in root])
for book in root.findall('book'):
    print(book.get('id'), book.get('lang', 'none'), book.find('title').text, float(book.findtext('price')), book.find('price').attrib['currency'])
print(root.find('nothing'), root.findtext('nothing'), root.findtext('nothing', 'x'), root.findtext('book'), repr(root.text), repr(root[0].tail))
print([e.tag for e in root.iter()])
print([t.text for t in root.iter('title')])
print(''.join(root.find('.//p').itertext()))
print(sorted(root[0].keys()), list(root[0].items()), root[0].get('zz'))
print(root.find('magazine/title').text, root[-1].tag, [e.tag for e in root[0:2]])
tostring(root, encoding='unicode')
# ---
root = fromstring(library)
ns = {'dc': 'http://purl.org/dc/elements/1.1/', 'd': 'http://purl.org/dc/elements/1.1/'}
for path in ['*', '.', './book', './/title', './/book/title', 'book/..', './/p/..', "book[@id='bk102']/title", 'book[@id="bk102"]', 'book[@lang]', "book[@id!='bk102']",
             'book[1]', 'book[2]', 'book[3]', 'book[last()]', 'book[last()-1]', 'book[notes]', "book[author='Ralls, Kim']", "book[author!='Ralls, Kim']",
             ".//title[.='Midnight Rain']", ".//title[.!='Midnight Rain']", './/*', 'book/*', "*[@id='m1']", 'dc:date', './/dc:date', './/{http://purl.org/dc/elements/1.1/}date',
             './/{*}date', './/{*}title', './/{}title', './/{http://purl.org/dc/elements/1.1/}*', 'book//b', './/book[1]//*', "book[ @id = 'bk101' ]", './/b/../..', 'book/', './/p/*[1]',
             "book[@lang='en'][price]", 'book/price[@currency]', 'book[price][2]', 'book|magazine', '//title', '/catalog', 'book[]', 'book[0]', 'book[-1]',
             'book[foo()]', 'book[last()-x]', 'book[@]', './/', 'zz:date', 'book[position()=1]', 'book[1.5]', '..', './/book[title=\'Midnight Rain\']/price', './/..', './/.', "book[@id='x' or @id='y']", "book[price>5]", "book[contains(title,'a')]"]:
    print(path, attempt(lambda: [(e.tag, e.attrib) for e in root.findall(path, ns)]))
    found = attempt(lambda: root.find(path))
    print('   ', found.tag if ET.iselement(found) else found, attempt(lambda: root.findtext(path, 'none')))
# ---
root = Element('root', {'version': '1'}, name='x')
a = SubElement(root, 'a', id='1')
a.text = 'text & <more> "quoted"'
a.tail = 'tail\n'
a.set('k', 'v"\n\t<>&')
b = SubElement(root, 'b', {'x': '1'}, y='2')
root.append(ET.Comment(' note '))
root.append(ET.PI('target', 'some text'))
print(tostring(root), tostring(root, encoding='unicode'))
print(tostring(root, encoding='utf-8'), tostring(root, 'utf-8', xml_declaration=True), tostring(root, encoding='iso-8859-1'))
print(tostring(root, encoding='unicode', short_empty_elements=False), tostring(root, method='text'), tostring(root, encoding='unicode', method='html'))
root.insert(0, Element('first')); root.extend([Element('last'), Element('verylast')])
print([c.tag if isinstance(c.tag, str) else c.tag.__name__ for c in root], len(root), list(root).index(b))
root.remove(b); del root[0]; del root[-2:]
root[0] = Element('changed')
root[1:] = [Element('p'), Element('q')]
print([c.tag for c in root], root[0].tag, root[-1].tag, root[0:2][1].tag, [c.tag for c in reversed(root)])
c = copy.deepcopy(root); d = copy.copy(root)
c[0].tag = 'deep'; d[1].tag = 'shared'
print(tostring(c), tostring(root), d[0] is root[0], c == root, root == root)
root.clear()
print(tostring(root), root.attrib, len(root), bool(len(root)), root.text)
e = Element('é', {'ü': 'ß'}); e.text = 'naïve €'
print(tostring(e), tostring(e, 'unicode'), tostring(e, 'utf-8'), tostring(e, 'utf-16'), tostring(e, 'latin-1'), tostring(e, 'UTF-8'))
# ---
root = fromstring('<a><b><c/>x<d>text</d></b><e/><f>  </f></a>')
ET.indent(root)
print(tostring(root, 'unicode'))
ET.indent(root, space='\t')
print(tostring(root, 'unicode'))
ET.indent(ET.ElementTree(root), '    ', level=1)
print(tostring(root, 'unicode'))
print(attempt(ET.indent, root, level=-1))
ET.dump(root)
tree = ET.ElementTree(fromstring('<r><x>é</x></r>'))
out = io.BytesIO(); tree.write(out, encoding='utf-8', xml_declaration=True); print(out.getvalue())
out = io.BytesIO(); tree.write(out); print(out.getvalue())
out = io.StringIO(); tree.write(out, encoding='unicode'); print(out.getvalue())
tree = ET.parse(io.StringIO('<r><x>1</x><x>2</x></r>'))
print(tree.getroot().tag, [x.text for x in tree.findall('x')], tree.find('./x').text, tree.findtext('x'), [e.tag for e in tree.iter()], [x.text for x in tree.iterfind('x')])
print(ET.parse(io.BytesIO('<?xml version="1.0" encoding="iso-8859-1"?><r>é</r>'.encode('latin-1'))).getroot().text)
print(attempt(ET.parse, 'no-such.xml'))
# ---
doc = '<f:feed xmlns="http://www.w3.org/2005/Atom" xmlns:f="urn:f" xmlns:m="urn:m" f:v="1" v="2"><entry m:id="7"><title xml:lang="en">T</title></entry><x xmlns="">y</x><z xmlns="urn:z"><w/></z></f:feed>'
root = fromstring(doc)
print([e.tag for e in root.iter()], root.attrib, root[0].attrib, root[0][0].attrib)
print(root.find('{http://www.w3.org/2005/Atom}entry').attrib, root.find('atom:entry/atom:title', {'atom': 'http://www.w3.org/2005/Atom'}).text)
print(root.findall('entry'), [e.tag for e in root.findall('entry', {'': 'http://www.w3.org/2005/Atom'})])
print(tostring(root, 'unicode'))
ET.register_namespace('atom', 'http://www.w3.org/2005/Atom'); ET.register_namespace('m', 'urn:m')
print(tostring(root, 'unicode'))
print(tostring(fromstring('<a xmlns="urn:a"><b/></a>'), 'unicode', default_namespace='urn:a'), attempt(tostring, fromstring('<a/>'), 'unicode', default_namespace='urn:a'))
print(attempt(ET.register_namespace, 'ns1', 'u'))
q = ET.QName('urn:q', 'name'); e = Element(q); e.set(q, q)
print(q, repr(q), q == '{urn:q}name', q == ET.QName('{urn:q}name'), tostring(e, 'unicode'), hash(q) == hash(ET.QName('urn:q', 'name')))
print([x.tag for x in ET.Element('a').iter('b')])
# ---
print([(event, e.tag, e.text) for event, e in ET.iterparse(io.StringIO('<a><b>1</b><c x="y">2</c></a>'))])
print([(event, e.tag) for event, e in ET.iterparse(io.BytesIO(b'<a><b>1</b></a>'), events=('start', 'end'))])
print([(event, e if isinstance(e, tuple) or e is None else (e.tag if isinstance(e.tag, str) else e.text)) for event, e in ET.iterparse(io.StringIO('<x:a xmlns:x="u" xmlns="d"><b/><!-- c --><?p q?></x:a>'), ['start', 'end', 'start-ns', 'end-ns', 'comment', 'pi'])])
total = 0
it = ET.iterparse(io.StringIO('<r>' + '<n v="3"/>' * 50 + '</r>'))
for event, e in it:
    if e.tag == 'n':
        total += int(e.get('v')); e.clear()
print(total, it.root.tag, attempt(lambda: list(ET.iterparse(io.StringIO('<a/>'), ['zz']))), attempt(lambda: list(ET.iterparse(io.StringIO('<a><b></a>')))))
class Target:
    def __init__(self): self.log = []
    def start(self, tag, attrib): self.log.append(('start', tag, attrib))
    def end(self, tag): self.log.append(('end', tag))
    def data(self, data): self.log.append(data)
    def comment(self, text): self.log.append(('comment', text))
    def close(self): return self.log
parser = ET.XMLParser(target=Target())
parser.feed('<a x="1"><b>'); parser.feed('text</b><!-- c --></a>')
print(parser.close())
print(tostring(fromstring('<!-- 0 --><a>x<!-- 1 -->y<?p q?>z<b/><!-- 2 -->w</a>', ET.XMLParser(target=ET.TreeBuilder(insert_comments=True, insert_pis=True))), 'unicode'))
print(tostring(fromstring('<a>x<!-- 1 -->y<?p q?>z<b/><!-- 2 -->w<![CDATA[<&>]]>v</a>'), 'unicode'))
builder = ET.TreeBuilder(); builder.start('a', {'x': '1'}); builder.data('t'); builder.start('b', {}); builder.end('b'); builder.data('u'); builder.end('a')
print(tostring(builder.close()), tostring(ET.fromstringlist(['<a>', 'x</a>'])), ET.XMLID('<a id="1"><b id="2"/><c/></a>')[1].keys(), ET.tostringlist(fromstring('<a/>')))
# ---
bad = ['', '   ', '<a>', '<a', '<a ', '<a b', '<a b=', '<a b="x', '<a b=c/>', '<a b="x"c="y"/>', '<a b="1" b="2"/>', '<a></b>', '<a><b></a>', 'x<a/>', 'hello world', '<a/>x', '<a/>\nx y', '<a/><b/>', '<a>&nbsp;</a>',
       '<!DOCTYPE a SYSTEM "x"><a>&nbsp;</a>', '<a>x & y</a>', '<a b="x & y"/>', '<a b="&nbsp;"/>', '<a b="<"/>', '<a><1/></a>', '<x:a/>', '<a x:b="1"/>', '<a>&#0;</a>', '<a>&#xD800;</a>', '<a>&#xffffffffff;</a>',
       ' <?xml version="1.0"?><a/>', '<a>]]></a>', '<a><!-- a -- b --></a>', '<a><!-- x', '<a><![CDATA[x', '<a>\x01</a>', '<a>\n  <b>\n</a>', '</a>', '<a>&amp</a>', '<a>&amp', '<a <b/>', '< a/>', '<a><', '<a></', '<a></a', '<a></ a>',
       '<a>&', '<a>&#;', '<a><!', '<a><!x', '<a><?', '<a><?x', '<? x?><a/>', '<a/><!-- x', '<a/><?xml v?>', '<!DOCTYPE', '<!DOCTYPE html><html><br></html>', '<a b/>', '<a b>', '<a/ >', '<a xmlns:x=""/>', '&amp;<a/>',
       '<![CDATA[x]]><a/>', '{"a": 1}', '<a:b:c xmlns:a="u"/>', '<é>\n é<b></é>', '<a>\r\n<b>\r\n</a>', b'<a>\xe9</a>', b'<a>\xc3\xa9<b></a>', '<p>Tom & Jerry</p>', '<a href="x?a=1&b=2"/>', '<ul><li>1<li>2</ul>', '<a>\ufffe</a>']
for text in bad:
    try:
        print(repr(text), tostring(fromstring(text)))
    except ET.ParseError as e:
        print(repr(text), e, e.code, e.position)
# ---
try:
    fromstring('<a>')
except ET.ParseError as e:
    print(repr(e), e.msg, isinstance(e, SyntaxError), type(e).__name__, e.lineno)
good = ['<a/>', '<a></a>', "<a b='1' c=\"2\"  d = '3' />", '<a b="x\ny\tz&#10;&#9;&lt;&quot;&apos;\'"/>', '<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x41;&#128512;</a>', '<!DOCTYPE note SYSTEM "Note.dtd" [<!ELEMENT a (#PCDATA)> <!-- > ] --> <?p ]> ?> <!ATTLIST a b CDATA #IMPLIED>]><a>x</a>',
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<!-- c --><?p q?><a>é\r\nx\ry</a>\n<!-- d -->\n', '\ufeff<a/>', b'\xef\xbb\xbf<a>\xc3\xa9</a>', '<a>é</a>'.encode('utf-16'), '<_a.b-c:d xmlns:_a.b-c="u"/>', '<a>]]&gt; ]] ></a>', '<a>x > y</a>', '<a b=">"/>', '<a\n  b="1"\n></a\n>', '<a><![CDATA[a]]]]><![CDATA[>b]]></a>', '<日本 語="x">語</日本>']
for text in good:
    e = fromstring(text)
    print(e.tag, e.attrib, repr(e.text), tostring(e))
for f in [lambda: Element('a', []), lambda: Element('a').append('x'), lambda: Element('a').remove(Element('b')), lambda: Element('a')[0], lambda: fromstring(b'<?xml version="1.0" encoding="foo"?><a/>'), lambda: fromstring(None), lambda: fromstring(5),
          lambda: tostring(Element('a', {'x': 5})), lambda: tostring(Element('a'), method='zz'), lambda: SubElement('x', 'y'), lambda: Element('a').insert(0, 5), lambda: Element('a').extend([5]), lambda: Element('a').extend(5), lambda: tostring(Element(5))]:
    print(attempt(f))
# ---
rows = fromstring('<data>' + ''.join(f'<row id="{i}"><name>n{i}</name><v>{i * i}</v></row>' for i in range(200)) + '</data>')
deep = fromstring('<a>' * 900 + 'x' + '</a>' * 900)
depth = 0
while len(deep):
    deep, depth = deep[0], depth + 1
(sum(int(r.find('v').text) for r in rows.iter('row')), {r.get('id'): r.findtext('name') for r in rows if int(r.get('id')) % 50 == 0}, depth, deep.text)
