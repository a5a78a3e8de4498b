from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from glovebox._link import settings as settings_module
from glovebox._link.init import Config, init, init_from_config, init_in_cluster
from glovebox._link.settings import Settings, names_engine, settings


@pytest.fixture(autouse=True)
def nothing_was_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in ("URL", "TOKEN", "HOME", "PROGRAM", "PROXY", "CONFIG", "RUN"):
        monkeypatch.delenv(f"GLOVEBOX_{name}", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(settings_module._Given, "config", Config())
    monkeypatch.setattr(settings_module._Given, "root_dir", None)
    level = logging.getLogger("glovebox").level
    yield
    logging.getLogger("glovebox").setLevel(level)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_without_a_word_the_engine_is_a_child() -> None:
    assert settings() == Settings()


def test_the_environment_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOVEBOX_HOME", "/home")
    assert settings() == Settings(home="/home")
    monkeypatch.setenv("GLOVEBOX_URL", "unix:///s")
    monkeypatch.setenv("GLOVEBOX_TOKEN", "token")
    assert settings() == Settings(url="unix:///s", token="token")


def test_arguments_come_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOVEBOX_URL", "unix:///s")
    init(url="http://127.0.0.1:8700", token="mine")
    assert settings() == Settings(url="http://127.0.0.1:8700", token="mine")
    init(home="/elsewhere")
    assert settings() == Settings(home="/elsewhere")
    init()
    assert settings() == Settings(url="unix:///s")


@pytest.mark.parametrize("in_cell", [False, True])
def test_whether_there_is_an_engine_beyond_this_process(monkeypatch: pytest.MonkeyPatch, in_cell: bool) -> None:
    def named() -> bool:
        assert names_engine() == bool(settings().url or settings().proxy)
        return names_engine()

    init(url="http://127.0.0.1:8700")
    assert named()
    init(home="/elsewhere")
    if in_cell:
        monkeypatch.setenv("GLOVEBOX_RUN", "run-1")
    assert not named()
    monkeypatch.setenv("GLOVEBOX_PROXY", "http://127.0.0.1:1234")
    assert named() == in_cell
    monkeypatch.setenv("GLOVEBOX_URL", "unix:///s")
    assert named() == in_cell
    monkeypatch.delenv("GLOVEBOX_PROXY")
    init()
    assert named()


def test_init_can_be_awaited() -> None:
    asyncio.run(init.aio(endpoint="unix:///s", api_key="token"))
    assert settings() == Settings(url="unix:///s", token="token")


def test_a_token_is_not_shown() -> None:
    assert "hunter2" not in repr(Config(token="hunter2")) + repr(Settings(url="unix:///s", token="hunter2"))


def test_a_file_says_which_server(tmp_path: Path) -> None:
    write(tmp_path / "secret", "token-of-file\n")
    file = write(tmp_path / "c.ini", "[server]\nurl = https://box:8700\ntoken_file = secret\n")
    init_from_config(file)
    assert settings() == Settings(url="https://box:8700", token="token-of-file")


def test_a_file_says_which_home(tmp_path: Path) -> None:
    init_from_config(str(write(tmp_path / "c.ini", "[engine]\nhome = boxes\n")))
    assert settings() == Settings(home=str(tmp_path / "boxes"))


def test_files_are_found_in_their_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    init_from_config()
    assert settings() == Settings()
    write(tmp_path / "user/.config/glovebox/config.ini", "[engine]\nhome = /user\n")
    init_from_config()
    assert settings().home == "/user"
    write(tmp_path / "xdg/glovebox/config.ini", "[engine]\nhome = /xdg\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    init_from_config()
    assert settings().home == "/xdg"
    write(tmp_path / "here/.glovebox/config.ini", "[engine]\nhome = /project\n")
    init_from_config()
    assert settings().home == "/project"
    monkeypatch.setenv("GLOVEBOX_CONFIG", str(write(tmp_path / "named.ini", "[engine]\nhome = /named\n")))
    init_from_config()
    assert settings().home == "/named"
    init_from_config(write(tmp_path / "given.ini", "[engine]\nhome = /given\n"))
    assert settings().home == "/given"
    init_from_config(Config(home="/object"))
    assert settings().home == "/object"


def test_a_file_that_is_named_has_to_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere.ini' is not there"):
        init_from_config(tmp_path / "nowhere.ini")
    monkeypatch.setenv("GLOVEBOX_CONFIG", str(tmp_path / "nowhere.ini"))
    with pytest.raises(FileNotFoundError, match="which GLOVEBOX_CONFIG names, is not there"):
        init_from_config()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("url = x\n", r"(?s)no section headers.*c\.ini.*line: 1"),
        ("[server]\nurl\n", r"(?s)c\.ini.*line  2"),
        ("[servers]\nurl = x\n", r"c\.ini: there is no section \[servers\]; expected server, engine"),
        ("[server]\n\nadress = x\n", r"c\.ini, line 3: there is no key 'adress' in \[server\]; expected url"),
        ("[server]\nurl =\n", r"c\.ini, line 2: url is empty"),
        ("[server]\nurl = http://box\n", r"c\.ini.*use https"),
        ("[server]\ntoken = x\ntoken_file = y\n", r"c\.ini, line 3: token and token_file are both given"),
        ("[server]\ntoken_file = nowhere\n", r"c\.ini, line 2: token_file cannot be read"),
        ("[server]\nurl = https://box\n[engine]\nhome = /x\n", r"c\.ini: url and home are both given"),
        ("[server]\nurl = https://box\nca_file = nowhere\n", r"c\.ini: ca_file is '.*nowhere', expected a file"),
        ("[server]\nurl = a\nurl = b\n", r"c\.ini"),
    ],
)
def test_a_file_that_cannot_be_right_is_refused_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        init_from_config(write(tmp_path / "c.ini", text))
    assert settings() == Settings()


