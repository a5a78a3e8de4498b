"""Binding of arguments for functions whose parameters are known only at run time.

The constructors of dataclasses and named tuples are such functions."""


def bind(function, names, keyword_names, defaults, args, keywords):
    """The values of names and keyword_names, in order.

    function is the name for messages, such as 'Point.__init__'; it has one more
    parameter before names, which the caller has bound already."""
    values = dict(zip(names, args))
    for name, value in keywords.items():
        if name in values:
            raise TypeError(f"{function}() got multiple values for argument '{name}'")
        if name not in names and name not in keyword_names:
            raise TypeError(f"{function}() got an unexpected keyword argument '{name}'")
        values[name] = value
    if len(args) > len(names):
        raise TypeError(_too_many(function, names, keyword_names, defaults, args, keywords))
    result = []
    for name in (*names, *keyword_names):
        if name in values:
            result.append(values[name])
        elif name in defaults:
            result.append(defaults[name])
        else:
            raise TypeError(_missing(function, names, keyword_names, defaults, values))
    return result


def _too_many(function, names, keyword_names, defaults, args, keywords):
    most = len(names) + 1
    least = most - sum(name in defaults for name in names)
    if least < most:
        takes = f'from {least} to {most} positional arguments'
    else:
        takes = _count(most, 'positional argument')
    given = f'{len(args) + 1} were'
    extra = sum(name in keywords for name in keyword_names)
    if extra:
        given = (f'{len(args) + 1} positional arguments '
                 f"(and {_count(extra, 'keyword-only argument')}) were")
    return f'{function}() takes {takes} but {given} given'


def _missing(function, names, keyword_names, defaults, values):
    for kind, group in (('positional', names), ('keyword-only', keyword_names)):
        absent = [repr(name) for name in group if name not in values and name not in defaults]
        if absent:
            return (f"{function}() missing {_count(len(absent), f'required {kind} argument')}: "
                    f'{_enumerate(absent)}')


def _count(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _enumerate(names):
    if len(names) < 3:
        return ' and '.join(names)
    return f"{', '.join(names[:-1])}, and {names[-1]}"
