# Exceptions, their groups, and what except* does with groups.

def exception_str(e):
    if len(e.args) == 1:
        return _str(e.args[0])
    return _repr(e.args, [])

def group_derive(self, excs):
    return BaseExceptionGroup(self.message, excs)

def group_split(self, condition):
    return group_parts(self, condition, group_tells(condition))

def group_subgroup(self, condition):
    return group_parts(self, condition, group_tells(condition))[0]

# group_tells reports whether the condition is a function, not classes.
def group_tells(condition):
    if _is_class(condition) and issubclass(condition, BaseException):
        return False
    if _is_tuple(condition):
        for c in condition:
            if not _is_class(c) or not issubclass(c, BaseException):
                raise TypeError("expected a function, exception type or tuple of exception types")
        return False
    if _is_class(condition) or not callable(condition):
        raise TypeError("expected a function, exception type or tuple of exception types")
    return True

# group_parts splits an exception into what the condition is true of and the
# rest, each with the structure of the whole; None is nothing.
def group_parts(exc, condition, tells):
    if condition(exc) if tells else isinstance(exc, condition):
        return (exc, None)
    if not isinstance(exc, BaseExceptionGroup):
        return (None, exc)
    matched = []
    rest = []
    for e in exc.exceptions:
        a, b = group_parts(e, condition, tells)
        if a is not None:
            matched.append(a)
        if b is not None:
            rest.append(b)
    if len(matched) == 0:
        return (None, exc)
    return (group_like(exc, matched), group_like(exc, rest))

def group_like(group, excs):
    if len(excs) == 0:
        return None
    made = group.derive(excs)
    if not isinstance(made, BaseExceptionGroup):
        raise TypeError("derive must return an instance of BaseExceptionGroup")
    _follow(made, group)
    notes = getattr_default(group, "__notes__", None)
    if notes is not None:
        made.__notes__ = list(notes)
    return made

# star_begin makes the state of a try with except*: the exception, what is left
# of it, what the clauses took and what they raised.
def star_begin(exc):
    return [exc, exc, [], []]

def star_match(state, kinds):
    for kind in kinds if _is_tuple(kinds) else (kinds,):
        if not _is_class(kind) or not issubclass(kind, BaseException):
            raise TypeError("catching classes that do not inherit from BaseException is not allowed")
        if issubclass(kind, BaseExceptionGroup):
            raise TypeError("catching ExceptionGroup with except* is not allowed. Use except instead.")
    rest = state[1]
    if rest is None:
        return None
    if isinstance(rest, BaseExceptionGroup):
        part, state[1] = group_parts(rest, kinds, False)
    elif isinstance(rest, kinds):
        part = BaseExceptionGroup("", (rest,))
        state[1] = None
    else:
        part = None
    if part is not None:
        state[2].append(part)
    return part

def star_raised(state, exc):
    state[3].append(exc)

# star_end returns what goes on after the clauses, or None.
def star_end(state):
    exc, rest, taken, raised = state
    if len(raised) == 0:
        return rest
    if not isinstance(exc, BaseExceptionGroup):
        return raised[0]
    again = [] if rest is None else [rest]
    new = []
    for e in raised:
        if star_among(e, taken):
            again.append(e)
        else:
            new.append(e)
    if len(again) > 0:
        leaves = []
        for e in again:
            star_leaves(e, leaves)
        kept = star_keep(exc, leaves)
        if len(new) == 0:
            return kept
        new.append(kept)
    return new[0] if len(new) == 1 else BaseExceptionGroup("", new)

def star_among(exc, excs):
    for e in excs:
        if e is exc:
            return True
    return False

def star_leaves(exc, leaves):
    if isinstance(exc, BaseExceptionGroup):
        for e in exc.exceptions:
            star_leaves(e, leaves)
    else:
        leaves.append(exc)

# star_keep is the part of a group that has these leaves.
def star_keep(exc, leaves):
    if not isinstance(exc, BaseExceptionGroup):
        return exc if star_among(exc, leaves) else None
    kept = []
    for e in exc.exceptions:
        part = star_keep(e, leaves)
        if part is not None:
            kept.append(part)
    return exc if len(kept) == len(exc.exceptions) else group_like(exc, kept)

# active_exception is what a raise without an exception raises.
def active_exception():
    e = _active()
    if e is None:
        raise RuntimeError("No active exception to reraise")
    return e
