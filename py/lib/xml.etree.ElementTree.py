"""xml.etree.ElementTree: XML as a tree of elements, read and written."""

import io as _io
import re as _re
import sys as _sys

import _xmlpath
import _xmlscan
import _xmlwrite
from _xmlscan import ParseError

VERSION = '1.3.0'

_missing = object()
_simple = _re.compile(r'(?:\{[^{}*]*\})?[^/*\[@.{]*')


def _need(value, message):
    if not isinstance(value, Element):
        raise TypeError(message.format(type(value).__name__))


class Element:
    """An element: a tag, attributes, the text before the first child, the text after the element, and children."""

    __slots__ = ('tag', 'attrib', 'text', 'tail', '_children')

    def __init__(self, tag, attrib={}, /, **extra):
        if not isinstance(attrib, dict):
            raise TypeError(f'Element() argument 2 must be dict, not {type(attrib).__name__}')
        self.tag = tag
        self.attrib = {**attrib, **extra}
        self.text = None
        self.tail = None
        self._children = []

    def __repr__(self):
        return f'<Element {self.tag!r}>'

    def makeelement(self, tag, attrib, /):
        return Element(tag, attrib)

    def __copy__(self):
        made = Element(self.tag, self.attrib)
        made.text, made.tail = self.text, self.tail
        made._children = self._children[:]
        return made

    def __deepcopy__(self, memo):
        made = self.__copy__()
        pending = [made]
        while pending:
            parent = pending.pop()
            parent._children = [child.__copy__() for child in parent._children]
            pending.extend(parent._children)
        return made

    def __len__(self):
        return len(self._children)

    def __getitem__(self, index):
        try:
            return self._children[index]
        except IndexError:
            raise IndexError('child index out of range') from None

    def __setitem__(self, index, element):
        if isinstance(index, slice):
            element = list(element)
            for one in element:
                _need(one, 'expected an Element, not "{}"')
        else:
            _need(element, 'expected an Element, not "{}"')
        try:
            self._children[index] = element
        except IndexError:
            raise IndexError('child assignment index out of range') from None

    def __delitem__(self, index):
        try:
            del self._children[index]
        except IndexError:
            raise IndexError('child assignment index out of range') from None

    def __iter__(self):
        return iter(self._children)

    def append(self, subelement, /):
        _need(subelement, 'append() argument must be xml.etree.ElementTree.Element, not {}')
        self._children.append(subelement)

    def extend(self, elements, /):
        try:
            elements = list(elements)
        except TypeError:
            raise TypeError(f'expected sequence, not "{type(elements).__name__}"') from None
        for element in elements:
            _need(element, 'expected an Element, not "{}"')
        self._children.extend(elements)

    def insert(self, index, subelement, /):
        _need(subelement, 'insert() argument 2 must be xml.etree.ElementTree.Element, not {}')
        self._children.insert(index, subelement)

    def remove(self, subelement, /):
        _need(subelement, 'remove() argument must be xml.etree.ElementTree.Element, not {}')
        self._children.remove(subelement)

    def clear(self):
        self.attrib = {}
        self.text = self.tail = None
        self._children = []

    def get(self, key, default=None):
        return self.attrib.get(key, default)

    def set(self, key, value, /):
        self.attrib[key] = value

    def keys(self):
        return self.attrib.keys()

    def items(self):
        return self.attrib.items()

    def find(self, path, namespaces=None):
        for element in self.iterfind(path, namespaces):
            return element
        return None

    def findtext(self, path, default=None, namespaces=None):
        for element in self.iterfind(path, namespaces):
            return '' if element.text is None else element.text
        return default

    def findall(self, path, namespaces=None):
        return list(self.iterfind(path, namespaces))

    def iterfind(self, path, namespaces=None):
        if isinstance(path, QName):
            path = path.text
        if namespaces is None and _simple.fullmatch(path):
            return (child for child in self._children[:] if child.tag == path)
        parents = None

        def lookup():
            nonlocal parents
            if parents is None:
                parents = {child: parent for parent in self.iter() for child in parent}
            return parents

        found = [self]
        for step in _xmlpath.parse(path, namespaces):
            found = step(found, lookup)
        return iter(found)

    def iter(self, tag=None):
        """This element and all within it, in the order of the document."""
        if isinstance(tag, QName):
            tag = tag.text
        every = tag is None or tag == '*'
        pending = [self]
        while pending:
            element = pending.pop()
            if every or element.tag == tag:
                yield element
            if element._children:
                pending.extend(reversed(element._children))

    def itertext(self):
        """All text within this element, in the order of the document."""
        pending = [self]
        while pending:
            part = pending.pop()
            if isinstance(part, str):
                yield part
                continue
            if part.text:
                yield part.text
            for child in reversed(part._children):
                if child.tail:
                    pending.append(child.tail)
                pending.append(child)


