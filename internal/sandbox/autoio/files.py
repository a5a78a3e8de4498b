"""Outputs that are files: tables that the code left in a variable, and files
that a variable lists.
"""

from _stat import S_ISDIR as is_dir
from os import fspath, link, listdir, lstat, mkdir, path

from host import is_a
from values import Bad, required

STAGE = ".glovebox."  # in front of the name of an output, the directory of its files


def save_frame(v, where, p):
    """Writes a table that the code left in a variable and not in its file."""
    if required(p["type"])[0] != "DataFrame" or v is None or path.lexists(where):
        return
    try:
        save = getattr(v, "to_parquet", None) or getattr(v, "write_parquet", None)
        if callable(save):
            save(where)
    except BaseException as e:
        from describe import describe
        from errors import bad_output, reason

        raise bad_output(p, "", "DataFrame", describe(v) + ", which cannot be written: " + reason(e))


def stage(p, v, outputs_dir):
    """Puts the files that a variable lists where the host takes them, as 0, 1
    and so on, by links: the code may list a file twice, and want it elsewhere."""
    at, source = None, ""
    try:
        where = path.join(outputs_dir, STAGE + p["name"])
        mkdir(where, 0o700)
        for i, (at, item) in enumerate(items(v)):
            source = path.normpath(fspath(item))
            if not source.startswith(outputs_dir + "/"):
                raise Bad("a path below %s/" % outputs_dir, source)
            link_tree(source, path.join(where, "%d" % i))
    except Bad as e:
        raise bad(p, at, e.expected, e.got, "")
    except FileNotFoundError:
        raise bad(p, at, "a file that exists", source, ", which is not there")
    except BaseException as e:
        raise bad(p, at, "a file", source, ", which cannot be taken", e)


def items(v):
    """The items of a collection, each with its key or index, or the one path."""
    if is_a(v, str):
        return [(None, v)]
    if is_a(v, dict):
        return list(v.items())
    return list(enumerate(list.__iter__(v) if is_a(v, list) else tuple.__iter__(v)))


def link_tree(source, target):
    if not is_dir(lstat(source).st_mode):
        link(source, target, follow_symlinks=False)
        return
    mkdir(target, 0o700)
    for name in listdir(source):
        link_tree(source + "/" + name, target + "/" + name)


def bad(p, at, expected, source, problem, e=None):
    """The failure of an item, or with at None of the whole output."""
    from describe import short, step
    from errors import bad_output, reason

    where = "" if at is None else step(at) if is_a(at, str) else "[%d]" % at
    return bad_output(p, where, expected, short(source) + problem + ("" if e is None else ": " + reason(e)))
