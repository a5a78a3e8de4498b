"""html.parser: the tags and the text of a page, one after the other."""

from html import unescape as _unescape

_blank = ' \t\n\r\f'
_letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'


class HTMLParser:
    """Calls a method for each part of a page; programs override them."""

    CDATA_CONTENT_ELEMENTS = ('script', 'style')

    def __init__(self, *, convert_charrefs=True):
        self.convert_charrefs = convert_charrefs
        self.reset()

    def reset(self):
        self.rawdata = ''
        self.lasttag = '???'
        self.cdata_elem = None
        self._place = 0
        self._tag_text = None
        self._line = 1
        self._column = 0

    def feed(self, data):
        """Takes more of the page; a tag that is not complete waits for the rest."""
        self.rawdata += data
        self._go(False)

    def close(self):
        self._go(True)

    def getpos(self):
        return self._line, self._column

    def get_starttag_text(self):
        return self._tag_text

    def handle_starttag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        pass

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_data(self, data):
        pass

    def handle_comment(self, data):
        pass

    def handle_decl(self, decl):
        pass

    def handle_pi(self, data):
        pass

    def unknown_decl(self, data):
        pass

    def handle_entityref(self, name):
        pass

    def handle_charref(self, name):
        pass

    def _go(self, ended):
        text = self.rawdata
        place = 0
        while place < len(text):
            start = self._next_tag(text, place)
            if start < 0:
                if not ended and not self.cdata_elem and self.convert_charrefs and '&' in text[-34:]:
                    break
                start = len(text)
                if self.cdata_elem and not ended:
                    break
            if start > place:
                self._text(text[place:start])
                self._pass(text[place:start])
                place = start
                continue
            end = self._tag(text, place)
            if end < 0:
                if not ended:
                    break
                end = place + 1
                self.handle_data('<')
            self._pass(text[place:end])
            place = end
        self.rawdata = text[place:]

    def _next_tag(self, text, place):
        if self.cdata_elem is None:
            return text.find('<', place)
        return text.lower().find('</' + self.cdata_elem, place)

    def _pass(self, text):
        """Counts the lines and columns that are behind."""
        lines = text.count('\n')
        self._line += lines
        self._column = len(text) - text.rindex('\n') - 1 if lines else self._column + len(text)

    def _text(self, text):
        if self.cdata_elem is not None:
            self.handle_data(text)
        elif self.convert_charrefs:
            self.handle_data(_unescape(text))
        else:
            self._references(text)

    def _references(self, text):
        """Text whose references have methods of their own."""
        while text:
            before, mark, rest = text.partition('&')
            if before:
                self.handle_data(before)
            if not mark:
                return
            end = 1 if rest[:1] == '#' else 0
            while end < len(rest) and rest[end].isascii() and rest[end].isalnum():
                end += 1
            name, text = rest[:end], rest[end + (rest[end:end + 1] == ';'):]
            if name[:1] == '#' and len(name) > 1:
                self.handle_charref(name[1:])
            elif name and name[0] in _letters:
                self.handle_entityref(name)
            else:
                self.handle_data('&' + name)

    def _tag(self, text, place):
        """Handles what begins with < at place, and returns where it ends, or -1 if it is not complete."""
        if text.startswith('<!--', place):
            end = text.find('-->', place + 4)
            if end < 0:
                return -1
            self.handle_comment(text[place + 4:end])
            return end + 3
        if text.startswith('<![', place):
            closing = ']]>' if text.startswith('CDATA[', place + 3) else ']>'
            end = text.find(closing, place)
            if end < 0:
                return -1
            self.unknown_decl(text[place + 3:end])
            return end + len(closing)
        sign = text[place + 1:place + 2]
        end = text.find('>', place)
        if sign == '!' or sign == '?':
            if end < 0:
                return -1
            if sign == '?':
                self.handle_pi(text[place + 2:end])
            elif text[place + 2:place + 9].lower() == 'doctype':
                self.handle_decl(text[place + 2:end])
            else:
                self.handle_comment(text[place + 2:end])
            return end + 1
        if sign == '/':
            if end < 0:
                return -1
            return self._end_tag(text, place, end)
        if sign and sign in _letters:
            return self._start_tag(text, place)
        if not sign:
            return -1
        self.handle_data('<')
        return place + 1

    def _end_tag(self, text, place, end):
        words = text[place + 2:end].split()
        name = words[0].lower() if words else ''
        if not name or name[0] not in _letters:
            if text[place + 2:end]:
                self.handle_comment(text[place + 2:end])
            return end + 1
        self.cdata_elem = None
        self.handle_endtag(name.rstrip('/'))
        return end + 1

    def _start_tag(self, text, place):
        self._tag_text = None
        at = place + 1
        while at < len(text) and text[at] not in _blank + '/>':
            at += 1
        tag = text[place + 1:at].lower()
        attrs = []
        while True:
            while at < len(text) and text[at] in _blank + '/':
                at += 1
            if at >= len(text):
                return -1
            if text[at] == '>':
                break
            name, value, at = _attribute(text, at)
            if at < 0:
                return -1
            attrs.append((name, value))
        self._tag_text = text[place:at + 1]
        self.lasttag = tag
        if text[at - 1] == '/':
            self.handle_startendtag(tag, attrs)
        else:
            self.handle_starttag(tag, attrs)
            if tag in self.CDATA_CONTENT_ELEMENTS:
                self.cdata_elem = tag
        return at + 1


def _attribute(text, at):
    """The name and the value of an attribute, and where it ends, or -1 if it is not complete."""
    start = at
    at += 1
    while at < len(text) and text[at] not in _blank + '/>=':
        at += 1
    name = text[start:at].lower()
    after = at
    while after < len(text) and text[after] in _blank:
        after += 1
    if text[after:after + 1] != '=':
        return name, None, at
    at = after + 1
    while at < len(text) and text[at] in _blank:
        at += 1
    mark = text[at:at + 1]
    if mark and mark in '\'"':
        end = text.find(mark, at + 1)
        if end < 0:
            return name, None, -1
        return name, _unescape(text[at + 1:end]), end + 1
    start = at
    while at < len(text) and text[at] not in _blank + '>':
        at += 1
    return name, _unescape(text[start:at]), at if at < len(text) else -1
