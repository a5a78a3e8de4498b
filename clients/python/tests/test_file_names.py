"""Names of files survive cells, as they survive a function of this process. With GLOVEBOX_TEST_REAL=1."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
from celled import names
from glovebox.io import Dir

pytestmark = pytest.mark.cells


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    home = os.environ.get("GLOVEBOX_TEST_HOME")
    with engines.engine("child", Path(home) if home else tmp_path_factory.mktemp("home")):
        yield


def test_one_file() -> None:
    given = names.make("\u00fcber uns.txt", "hi")
    assert names.one().name == "report.csv"
    assert (names.same(given).name, names.same(given).read()) == (given.name, b"hi")
    kept = names.maybe(given)
    assert kept is not None and kept.name == given.name
    assert names.maybe() is None
    assert names.chain().name == "report.csv"


def test_a_cached_result_has_the_name_of_its_own_file() -> None:
    assert [names.kept(names.make(name)).name for name in ("a.txt", "b.txt", "a.txt")] == ["a.txt", "b.txt", "a.txt"]


def test_several_files_with_one_name() -> None:
    made = names.many([names.make("b.txt", "b"), names.make("a.txt", "0")])
    assert [(file.name, file.read()) for file in made] == [
        ("b.txt", b"b"),
        ("a.txt", b"0"),
        ("a.txt", b"1"),
        ("a.txt", b"2"),
    ]
    assert [file.name for file in names.many(made)] == ["b.txt", *["a.txt"] * 5]


def test_a_dict_has_keys_and_its_files_have_names() -> None:
    made = names.keyed({"k": names.make("a.txt"), "a/b": names.make("b.txt")})
    assert {key: file.name for key, file in made.items()} == {"k": "a.txt", "a/b": "b.txt"}


def test_directories_and_what_a_function_sees(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    (photos / "p.png").write_text("1")
    kept = names.tree(Dir(photos))
    assert (kept.name, [file.name for file in kept.list_files_sync()]) == ("photos", ["p.png"])
    given = [names.make("a.txt"), names.make("a.txt")]
    assert names.seen(given[0], given, Dir(photos)) == ["a.txt", "a.txt", "a.txt", "photos"]