def test_a_file_of_bytes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.ini").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match="not UTF-8"):
        init_from_config(tmp_path / "c.ini")


def test_arguments_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="url and endpoint mean the same"):
        init(url="unix:///a", endpoint="unix:///b")
    with pytest.raises(ValueError, match="url and home are both given"):
        init(url="unix:///a", home="/b")
    with pytest.raises(ValueError, match="root_dir is '/nowhere'"):
        init(root_dir="/nowhere")


def test_what_an_engine_does_not_have_is_accepted_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "glovebox"):
        init_from_config(None, org="o", project="p", domain="d")
    assert [record.getMessage().partition("=")[0] for record in caplog.records] == ["org", "project", "domain"]
    with pytest.raises(TypeError):
        init(storage="s3")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def test_the_level_of_the_log_and_the_project_are_kept(tmp_path: Path) -> None:
    init(log_level=logging.DEBUG, root_dir=tmp_path)
    assert logging.getLogger("glovebox").level == logging.DEBUG
    assert settings_module.root_dir() == tmp_path.resolve()


def test_in_a_cell_nothing_can_be_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOVEBOX_RUN", "run-1")
    monkeypatch.setenv("GLOVEBOX_URL", "http://engine.glovebox")
    monkeypatch.setenv("GLOVEBOX_PROXY", "http://127.0.0.1:1234")
    init_in_cluster()
    init(url="https://elsewhere", token="stolen")
    assert settings() == Settings(url="http://engine.glovebox", proxy="http://127.0.0.1:1234")


def test_in_cluster_uses_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOVEBOX_URL", "unix:///s")
    init_in_cluster()
    assert settings() == Settings(url="unix:///s")


def test_nobody_hears_of_the_library_who_does_not_ask() -> None:
    assert any(isinstance(handler, logging.NullHandler) for handler in logging.getLogger("glovebox").handlers)


def test_the_signatures_can_be_read() -> None:
    assert list(inspect.signature(init_from_config).parameters)[:3] == ["path_or_config", "root_dir", "log_level"]
