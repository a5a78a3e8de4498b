"""Sandbox agents of the OpenAI Agents SDK: with sessions, and with its own client for E2B on a server for E2B."""

from __future__ import annotations

import contextlib
import io
import json
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import e2b
import pytest
from agents import RunConfig, Runner
from agents.extensions.sandbox.e2b import E2BSandboxClient, E2BSandboxClientOptions
from agents.run_config import SandboxRunConfig
from agents.sandbox import LocalSnapshotSpec, Manifest, SandboxAgent
from agents.sandbox.entries import Dir, File
from agents.sandbox.errors import (
    ExecTimeoutError,
    ExposedPortUnavailableError,
    InvalidManifestPathError,
    WorkspaceReadNotFoundError,
)
from agents.sandbox.session import SandboxSession
from agents.testing import ScriptedModel, assistant_message, function_call

import glovebox
from glovebox.plugins.openai_agents import GloveboxSandboxClient, GloveboxSandboxClientOptions

KINDS: dict[str, tuple[type[Any], Any]] = {
    "glovebox": (GloveboxSandboxClient, GloveboxSandboxClientOptions(exposed_ports=(8000,))),
    "e2b": (E2BSandboxClient, E2BSandboxClientOptions(sandbox_type="e2b", exposed_ports=(8000,))),
}
MANIFEST = Manifest(entries={"data": Dir(children={"numbers.txt": File(content=b"1\n2\n3\n")})})


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


pytestmark = [pytest.mark.anyio, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def client(kind: str) -> Any:
    return KINDS[kind][0]()


@pytest.fixture
async def session(kind: str, client: Any) -> AsyncIterator[SandboxSession]:
    made = await client.create(manifest=MANIFEST, options=KINDS[kind][1])
    await made.start()
    yield made
    await made.shutdown()
    await client.delete(made)


async def test_an_agent(kind: str, client: Any) -> None:
    model = ScriptedModel(
        [
            [function_call("exec_command", {"cmd": "echo 'print(sum(map(int, open(0))))' > sum.py"}, call_id="1")],
            [function_call("exec_command", {"cmd": "python3 sum.py < data/numbers.txt"}, call_id="2")],
            [assistant_message("It is 6.")],
        ]
    )
    agent = SandboxAgent(name="analyst", instructions="Sum the numbers.", model=model, default_manifest=MANIFEST)
    config = RunConfig(sandbox=SandboxRunConfig(client=client, options=KINDS[kind][1]), tracing_disabled=True)
    result = await Runner.run(agent, "What is the sum?", run_config=config)
    assert result.final_output == "It is 6."
    outputs = [item.output for item in result.new_items if item.type == "tool_call_output_item"]
    assert "code 0" in outputs[1] and "\n6\n" in outputs[1] + "\n", outputs
    model.assert_complete()


async def test_commands(session: SandboxSession) -> None:
    result = await session.exec("pwd; cat data/numbers.txt; echo wrong >&2; exit 3")
    assert (result.exit_code, result.stdout, result.stderr) == (3, b"/workspace\n1\n2\n3\n", b"wrong\n")
    assert (await session.exec("printf", "%s", "a b; $c", shell=False)).stdout == b"a b; $c"
    assert (await session.exec("printf '\\377'")).stdout in (b"\xff", "\ufffd".encode())
    assert (await session.exec("no-such-program")).exit_code == 127
    assert await session.running()


async def test_a_command_that_takes_too_long(session: SandboxSession) -> None:
    with pytest.raises(ExecTimeoutError):
        await session.exec("sleep 60", timeout=1)
    assert (await session.exec("pgrep -x sleep || echo gone")).stdout == b"gone\n"


async def test_files(session: SandboxSession) -> None:
    await session.write(Path("new/a.bin"), io.BytesIO(b"\x00\xff"))
    assert (await session.read(Path("new/a.bin"))).read() == b"\x00\xff"
    assert await session.read_bounded(Path("new/a.bin"), max_bytes=1) == b"\x00"
    assert [Path(each.path).name for each in await session.ls("new")] == ["a.bin"]
    await session.mkdir("new/b/c", parents=True)
    await session.mv("new/a.bin", "new/b/c/d.bin")
    await session.rm("new/b/c/d.bin")
    with pytest.raises(WorkspaceReadNotFoundError):
        await session.read(Path("new/b/c/d.bin"))


async def test_links_lead_not_out_of_the_workspace(session: SandboxSession) -> None:
    await session.exec("ln -s /etc out")
    for path in ("/etc/passwd", "out/passwd"):
        with pytest.raises(InvalidManifestPathError):
            await session.read(Path(path))


async def test_a_terminal(kind: str, session: SandboxSession) -> None:
    started = await session.pty_exec_start("read word; tty; echo got $word; exit 4", tty=True, yield_time_s=0.3)
    assert started.process_id is not None and started.exit_code is None
    written = await session.pty_write_stdin(session_id=started.process_id, chars="tea\n", yield_time_s=5)
    text = (started.output + written.output).decode()
    if kind == "e2b":  # that client types the command into a shell, which outlives it
        assert written.exit_code is None
        written = await session.pty_write_stdin(session_id=started.process_id, chars="exit 4\n", yield_time_s=5)
    assert "/dev/pts/" in text and "got tea" in text and written.exit_code == 4


async def test_a_command_in_the_background(kind: str, session: SandboxSession) -> None:
    rest = "exec sleep 60" if kind == "e2b" else "sleep 60; echo two"  # E2B ends one process, not its children
    started = await session.pty_exec_start(f"echo one; {rest}", yield_time_s=1)
    assert started.output == b"one\n" and started.process_id is not None
    await session.pty_terminate_all()
    assert (await session.exec("pgrep -x sleep || echo gone")).stdout == b"gone\n"


async def test_a_port(session: SandboxSession) -> None:
    await session.pty_exec_start("python3 -m http.server 8000 --bind 127.0.0.1", yield_time_s=0.3)
    endpoint = await session.resolve_exposed_port(8000)
    url = endpoint.url_for("http")
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())  # the token becomes a cookie
    page = ""
    for _ in range(50):
        with contextlib.suppress(OSError):  # the server in the cell is starting
            page = page or opener.open(url).read().decode()
        if not page:
            await session.exec("sleep 0.2")
    assert "data/" in page
    with pytest.raises(ExposedPortUnavailableError):
        await session.resolve_exposed_port(9000)


