# Classes: how they are made, what is an instance of them, and their annotations.

def isinstance_of(obj, cls):
    if _is_union(cls):
        cls = cls.__args__
    if _is_tuple(cls):
        for c in cls:
            if isinstance(obj, c):
                return True
        return False
    return True if _special(cls, "__instancecheck__")(obj) else False

def issubclass_of(cls, want):
    if _is_union(want):
        want = want.__args__
    if _is_tuple(want):
        for c in want:
            if issubclass(cls, c):
                return True
        return False
    return True if _special(want, "__subclasscheck__")(cls) else False

def set_names(cls, kwargs):
    for name, v in _named(cls):
        v.__set_name__(cls, name)
    init = _init_subclass(cls)
    if init is not None:
        init(**kwargs)
    return cls

def build_class(body, name, /, *bases, metaclass=None, **kwargs):
    namespace = _namespace(body)
    cell = body(namespace)
    resolved = _bases(bases)
    if resolved is not bases:
        namespace["__orig_bases__"] = bases
    metaclass = _metaclass(resolved, metaclass)
    if metaclass is type:
        cls = new_type(type, name, resolved, namespace, kwargs)
    else:
        cls = metaclass(name, resolved, namespace, **kwargs)
    if cell is not None:
        _fill(cell, cls)
    return cls

def resolve_bases(bases):
    resolved = []
    origins = []
    for base in bases:
        if _is_alias(base):
            origins.append(base.__origin__)
            resolved.append(base.__origin__)
            continue
        entries = None if isinstance(base, type) else _special_or_none(base, "__mro_entries__")
        if entries is None:
            resolved.append(base)
        else:
            resolved.extend(entries(bases))
    # Generic[T] beside a class that derives from Generic adds nothing.
    for c in origins:
        for other in resolved:
            if other is not c and c in resolved and _derives(other, c):
                resolved.remove(c)
    return tuple(resolved)

def new_type(meta, name, bases, namespace, kwargs):
    return set_names(_new_class(meta, name, bases, namespace), kwargs)

# wrap makes an instance of a subclass of a built-in type.
def wrap(cls, fn, args, names):
    return _wrap(cls, _apply(fn, args, names))

# annotations_of works out the annotations of a function.
def annotations_of(fn):
    wrapped = getattr_default(fn, "__wrapped__", None)
    if wrapped is not None:
        return getattr_default(wrapped, "__annotations__", {})
    found = {}
    for name, text, plain in _annotation_texts(fn):
        found[name] = text if plain else type_or_text(text)
    return found

def type_or_text(text):
    try:
        return type_of(text)
    except Exception:
        return text

# type_of is the type that a text says.
def type_of(text):
    return type_of_tree(_type_tree(text))

def type_of_tree(tree):
    word = tree[0]
    if word == "name":
        return _global_named(tree[1])
    if word == "value":
        return tree[1]
    if word == "attr":
        return _getattr(type_of_tree(tree[1]), tree[2])
    if word == "item":
        return type_of_tree(tree[1])[type_of_tree(tree[2])]
    if word == "or":
        return type_of_tree(tree[1]) | type_of_tree(tree[2])
    items = [type_of_tree(t) for t in tree[1:]]
    return tuple(items) if word == "tuple" else items
