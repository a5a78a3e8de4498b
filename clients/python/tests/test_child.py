from __future__ import annotations

import asyncio
import logging
import os
import signal
import stat
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from glovebox._link import child, connect, launch, program
from glovebox._link.child import Child
from glovebox._link.program import find_program
from glovebox.errors import ServerUnavailableError

REPOSITORY = Path(__file__).parents[3]
PROGRAM = os.environ.get("GLOVEBOX_PROGRAM") or str(REPOSITORY / "bin" / "glovebox")


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in ("GLOVEBOX_URL", "GLOVEBOX_TOKEN", "GLOVEBOX_RUN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GLOVEBOX_PROGRAM", PROGRAM)
    monkeypatch.setenv("GLOVEBOX_HOME", str(tmp_path / "home"))
    yield


def fake_program(directory: Path, code: str, name: str = "glovebox") -> Path:
    """Makes a program that stands in for the engine."""
    directory.mkdir(exist_ok=True)
    path = directory / name
    path.write_text(f"#!{sys.executable}\nimport os, signal, sys, time\n" + textwrap.dedent(code))
    path.chmod(0o755)
    return path


def test_the_program_that_is_named_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    named = fake_program(tmp_path / "named", "")
    monkeypatch.setenv("GLOVEBOX_PROGRAM", str(named))
    monkeypatch.setenv("PATH", str(fake_program(tmp_path / "path", "").parent))
    assert find_program() == str(named)


def test_the_program_beside_this_python_comes_before_that_on_the_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("GLOVEBOX_PROGRAM")
    installed = fake_program(tmp_path / "scripts", "")
    other = fake_program(tmp_path / "path", "")
    monkeypatch.setenv("PATH", str(other.parent))
    monkeypatch.setattr(program, "_script_directories", lambda: [str(installed.parent)])
    assert find_program() == str(installed)
    installed.unlink()
    assert find_program() == str(other)


def test_the_scripts_of_this_python_are_looked_at() -> None:
    assert os.path.dirname(sys.executable) in program._script_directories()


def test_without_a_program_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GLOVEBOX_PROGRAM")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(program, "_script_directories", lambda: [str(tmp_path)])
    with pytest.raises(ServerUnavailableError, match="not installed here") as caught:
        find_program()
    assert "glovebox-sandbox" in str(caught.value)


def test_a_program_that_cannot_be_one_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GLOVEBOX_PROGRAM", str(tmp_path))
    with pytest.raises(ServerUnavailableError, match="no file that can be executed"):
        find_program()


def test_a_child_listens_where_nobody_else_can_and_leaves_nothing_behind() -> None:
    async def main() -> None:
        child = await Child.start()
        directory = child.socket.parent
        assert child.alive
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700
        assert len(os.fsencode(child.socket)) < 104
        group = os.getpgid(child._process.pid)
        assert group == child._process.pid != os.getpgid(0)
        await child.stop()
        assert not child.alive
        assert not directory.exists()
        assert child._process.returncode == 0

    asyncio.run(main())


def test_a_long_directory_for_temporary_files_does_no_harm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    directory = launch.private_directory()
    assert len(os.fsencode(directory)) < 60
    directory.rmdir()
    assert not list(long.iterdir())


def test_what_the_engine_prints_before_it_fails_is_in_the_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = fake_program(tmp_path, "print('glovebox: the disk is on fire', file=sys.stderr); sys.exit(3)")
    monkeypatch.setenv("GLOVEBOX_PROGRAM", str(program))
    with pytest.raises(ServerUnavailableError, match="ended with status 3") as caught:
        asyncio.run(Child.start())
    assert "glovebox: the disk is on fire" in str(caught.value)


def test_a_program_that_cannot_be_started_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "glovebox"
    program.write_bytes(b"\0 no program")
    program.chmod(0o755)
    monkeypatch.setenv("GLOVEBOX_PROGRAM", str(program))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(ServerUnavailableError, match="cannot be started"):
        asyncio.run(Child.start())
    assert [path.name for path in tmp_path.iterdir()] == ["glovebox"]


def test_a_program_that_never_listens_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = fake_program(tmp_path, "sys.stdin.read()")
    monkeypatch.setenv("GLOVEBOX_PROGRAM", str(program))
    monkeypatch.setattr(child, "_START_PATIENCE", 0.1)
    with pytest.raises(ServerUnavailableError, match="did not begin to listen within 0.1 s"):
        asyncio.run(Child.start())


def test_a_program_that_does_not_want_to_end_is_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    code = """
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("glovebox: listening on x", file=sys.stderr, flush=True)
        time.sleep(600)
    """
    monkeypatch.setenv("GLOVEBOX_PROGRAM", str(fake_program(tmp_path, code)))
    monkeypatch.setattr(child, "_STOP_PATIENCE", 0.05)
    monkeypatch.setattr(child, "_TERM_PATIENCE", 0.05)

    async def main() -> int | None:
        child = await Child.start()
        await child.stop()
        return child._process.returncode

    assert asyncio.run(main()) == -signal.SIGKILL


