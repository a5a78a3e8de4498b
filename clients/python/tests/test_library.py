"""This package as cells get it: source, and compiled for a Python like this one."""

from __future__ import annotations

import importlib.util
import io
import marshal
import os
import re
import subprocess
import sys
import types
import zipfile
from pathlib import Path

import pytest

import glovebox
from glovebox._bundles.library import STANDARD, library
from glovebox._bundles.preload import MOST, preload_json

compiles = pytest.mark.skipif(sys.version_info < (3, 11), reason="nothing is compiled before Python 3.11")

# What a cell does before it calls a function of a project, with a bundle at a path.
BEGINNING = """\
import sys
for module in sys.argv[2:]:
    __import__(module)
before = set(sys.modules)
sys.path.insert(0, sys.argv[1] + "/library")
import glovebox._cell
import glovebox
env = glovebox.TaskEnvironment(name="env", isolation="gvisor")

@env.task
def double(x: int) -> int:
    return 2 * x

cached = {name: module.__cached__ for name, module in sys.modules.items() if name.startswith("glovebox")}
"""


def begin(path: Path, more: str, *preload: str) -> str:
    done = subprocess.run(
        [sys.executable, "-I", "-c", BEGINNING + more, str(path), *preload],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return done.stdout


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "bundle"
    path.write_bytes(packed())
    return path


def packed() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in library().items():
            archive.writestr(f"library/{name}", data)
    return target.getvalue()


@compiles
def test_every_module_is_there_compiled() -> None:
    sources = {name for name in library() if name.endswith(".py")}
    assert {f"{name}c" for name in sources} == set(library()) - sources


@compiles
def test_compiled_code_names_no_place_of_this_machine() -> None:
    for name, data in library().items():
        if name.endswith(".pyc"):
            code = marshal.loads(data[16:])
            assert files(code) == {f"/var/inputs/_bundle/library/{name[:-1]}"}
            assert str(Path(glovebox.__file__).parent).encode() not in data


def files(code: types.CodeType) -> set[str]:
    inner = [files(one) for one in code.co_consts if isinstance(one, types.CodeType)]
    return {code.co_filename}.union(*inner)


@pytest.mark.once
def test_the_same_package_gives_the_same_bytes() -> None:
    script = "import hashlib, sys; from glovebox._bundles.library import library; print(hashlib.sha256(repr(sorted(library().items())).encode()).hexdigest())"
    more = "import asyncio, email, glovebox.sandbox, glovebox.io, glovebox._link.engine; " + script
    for seed in ("0", "7"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        digests = {
            subprocess.run([sys.executable, "-c", text], stdout=subprocess.PIPE, check=True, env=environment).stdout
            for text in (script, more)
        }
        assert len(digests) == 1


@compiles
def test_a_cell_compiles_nothing(bundle: Path) -> None:
    assert set(re.findall(r"[.]pyc?\b", begin(bundle, "print(cached)"))) == {".pyc"}


def test_a_cell_of_another_python_takes_the_source(bundle: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    with zipfile.ZipFile(bundle) as source, zipfile.ZipFile(other, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            target.writestr(name, b"\x01\x02\r\n" + data[4:] if name.endswith(".pyc") else data)
    assert begin(other, "print(double.forward(21))") == "42\n"


def test_what_is_preloaded_is_all_of_the_standard_library(bundle: Path) -> None:
    more = "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    left = set(begin(bundle, more, *STANDARD).split()) - {"glovebox", "__future__", *sys.builtin_module_names}
    assert not {name for name in left if not name.startswith("_")}


def test_what_is_preloaded_can_be() -> None:
    assert preload_json(STANDARD) == list(STANDARD)
    assert len(STANDARD) < MOST
    for name in STANDARD:
        assert importlib.util.find_spec(name) is not None
