"""_xmlwrite: elements as text."""

prefixes = {
    'http://www.w3.org/XML/1998/namespace': 'xml',
    'http://www.w3.org/1999/xhtml': 'html',
    'http://www.w3.org/1999/02/22-rdf-syntax-ns#': 'rdf',
    'http://schemas.xmlsoap.org/wsdl/': 'wsdl',
    'http://www.w3.org/2001/XMLSchema': 'xs',
    'http://www.w3.org/2001/XMLSchema-instance': 'xsi',
    'http://purl.org/dc/elements/1.1/': 'dc',
}

_empty = frozenset(('area', 'base', 'basefont', 'br', 'col', 'embed', 'frame', 'hr', 'img', 'input', 'isindex', 'link', 'meta',
                    'param', 'source', 'track', 'wbr'))


def _refuse(value):
    raise TypeError(f'cannot serialize {value!r} (type {type(value).__name__})')


def content(text):
    if not isinstance(text, str):
        _refuse(text)
    if '&' in text:
        text = text.replace('&', '&amp;')
    if '<' in text:
        text = text.replace('<', '&lt;')
    return text.replace('>', '&gt;') if '>' in text else text


def value(text, html=False):
    if not isinstance(text, str):
        _refuse(text)
    if '&' in text:
        text = text.replace('&', '&amp;')
    if '<' in text and not html:
        text = text.replace('<', '&lt;')
    text = text.replace('>', '&gt;').replace('"', '&quot;')
    if html:
        return text
    return text.replace('\r', '&#13;').replace('\n', '&#10;').replace('\t', '&#09;')


def names(root, default, kind):
    """How the tags and attributes of a tree are written, and the namespaces that its root declares."""
    written = {None: None}
    spaces = {}
    if default:
        spaces[default] = ''

    def add(name, text):
        if text[:1] != '{':
            if default:
                raise ValueError('cannot use non-qualified names with default_namespace option')
            written[name] = text
            return
        space, local = text[1:].rsplit('}', 1)
        prefix = spaces.get(space)
        if prefix is None:
            prefix = prefixes.get(space)
            if prefix is None:
                prefix = f'ns{len(spaces)}'
            if prefix != 'xml':
                spaces[space] = prefix
        written[name] = f'{prefix}:{local}' if prefix else local

    def note(name):
        if isinstance(name, kind):
            if name.text not in written:
                add(name.text, name.text)
        elif isinstance(name, str):
            if name not in written:
                add(name, name)
        else:
            _refuse(name)

    for element in root.iter():
        tag = element.tag
        if tag is not None and not callable(tag):
            note(tag)
        for key, text in element.items():
            note(key)
            if isinstance(text, kind):
                note(text)
    return written, spaces


class Writer:
    """Writes a tree with a method, without calling itself, so that trees of any depth are written."""

    def __init__(self, write, written, kind, html, short):
        self.write = write
        self.written = written
        self.kind = kind
        self.html = html
        self.short = short

    def tree(self, root, spaces):
        write = self.write
        pending = [root]
        while pending:
            element = pending.pop()
            if isinstance(element, str):
                write(element)
                continue
            closing = self.begin(element, spaces)
            spaces = None
            if element.tail:
                closing += content(element.tail)
            children = element[:]
            if not children:
                write(closing)
                continue
            pending.append(closing)
            children.reverse()
            pending.extend(children)

    def begin(self, element, spaces):
        """Writes what stands before the children, and returns what stands after them."""
        tag, text, write = element.tag, element.text, self.write
        if callable(tag):
            write(f'<!--{text}-->' if tag.__name__ == 'Comment' else f'<?{text}?>')
            return ''
        name = self.name(tag)
        if name is None:
            if text:
                write(content(text))
            return ''
        attributes = self.attributes(element, spaces)
        lower = name.lower()
        if self.html:
            write(f'<{name}{attributes}>')
            if text:
                write(text if lower in ('script', 'style') else content(text))
            return '' if lower in _empty else f'</{name}>'
        if not text and not len(element) and self.short:
            write(f'<{name}{attributes} />')
            return ''
        write(f'<{name}{attributes}>')
        if text:
            write(content(text))
        return f'</{name}>'

    def name(self, tag):
        return self.written[tag.text if isinstance(tag, self.kind) else tag]

    def attributes(self, element, spaces):
        made = ''
        for space, prefix in sorted((spaces or {}).items(), key=lambda item: item[1]):
            made += f' xmlns{":" + prefix if prefix else ""}="{value(space, self.html)}"'
        for key, text in element.items():
            shown = self.name(text) if isinstance(text, self.kind) else value(text, self.html)
            made += f' {self.name(key)}="{shown}"'
        return made
