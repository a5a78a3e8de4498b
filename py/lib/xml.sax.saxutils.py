"""xml.sax.saxutils: text that stands in XML."""


def escape(data, entities={}):
    """The text with &, < and > written as entities, and then those of entities."""
    data = data.replace('&', '&amp;').replace('>', '&gt;').replace('<', '&lt;')
    return _replace(data, entities)


def unescape(data, entities={}):
    data = data.replace('&lt;', '<').replace('&gt;', '>')
    return _replace(data, entities).replace('&amp;', '&')


def quoteattr(data, entities={}):
    """The text as the value of an attribute, with its quotes."""
    data = escape(data, {**entities, '\n': '&#10;', '\r': '&#13;', '\t': '&#9;'})
    if '"' not in data:
        return f'"{data}"'
    if "'" not in data:
        return f"'{data}'"
    return '"' + data.replace('"', '&quot;') + '"'


def _replace(data, entities):
    for key, value in entities.items():
        data = data.replace(key, value)
    return data