def SubElement(parent, tag, attrib={}, /, **extra):
    """A new element at the end of another."""
    _need(parent, 'SubElement() argument 1 must be xml.etree.ElementTree.Element, not {}')
    if not isinstance(attrib, dict):
        raise TypeError(f'SubElement() argument 3 must be dict, not {type(attrib).__name__}')
    element = Element(tag, attrib, **extra)
    parent._children.append(element)
    return element


def Comment(text=None):
    element = Element(Comment)
    element.text = text
    return element


def ProcessingInstruction(target, text=None):
    element = Element(ProcessingInstruction)
    element.text = f'{target} {text}' if text else target
    return element


PI = ProcessingInstruction


class QName:
    """A name in a namespace, also as the value of an attribute."""

    def __init__(self, text_or_uri, tag=None):
        self.text = f'{{{text_or_uri}}}{tag}' if tag else text_or_uri

    def __str__(self):
        return self.text

    def __repr__(self):
        return f'<QName {self.text!r}>'

    def __hash__(self):
        return hash(self.text)

    def _other(self, other):
        return other.text if isinstance(other, QName) else other

    def __eq__(self, other):
        return self.text == self._other(other)

    def __lt__(self, other):
        return self.text < self._other(other)

    def __le__(self, other):
        return self.text <= self._other(other)

    def __gt__(self, other):
        return self.text > self._other(other)

    def __ge__(self, other):
        return self.text >= self._other(other)


def iselement(element):
    return hasattr(element, 'tag')


class ElementTree:
    """A document: its outermost element, with what reads and writes it."""

    def __init__(self, element=None, file=None):
        self._root = element
        if file:
            self.parse(file)

    def getroot(self):
        return self._root

    def _setroot(self, element):
        self._root = element

    def parse(self, source, parser=None):
        parser = parser or XMLParser()
        parser.feed(_content(source))
        self._root = parser.close()
        return self._root

    def iter(self, tag=None):
        return self._root.iter(tag)

    def find(self, path, namespaces=None):
        return self._root.find(_relative(path), namespaces)

    def findtext(self, path, default=None, namespaces=None):
        return self._root.findtext(_relative(path), default, namespaces)

    def findall(self, path, namespaces=None):
        return self._root.findall(_relative(path), namespaces)

    def iterfind(self, path, namespaces=None):
        return self._root.iterfind(_relative(path), namespaces)

    def write(self, file_or_filename, encoding=None, xml_declaration=None, default_namespace=None, method=None, *,
              short_empty_elements=True):
        if not hasattr(file_or_filename, 'write'):
            raise OSError(f'there are no files: {file_or_filename!r}')
        text, encoding = _text(self._root, encoding, method, xml_declaration, default_namespace, short_empty_elements)
        file_or_filename.write(text if encoding == 'unicode' else text.encode(encoding, 'xmlcharrefreplace'))


def _relative(path):
    return '.' + path if path[:1] == '/' else path


def _content(source):
    if not hasattr(source, 'read'):
        raise FileNotFoundError(f'[Errno 2] No such file or directory: {source!r}')
    return source.read()


