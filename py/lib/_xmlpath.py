"""_xmlpath: the part of XPath that elements understand."""

import re as _re

_part = _re.compile(
    r'''[ \t\n]+|('[^']*'|"[^"]*")|(//|/|\.\.|::|!=|\(\)|[@.*:()\[\]=])|((?:\{[^{}]*\})?[^/\[\]()@!=\s'"]+|\{[^{}]*\}|.)''')
_index = _re.compile(r'-?[0-9]+')
_missing = object()


def parse(path, namespaces=None):
    """The steps of a path: functions from a list of elements to a list, and a map to parents."""
    if path[-1:] == '/':
        path += '*'
    if path[:1] == '/':
        raise SyntaxError('cannot use absolute path on element')
    parts = [(m[1], m[2] if m[2] is not None else '', m[3]) for m in _part.finditer(path)]
    steps = []
    at = 0
    while at < len(parts):
        step, at = _step(parts, at, namespaces)
        if step is not None:
            steps.append(step)
        if at >= len(parts):
            break
        sign = parts[at][1]
        if sign == '/':
            at += 1
        elif sign != '//' and sign != '[':
            raise SyntaxError('invalid path')
    return steps


def _step(parts, at, namespaces):
    quoted, sign, word = parts[at]
    at += 1
    if sign == '*':
        return _children('*'), at
    if sign == '.':
        return None, at
    if sign == '..':
        return _parents, at
    if sign == '//':
        if at >= len(parts):
            raise SyntaxError('invalid descendant')
        quoted, sign, word = parts[at]
        if sign != '*' and word is None:
            raise SyntaxError('invalid descendant')
        return _descendants('*' if sign else _qualified(word, namespaces)), at + 1
    if sign == '[':
        end = at
        while end < len(parts) and parts[end][1] != ']':
            end += 1
        if end == len(parts):
            raise SyntaxError('invalid path')
        return _predicate([p for p in parts[at:end] if p != (None, '', None)], namespaces), end + 1
    if word is None:
        raise SyntaxError('invalid path')
    return _children(_qualified(word, namespaces)), at


def _qualified(name, namespaces):
    if name[:1] == '{':
        return name
    prefix, colon, local = name.partition(':')
    if colon:
        if not namespaces or prefix not in namespaces:
            raise SyntaxError(f'prefix {prefix!r} not found in prefix map')
        return f'{{{namespaces[prefix]}}}{local}'
    if namespaces and (space := namespaces.get('') or namespaces.get(None)):
        return f'{{{space}}}{name}'
    return name


def fits(tag):
    """Whether a tag is one that name asks for: a name, {*}name, {space}*, {}* or *."""
    if tag == '*':
        return lambda name: isinstance(name, str)
    if tag == '{}*':
        return lambda name: isinstance(name, str) and name[:1] != '{'
    if tag == '{*}*':
        return lambda name: isinstance(name, str)
    if tag[:3] == '{*}':
        local = tag[3:]
        return lambda name: isinstance(name, str) and (name == local or name.endswith('}' + local) and name[0] == '{')
    if tag[:1] == '{' and tag[-2:] == '}*':
        space = tag[:-1]
        return lambda name: isinstance(name, str) and name.startswith(space)
    if tag[:2] == '{}':
        tag = tag[2:]
    return lambda name: name == tag


def _children(tag):
    if tag == '*':
        return lambda found, parents: (child for element in found for child in element)
    fit = fits(tag)
    return lambda found, parents: (child for element in found for child in element if fit(child.tag))


def _descendants(tag):
    fit = None if tag == '*' else fits(tag)

    def step(found, parents):
        for element in found:
            for inner in element.iter():
                if inner is not element and (fit is None or fit(inner.tag)):
                    yield inner
    return step


def _parents(found, parents):
    passed = {}
    for element in found:
        parent = parents().get(element)
        if parent is not None and parent not in passed:
            passed[parent] = None
            yield parent


def _predicate(parts, namespaces):
    shape = ''.join('@' if sign == '@' else "'" if quoted is not None else sign or ('-' if word[:1] == '-' else 'w')
                    for quoted, sign, word in parts)
    texts = [quoted[1:-1] if quoted is not None else word for quoted, sign, word in parts]
    match shape:
        case '@w':
            key = texts[1]
            return lambda found, parents: (e for e in found if e.get(key) is not None)
        case "@w='":
            key, value = texts[1], texts[3]
            return lambda found, parents: (e for e in found if e.get(key) == value)
        case "@w!='":
            key, value = texts[1], texts[3]
            return lambda found, parents: (e for e in found if (own := e.get(key)) is not None and own != value)
        case 'w' if not _index.fullmatch(texts[0]):
            tag = _qualified(texts[0], namespaces)
            return lambda found, parents: (e for e in found if e.find(tag) is not None)
        case ".='" | ".!='" | "w='" | "w!='" if shape[0] == '.' or not _index.fullmatch(texts[0]):
            tag = _qualified(texts[0], namespaces) if shape[0] == 'w' else None
            return _with_text(tag, texts[2], '!' not in shape)
        case 'w' | '-' | 'w()' | 'w()-':
            return _at_index(_place(shape, texts))
    raise SyntaxError('invalid predicate')


def _with_text(tag, text, same):
    def fit(element):
        return (''.join(element.itertext()) == text) == same
    if tag is None:
        return lambda found, parents: (e for e in found if fit(e))
    return lambda found, parents: (e for e in found if any(fit(child) for child in e.iterfind(tag)))


def _place(shape, texts):
    if shape in ('w', '-'):
        place = int(texts[0]) - 1
        if place < 0:
            raise SyntaxError('XPath position >= 1 expected')
        return place
    if texts[0] != 'last':
        raise SyntaxError('unsupported function')
    if shape == 'w()':
        return -1
    rest = texts[2]
    if not rest[1:].isdecimal():
        raise SyntaxError('unsupported expression')
    place = -1 - int(rest[1:])
    if place > -2:
        raise SyntaxError('XPath offset from last() must be negative')
    return place


def _at_index(place):
    def step(found, parents):
        for element in found:
            parent = parents().get(element)
            if parent is None:
                continue
            alike = list(parent.findall(element.tag))
            if -len(alike) <= place < len(alike) and alike[place] is element:
                yield element
    return step
