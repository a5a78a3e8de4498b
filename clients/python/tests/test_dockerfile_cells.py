"""Dockerfiles of this machine as images of sandboxes, environments and sessions, in real cells.

They run with GLOVEBOX_TEST_REAL=1. Images are kept in GLOVEBOX_TEST_HOME, if that is set, for the next time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
import glovebox
from celled.dockerfiles import greeting
from glovebox import Image, Session, errors

pytestmark = pytest.mark.cells


@pytest.fixture(scope="module", autouse=True, params=["child", "tcp"])
def kind(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[str]:
    home = Path(os.environ.get("GLOVEBOX_TEST_HOME") or tmp_path_factory.mktemp("home"))
    with engines.engine(request.param, home):
        yield request.param


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_text("left out")
    (tmp_path / "word").write_text("hello\n")
    (tmp_path / ".dockerignore").write_text("secret\n")
    (tmp_path / "Dockerfile").write_text(
        "FROM debian:bookworm AS words\nARG WHO=nobody\nCOPY . /srv/\nRUN echo $WHO >/srv/who\n"
        "FROM words AS more\nRUN --mount=type=secret,id=token test -s /run/secrets/token && echo more >/srv/more\n"
    )
    return tmp_path / "Dockerfile"


def test_a_sandbox(file: Path) -> None:
    image = Image.from_dockerfile(file, target="words", args={"WHO": "ada"})
    box = glovebox.sandbox.create(command=["sh", "-c", "cd /srv; echo $(ls) $(cat word who)"], image=image)
    assert box.execute().stdout == "Dockerfile who word hello ada\n"
    (file.parent / "word").write_text("bye\n")
    assert box.execute().stdout == "Dockerfile who word bye ada\n"


def test_a_session_of_a_path(file: Path) -> None:
    engines.command("secret", "set", "build-token", stdin=b"of the build")
    image = Image.from_dockerfile(file, secrets={"token": "build-token"})
    with Session(image=image) as s:
        assert s.exec("cat /srv/who /srv/more").check().stdout == "nobody\nmore\n"
        assert not s.files.exists("/srv/secret")
    file.write_text("FROM debian:bookworm\nCOPY word /srv/\n")
    with Session(image=str(file)) as s:
        assert s.files.read_text("/srv/word") == "hello\n"


def test_a_function_of_an_environment() -> None:
    assert greeting("ada") == "hello ada"


def test_what_cannot_be_built(file: Path) -> None:
    file.write_text("FROM debian:bookworm\nCOPY secret /\n")
    with pytest.raises(errors.GloveboxError, match=r"Dockerfile:2: COPY secret /: .*secret"):
        glovebox.sandbox.create(command=["true"], image=str(file)).run()
    file.write_text("FROM debian:bookworm\nRUN exit 7\n")
    with pytest.raises(errors.BuildFailedError, match="Dockerfile:2"):
        Session(image=str(file)).open()
