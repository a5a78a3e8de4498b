"""warnings: messages that something may not be meant so. They go to the output."""

_filters = []
_shown = set()
_recorders = []


class WarningMessage:
    """A warning that was recorded."""

    def __init__(self, message, category):
        self.message = message
        self.category = category
        self.filename = '<code>'
        self.lineno = 0
        self.file = self.line = self.source = None

    def __str__(self):
        return f'{{message : {self.message!r}, category : {self.category.__name__!r}}}'


def _action(message, category):
    text = str(message)
    for action, start, kind in _filters:
        if issubclass(category, kind) and text.lower().startswith(start.lower()):
            return action
    if issubclass(category, (PendingDeprecationWarning, ImportWarning, ResourceWarning)):
        return 'ignore'
    return 'default'


def warn(message, category=None, stacklevel=1, source=None):
    """Show a warning once, or what the filters say."""
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    action = _action(message, category)
    if action == 'ignore':
        return
    raised = message if isinstance(message, Warning) else category(message)
    if action == 'error':
        raise raised
    key = str(message), category
    if action != 'always' and key in _shown:
        return
    _shown.add(key)
    if _recorders:
        _recorders[-1].append(WarningMessage(raised, category))
    else:
        showwarning(raised, category, '<code>', 0)


def warn_explicit(message, category, filename, lineno, module=None, registry=None, module_globals=None, source=None):
    warn(message, category)


def formatwarning(message, category, filename, lineno, line=None):
    return f'{filename}:{lineno}: {category.__name__}: {message}\n'


def showwarning(message, category, filename, lineno, file=None, line=None):
    print(f'{category.__name__}: {message}')


def simplefilter(action, category=Warning, lineno=0, append=False):
    """Say what happens to warnings of a class."""
    _insert(action, '', category, append)


def filterwarnings(action, message='', category=Warning, module='', lineno=0, append=False):
    """The same for those whose text begins with message."""
    _insert(action, message, category, append)


def _insert(action, message, category, append):
    if action not in ('default', 'error', 'ignore', 'always', 'module', 'once'):
        raise AssertionError(f'invalid action: {action!r}')
    entry = action, message, category
    if entry in _filters:
        if append:
            return
        _filters.remove(entry)
    _filters.insert(len(_filters) if append else 0, entry)
    _shown.clear()


def resetwarnings():
    _filters.clear()
    _shown.clear()


class catch_warnings:
    """Restores the filters at the end, and can record what is shown meanwhile."""

    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self._record = record
        self._filter = None if action is None else (action, category, lineno, append)

    def __enter__(self):
        self._before = list(_filters), set(_shown)
        if self._filter is not None:
            simplefilter(*self._filter)
        if not self._record:
            return None
        _shown.clear()
        _recorders.append([])
        return _recorders[-1]

    def __exit__(self, *exc_info):
        _filters[:], shown = self._before
        _shown.clear()
        _shown.update(shown)
        if self._record:
            _recorders.pop()
