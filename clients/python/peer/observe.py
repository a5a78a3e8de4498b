"""Looks at one library and prints what it sees as JSON: ``python observe.py LIBRARY``.

``compare`` starts it twice, with both libraries in one interpreter.
"""

from __future__ import annotations

import asyncio
import contextlib
import enum
import importlib
import importlib.util
import inspect
import json
import os
import pkgutil
import re
import sys
import tempfile
import types
import warnings
from pathlib import Path
from typing import Any

import cases
import definitions
import surface

THIS = "glovebox"
EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "python"
_VARIADIC: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
_ADDRESS = re.compile(r" (object )?at 0x[0-9a-f]+")


def namespace(library: str) -> dict[str, Any]:
    """Returns the names that an entry may use, with an environment and a task that no other entry has seen."""
    package = importlib.import_module(library)
    package.init()  # without it, the other library can make no handle of a file
    modules = {
        module: importlib.import_module(f"{library}.{module}")
        for module in ("sandbox", "io", "remote", "errors", "extras")
    }
    modules["ai"] = types.SimpleNamespace(agents=importlib.import_module(f"{library}.ai.agents"))
    names: dict[str, Any] = {name: getattr(package, name) for name in public(package)} | modules
    definitions.File = modules["io"].File
    names["env"] = env = package.TaskEnvironment(name="env")
    names["add"] = env.task(definitions.plain)
    names["modules"] = types.SimpleNamespace(
        __all__=[module.name for module in pkgutil.iter_modules(package.__path__) if not module.name.startswith("_")]
    )
    names |= {"definitions": definitions, "load": lambda file: load(library, file), library: package}
    names |= {name: importlib.import_module(name) for name in ("asyncio", "datetime", "inspect", "pathlib", "typing")}
    return names


def load(library: str, file: str) -> dict[str, Any]:
    """Runs the definitions of an example, written for this library, with the given one. Returns its names."""
    text = (EXAMPLES / file).read_text().replace(THIS, library)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, file)
        path.write_text(text)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
    return vars(module)


def evaluate(source: str, names: dict[str, Any]) -> Any:
    """Runs statements, separated by ``;``, and returns the value of the last, an expression; waits for an awaitable."""
    *before, last = source.split("; ")
    for statement in before:
        exec(statement, names)
    value = eval(last, names)
    return asyncio.run(_wait(value)) if inspect.isawaitable(value) else value


async def _wait(awaitable: Any) -> Any:
    return await awaitable


def parameters(value: Any) -> list[dict[str, Any]]:
    """Returns what a caller may give, in order; self is not given."""
    found = [p for p in inspect.signature(value).parameters.values() if p.name not in ("self", "cls")]
    return [
        {
            "name": _VARIADIC.get(p.kind) or p.name.lstrip("_"),
            "kind": p.kind.description,
            "default": None if p.default is p.empty else spelled(p.default),
        }
        for p in found
    ]


def spelled(default: Any) -> str:
    """Returns a default as a reader of the documents would write it."""
    if isinstance(default, enum.Enum):
        default = default.value
    text = repr(default)
    return "..." if text.startswith("<") and not isinstance(default, type) else text


def public(value: Any) -> list[str]:
    """Returns the names that a module says are its own, or that the classes of an object give it."""
    listed = getattr(value, "__all__", None)
    if listed is None and inspect.ismodule(value):
        listed = [
            name for name, own in vars(value).items() if getattr(own, "__module__", "").startswith(value.__name__)
        ]
    if listed is None:
        kinds = value.__mro__ if inspect.isclass(value) else type(value).__mro__
        library = kinds[0].__module__.partition(".")[0]
        own_kinds = [kind for kind in kinds if kind.__module__.partition(".")[0] == library]
        listed = {*getattr(value, "__dict__", ())}.union(*(vars(kind) for kind in own_kinds))
        listed |= {name for kind in own_kinds for name in getattr(kind, "__annotations__", ())}
        listed -= {name for name in listed if name.startswith("model_")}  # of a base that is no part of the library
    return sorted(name for name in listed if not name.startswith("_"))


def outcome(source: str, library: str) -> dict[str, Any]:
    """Returns what an entry gives, or the error that it raises."""
    try:
        value = evaluate(source.replace(THIS, library), namespace(library))
    except BaseException as error:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        return {"raises": kinds[: kinds.index("BaseException")], "text": str(error)}
    return {"gives": repr(value)}


def neutral(value: Any, library: str) -> Any:
    """Returns what was seen without the name of the library, and without addresses and paths of this process."""
    if isinstance(value, str):
        text = _ADDRESS.sub("", value.replace(library, THIS).replace(library.title(), THIS.title()))
        return text.replace(os.getcwd(), "DIR")
    if isinstance(value, list):
        return [neutral(entry, library) for entry in value]
    if isinstance(value, dict):
        return {key: neutral(entry, library) for key, entry in value.items()}
    return value


def attempt(look: Any, source: str, library: str) -> Any:
    """Returns what look sees of an entry, or None if the library has no such thing."""
    try:
        return look(evaluate(source or library, namespace(library)))
    except AttributeError:
        return None


def observe(library: str) -> dict[str, Any]:
    """Returns all that is compared."""
    seen = {
        "callables": {source: attempt(parameters, source, library) for source in surface.CALLABLES},
        "namespaces": {source: attempt(public, source, library) for source in surface.NAMESPACES},
        "outcomes": {source: outcome(source, library) for source in cases.everything()},
    }
    made: dict[str, Any] = neutral(seen, library)
    return made


def main() -> None:
    """Prints the observation; what the libraries print themselves goes to standard error."""
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(sys.stderr), tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        seen = observe(sys.argv[1])
        os.chdir("/")
    json.dump(seen, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
