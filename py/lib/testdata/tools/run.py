"""Runs the cases: programs beside this folder that print results.

    run.py update           write each case's .out with CPython's own modules
    run.py check [CASE...]  run the library on CPython and compare

The library is loaded under an import of its own, so CPython's modules stay
what they are."""

import builtins
import contextlib
import difflib
import io
import pathlib
import sys
import traceback
import types

sys.path.pop(0)  # or CPython's modules would find the stand-ins beside this file
tools = pathlib.Path(__file__).parent
cases = tools.parent
library = cases.parent
loaded = {}


def load(name):
    """The library's module, or a stand-in for a native one, or None."""
    if name in loaded:
        return loaded[name]
    for folder in (library, tools):
        file = folder / (name + '.py')
        if file.exists() and name != 'run':
            break
    else:
        return None
    module = loaded[name] = types.ModuleType(name)
    namespace = module.__dict__
    if folder is library:
        namespace['__builtins__'] = private_builtins
    exec(compile(file.read_text(), str(file), 'exec'), namespace)
    for file in library.glob(name + '.*.py'):
        setattr(module, file.name.split('.')[-2], load(file.name[:-3]))
    return module


def private_import(name, globals=None, locals=None, fromlist=(), level=0):
    module = load(name)
    if module is None:
        return builtins.__import__(name, globals, locals, fromlist, level)
    if fromlist or '.' not in name:
        return module
    return load(name.split('.')[0])


private_builtins = dict(vars(builtins), __import__=private_import)
private_builtins.update(isinstance=load('_glovebox')._isinstance, issubclass=load('_glovebox')._issubclass)


def run(file, ours):
    namespace = {'__name__': '__main__'}
    if ours:
        namespace['__builtins__'] = private_builtins
    module = types.ModuleType('__main__')
    module.__dict__.update(namespace)
    saved, sys.modules['__main__'] = sys.modules['__main__'], module
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            exec(compile(file.read_text(), str(file), 'exec'), module.__dict__)
    except Exception:
        output.write(traceback.format_exc())
    finally:
        sys.modules['__main__'] = saved
    return output.getvalue()


def main(mode, *names):
    failed = False
    for file in sorted(cases.glob('*.py')):
        if names and file.stem not in names:
            continue
        golden = file.with_suffix('.out')
        want = run(file, ours=False)
        if mode == 'update':
            golden.write_text(want)
            continue
        if golden.read_text() != want:
            failed = True
            print(f'{golden.name} is not what CPython prints')
        got = run(file, ours=True)
        if got != want:
            failed = True
            sys.stdout.writelines(difflib.unified_diff(
                want.splitlines(True), got.splitlines(True), f'{file.stem} (CPython)', f'{file.stem} (lib)', n=1))
    sys.exit(failed)


main(*sys.argv[1:])
