"""logging: messages of a program with levels, which go to its output.

The times of records are those of the host's clock, if it grants one, and else
those of the first moment of 1970: that no clock is granted must not end a
program that only wants to say something."""

import _glovebox

CRITICAL = FATAL = 50
ERROR = 40
WARNING = WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0

BASIC_FORMAT = '%(levelname)s:%(name)s:%(message)s'
raiseExceptions = True

_names = {CRITICAL: 'CRITICAL', ERROR: 'ERROR', WARNING: 'WARNING', INFO: 'INFO', DEBUG: 'DEBUG', NOTSET: 'NOTSET'}
_numbers = {'CRITICAL': CRITICAL, 'FATAL': FATAL, 'ERROR': ERROR, 'WARN': WARNING, 'WARNING': WARNING, 'INFO': INFO,
            'DEBUG': DEBUG, 'NOTSET': NOTSET}
_disabled = 0


def getLevelName(level):
    """The name of a number, or the number of a name."""
    if level in _names:
        return _names[level]
    if level in _numbers:
        return _numbers[level]
    return f'Level {level}'


def getLevelNamesMapping():
    return dict(_numbers)


def addLevelName(level, levelName):
    _names[level] = levelName
    _numbers[levelName] = level


def _level(level):
    if isinstance(level, int):
        return level
    if str(level) == level:
        if level not in _numbers:
            raise ValueError(f'Unknown level: {level!r}')
        return _numbers[level]
    raise TypeError(f'Level not an integer or a valid string: {level!r}')


def _now():
    try:
        return _glovebox.clock() or 0
    except RuntimeError:
        return 0


_started = _now()


