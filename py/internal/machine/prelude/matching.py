# Patterns of match that ask the program.

def match_class(subject, cls, n, names):
    if not isinstance(subject, cls):
        return None
    values = []
    missing = []
    if n > 0:
        args = getattr_default(cls, "__match_args__", missing)
        if args is missing and _matches_itself(cls):
            if n > 1:
                raise TypeError(f"{cls.__name__}() accepts 1 positional sub-pattern ({n} given)")
            values.append(subject)
        else:
            if args is missing:
                args = ()
            if not isinstance(args, tuple):
                raise TypeError(f"{cls.__name__}.__match_args__ must be a tuple (got {type(args).__name__})")
            if n > len(args):
                raise TypeError(f"{cls.__name__}() accepts {len(args)} positional sub-pattern{'' if len(args) == 1 else 's'} ({n} given)")
            i = 0
            while i < n:
                if not isinstance(args[i], str):
                    raise TypeError(f"__match_args__ elements must be strings (got {type(args[i]).__name__})")
                if args[i] in args[:i] or args[i] in names:
                    raise TypeError(f"{cls.__name__}() got multiple sub-patterns for attribute {args[i]!r}")
                v = getattr_default(subject, args[i], missing)
                if v is missing:
                    return None
                values.append(v)
                i = i + 1
    for name in names:
        v = getattr_default(subject, name, missing)
        if v is missing:
            return None
        values.append(v)
    return tuple(values)

# match_keys_of is match_keys of a mapping that is no dict.
def match_keys_of(subject, keys):
    if len(subject) < len(keys):
        return None
    get = subject.get
    missing = []
    values = []
    for k in keys:
        v = get(k, missing)
        if v is missing:
            return None
        values.append(v)
    return tuple(values)

def match_rest_of(subject, keys):
    rest = {}
    for k in subject.keys():
        rest[k] = subject[k]
    for k in keys:
        del rest[k]
    return rest