async def test_a_workspace_moves_by_an_archive(kind: str, client: Any, session: SandboxSession) -> None:
    await session.exec("echo kept > kept && chmod 755 kept && ln -s kept link && mkdir empty")
    archive = (await session.persist_workspace()).read()
    other = await client.create(options=KINDS[kind][1])
    await other.start()
    try:
        await other.hydrate_workspace(io.BytesIO(archive))
        listed = await other.exec("cat link data/numbers.txt; stat -c %a kept; readlink link; ls -d empty")
        assert listed.stdout == b"kept\n1\n2\n3\n755\nkept\nempty\n"
    finally:
        await other.shutdown()
        await client.delete(other)


async def test_a_run_continues_in_its_session(client: Any, session: SandboxSession) -> None:
    await session.exec("echo kept > kept")
    state = client.deserialize_session_state(json.loads(json.dumps(client.serialize_session_state(session.state))))
    again = await client.resume(state)
    await again.start()
    assert (await again.exec("cat kept")).stdout == b"kept\n"


async def test_a_run_continues_from_a_snapshot(kind: str, client: Any, tmp_path: Path) -> None:
    await continues_from_a_snapshot(client, KINDS[kind][1], tmp_path)


async def test_a_run_continues_from_a_snapshot_of_e2b(tmp_path: Path) -> None:
    options = E2BSandboxClientOptions(sandbox_type="e2b", workspace_persistence="snapshot")
    await continues_from_a_snapshot(E2BSandboxClient(), options, tmp_path)


async def continues_from_a_snapshot(client: Any, options: Any, directory: Path) -> None:
    first = await client.create(snapshot=LocalSnapshotSpec(base_path=directory), manifest=MANIFEST, options=options)
    await first.start()
    await first.exec("echo kept > kept")
    await first.stop()
    payload = client.serialize_session_state(first.state)
    await first.shutdown()
    await client.delete(first)
    again = await client.resume(client.deserialize_session_state(payload))
    await again.start()
    try:
        assert (await again.exec("cat kept data/numbers.txt")).stdout == b"kept\n1\n2\n3\n"
    finally:
        await again.shutdown()
        await client.delete(again)


async def test_a_sandbox_of_e2b_is_paused_at_the_end() -> None:
    client = E2BSandboxClient()
    made = await client.create(options=E2BSandboxClientOptions(sandbox_type="e2b", pause_on_exit=True))
    await made.start()
    await made.exec("sleep 600 & echo $! > pid")
    await made.shutdown()
    assert (await e2b.AsyncSandbox.get_info(made.state.sandbox_id)).state == e2b.SandboxState.PAUSED
    again = await client.resume(made.state)
    await again.start()
    assert (await again.exec("kill -0 $(cat pid)")).ok()
    await e2b.AsyncSandbox.kill(made.state.sandbox_id)


async def test_a_session_is_paused_at_the_end() -> None:
    client = GloveboxSandboxClient()
    made = await client.create(options=GloveboxSandboxClientOptions(pause_on_exit=True))
    await made.start()
    await made.exec("sleep 600 & echo $! > pid")
    id = made.state.glovebox_id
    await made.shutdown()
    (found,) = (each for each in glovebox.sessions() if each.id == id)
    assert await found.state.aio() == "paused"
    again = await client.resume(made.state)
    await again.start()
    assert (await again.exec("kill -0 $(cat pid)")).ok()
    await client.delete(again)
    assert await found.state.aio() == "ended"
