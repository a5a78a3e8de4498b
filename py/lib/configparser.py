"""configparser: settings in sections, as INI files have them."""

from collections.abc import MutableMapping as _MutableMapping

DEFAULTSECT = 'DEFAULT'
MAX_INTERPOLATION_DEPTH = 10
_unset = object()


class Error(Exception):
    """What is wrong with settings."""

    def __init__(self, msg=''):
        self.message = msg
        Exception.__init__(self, msg)

    def __repr__(self):
        return self.message

    __str__ = __repr__


class NoSectionError(Error):
    def __init__(self, section):
        Error.__init__(self, f'No section: {section!r}')
        self.section = section
        self.args = (section,)


class DuplicateSectionError(Error):
    def __init__(self, section, source=None, lineno=None):
        where = '' if source is None else f'While reading from {source!r}' + (f' [line {lineno:2d}]' if lineno else '') + ': '
        Error.__init__(self, f'{where}{"section" if where else "Section"} {section!r} already exists')
        self.section = section
        self.source = source
        self.lineno = lineno
        self.args = (section, source, lineno)


class DuplicateOptionError(Error):
    def __init__(self, section, option, source=None, lineno=None):
        where = '' if source is None else f'While reading from {source!r}' + (f' [line {lineno:2d}]' if lineno else '') + ': '
        Error.__init__(self, f'{where}{"option" if where else "Option"} {option!r} in section {section!r} already exists')
        self.section = section
        self.option = option
        self.source = source
        self.lineno = lineno
        self.args = (section, option, source, lineno)


class NoOptionError(Error):
    def __init__(self, option, section):
        Error.__init__(self, f'No option {option!r} in section: {section!r}')
        self.option = option
        self.section = section
        self.args = (option, section)


class InterpolationError(Error):
    def __init__(self, option, section, msg):
        Error.__init__(self, msg)
        self.option = option
        self.section = section
        self.args = (option, section, msg)


class InterpolationMissingOptionError(InterpolationError):
    def __init__(self, option, section, rawval, reference):
        msg = (f'Bad value substitution: option {option!r} in section {section!r} contains an interpolation key '
               f'{reference!r} which is not a valid option name. Raw value: {rawval!r}')
        InterpolationError.__init__(self, option, section, msg)
        self.reference = reference
        self.args = (option, section, rawval, reference)


class InterpolationSyntaxError(InterpolationError):
    pass


class InterpolationDepthError(InterpolationError):
    def __init__(self, option, section, rawval):
        msg = (f'Recursion limit exceeded in value substitution: option {option!r} in section {section!r} contains an '
               f'interpolation key which cannot be substituted in {MAX_INTERPOLATION_DEPTH} steps. Raw value: {rawval!r}')
        InterpolationError.__init__(self, option, section, msg)
        self.args = (option, section, rawval)


class ParsingError(Error):
    def __init__(self, source):
        Error.__init__(self, f'Source contains parsing errors: {source!r}')
        self.source = source
        self.errors = []
        self.args = (source,)

    def append(self, lineno, line):
        self.errors.append((lineno, line))
        self.message += f'\n\t[line {lineno:2d}]: {line}'


class MissingSectionHeaderError(ParsingError):
    def __init__(self, filename, lineno, line):
        Error.__init__(self, f'File contains no section headers.\nfile: {filename!r}, line: {lineno}\n{line!r}')
        self.source = filename
        self.lineno = lineno
        self.line = line
        self.args = (filename, lineno, line)


class Interpolation:
    """Leaves values as they are."""

    def before_get(self, parser, section, option, value, defaults):
        return value

    def before_set(self, parser, section, option, value):
        return value


class BasicInterpolation(Interpolation):
    """%(name)s stands for a value of the same section or of the defaults."""

    def before_get(self, parser, section, option, value, defaults):
        parts = []
        self._fill(parser, option, parts, value, section, defaults, 1)
        return ''.join(parts)

    def before_set(self, parser, section, option, value):
        place = value.find('%')
        while place >= 0:
            if value[place + 1:place + 2] == '%':
                place += 2
            elif value[place + 1:place + 2] == '(' and ')s' in value[place:]:
                place = value.index(')s', place)
            else:
                raise ValueError(f'invalid interpolation syntax in {value!r} at position {place}')
            place = value.find('%', place)
        return value

    def _fill(self, parser, option, parts, rest, section, values, depth):
        raw = parser.get(section, option, raw=True, fallback=rest)
        if depth > MAX_INTERPOLATION_DEPTH:
            raise InterpolationDepthError(option, section, raw)
        while rest:
            before, percent, after = rest.partition('%')
            parts.append(before)
            if not percent:
                return
            if after[:1] == '%':
                parts.append('%')
                rest = after[1:]
            elif after[:1] == '(':
                end = after.find(')s')
                if end < 0:
                    raise InterpolationSyntaxError(option, section, f'bad interpolation variable reference {"%" + after!r}')
                name = parser.optionxform(after[1:end])
                if name not in values:
                    raise InterpolationMissingOptionError(option, section, raw, name)
                value = values[name]
                if '%' in value:
                    self._fill(parser, option, parts, value, section, values, depth + 1)
                else:
                    parts.append(value)
                rest = after[end + 2:]
            else:
                raise InterpolationSyntaxError(option, section, f"'%' must be followed by '%' or '(', found: {'%' + after!r}")