class LogRecord:
    """A message and where it comes from."""

    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **kwargs):
        now = _now()
        if args and len(args) == 1 and isinstance(args[0], dict) and args[0]:
            args = args[0]
        self.name = name
        self.msg = msg
        self.args = args
        self.levelname = getLevelName(level)
        self.levelno = level
        self.pathname = pathname
        self.filename = pathname.rpartition('/')[2]
        self.module = self.filename.rpartition('.')[0] or self.filename
        self.exc_info = exc_info
        self.exc_text = None
        self.stack_info = sinfo
        self.lineno = lineno
        self.funcName = func
        self.created = now / 1_000_000
        self.msecs = float(now // 1000 % 1000)
        self.relativeCreated = (now - _started) / 1000
        self.thread = 1
        self.threadName = 'MainThread'
        self.processName = 'MainProcess'
        self.process = 1

    def __repr__(self):
        return f'<LogRecord: {self.name}, {self.levelno}, {self.pathname}, {self.lineno}, "{self.msg}">'

    def getMessage(self):
        message = str(self.msg)
        return message % self.args if self.args else message


def makeLogRecord(dict):
    record = LogRecord(None, None, '', 0, '', (), None, None)
    for name, value in dict.items():
        setattr(record, name, value)
    return record


class PercentStyle:
    default_format = '%(message)s'

    def __init__(self, fmt, *, defaults=None):
        self._fmt = fmt or self.default_format
        self._defaults = defaults

    def usesTime(self):
        return '%(asctime)' in self._fmt

    def validate(self):
        import re
        if not re.search(r'%\(\w+\)[#0+ -]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[diouxefgcrsa%]', self._fmt, re.I):
            raise ValueError(f"Invalid format '{self._fmt}' for '{self.default_format[0]}' style")

    def format(self, record):
        try:
            return self._filled({**(self._defaults or {}), **_glovebox.object_own(record)})
        except KeyError as e:
            raise ValueError(f'Formatting field not found in record: {e}') from None

    def _filled(self, values):
        return self._fmt % values


class StrFormatStyle(PercentStyle):
    default_format = '{message}'

    def usesTime(self):
        return '{asctime' in self._fmt

    def validate(self):
        if '{' not in self._fmt:
            raise ValueError('invalid format: no fields')

    def _filled(self, values):
        return self._fmt.format(**values)


class StringTemplateStyle(PercentStyle):
    default_format = '${message}'

    def usesTime(self):
        return '$asctime' in self._fmt or '${asctime}' in self._fmt

    def validate(self):
        if '$' not in self._fmt:
            raise ValueError('invalid format: no fields')

    def _filled(self, values):
        from string import Template
        return Template(self._fmt).substitute(**values)


_styles = {'%': (PercentStyle, BASIC_FORMAT), '{': (StrFormatStyle, '{levelname}:{name}:{message}'),
           '$': (StringTemplateStyle, '${levelname}:${name}:${message}')}


def _check_style(style):
    if style not in _styles:
        raise ValueError('Style must be one of: %s' % ','.join(_styles))


class Formatter:
    """Makes text of records."""

    default_time_format = '%Y-%m-%d %H:%M:%S'
    default_msec_format = '%s,%03d'

    def __init__(self, fmt=None, datefmt=None, style='%', validate=True, *, defaults=None):
        _check_style(style)
        self._style = _styles[style][0](fmt, defaults=defaults)
        if validate:
            self._style.validate()
        self._fmt = self._style._fmt
        self.datefmt = datefmt

    def formatTime(self, record, datefmt=None):
        import time
        moment = self.converter(record.created)
        if datefmt:
            return time.strftime(datefmt, moment)
        text = time.strftime(self.default_time_format, moment)
        return self.default_msec_format % (text, record.msecs) if self.default_msec_format else text

    def converter(self, seconds):
        import time
        return time.gmtime(seconds)

    def formatException(self, ei):
        import traceback
        return ''.join(traceback.format_exception(*ei)).removesuffix('\n')

    def formatStack(self, stack_info):
        return stack_info

    def usesTime(self):
        return self._style.usesTime()

    def formatMessage(self, record):
        return self._style.format(record)

    def format(self, record):
        record.message = record.getMessage()
        if self.usesTime():
            record.asctime = self.formatTime(record, self.datefmt)
        text = self.formatMessage(record)
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        for more in (record.exc_text, record.stack_info and self.formatStack(record.stack_info)):
            if more:
                text = (text if text.endswith('\n') else text + '\n') + more
        return text


_plain = Formatter()


class Filter:
    """Lets the records of a logger and of those below it pass."""

    def __init__(self, name=''):
        self.name = name

    def filter(self, record):
        return not self.name or record.name == self.name or record.name.startswith(self.name + '.')


class Filterer:
    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        if filter not in self.filters:
            self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        for filter in self.filters:
            passes = filter.filter(record) if hasattr(filter, 'filter') else filter(record)
            if not passes:
                return False
        return True


class Handler(Filterer):
    """Does something with records; programs override emit."""

    def __init__(self, level=NOTSET):
        Filterer.__init__(self)
        self._name = None
        self.level = _level(level)
        self.formatter = None

    @property
    def name(self):
        return self._name

    @name.setter
    def name(self, name):
        self._name = name

    get_name = name.fget
    set_name = name.fset

    def setLevel(self, level):
        self.level = _level(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def format(self, record):
        return (self.formatter or _plain).format(record)

    def emit(self, record):
        raise NotImplementedError('emit must be implemented by Handler subclasses')

    def handle(self, record):
        passes = self.filter(record)
        if passes:
            self.emit(record)
        return passes

    def acquire(self):
        pass

    def release(self):
        pass

    def flush(self):
        pass

    def close(self):
        pass

    def handleError(self, record):
        """Says that a message could not be shown, and lets the program go on."""
        if not raiseExceptions:
            return
        import sys
        import traceback
        sys.stderr.write('--- Logging error ---\n')
        traceback.print_exc()
        sys.stderr.write(f'Message: {record.msg!r}\nArguments: {record.args}\n')

    def __repr__(self):
        return f'<{type(self).__name__} ({getLevelName(self.level)})>'


class StreamHandler(Handler):
    """Writes records to a stream: to the output of the program if none is given."""

    terminator = '\n'

    def __init__(self, stream=None):
        Handler.__init__(self)
        if stream is None:
            import sys
            stream = sys.stderr
        self.stream = stream

    def flush(self):
        if self.stream and hasattr(self.stream, 'flush'):
            self.stream.flush()

    def emit(self, record):
        try:
            text = self.format(record)
            self.stream.write(text + self.terminator)
            self.flush()
        except RecursionError:
            raise
        except Exception:
            self.handleError(record)

    def setStream(self, stream):
        if stream is self.stream:
            return None
        before = self.stream
        self.flush()
        self.stream = stream
        return before

    def __repr__(self):
        name = str(getattr(self.stream, 'name', ''))
        return f'<{type(self).__name__} {name + " " if name else ""}({getLevelName(self.level)})>'


class _LastResort(StreamHandler):
    """What is used where no handler is set."""

    def __init__(self):
        Handler.__init__(self, WARNING)

    @property
    def stream(self):
        import sys
        return sys.stderr


class NullHandler(Handler):
    def handle(self, record):
        pass

    def emit(self, record):
        pass


lastResort = _LastResort()


class Logger(Filterer):
    """Takes messages and gives them to its handlers and to those above it."""

    def __init__(self, name, level=NOTSET):
        Filterer.__init__(self)
        self.name = name
        self.level = _level(level)
        self.parent = None
        self.propagate = True
        self.handlers = []
        self.disabled = False

    def setLevel(self, level):
        self.level = _level(level)

    def debug(self, msg, *args, **kwargs):
        if self.isEnabledFor(DEBUG):
            self._log(DEBUG, msg, args, **kwargs)

    def info(self, msg, *args, **kwargs):
        if self.isEnabledFor(INFO):
            self._log(INFO, msg, args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        if self.isEnabledFor(WARNING):
            self._log(WARNING, msg, args, **kwargs)

    warn = warning

    def error(self, msg, *args, **kwargs):
        if self.isEnabledFor(ERROR):
            self._log(ERROR, msg, args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.error(msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        if self.isEnabledFor(CRITICAL):
            self._log(CRITICAL, msg, args, **kwargs)

    fatal = critical

    def log(self, level, msg, *args, **kwargs):
        if not isinstance(level, int):
            raise TypeError('level must be an integer')
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        path, line, function = _glovebox.caller(max(1, stacklevel))
        if exc_info:
            if isinstance(exc_info, BaseException):
                exc_info = (type(exc_info), exc_info, exc_info.__traceback__)
            elif not isinstance(exc_info, tuple):
                exc_info = _handled()
        self.handle(self.makeRecord(self.name, level, path, line, msg, args, exc_info, function, extra))

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        record = LogRecord(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        for key, value in (extra or {}).items():
            if key in ('message', 'asctime') or hasattr(record, key):
                raise KeyError(f'Attempt to overwrite {key!r} in LogRecord')
            setattr(record, key, value)
        return record

    def handle(self, record):
        if not self.disabled and self.filter(record):
            self.callHandlers(record)

    def addHandler(self, hdlr):
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        return any([logger.handlers for logger in self._line()])

    def _line(self):
        """The logger and those above it that get its records."""
        line = [self]
        while line[-1].propagate and line[-1].parent is not None:
            line.append(line[-1].parent)
        return line

    def callHandlers(self, record):
        found = 0
        for logger in self._line():
            for handler in logger.handlers:
                found += 1
                if record.levelno >= handler.level:
                    handler.handle(record)
        if not found and lastResort and record.levelno >= lastResort.level:
            lastResort.handle(record)

    def getEffectiveLevel(self):
        logger = self
        while logger is not None:
            if logger.level:
                return logger.level
            logger = logger.parent
        return NOTSET

    def isEnabledFor(self, level):
        return not self.disabled and level > _disabled and level >= self.getEffectiveLevel()

    def getChild(self, suffix):
        return getLogger(suffix if self is root else self.name + '.' + suffix)

    def __repr__(self):
        return f'<{type(self).__name__} {self.name} ({getLevelName(self.getEffectiveLevel())})>'


class RootLogger(Logger):
    def __init__(self, level):
        Logger.__init__(self, 'root', level)


def _handled():
    exc = _glovebox.handled()
    if exc is None:
        return None, None, None
    return type(exc), exc, exc.__traceback__


root = RootLogger(WARNING)
_loggers = {}
_logger_class = Logger


class Manager:
    """Knows the loggers by their names."""

    disable = 0
    root = root
    loggerDict = _loggers

    def getLogger(self, name):
        return getLogger(name)


Logger.root = root
Logger.manager = Manager()


def setLoggerClass(klass):
    global _logger_class
    if not issubclass(klass, Logger):
        raise TypeError(f'logger not derived from logging.Logger: {klass.__name__}')
    _logger_class = klass


def getLoggerClass():
    return _logger_class


def getLogger(name=None):
    """The logger of that name; the one above it is that of the name up to the last dot."""
    if not name or isinstance(name, str) and name == root.name:
        return root
    if not isinstance(name, str):
        raise TypeError('A logger name must be a string')
    if name in _loggers:
        return _loggers[name]
    logger = _loggers[name] = _logger_class(name)
    logger.parent = _above(name)
    for other in _loggers.values():
        if other.name.startswith(name + '.') and len(other.parent.name if other.parent is not root else '') < len(name):
            other.parent = logger
    return logger


def _above(name):
    while '.' in name:
        name = name.rpartition('.')[0]
        if name in _loggers:
            return _loggers[name]
    return root


class LoggerAdapter:
    """A logger that adds something to each message."""

    def __init__(self, logger, extra=None):
        self.logger = logger
        self.extra = extra

    def process(self, msg, kwargs):
        kwargs['extra'] = self.extra
        return msg, kwargs

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    warn = warning

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.log(ERROR, msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)

    def log(self, level, msg, *args, **kwargs):
        if self.isEnabledFor(level):
            msg, kwargs = self.process(msg, kwargs)
            self.logger.log(level, msg, *args, **kwargs)

    def isEnabledFor(self, level):
        return self.logger.isEnabledFor(level)

    def setLevel(self, level):
        self.logger.setLevel(level)

    def getEffectiveLevel(self):
        return self.logger.getEffectiveLevel()

    def hasHandlers(self):
        return self.logger.hasHandlers()

    @property
    def name(self):
        return self.logger.name

    def __repr__(self):
        return f'<{type(self).__name__} {self.name} ({getLevelName(self.getEffectiveLevel())})>'


def basicConfig(*, force=False, filename=None, filemode='a', stream=None, handlers=None, format=None, datefmt=None, style='%',
                level=None, encoding=None, errors='backslashreplace', **others):
    """Gives the root a handler, unless it has one."""
    if force:
        for handler in root.handlers[:]:
            root.removeHandler(handler)
            handler.close()
    if root.handlers:
        return
    if filename is not None:
        raise OSError('the sandbox has no files: messages can go to a stream')
    if handlers is None:
        handlers = [StreamHandler(stream)]
    elif stream is not None:
        raise ValueError("'stream' or 'filename' should not be specified together with 'handlers'")
    if others:
        raise ValueError('Unrecognised argument(s): %s' % ', '.join(others))
    _check_style(style)
    formatter = Formatter(_styles[style][1] if format is None else format, datefmt, style)
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(formatter)
        root.addHandler(handler)
    if level is not None:
        root.setLevel(level)


def _root():
    if not root.handlers:
        basicConfig()
    return root


def debug(msg, *args, **kwargs):
    _root().debug(msg, *args, **kwargs)


def info(msg, *args, **kwargs):
    _root().info(msg, *args, **kwargs)


def warning(msg, *args, **kwargs):
    _root().warning(msg, *args, **kwargs)


warn = warning


def error(msg, *args, **kwargs):
    _root().error(msg, *args, **kwargs)


def exception(msg, *args, exc_info=True, **kwargs):
    error(msg, *args, exc_info=exc_info, **kwargs)


def critical(msg, *args, **kwargs):
    _root().critical(msg, *args, **kwargs)


fatal = critical


def log(level, msg, *args, **kwargs):
    _root().log(level, msg, *args, **kwargs)


def disable(level=CRITICAL):
    global _disabled
    _disabled = _level(level)


def shutdown():
    for logger in (root, *_loggers.values()):
        for handler in logger.handlers:
            handler.flush()


def captureWarnings(capture):
    pass