def test_its_log_goes_to_the_logger_at_its_level(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    code = """
        for line in ("level=WARN msg=careful", "level=INFO msg=request status=200", "level=ERROR msg=bad", "no level",
                     "glovebox: listening on x"):
            print(line, file=sys.stderr, flush=True)
        sys.stdin.read()
    """
    monkeypatch.setenv("GLOVEBOX_PROGRAM", str(fake_program(tmp_path, code)))

    async def main() -> None:
        await (await Child.start()).stop()

    with caplog.at_level(logging.DEBUG, "glovebox.engine"):
        asyncio.run(main())
    levels = [record.levelname for record in caplog.records if record.name == "glovebox.engine"]
    assert levels == ["WARNING", "DEBUG", "ERROR", "WARNING"]


def test_what_it_prints_is_kept_within_bounds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    code = """
        sys.stderr.write("x" * 1_000_000 + "\\n" + "y\\n" * 5_000)
        sys.exit(1)
    """
    monkeypatch.setenv("GLOVEBOX_PROGRAM", str(fake_program(tmp_path, code)))
    with pytest.raises(ServerUnavailableError) as caught:
        asyncio.run(Child.start())
    assert len(str(caught.value)) < 70_000


def test_the_child_is_not_told_of_another_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GLOVEBOX_URL", "https://elsewhere")
    monkeypatch.setenv("GLOVEBOX_TOKEN", "secret")
    code = (
        "print(sorted(n for n in os.environ if n in ('GLOVEBOX_URL', 'GLOVEBOX_TOKEN')), file=sys.stderr); sys.exit(1)"
    )
    monkeypatch.setenv("GLOVEBOX_PROGRAM", str(fake_program(tmp_path, code)))
    with pytest.raises(ServerUnavailableError, match=r"\[\]"):
        asyncio.run(Child.start())


@pytest.mark.parametrize(
    ("library", "program", "fits"),
    [
        ("1.2.3", "v1.2.3", True),
        ("1.2.3", "1.2.4", False),
        ("1.2.3", "822b00d-dirty", True),
        ("1.2.3.dev4", "1.2.4", True),
    ],
)
def test_releases_of_program_and_library_must_be_one(
    monkeypatch: pytest.MonkeyPatch, library: str, program: str, fits: bool
) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda _: library)
    if fits:
        connect._check_version({"version": program})
        return
    with pytest.raises(ServerUnavailableError, match="has version 1.2.4 and this library has version 1.2.3"):
        connect._check_version({"version": program})


def script(code: str) -> subprocess.CompletedProcess[str]:
    """Runs a program with warnings as errors."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    begin = """
        import asyncio, os, signal, sys, warnings
        from glovebox._link.current import current_engine
        from glovebox._process.loop import run_sync
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        async def engine(): return await current_engine()
        async def version(): return (await (await current_engine()).version())["version"]
        def child(): return run_sync(engine())._http.child
    """
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(begin) + textwrap.dedent(code)],
        env=environment,
        text=True,
        capture_output=True,
        timeout=300,
        check=False,
    )


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_the_child_ends_with_python_quietly() -> None:
    done = script("run_sync(version()); print(child()._process.pid, child().socket)")
    assert done.stderr == ""
    pid, socket = done.stdout.split()
    assert not is_running(int(pid))
    assert not Path(socket).parent.exists()


def test_a_child_that_was_killed_is_replaced() -> None:
    done = script(
        """
        run_sync(version())
        first = child()
        os.kill(first._process.pid, signal.SIGKILL)
        first._process.wait()
        run_sync(version())
        print(child() is not first, first.socket.parent.exists())
        """
    )
    assert (done.stdout, done.stderr) == ("True False\n", "")


def test_a_call_under_way_says_that_the_engine_has_ended() -> None:
    done = script(
        """
        from glovebox.errors import ServerUnavailableError
        task = {"name": "endless", "kind": "function", "function": {"id": "nobody"}, "signature": {}}
        async def main():
            engine = await current_engine()
            run = await engine.submit(task=task)
            waiting = asyncio.create_task(engine.wait(run["id"]))
            while not engine._http._open: await asyncio.sleep(0)
            os.kill(engine._http.child._process.pid, signal.SIGKILL)
            await waiting
        try:
            run_sync(main())
        except ServerUnavailableError as error:
            print(error)
        """
    )
    assert "the engine, a child of this process, was ended by signal 9" in done.stdout
    assert done.stderr == ""


def test_after_a_fork_each_has_its_own_and_the_parents_lives_on() -> None:
    done = script(
        """
        run_sync(version())
        mine = child()._process.pid
        forked = os.fork()
        if forked == 0:
            run_sync(version())
            print(child()._process.pid != mine, flush=True)
            sys.exit(0)
        assert os.waitpid(forked, 0)[1] == 0
        run_sync(version())
        print(child()._process.pid == mine)
        """
    )
    assert (done.stdout, done.stderr) == ("True\nTrue\n", "")


def test_a_forked_process_does_not_keep_the_engine_of_a_parent_that_died() -> None:
    done = script(
        """
        run_sync(version())
        pid = child()._process.pid
        read, write = os.pipe()
        if os.fork() == 0:
            os.close(write)
            os.read(read, 1)  # until the parent has died
            handle = os.pidfd_open(pid)
            import select
            print(bool(select.select([handle], [], [], 60)[0]), flush=True)
            os._exit(0)
        os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    assert done.stdout == "True\n"
