"""Tuples whose items have names, for what the standard library calls a struct sequence."""

import _glovebox


def record(module, name, fields):
    """A class of tuples of len(fields) items, made of one iterable."""
    size = len(fields)

    def make(cls, items, /):
        items = tuple(items)
        if len(items) != size:
            raise TypeError(f'{module}.{name}() takes a {size}-sequence ({len(items)}-sequence given)')
        return tuple.__new__(cls, items)

    def show(self):
        inner = ', '.join([f'{field}={value!r}' for field, value in zip(fields, self)])
        return f'{module}.{name}({inner})'

    namespace = {'__module__': module, '__slots__': (), '__new__': make, '__repr__': show,
                 'n_fields': size, 'n_sequence_fields': size, '__match_args__': fields}
    for index, field in enumerate(fields):
        namespace[field] = _glovebox.item_property(index)
    return _glovebox.new_class(name, (tuple,), namespace)
