"""Images of Dockerfiles: what an engine is told, what it is sent, and what is refused."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import os
import socket
import tarfile
from pathlib import Path
from typing import Any

import pytest

import glovebox
from glovebox import Image, Secret, sandbox
from glovebox._process import context as processes
from glovebox._tasks import build_context
from glovebox._tasks.build_context import entries_of, pack
from glovebox._tasks.dockerfile import names_dockerfile
from glovebox._tasks.image import image_spec

CASES = json.loads((Path(__file__).resolve().parents[3] / "testdata/buildcontext/cases.json").read_text("utf-8"))


class Store:
    """What an engine keeps, and how often it was given something."""

    def __init__(self) -> None:
        self.blobs: dict[str, bytes] = {}
        self.puts = 0

    async def put_blob(self, source: Path) -> tuple[str, int]:
        data = source.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        self.blobs[digest], self.puts = data, self.puts + 1
        return digest, len(data)


def write(directory: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content.startswith("->"):
            path.symlink_to(content[2:])
        else:
            path.write_bytes(content.encode())
            path.chmod(0o640)
    for path in directory.rglob("*"):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    return directory / "Dockerfile"


def packed(file: Path, context: Path | None = None) -> bytes:
    out = io.BytesIO()
    directory = context or file.parent
    pack(directory, entries_of(directory, file), out)
    return out.getvalue()


def names(data: bytes) -> list[str]:
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return [member.name + "/" * member.isdir() for member in tar]


def told(image: Image, store: Store) -> dict[str, Any]:
    task = sandbox.create(name="box", command=["true"], image=image)._as_task()
    found: dict[str, Any] = asyncio.run(task._definition(store))["image"]  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_context_is_the_one_of_the_command_line(case: dict[str, Any], tmp_path: Path) -> None:
    files = {**case["files"], "Dockerfile": "FROM scratch"}
    data = packed(write(tmp_path, files | ({".dockerignore": case["ignore"]} if case["ignore"] else {})))
    assert names(data) == case["kept"]
    assert "sha256:" + hashlib.sha256(data).hexdigest() == case["digest"]


def test_what_an_engine_is_told(tmp_path: Path) -> None:
    file = write(tmp_path, {"Dockerfile": "FROM a\n", "x": "1"})
    image = Image.from_dockerfile(
        file, "ghcr.io/my-org", "app", target="test", args={"V": "2"}, secrets={"a": "b", "c": Secret("d")},
        registry_secret="ghcr", network=["a.example"],
    )  # fmt: skip
    store = Store()
    assert told(image.with_env_vars({"A": "1"}), store) == {
        "dockerfile": "FROM a\n", "context": next(iter(store.blobs)), "name": "app", "target": "test",
        "build_args": {"V": "2"}, "build_secrets": {"a": "b", "c": "d"}, "registry": "ghcr.io/my-org",
        "registry_secret": "ghcr", "network": {"allow": ["a.example"]},
    }  # fmt: skip
    assert names(next(iter(store.blobs.values()))) == ["Dockerfile", "x"]


def test_a_context_is_sent_when_it_has_changed(tmp_path: Path) -> None:
    file, store = write(tmp_path, {"Dockerfile": "FROM a\n", "x": "1"}), Store()
    image = Image.from_dockerfile(file)
    first = told(image, store)
    assert told(image, store) == first == told(Image.from_dockerfile(file), store)
    assert store.puts == 1
    (tmp_path / "x").write_text("2")
    assert told(image, store)["context"] != first["context"]
    assert store.puts == 2


def test_a_context_beside_its_dockerfile(tmp_path: Path) -> None:
    files = {"app/a": "A", "app/b": "B", "app/.dockerignore": "a", "docker/x.Dockerfile": "FROM a"}
    write(tmp_path, files)
    file, store = tmp_path / "docker" / "x.Dockerfile", Store()
    told(Image.from_dockerfile(file, context=tmp_path / "app"), store)
    assert names(store.blobs.popitem()[1]) == [".dockerignore", "b"]
    (tmp_path / "docker" / "x.Dockerfile.dockerignore").write_text("b\n.*")
    told(Image.from_dockerfile(file, context=tmp_path / "app"), store)
    assert names(store.blobs.popitem()[1]) == ["a"]


def test_a_path_of_a_dockerfile_is_an_image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path, {"Dockerfile": "FROM a\n"})
    monkeypatch.chdir(tmp_path)
    assert image_spec("./Dockerfile") == image_spec(str(file)) == image_spec(Image.from_dockerfile("Dockerfile"))
    assert glovebox.TaskEnvironment("e", image="./Dockerfile").in_cell
    glovebox.Session(image="./Dockerfile")
    for ref, is_one in {
        "./Dockerfile": True, "/a/Containerfile": True, "../x/Dockerfile.test": True, "./test.dockerfile": True,
        "Dockerfile": False, "./layout": False, "oci:./Dockerfile": False, "python:3.12": False, "./Dockerfiles": False,
    }.items():  # fmt: skip
        assert names_dockerfile(ref) == is_one, ref


@pytest.mark.parametrize("ref", ["./compose.yaml", "/a/docker-compose.yml", "../compose.test.yml"])
def test_a_compose_file_is_refused(ref: str) -> None:
    with pytest.raises(ValueError, match=r"the compose file .*, which this client does not read"):
        image_spec(ref)
    for other in ("./compose", "./composer.yaml", "compose.yaml"):
        image_spec(other)


def test_nothing_is_read_outside_of_a_context(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write(outside, {"key": "private", "ignore": "x"})
    file = write(
        tmp_path / "in", {"Dockerfile": "FROM a", "file": f"->{outside}/key", "dir": f"->{outside}", "up": "->../key"}
    )
    data = packed(file)
    assert names(data) == ["Dockerfile", "dir", "file", "up"] and b"private" not in data
    (tmp_path / "in" / ".dockerignore").symlink_to(outside / "ignore")
    with pytest.raises(ValueError, match=r"\.dockerignore is a link that leads out"):
        packed(file)


def test_nothing_that_no_archive_has_is_read(tmp_path: Path) -> None:
    file = write(tmp_path, {"Dockerfile": "FROM a"})
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
    assert names(packed(file)) == ["Dockerfile"]
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match=r"pipe is neither a file nor a directory nor a link; leave it out"):
        packed(file)


def test_a_file_that_shrinks_is_no_whole_context(tmp_path: Path) -> None:
    file = write(tmp_path, {"Dockerfile": "FROM a"})
    entries = entries_of(tmp_path, file)
    file.write_text("FRO")
    with pytest.raises(ValueError, match="Dockerfile became shorter"):
        pack(tmp_path, entries, io.BytesIO())


@pytest.mark.parametrize("name", ["Dockerfile", ".dockerignore", "Dockerfile.dockerignore"])
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(name: str, tmp_path: Path) -> None:
    file = write(tmp_path, {"Dockerfile": "FROM a"} if name != "Dockerfile" else {})
    os.mkfifo(tmp_path / name)
    with pytest.raises(ValueError, match=rf"{name} is no regular file"):
        told(Image.from_dockerfile(file), Store())


def test_a_file_that_became_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    file = write(tmp_path, {"Dockerfile": "FROM a"})
    entries = entries_of(tmp_path, file)
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(ValueError, match="Dockerfile is no regular file"):
        pack(tmp_path, entries, io.BytesIO())


def test_a_context_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path, {"Dockerfile": "FROM a", "data/x": "1" * 60, "data/y": "2" * 60, "z": "3" * 70})
    monkeypatch.setattr(build_context, "_MOST", 100)
    with pytest.raises(ValueError, match=r"\.dockerignore, such as 'data'"):
        packed(file)


@pytest.mark.parametrize("pattern", ["[", "a[b", "!", "\\"])
def test_bad_patterns(pattern: str, tmp_path: Path) -> None:
    file = write(tmp_path, {"Dockerfile": "FROM a", ".dockerignore": pattern + "\n"})
    with pytest.raises(ValueError, match=r"\.dockerignore: "):
        packed(file)


def test_what_is_no_dockerfile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path, {"Dockerfile": "FROM a", "empty": " \n", "large": "#" * (1 << 18) + "\n"})
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(FileNotFoundError, match="none"):
        Image.from_dockerfile(tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        Image.from_dockerfile(tmp_path)
    for name, message in {"empty": "is empty", "large": "larger than 256 KiB", "binary": "no text in UTF-8"}.items():
        with pytest.raises(ValueError, match=message):
            Image.from_dockerfile(tmp_path / name)
    with pytest.raises(FileNotFoundError, match="elsewhere"):
        Image.from_dockerfile(file, context=tmp_path / "elsewhere")
    with pytest.raises(NotADirectoryError, match="context is"):
        Image.from_dockerfile(file, context=file)
    with pytest.raises(ValueError, match="context is the URL"):
        Image.from_dockerfile(file, context="https://example.com/x.git")
    with pytest.raises(TypeError, match="args: expected str to str, got 'A': 1"):
        Image.from_dockerfile(file, args={"A": 1})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="secrets is"):
        Image.from_dockerfile(file, secrets="a")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="to which nothing is added"):
        Image.from_dockerfile(file).with_pip_packages("numpy")
    # A module of tasks is imported in a cell, too, where nothing is but code.
    monkeypatch.setenv(processes.RUN_VARIABLE, "r1")
    Image.from_dockerfile(tmp_path / "none")