class ExtendedInterpolation(Interpolation):
    """${name} and ${section:name} stand for values."""

    def before_get(self, parser, section, option, value, defaults):
        parts = []
        self._fill(parser, option, parts, value, section, defaults, 1)
        return ''.join(parts)

    def before_set(self, parser, section, option, value):
        return value

    def _fill(self, parser, option, parts, rest, section, values, depth):
        raw = parser.get(section, option, raw=True, fallback=rest)
        if depth > MAX_INTERPOLATION_DEPTH:
            raise InterpolationDepthError(option, section, raw)
        while rest:
            before, dollar, after = rest.partition('$')
            parts.append(before)
            if not dollar:
                return
            if after[:1] == '$':
                parts.append('$')
                rest = after[1:]
                continue
            end = after.find('}')
            if after[:1] != '{':
                raise InterpolationSyntaxError(option, section, f"'$' must be followed by '$' or '{{', found: {'$' + after!r}")
            if end < 0:
                raise InterpolationSyntaxError(option, section, f'bad interpolation variable reference {"$" + after!r}')
            path = after[1:end].split(':')
            rest = after[end + 1:]
            if len(path) > 2:
                raise InterpolationSyntaxError(option, section, f"More than one ':' found: {'$' + after!r}")
            try:
                if len(path) == 1:
                    found, name = section, parser.optionxform(path[0])
                    value = values[name]
                else:
                    found, name = path[0], parser.optionxform(path[1])
                    value = parser.get(found, name, raw=True)
            except (KeyError, NoSectionError, NoOptionError):
                raise InterpolationMissingOptionError(option, section, raw, ':'.join(path)) from None
            if '$' in value:
                self._fill(parser, name, parts, value, found, dict(parser.items(found, raw=True)), depth + 1)
            else:
                parts.append(value)