def _text(root, encoding, method, declare, default, short):
    """The text of a tree, and the name of its encoding."""
    method = method or 'xml'
    if method not in ('xml', 'html', 'text'):
        raise ValueError(f'unknown method {method!r}')
    encoding = encoding or 'us-ascii'
    if encoding.lower() == 'unicode':
        encoding, shown = 'unicode', 'utf-8'
    else:
        shown = encoding
    parts = []
    if method == 'xml' and (declare or declare is None and shown.lower() not in ('utf-8', 'us-ascii')):
        parts.append(f"<?xml version='1.0' encoding='{shown}'?>\n")
    if method == 'text':
        parts.extend(root.itertext())
        parts.append(root.tail or '')
    else:
        written, spaces = _xmlwrite.names(root, default, QName)
        _xmlwrite.Writer(parts.append, written, QName, method == 'html', short).tree(root, spaces)
    return ''.join(parts), encoding


def tostring(element, encoding=None, method=None, *, xml_declaration=None, default_namespace=None, short_empty_elements=True):
    """An element as bytes, or as a str if encoding is 'unicode'."""
    text, encoding = _text(element, encoding, method, xml_declaration, default_namespace, short_empty_elements)
    return text if encoding == 'unicode' else text.encode(encoding, 'xmlcharrefreplace')


def tostringlist(element, encoding=None, method=None, *, xml_declaration=None, default_namespace=None, short_empty_elements=True):
    return [tostring(element, encoding, method, xml_declaration=xml_declaration, default_namespace=default_namespace,
                     short_empty_elements=short_empty_elements)]


def dump(elem):
    """Shows an element in the output."""
    text = tostring(elem.getroot() if isinstance(elem, ElementTree) else elem, 'unicode')
    _sys.stdout.write(text if text[-1:] == '\n' else text + '\n')


def indent(tree, space='  ', level=0):
    """Puts blanks and line ends between elements, so that their text is indented."""
    if isinstance(tree, ElementTree):
        tree = tree.getroot()
    if level < 0:
        raise ValueError(f'Initial indentation level must be >= 0, got {level}')
    pending = [(tree, level)]
    while pending:
        element, level = pending.pop()
        children = element[:]
        if not children:
            continue
        outer, inner = '\n' + level * space, '\n' + (level + 1) * space
        if not element.text or not element.text.strip():
            element.text = inner
        for child in children:
            if not child.tail or not child.tail.strip():
                child.tail = inner
            pending.append((child, level + 1))
        if not children[-1].tail.strip():
            children[-1].tail = outer


def register_namespace(prefix, uri):
    """Sets the prefix that a namespace is written with."""
    if _re.match(r'ns\d+$', prefix):
        raise ValueError('Prefix format reserved for internal use')
    for space, known in list(_xmlwrite.prefixes.items()):
        if space == uri or known == prefix:
            del _xmlwrite.prefixes[space]
    _xmlwrite.prefixes[uri] = prefix


class TreeBuilder:
    """Makes a tree of the parts that a parser finds."""

    def __init__(self, element_factory=None, *, comment_factory=None, pi_factory=None, insert_comments=False, insert_pis=False):
        self._make = element_factory or Element
        self._comment = comment_factory or Comment
        self._pi = pi_factory or ProcessingInstruction
        self.insert_comments = insert_comments
        self.insert_pis = insert_pis
        self._open = []
        self._root = None
        self._last = None
        self._after = False
        self._data = []

    def close(self):
        return self._root

    def data(self, data, /):
        self._data.append(data)

    def start(self, tag, attrs, /):
        if self._data:
            self._flush()
        element = self._make(tag, attrs)
        if self._open:
            self._open[-1].append(element)
        elif self._root is None:
            self._root = element
        self._open.append(element)
        self._last, self._after = element, False
        return element

    def end(self, tag, /):
        if self._data:
            self._flush()
        self._last, self._after = self._open.pop(), True
        return self._last

    def comment(self, text, /):
        return self._single(self._comment(text), self.insert_comments)

    def pi(self, target, text=None, /):
        return self._single(self._pi(target, text), self.insert_pis)

    def _single(self, element, kept):
        if kept:
            if self._data:
                self._flush()
            self._last, self._after = element, True
            if self._open:
                self._open[-1].append(element)
        return element

    def _flush(self):
        text = ''.join(self._data)
        self._data = []
        if self._last is None:
            return
        if self._after:
            self._last.tail = text
        else:
            self._last.text = text


