# What list[int] and int | None do with arguments that code of the program may
# show, compare or replace.

def alias_repr(origin, args):
    if origin is None:
        return " | ".join(["None" if a is type(None) else alias_part(a) for a in args])
    if len(args) == 0:
        return alias_part(origin) + "[()]"
    return alias_part(origin) + "[" + ", ".join([alias_part(a) for a in args]) + "]"

def alias_part(a):
    if a is ...:
        return "..."
    if _is_list(a):
        return "[" + ", ".join([alias_part(x) for x in a]) + "]"
    if _is_class(a):
        if a.__module__ == "builtins":
            return a.__qualname__
        return _str(a.__module__) + "." + _str(a.__qualname__)
    return _repr(a, [])

def alias_equal(union, xs, ys):
    if not union:
        return xs == ys
    for x in xs:
        if x not in ys:
            return False
    return len(xs) == len(ys)

def alias_parameters(args):
    found = []
    for a in args:
        if _is_class(a):
            continue
        if _special_or_none(a, "__typing_subst__") is not None:
            parts = (a,)
        else:
            parts = getattr_default(a, "__parameters__", ())
        for p in parts:
            if p not in found:
                found.append(p)
    return tuple(found)

def alias_item(alias, params):
    if not _is_tuple(params):
        params = (params,)
    variables = alias_parameters(alias.__args__)
    if len(variables) == 0:
        raise TypeError(f"{_repr(alias, [])} is not a generic class")
    if len(params) != len(variables):
        few = "few" if len(params) < len(variables) else "many"
        raise TypeError(f"Too {few} arguments for {_repr(alias, [])}; actual {len(params)}, expected {len(variables)}")
    args = []
    for a in alias.__args__:
        own = () if _is_class(a) else alias_parameters((a,))
        if len(own) == 0:
            args.append(a)
        elif own[0] is a:
            args.append(params[variables.index(a)])
        else:
            args.append(a[tuple([params[variables.index(v)] for v in own])])
    return _alias_like(alias, tuple(args))