class RawConfigParser(_MutableMapping):
    """Sections of settings that are text."""

    _interpolation_class = Interpolation
    BOOLEAN_STATES = {'1': True, 'yes': True, 'true': True, 'on': True, '0': False, 'no': False, 'false': False, 'off': False}

    def __init__(self, defaults=None, dict_type=dict, allow_no_value=False, *, delimiters=('=', ':'),
                 comment_prefixes=('#', ';'), inline_comment_prefixes=None, strict=True, empty_lines_in_values=True,
                 default_section=DEFAULTSECT, interpolation=_unset, converters=None):
        self._sections = {}
        self._defaults = {}
        self._allow_no_value = allow_no_value
        self._delimiters = tuple(delimiters)
        self._comments = tuple(comment_prefixes or ())
        self._inline = tuple(inline_comment_prefixes or ())
        self._strict = strict
        self._empty_lines = empty_lines_in_values
        self.default_section = default_section
        self._interpolation = self._interpolation_class() if interpolation is _unset else interpolation or Interpolation()
        self._converters = {'int': int, 'float': float, 'boolean': self._boolean, **(converters or {})}
        for name in converters or {}:
            setattr(self, 'get' + name, self._getter(name))
        if defaults:
            for key, value in defaults.items():
                self._defaults[self.optionxform(key)] = self._stored(value)

    def _getter(self, name):
        def get(section, option, **keywords):
            return self._converted(name, section, option, **keywords)
        return get

    def _stored(self, value):
        return value

    def optionxform(self, optionstr):
        return optionstr.lower()

    def defaults(self):
        return self._defaults

    def sections(self):
        return list(self._sections)

    def add_section(self, section):
        if section == self.default_section:
            raise ValueError(f'Invalid section name: {section!r}')
        if section in self._sections:
            raise DuplicateSectionError(section)
        self._sections[section] = {}

    def has_section(self, section):
        return section in self._sections

    def options(self, section):
        if section not in self._sections:
            raise NoSectionError(section)
        return list({**self._sections[section], **self._defaults})

    def read(self, filenames, encoding=None):
        raise OSError('the sandbox has no files: use read_string')

    def read_string(self, string, source='<string>'):
        self._read(string.splitlines(keepends=True), source)

    def read_file(self, f, source=None):
        self._read(f, source or getattr(f, 'name', '<???>'))

    def read_dict(self, dictionary, source='<dict>'):
        seen = set()
        for section, options in dictionary.items():
            section = str(section)
            if self._strict and section in seen:
                raise DuplicateSectionError(section, source)
            seen.add(section)
            if section != self.default_section:
                self._sections.setdefault(section, {})
            names = set()
            for key, value in options.items():
                key = self.optionxform(str(key))
                if self._strict and key in names:
                    raise DuplicateOptionError(section, key, source)
                names.add(key)
                self.set(section, key, value if value is None else str(value))

    def _read(self, lines, source):
        """Reads sections and options; lines that are indented belong to the value above them."""
        section = option = None
        indent = 0
        sections_seen, options_seen = set(), set()
        errors = None
        read = []
        for number, line in enumerate(lines, 1):
            text = self._without_comment(line)
            if not text:
                if self._empty_lines and line.strip() == '' and section is not None and option and section[option] is not None:
                    section[option].append('')
                elif not self._empty_lines:
                    indent = 10 ** 9
                continue
            depth = len(line) - len(line.lstrip())
            if section is not None and option and depth > indent:
                section[option].append(text)
                continue
            indent = depth
            if text.startswith('[') and ']' in text[2:]:
                name = text[1:text.rindex(']')]
                option = None
                if name == self.default_section:
                    section = self._defaults
                else:
                    if self._strict and name in sections_seen:
                        raise DuplicateSectionError(name, source, number)
                    section = self._sections.setdefault(name, {})
                    sections_seen.add(name)
                read.append(section)
                section_name = name
                continue
            if section is None:
                raise MissingSectionHeaderError(source, number, line)
            key, value = self._divided(text)
            if key is None:
                errors = errors or ParsingError(source)
                errors.append(number, repr(line))
                continue
            option = self.optionxform(key)
            if self._strict and (section_name, option) in options_seen:
                raise DuplicateOptionError(section_name, option, source, number)
            options_seen.add((section_name, option))
            section[option] = None if value is None else [value]
        for section in read:
            for name, value in section.items():
                if isinstance(value, list):
                    section[name] = '\n'.join(value).rstrip()
        if errors:
            raise errors

    def _without_comment(self, line):
        if line.strip().startswith(self._comments):
            return ''
        for prefix in self._inline:
            place = line.find(prefix)
            while place >= 0:
                if place == 0 or line[place - 1].isspace():
                    line = line[:place]
                    break
                place = line.find(prefix, place + 1)
        return line.strip()

    def _divided(self, text):
        """The key and the value of a line; the key is None for a line that has none."""
        places = [(text.find(mark), mark) for mark in self._delimiters if mark in text]
        if not places:
            return (text, None) if self._allow_no_value else (None, None)
        place, mark = min(places)
        if place == 0 or not text[:place].strip():
            return None, None
        return text[:place].rstrip(), text[place + len(mark):].strip()

    def _values(self, section, given=None):
        if section != self.default_section and section not in self._sections:
            raise NoSectionError(section)
        values = {**self._defaults, **self._sections.get(section, {})}
        for key, value in (given or {}).items():
            values[self.optionxform(key)] = None if value is None else str(value)
        return values

    def get(self, section, option, *, raw=False, vars=None, fallback=_unset):
        try:
            values = self._values(section, vars)
        except NoSectionError:
            if fallback is _unset:
                raise
            return fallback
        name = self.optionxform(option)
        if name not in values:
            if fallback is _unset:
                raise NoOptionError(name, section)
            return fallback
        value = values[name]
        if raw or value is None:
            return value
        return self._interpolation.before_get(self, section, name, value, values)

    def _converted(self, name, section, option, *, raw=False, vars=None, fallback=_unset):
        try:
            value = self.get(section, option, raw=raw, vars=vars)
        except (NoSectionError, NoOptionError):
            if fallback is _unset:
                raise
            return fallback
        return self._converters[name](value)

    def getint(self, section, option, **keywords):
        return self._converted('int', section, option, **keywords)

    def getfloat(self, section, option, **keywords):
        return self._converted('float', section, option, **keywords)

    def getboolean(self, section, option, **keywords):
        return self._converted('boolean', section, option, **keywords)

    def _boolean(self, value):
        if value.lower() not in self.BOOLEAN_STATES:
            raise ValueError(f'Not a boolean: {value}')
        return self.BOOLEAN_STATES[value.lower()]

    def items(self, section=_unset, raw=False, vars=None):
        if section is _unset:
            return [(name, self[name]) for name in self]
        names = self._values(section)
        return [(name, self.get(section, name, raw=raw, vars=vars)) for name in self._values(section, vars)]

    def has_option(self, section, option):
        if not section or section == self.default_section:
            return self.optionxform(option) in self._defaults
        return section in self._sections and self.optionxform(option) in self._values(section)

    def set(self, section, option, value=None):
        if value:
            value = self._interpolation.before_set(self, section, option, value)
        if not section or section == self.default_section:
            target = self._defaults
        elif section in self._sections:
            target = self._sections[section]
        else:
            raise NoSectionError(section)
        target[self.optionxform(option)] = value

    def write(self, fp, space_around_delimiters=True):
        mark = f' {self._delimiters[0]} ' if space_around_delimiters else self._delimiters[0]
        sections = [(self.default_section, self._defaults)] if self._defaults else []
        for name, options in sections + list(self._sections.items()):
            fp.write(f'[{name}]\n')
            for key, value in options.items():
                if value is None and self._allow_no_value:
                    fp.write(f'{key}\n')
                else:
                    text = str(value).replace('\n', '\n\t')
                    fp.write(f'{key}{mark}{text}\n')
            fp.write('\n')

    def remove_option(self, section, option):
        target = self._defaults if not section or section == self.default_section else self._sections.get(section)
        if target is None:
            raise NoSectionError(section)
        return target.pop(self.optionxform(option), _unset) is not _unset

    def remove_section(self, section):
        return self._sections.pop(section, None) is not None

    def __getitem__(self, key):
        if key != self.default_section and key not in self._sections:
            raise KeyError(key)
        return SectionProxy(self, key)

    def __setitem__(self, key, value):
        if key == self.default_section:
            self._defaults.clear()
        elif key in self._sections:
            self._sections[key].clear()
        self.read_dict({key: dict(value)})

    def __delitem__(self, key):
        if key == self.default_section:
            raise ValueError('Cannot remove the default section.')
        if key not in self._sections:
            raise KeyError(key)
        self.remove_section(key)

    def __contains__(self, key):
        return key == self.default_section or key in self._sections

    def __len__(self):
        return len(self._sections) + 1

    def __iter__(self):
        return iter([self.default_section, *self._sections])