class XMLParser:
    """Takes a document in pieces. What is wrong with it is found when it is closed."""

    def __init__(self, *, target=None, encoding=None):
        self.target = TreeBuilder() if target is None else target
        self.entity = {}
        self.version = 'Expat 2.5.0'
        self._encoding = encoding
        self._pieces = []

    def feed(self, data, /):
        if not isinstance(data, (str, bytes)):
            raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'")
        if self._pieces is None:
            raise _xmlscan.Scanner('').error(36, 0)
        if data:
            self._pieces.append(data.encode() if isinstance(data, str) and self._pieces and isinstance(self._pieces[0], bytes) else data)

    def flush(self):
        pass

    def close(self):
        pieces, self._pieces = self._pieces, None
        if pieces is None:
            raise _xmlscan.Scanner('').error(36, 0)
        for _ in _build(pieces, self.target, self._encoding):
            pass
        finish = getattr(self.target, 'close', None)
        return finish() if finish else None


def _build(pieces, target, encoding=None):
    """Tells target the parts of a document, and gives each with what target made of it."""
    join = '' if not pieces or isinstance(pieces[0], str) else b''
    scanner = _xmlscan.Scanner(*_xmlscan.text_of(join.join(pieces), encoding))
    calls = {'start': getattr(target, 'start', None), 'end': getattr(target, 'end', None), 'data': getattr(target, 'data', None),
             'comment': getattr(target, 'comment', None), 'pi': getattr(target, 'pi', None),
             'start-ns': getattr(target, 'start_ns', None), 'end-ns': getattr(target, 'end_ns', None)}
    for kind, first, second in scanner.events():
        call = calls[kind]
        if call is None:
            made = (first or '', second) if kind == 'start-ns' else None
        elif kind == 'end' or kind == 'data' or kind == 'comment':
            made = call(first)
        elif kind == 'end-ns':
            made = call(first or '')
        else:
            made = call(first, second)
        yield kind, made


class _Reader:
    """What iterparse gives: events one after the other, and root when they are over."""

    def __init__(self, parts, wanted, builder):
        self._parts = parts
        self._wanted = wanted
        self._builder = builder
        self.root = None

    def __iter__(self):
        return self

    def __next__(self):
        for part in self._parts:
            if part[0] in self._wanted:
                return part
        self.root = self._builder.close()
        raise StopIteration


def iterparse(source, events=None, parser=None):
    """Reads a document step by step; events are names of 'start', 'end', 'comment', 'pi', 'start-ns', 'end-ns'."""
    wanted = ('end',) if events is None else tuple(events)
    for name in wanted:
        if name not in ('start', 'end', 'comment', 'pi', 'start-ns', 'end-ns'):
            raise ValueError(f'unknown event {name!r}')
    builder = parser.target if parser else TreeBuilder()
    return _Reader(_build([_content(source)], builder), wanted, builder)


def parse(source, parser=None):
    """A tree of what a file in memory holds."""
    tree = ElementTree()
    tree.parse(source, parser)
    return tree


def fromstring(text, parser=None):
    """The outermost element of a document."""
    parser = parser or XMLParser()
    parser.feed(text)
    return parser.close()


XML = fromstring


def fromstringlist(sequence, parser=None):
    parser = parser or XMLParser()
    for text in sequence:
        parser.feed(text)
    return parser.close()


def XMLID(text, parser=None):
    """The outermost element of a document, and a dict of all that have an id."""
    tree = fromstring(text, parser)
    return tree, {element.get('id'): element for element in tree.iter() if element.get('id')}
