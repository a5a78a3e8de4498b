"""Runs the programs and tests of the other library on this one, with nothing but the name replaced.

Usage: programs.py CHECKOUT DIRECTORY

CHECKOUT is their repository. Copies go into DIRECTORY, and a list to stdout: for
each program whether it runs, for each file of tests what passes. A test that
looks at private parts of theirs, or at a module that docs/FLYTE.md leaves out,
is told apart: it says nothing of what is here. The exit status is 1 if a program fails that is not in EXPECTED.
"""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

EXAMPLES, TESTS = "examples/sandbox", "tests/flyte/sandbox"
PATIENCE = 600  # seconds for a program, or for a file of tests

# What a program is to end with if it is not to succeed: it is there to show that.
EXPECTED = {"raise_error.py": "ValueError: boom: x=42"}

# The last one is of tests that try the interpreter that theirs is made of.
NO_COUNTERPART = re.compile(
    r"no counterpart: |has no attribute '_|No module named 'glovebox[\w.]*|cannot import name '_|Monty\.__new__"
)

# Stands at the top of each file of tests.
STANDIN = '''
class _Private:
    """A name of theirs that has no counterpart: a test that uses it says so."""

    def __init__(self, name):
        self.__dict__["name"] = name

    def _used(self, *_, **__):
        import os, pytest

        if "PYTEST_CURRENT_TEST" in os.environ:
            pytest.fail(f"no counterpart: {self.__dict__['name']}")
        return self

    __call__ = __getattr__ = __getitem__ = __enter__ = __instancecheck__ = _used

    def __mro_entries__(self, bases):
        return ()

'''


@dataclass(frozen=True)
class Outcome:
    name: str
    passed: int
    private: int
    failed: tuple[str, ...]
    skipped: int


def replaced(text: str) -> str:
    return text.replace("flyte", "glovebox")


def copy(checkout: Path, part: str, target: Path) -> None:
    for source in sorted((checkout / part).glob("*.py")):
        (target / source.name).write_text(replaced(source.read_text()))


def run_examples(directory: Path) -> Iterator[tuple[str, bool, str]]:
    for program in sorted(directory.glob("*.py")):
        done = subprocess.run(
            [sys.executable, program.name], cwd=directory, text=True, capture_output=True, timeout=PATIENCE, check=False
        )
        last = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
        wanted = EXPECTED.get(program.name)
        yield program.name, wanted in done.stderr if wanted else done.returncode == 0, last


def without_private_imports(text: str) -> str:
    """Takes private names from the public module above them where they are public here; others get a stand-in."""
    tree = ast.parse(text)
    lines = text.splitlines(keepends=True)
    for node in sorted(ast.walk(tree), key=lambda n: getattr(n, "lineno", 0), reverse=True):
        if not isinstance(node, ast.ImportFrom) or not (
            _is_without_counterpart(node.module or "") or _lacks_names(node.module or "", node.names)
        ):
            continue
        indent = " " * node.col_offset
        new = "".join(indent + line + "\n" for line in _imports(node.module, node.names))
        lines[node.lineno - 1 : node.end_lineno] = [new]
    body = "".join(lines)
    future = re.search(r"^from __future__ .*\n", body, re.MULTILINE)
    at = future.end() if future else 0
    return body[:at] + STANDIN + body[at:]


def _is_without_counterpart(module: str) -> bool:
    if module.partition(".")[0] != "glovebox":
        return False
    if "._" in module:
        return True
    try:
        importlib.import_module(module)
    except ModuleNotFoundError:
        return True
    return False


def _lacks_names(module: str, names: list[ast.alias]) -> bool:
    """Reports whether a module of here has not all that is taken from it."""
    if module.partition(".")[0] != "glovebox":
        return False
    known = importlib.import_module(module)
    return not all(hasattr(known, name.name) or _is_module(f"{module}.{name.name}") for name in names)


def _is_module(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        return False
    return True


def _imports(module: str, names: list[ast.alias]) -> Iterator[str]:
    try:
        public = importlib.import_module(module.split("._")[0])
    except ModuleNotFoundError:
        public = sys  # which has none of the names
    for name in names:
        known = name.asname or name.name
        if public is not sys and hasattr(public, name.name) and not name.name.startswith("_"):
            yield f"from {public.__name__} import {name.name} as {known}"
        else:
            yield f"{known} = _Private({module + '.' + name.name!r})"


def run_tests(file: Path) -> Outcome:
    file.write_text(without_private_imports(file.read_text()))
    report = file.with_suffix(".xml")
    report.unlink(missing_ok=True)
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "asyncio_mode=auto",
         f"--junitxml={report}", file],
        cwd=file.parent, capture_output=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    if not report.exists():
        return Outcome(file.name, 0, 0, ("it cannot be collected",), 0)
    return _outcome(file.name, ET.parse(report))


def _outcome(name: str, report: ET.ElementTree) -> Outcome:
    passed = private = skipped = 0
    failed: list[str] = []
    for case in report.iter("testcase"):
        problem = next((part for kind in ("failure", "error") for part in case.iter(kind)), None)
        if problem is not None:
            text = problem.get("message", "") + (problem.text or "")
            if NO_COUNTERPART.search(text):
                private += 1
            else:
                first = problem.get("message", "").strip().splitlines() or [""]
                failed.append(f"{case.get('name')}: {first[0][:160]}")
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
    return Outcome(name, passed, private, tuple(failed), skipped)


def main(checkout: Path, directory: Path) -> int:
    shutil.rmtree(directory, ignore_errors=True)
    examples, tests = directory / "examples", directory / "tests"
    for target, part in ((examples, EXAMPLES), (tests, TESTS)):
        target.mkdir(parents=True)
        copy(checkout, part, target)
    (tests / "__init__.py").unlink(missing_ok=True)
    bad = 0
    print("programs of theirs that run here with nothing but the name replaced")
    for name, good, last in run_examples(examples):
        bad += not good
        print(f"  {name:24} {'runs' if good else 'FAILS: ' + last}")
    print("tests of theirs that pass here with nothing but the name replaced")
    for file in sorted(tests.glob("test_*.py")):
        outcome = run_tests(file)
        counts = (
            f"{outcome.passed} pass, {outcome.private} look at what has no counterpart, {len(outcome.failed)} differ"
        )
        print(f"  {file.name:28} {counts}" + (f", {outcome.skipped} skipped" if outcome.skipped else ""))
        for line in outcome.failed:
            print(f"    {line}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