class ConfigParser(RawConfigParser):
    """RawConfigParser with interpolation, of text alone."""

    _interpolation_class = BasicInterpolation

    def _stored(self, value):
        return None if value is None else str(value)

    def set(self, section, option, value=None):
        if not isinstance(option, str):
            raise TypeError('option keys must be strings')
        if not isinstance(value, str) and not (value is None and self._allow_no_value):
            raise TypeError('option values must be strings')
        RawConfigParser.set(self, section, option, value)

    def add_section(self, section):
        if not isinstance(section, str):
            raise TypeError('section names must be strings')
        RawConfigParser.add_section(self, section)


class SectionProxy(_MutableMapping):
    """A section as a mapping."""

    def __init__(self, parser, name):
        self._parser = parser
        self._name = name

    @property
    def parser(self):
        return self._parser

    @property
    def name(self):
        return self._name

    def __repr__(self):
        return f'<Section: {self._name}>'

    def __getitem__(self, key):
        if not self._parser.has_option(self._name, key):
            raise KeyError(key)
        return self._parser.get(self._name, key)

    def __setitem__(self, key, value):
        if not isinstance(value, str) and value is not None:
            raise TypeError('option values must be strings')
        self._parser.set(self._name, key, value)

    def __delitem__(self, key):
        if not (self._parser.has_option(self._name, key) and self._parser.remove_option(self._name, key)):
            raise KeyError(key)

    def __contains__(self, key):
        return self._parser.has_option(self._name, key)

    def _options(self):
        if self._name == self._parser.default_section:
            return list(self._parser.defaults())
        return self._parser.options(self._name)

    def __len__(self):
        return len(self._options())

    def __iter__(self):
        return iter(self._options())

    def get(self, option, fallback=None, *, raw=False, vars=None):
        return self._parser.get(self._name, option, raw=raw, vars=vars, fallback=fallback)

    def getint(self, option, fallback=None, **keywords):
        return self._parser.getint(self._name, option, fallback=fallback, **keywords)

    def getfloat(self, option, fallback=None, **keywords):
        return self._parser.getfloat(self._name, option, fallback=fallback, **keywords)

    def getboolean(self, option, fallback=None, **keywords):
        return self._parser.getboolean(self._name, option, fallback=fallback, **keywords)
