"""Handles with the real engine: what Python stores is what the program stores."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from glovebox._link.current import current_engine
from glovebox._process.loop import run_sync
from glovebox.errors import InvalidInputError
from glovebox.io import Dir, File

PROGRAM = Path(__file__).parents[3] / "bin" / "glovebox"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not built")
    made = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GLOVEBOX_HOME", str(made))
        patch.setenv("GLOVEBOX_PROGRAM", str(PROGRAM))
        patch.delenv("GLOVEBOX_URL", raising=False)
        yield made
        run_sync(_close())


async def _close() -> None:
    await (await current_engine()).close()


def by_program(home: Path, path: Path) -> dict[str, object]:
    """Returns what the program makes of a directory."""
    command = [str(PROGRAM), "orchestrate", "-c", "d", "-i", f"d:Dir={path}", "--output", "Dir", "--json"]
    environment = {**os.environ, "GLOVEBOX_HOME": str(home)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    answer = json.loads(done.stdout)
    if answer["error"]:
        return {"code": answer["error"]["code"]}
    value = answer["outputs"]["result"]
    return {"sha256": value["sha256"], "size": value.get("size", 0), "files": value.get("files", 0)}


def grow(root: Path, chance: random.Random) -> None:
    """Makes a tree with names that are hard to write down."""
    folders = [root]
    for number in range(30):
        letters = "".join(chance.choice('aB.-_ "\\\n\t\x01\x7f<&>\u2028\u2029\xe9\uffff\U0001f600') for _ in range(6))
        path = chance.choice(folders) / f"{letters}{number}"
        match chance.randrange(4):
            case 0:
                path.mkdir()
                folders.append(path)
            case 1:
                path.symlink_to(chance.choice(["gone", "./x", "a//b", f"{letters}{number}x"]))
            case _:
                path.write_bytes(chance.randbytes(chance.choice([0, 1, 5_000])))
                path.chmod(chance.choice([0o644, 0o755, 0o400, 0o610]))


@pytest.mark.parametrize("seed", range(4))
def test_the_same_tree_has_the_same_digest_in_go_and_python(home: Path, tmp_path: Path, seed: int) -> None:
    (tmp_path / "t").mkdir()
    grow(tmp_path / "t", random.Random(seed))
    d = Dir.from_local_sync(tmp_path / "t")
    assert {"sha256": d.sha256, "size": d.size, "files": d.files} == by_program(home, tmp_path / "t")
    copied = Dir._from_reference(d._reference()).download_sync(tmp_path / "copy")
    assert Dir.from_local_sync(copied).sha256 == d.sha256


def test_an_empty_tree_and_a_deep_one(home: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "deep").joinpath(*["d"] * 63).mkdir(parents=True)
    (tmp_path / "deep").joinpath(*["d"] * 63, "f").write_text("x")
    for name in ("empty", "deep"):
        assert Dir.from_local_sync(tmp_path / name).sha256 == by_program(home, tmp_path / name)["sha256"]


@pytest.mark.parametrize("target", ["/etc", "..", "../x", "d/../..", "l/../x", "gone/../x", "d/../x", "d/..", "."])
def test_both_refuse_the_same_links(home: Path, tmp_path: Path, target: str) -> None:
    (tmp_path / "t" / "d").mkdir(parents=True)
    (tmp_path / "t" / "l").symlink_to("d")
    (tmp_path / "t" / "m").symlink_to(target)
    expected = by_program(home, tmp_path / "t")
    if "code" not in expected:
        assert Dir.from_local_sync(tmp_path / "t").sha256 == expected["sha256"]
        return
    assert expected["code"] == "invalid_input"
    with pytest.raises(InvalidInputError):
        Dir.from_local_sync(tmp_path / "t")


def test_files_of_any_size(home: Path, tmp_path: Path) -> None:
    for size in (0, 1, 65_536, 5_000_001):
        content = random.Random(size).randbytes(size)
        (tmp_path / "f").write_bytes(content)
        file = File.from_local_sync(tmp_path / "f")
        (tmp_path / "f").unlink()
        assert file.exists_sync() and file.read() == content
        assert File._from_reference(file._reference()).read() == content


def test_what_the_engine_does_not_have(home: Path) -> None:
    assert not File._from_reference({"path": "x", "sha256": "0" * 64}).exists_sync()
    assert not Dir._from_reference({"path": "x", "sha256": "0" * 64}).exists_sync()
