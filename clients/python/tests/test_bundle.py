"""Bundles: which modules of a project go into a cell, and that the bytes depend on nothing else."""

from __future__ import annotations

import importlib
import io
import os
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import glovebox
from glovebox._bundles import bundle
from glovebox._bundles.bundle import bundle_of, source_digest


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def load(name: str) -> ModuleType:
    importlib.invalidate_caches()
    return importlib.import_module(name)


def names(data: bytes) -> set[str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {n.removeprefix("project/") for n in archive.namelist() if n.startswith("project/")}


def test_only_what_is_imported_of_the_project(project: Path) -> None:
    write(
        project,
        {
            "flow.py": "import json, used\nfrom pkg.sub import deep\nfrom pkg import leaf\ndef f():\n    import late\n",
            "used.py": "import json\n",
            "late.py": "import circle\n",
            "circle.py": "import late\n",
            "unused.py": "",
            "pkg/__init__.py": "from . import first\n",
            "pkg/first.py": "",
            "pkg/leaf.py": "",
            "pkg/other.py": "",
            "pkg/sub/__init__.py": "",
            "pkg/sub/deep.py": "from .. import up\nfrom ..near import x\n",
            "pkg/up.py": "",
            "pkg/near.py": "x = 1\n",
        },
    )
    bundle = bundle_of(load("flow").f)
    assert bundle.module == "flow"
    assert names(bundle.data) == {
        "flow.py",
        "used.py",
        "late.py",
        "circle.py",
        "pkg/__init__.py",
        "pkg/first.py",
        "pkg/leaf.py",
        "pkg/sub/__init__.py",
        "pkg/sub/deep.py",
        "pkg/up.py",
        "pkg/near.py",
    }


def test_a_module_of_a_package_brings_its_packages(project: Path) -> None:
    write(
        project,
        {
            "app/__init__.py": "import side\n",
            "app/core/__init__.py": "",
            "app/core/flow.py": "def f(): pass\n",
            "side.py": "",
        },
    )
    bundle = bundle_of(load("app.core.flow").f)
    assert bundle.module == "app.core.flow"
    assert names(bundle.data) == {"app/__init__.py", "app/core/__init__.py", "app/core/flow.py", "side.py"}


def test_same_code_same_bytes(
    project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, {"same.py": "def f(): pass\n"})
    first = bundle_of(load("same").f)
    os.utime(project / "same.py", (1, 1))
    assert bundle_of(load("same").f).digest == first.digest
    other = tmp_path_factory.mktemp("other")
    write(other, {"same.py": "def f(): pass\n"})
    monkeypatch.syspath_prepend(str(other))
    del sys.modules["same"]
    assert bundle_of(load("same").f).digest == first.digest


def test_a_change_anywhere_changes_the_digest(project: Path) -> None:
    write(project, {"top.py": "import below\ndef f(): pass\n", "below.py": "x = 1\n"})
    function = load("top").f
    before, digest = bundle_of(function).digest, source_digest(function)
    (project / "below.py").write_text("x = 2  # longer\n")
    assert bundle_of(function).digest != before
    assert source_digest(function) != digest


def test_included_files(project: Path) -> None:
    write(project, {"flow2.py": "def f(): pass\n", "data/a.csv": "1", "data/b.txt": "2"})
    function = load("flow2").f
    assert names(bundle_of(function, ("data/*.csv",)).data) == {"flow2.py", "data/a.csv"}
    with pytest.raises(ValueError, match=r"no file .* fits 'data/\*\.json'"):
        bundle_of(function, ("data/*.json",))
    (project / "data/away.csv").symlink_to("/etc/hostname")
    with pytest.raises(ValueError, match="leads out of the project"):
        bundle_of(function, ("data/*.csv",))


def test_the_root_that_init_was_given(project: Path) -> None:
    write(project, {"app/flow3.py": "import shared3\ndef f(): pass\n", "shared3.py": "", "data/a.csv": "1"})
    sys.path.insert(0, str(project / "app"))
    function = load("flow3").f
    with pytest.raises(ValueError, match="no file of .*app fits"):
        bundle_of(function, ("data/*.csv",))
    glovebox.init(root_dir=project)
    try:
        assert names(bundle_of(function, ("data/*.csv",)).data) == {"flow3.py", "shared3.py", "data/a.csv"}
    finally:
        glovebox.init()
        sys.path.remove(str(project / "app"))


def test_what_cannot_go_into_a_cell(project: Path) -> None:
    def local() -> None: ...

    with pytest.raises(TypeError, match="only functions at the top of a module"):
        bundle_of(local)
    with pytest.raises(ValueError, match="json is an installed package"):
        bundle_of(importlib.import_module("json").dumps)
    made: dict[str, object] = {"__name__": "nowhere"}
    exec("def f(): pass", made)
    with pytest.raises(ValueError, match="its module nowhere is no file"):
        bundle_of(made["f"])  # type: ignore[arg-type]


def test_a_module_with_an_error_is_left_to_whoever_imports_it(project: Path) -> None:
    write(project, {"fine.py": "def f():\n    import broken\n", "broken.py": "def (:\n"})
    assert names(bundle_of(load("fine").f).data) == {"fine.py", "broken.py"}


def test_the_digest_of_a_function_is_that_of_the_users_code(monkeypatch: pytest.MonkeyPatch) -> None:
    before = bundle.Bundle.of("m", {"m.py": b"x", "n.py": b""})
    monkeypatch.setattr(bundle, "library", lambda: {"glovebox/__init__.py": b"another version"})
    after = bundle.Bundle.of("m", {"n.py": b"", "m.py": b"x"})
    assert after.source == before.source
    assert after.digest != before.digest
    assert bundle.Bundle.of("m", {"m.py": b"y", "n.py": b""}).source != before.source
